// lockstep verify attention: random sequences on banks that compute, against double precision.
#include <memory>

#include <fmt/format.h>

#include "sim/attention/verify_attention.h"
#include "sim/cli/command.h"
#include "sim/commands/declare.h"

namespace lockstep {
namespace {

struct Options {
  std::string what;
  std::string stack = "configs/hbm3-5.2gbps.yaml";
  VerifyOptions verify;
};

int verify(const Options& options) {
  const auto summary = verify_attention(verify_stacks(options.stack), options.verify);
  fmt::print(
      "{} cases, seed {}: worst error {:.3e} of the largest output (bound {:.1e}) in\n  {}\n"
      "worst error over what the data allow: {:.3f}\n"
      "bank participation {:.3f} where all blocks are full, at most {:.3f} "
      "interleaved\ndigest of all bits {:016x}\n",
      summary.cases, options.verify.seed, summary.worst_error, kAttentionErrorBound,
      summary.worst_case, summary.worst_bound_share, summary.split_participation,
      summary.interleaved_participation, summary.digest);
  for (const auto& counter : kFunctionalCounters)
    fmt::print("{}: {} ({})\n", counter.name, summary.stats.*(counter.member), counter.meaning);
  for (const auto& failure : summary.failures) fmt::print("failed: {}\n", failure);
  if (summary.failed > 0) fmt::print("{} of {} cases failed\n", summary.failed, summary.cases);
  return summary.failed > 0 ? kExitCheckFailed : kExitDone;
}

}  // namespace

void declare_verify(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  app.add_option("WHAT", options->what, "attention")
      ->required()
      ->check(CLI::IsMember({"attention"}));
  app.add_option("--stack", options->stack, "configuration whose timing the stacks have");
  app.add_option("--cases", options->verify.cases, "random cases")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000}));
  app.add_option("--seed", options->verify.seed, "seed of the cases");
  app.add_option("--jobs", options->verify.jobs, "threads; the result does not depend on them")
      ->check(CLI::Range(1, 256));
  app.add_option("--command-level-every", options->verify.command_level_every,
                 "every n-th case also at command level behind TLM sockets; 0: none")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1'000'000}));
  app.footer("Example:\n  lockstep verify attention --cases 1000 --seed 1");
  app.callback([options, &exit_code] { exit_code = verify(*options); });
}

}  // namespace lockstep
