// The bank unit's arithmetic for SystemVerilog: import "DPI-C", or call from C. Stateless: whoever
// calls keeps the accumulators. Vectors are packed words, the least significant first, as
// svBitVecVal.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// import "DPI-C" function int unsigned lockstep_mac_dot(
//     input bit [255:0] column, input bit [255:0] operand, input int unsigned accumulator)
// Returns accumulator + tree(column x operand), fp32 bits.
uint32_t lockstep_mac_dot(const uint32_t* column, const uint32_t* operand, uint32_t accumulator);

// import "DPI-C" function void lockstep_mac_axpy(
//     input bit [255:0] column, input shortint unsigned scalar,
//     input bit [511:0] lanes_in, output bit [511:0] lanes_out)
// Each fp32 lane of `lanes_out` is that of `lanes_in` + scalar x column lane.
void lockstep_mac_axpy(const uint32_t* column, uint16_t scalar, const uint32_t* lanes_in,
                       uint32_t* lanes_out);

#ifdef __cplusplus
}
#endif
