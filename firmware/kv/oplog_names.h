// The words of an operation log, shared by its reader and its replay.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "firmware/kv/oplog.h"

namespace lockstep {

std::optional<OplogKind> kind_of(std::string_view name);
std::string_view name_of(OplogKind kind);
std::string known_kinds();

// `region_shared_scratch` is policy `region` with branch blocks beside their sequence.
std::string policy_of(const std::string& oplog_policy);
ScratchPlacement scratch_of(std::string_view oplog_policy);

}  // namespace lockstep
