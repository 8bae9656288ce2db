// One configuration over another: what `extends` and `--set` do.
#pragma once

#include <string>

#include "configs/node.h"

namespace lockstep {

// `base` with the entries of `over` put in: maps merge key by key, a list or scalar replaces the
// one it meets, new keys come last, and
// a `tRP` takes the place of an `nRP` and the reverse. Each node keeps the place of its own file. A
// map in the place of another kind, or the reverse, is an issue and leaves a broken node. `path`
// names the node.
ConfigNode merged(ConfigNode base, ConfigNode over, const std::string& path, ConfigIssues& issues);

// Puts `path.to.key=value` into `root`. The value is YAML on one line. Places have the assignment
// as their file and columns in it. An issue if it has no such form or if `path.to` is not a map of
// root.
void set_path(ConfigNode& root, const std::string& assignment, ConfigIssues& issues);

// The name of an assignment in places: `--set path.to.key=value`, a long one cut.
std::string assignment_name(const std::string& assignment);

}  // namespace lockstep
