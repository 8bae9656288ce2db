// The memory that sparse attention takes beside K and V, by design and not by measurement.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "firmware/sparse/sparse_config.h"

namespace lockstep {

struct SideMemory {
  std::string_view name;
  std::string_view of;  // what is counted
  std::int64_t bytes = 0;
};

// At the end of the run, all requests. The parts that this configuration does not have are left
// out. `delta` is that of the prediction.
std::vector<SideMemory> side_memory(const SparseConfig& config, double delta);

}  // namespace lockstep
