// lockstep score VECTORS.json: the placement metrics of block tables as CSV.
#include <memory>

#include <fmt/format.h>

#include "firmware/kernels/score_vectors.h"
#include "sim/commands/declare.h"
#include "tlm/contract/input_file.h"

namespace lockstep {

void declare_score(CLI::App& app, int&) {
  auto file = std::make_shared<std::string>();
  app.add_option("VECTORS", *file, "JSON array of block tables")->required();
  app.footer(
      "Prints index,bursts,commands,hits,m1,m2,m3_gbps for the stack and the constants of the "
      "placement\n"
      "study: 32 pseudo channels, 4.3 ns and 45 ns.");
  app.callback([file] {
    const StackGeometry geometry;
    const auto vectors = parse_score_vectors(read_input_file(*file), *file, geometry);
    fmt::print("{}", score_csv(vectors, geometry, kStudyTiming));
  });
}

}  // namespace lockstep
