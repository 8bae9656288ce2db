// How many blocks lie under one row index of all banks and channels: derived, never configured.
#pragma once

#include <cstdint>
#include <optional>

#include "firmware/kernels/kv_layout.h"

namespace lockstep {

// row bytes x banks x channels / (bytes of a token x tokens of a block); 1 if a block is larger
// than that, nullopt if the quotient is not whole.
inline std::optional<std::int32_t> blocks_per_region(const StackGeometry& geometry, KvShape shape) {
  const std::int64_t region = static_cast<std::int64_t>(geometry.row_bytes()) *
                              geometry.banks_per_pseudo_channel() * geometry.flat_channels();
  const std::int64_t block = shape.block_tokens * shape.kv_bytes_per_token;
  if (block >= region) return block % region == 0 ? std::optional(1) : std::nullopt;
  if (region % block != 0) return std::nullopt;
  return static_cast<std::int32_t>(region / block);
}

}  // namespace lockstep
