// Writes golden vectors, or the model's timing trace, of the bank unit: what the testbench reads.
//   mac_vectors vectors|trace dot|axpy|all COUNT SEED DEPTH QUERIES COLUMN_PARTS
#include <iostream>
#include <string>

#include "hw/pim/mac_model.h"
#include "hw/pim/mac_vectors.h"

int main(int argc, char** argv) {
  if (argc != 8) {
    std::cerr << "usage: mac_vectors vectors|trace dot|axpy|all COUNT SEED DEPTH QUERIES PARTS\n";
    return 2;
  }
  const std::string form = argv[1];
  const std::string mix = argv[2];
  lockstep::MacVectorSpec spec;
  spec.mix = mix == "dot"    ? lockstep::MacMix::kDot
             : mix == "axpy" ? lockstep::MacMix::kAxpy
                             : lockstep::MacMix::kAll;
  spec.clocks = std::stoull(argv[3]);
  spec.seed = std::stoull(argv[4]);
  spec.parameters.depth = std::stoi(argv[5]);
  spec.parameters.queries = std::stoi(argv[6]);
  spec.parameters.column_parts = std::stoi(argv[7]);
  if (form == "trace") {
    lockstep::MacModel model(spec.parameters);
    lockstep::write_mac_trace(std::cout, spec, model);
  } else {
    lockstep::write_mac_vectors(std::cout, spec);
  }
  return 0;
}
