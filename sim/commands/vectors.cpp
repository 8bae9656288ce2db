// lockstep vectors: golden vectors of the bank MAC unit, for an own RTL.
#include <iostream>
#include <memory>

#include "hw/pim/mac_vectors.h"
#include "sim/commands/declare.h"
#include "tlm/contract/errors.h"

namespace lockstep {

void declare_vectors(CLI::App& app, int&) {
  struct Options {
    std::string op = "all";
    MacVectorSpec spec;
  };
  auto options = std::make_shared<Options>();
  auto& spec = options->spec;
  app.add_option("--op", options->op, "which operations: dot, axpy or all")
      ->check(CLI::IsMember({"dot", "axpy", "all"}));
  app.add_option("--count", spec.clocks, "lines, one a clock")->check(CLI::Range(1, 100'000'000));
  app.add_option("--seed", spec.seed, "seed of the random operands");
  app.add_option("--queries", spec.parameters.queries, "queries of the group")
      ->check(CLI::Range(1, 8));
  app.add_option("--depth", spec.parameters.depth, "pipeline stages")
      ->check(CLI::IsMember({1, 3, 6}));
  app.footer("Prints lines for $readmemh; docs/rtl.md (Vectors) says what their fields are.");
  app.callback([options] {
    options->spec.mix = options->op == "dot"    ? MacMix::kDot
                        : options->op == "axpy" ? MacMix::kAxpy
                                                : MacMix::kAll;
    write_mac_vectors(std::cout, options->spec);
  });
}

}  // namespace lockstep
