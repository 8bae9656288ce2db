// A small stack that computes, from the preset that users have.
#pragma once

#include <string>
#include <vector>

#include "configs/config.h"
#include "hw/stack/stack_config.h"

namespace lockstep {

// Two channels of two pseudo channels, 64 rows a bank. `changes` as `pim.unit_stages=1`.
inline StackConfig small_config(const std::vector<std::string>& changes = {}) {
  auto doc = ConfigDocument::from_file(LOCKSTEP_SOURCE_DIR "/configs/hbm3-5.2gbps.yaml");
  doc.set("storage=sparse");
  doc.set("geometry.channels=2");
  doc.set("geometry.rows=64");
  for (const auto& change : changes) doc.set(change);
  auto root = doc.root();
  StackConfig config = read_stack(root);
  doc.throw_if_invalid();
  return config;
}

}  // namespace lockstep
