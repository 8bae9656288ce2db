// fp16 data of a verification case, drawn from its seed, and attention of it in double precision.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/attention/verify_case.h"
#include "tlm/contract/stack_port.h"

namespace lockstep {

struct SequenceData {
  std::vector<std::uint16_t> keys;    // [token][head][dim], fp16
  std::vector<std::uint16_t> values;  // the same
  SequenceQueries queries;            // [head][query][dim]
};

std::vector<SequenceData> draw_data(const VerifyCase& verify);

// Puts K and V of all sequences into the memory behind `port`.
void poke_data(const VerifyCase& verify, const KvPools& pools,
               const std::vector<SequenceData>& data, StackPort& port);

// softmax(q K^T / sqrt(d)) V of one sequence: [head][query][dim].
std::vector<double> reference_output(const VerifyCase& verify, const SequenceData& data,
                                     std::int64_t tokens);

}  // namespace lockstep
