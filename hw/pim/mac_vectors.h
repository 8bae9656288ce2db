// Golden vectors of the bank unit for $readmemh: one line a clock, inputs and expected outputs.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

#include "hw/pim/mac_stimulus.h"

namespace lockstep {

struct MacVectorSpec {
  MacParameters parameters;
  MacMix mix = MacMix::kAll;
  std::uint64_t clocks = 1000;
  std::uint64_t seed = 1;
};

// Writes `clocks` lines, each one 1348-bit hexadecimal word of the fields of docs/rtl.md
// ("Vectors"), after `//` lines that say what made them. Expected outputs are those of MacModel.
void write_mac_vectors(std::ostream& out, const MacVectorSpec& spec);

// Writes the timing trace of the same clocks: `cycle I tag` for what is issued, `cycle R tag data`
// for what comes back, data as 128 hexadecimal digits, lane 15 first. The unit may be any MacUnit.
void write_mac_trace(std::ostream& out, const MacVectorSpec& spec, MacUnit& unit);

// One clock of the above, without the end of line: a word of inputs and of outputs seen after it.
std::string mac_vector(const MacStep& step, const MacOutputs& seen);

// One clock of the trace: nothing, a line, or two.
std::string mac_trace(std::int64_t clock, const MacStep& step, const MacOutputs& seen);

// The first lines of a file of vectors: `made_by`, and what the fields are.
std::string mac_vectors_header(const std::string& made_by);

}  // namespace lockstep
