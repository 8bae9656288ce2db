// The resolved configuration in a summary.
#pragma once

#include <nlohmann/json.hpp>

#include "configs/node.h"

namespace lockstep {

// Objects with the keys of `tree` in its order. A value is a number or a truth value where JSON
// writes it with the same letters, else a string, unit included: `"clock": "1.3 GHz"`. So the text
// of the object is a configuration (JSON is YAML) with the same config_hash.
nlohmann::ordered_json config_json(const ConfigNode& tree);

}  // namespace lockstep
