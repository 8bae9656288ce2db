// Places for mistakes that show only when a run uses its configuration.
#pragma once

#include <functional>
#include <string>

#include "configs/node.h"

namespace lockstep {

// Where `tree` has the value of `path` (`kv.headroom`), or the innermost map on the way to it.
Place place_of_setting(const ConfigNode& tree, const std::string& path);

// Does `work`. A SettingError that it throws becomes a ConfigError that says where `tree` has the
// setting: `file:line:column: `kv.headroom`: message`.
void at_places_of(const ConfigNode& tree, const std::function<void()>& work);

}  // namespace lockstep
