#include "rtl/dpi/lockstep_mac_dpi.h"

#include <cstring>

#include "tlm/contract/mac_arithmetic.h"

namespace {

// Lane 0 is the least significant half of word 0.
lockstep::Column lanes_of(const std::uint32_t* packed) {
  lockstep::Column lanes;
  for (int lane = 0; lane < lockstep::kMacLanes; ++lane) {
    lanes[lane] = static_cast<std::uint16_t>(packed[lane / 2] >> (lane % 2 * 16));
  }
  return lanes;
}

}  // namespace

uint32_t lockstep_mac_dot(const uint32_t* column, const uint32_t* operand, uint32_t accumulator) {
  return lockstep::mac_dot(lanes_of(column), lanes_of(operand), accumulator);
}

void lockstep_mac_axpy(const uint32_t* column, uint16_t scalar, const uint32_t* lanes_in,
                       uint32_t* lanes_out) {
  lockstep::LaneWords lanes;
  std::memcpy(lanes.data(), lanes_in, sizeof lanes);
  lockstep::mac_axpy(lanes_of(column), scalar, lanes);
  std::memcpy(lanes_out, lanes.data(), sizeof lanes);
}
