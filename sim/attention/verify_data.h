// Data of a verification case, drawn from its seed, and attention of it in double precision.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/attention/verify_case.h"
#include "tlm/contract/stack_port.h"

namespace lockstep {

struct SequenceData {
  std::vector<std::uint8_t> keys;    // [token][head][dim], elements of the case
  std::vector<std::uint8_t> values;  // the same
  SequenceQueries queries;           // [head][query][dim]
};

std::vector<SequenceData> draw_data(const VerifyCase& verify);

// Puts K and V of all sequences into the memory behind `port`.
void poke_data(const VerifyCase& verify, const KvPools& pools,
               const std::vector<SequenceData>& data, StackPort& port);

// Of one sequence: [head][query][dim].
struct ReferenceOutput {
  std::vector<double> values;  // softmax(q K^T / sqrt(d)) V
  std::vector<double> bounds;  // of the banks' error, for these data (docs/model.md, attention)
};
ReferenceOutput reference_output(const VerifyCase& verify, const SequenceData& data,
                                 std::int64_t tokens);

}  // namespace lockstep
