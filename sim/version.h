// Versions that results carry. kModelVersion grows whenever a run gives other numbers than before.
#pragma once

namespace lockstep {

constexpr int kModelVersion = 1;
constexpr const char* kVersion = LOCKSTEP_VERSION;

}  // namespace lockstep
