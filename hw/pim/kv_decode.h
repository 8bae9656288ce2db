// From the bytes of a column to the fp16 lanes that a bank unit works on.
#pragma once

#include "tlm/contract/attention_pass.h"

namespace lockstep {

constexpr int kColumnBytes = 32;

// The lanes of one beat of a column of kColumnBytes bytes, lowest address first. Exact for all
// but bf16: every int8 and fp8 number is an fp16 number. E4M3 is the OCP format: no infinities,
// S.1111.111 is NaN.
Column decode_beat(KvElement element, const std::uint8_t* column, int beat);

}  // namespace lockstep
