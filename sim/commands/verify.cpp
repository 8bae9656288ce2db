// lockstep verify attention|dsa: random sequences on banks that compute, against double precision
// and against each other.
#include <memory>

#include <fmt/format.h>

#include "sim/attention/verify_attention.h"
#include "sim/cli/command.h"
#include "sim/commands/declare.h"
#include "sim/run/run_config.h"
#include "sim/sparse/verify_sparse.h"

namespace lockstep {
namespace {

struct Options {
  std::string what;
  std::string stack = "configs/hbm3-5.2gbps.yaml";
  VerifyOptions verify;
  bool cases_given = false;
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

int verify_dsa(const Options& options) {
  SparseVerifyOptions sparse;
  sparse.seed = options.verify.seed;
  if (options.cases_given) sparse.cases = options.verify.cases;
  const auto summary = verify_sparse(load_stack_config({options.stack, {}, {}}), sparse);
  fmt::print("{} cases, seed {}, {} with an open block; largest difference (bound {:.1e})\n",
             summary.cases, sparse.seed, summary.open_blocks, kAttentionErrorBound);
  for (std::size_t i = 0; i < kSparseChecks.size(); ++i) {
    fmt::print("  {:<15} {:.3e}  {}\n", kSparseChecks[i].name, summary.worst[i],
               kSparseChecks[i].meaning);
  }
  for (const auto& failure : summary.failures) fmt::print("failed: {}\n", failure);
  if (summary.failed > 0) fmt::print("{} of {} cases failed\n", summary.failed, summary.cases);
  return summary.failed > 0 ? kExitCheckFailed : kExitDone;
}

}  // namespace

void declare_verify(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  app.add_option("WHAT", options->what, "attention or dsa")
      ->required()
      ->check(CLI::IsMember({"attention", "dsa"}));
  app.add_option("--stack", options->stack, "configuration whose timing the stacks have");
  auto* cases = app.add_option("--cases", options->verify.cases, "random cases (dsa: 200)");
  cases->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000}));
  app.add_option("--seed", options->verify.seed, "seed of the cases");
  app.add_option("--jobs", options->verify.jobs, "threads; the result does not depend on them")
      ->check(CLI::Range(1, 256));
  app.add_option("--command-level-every", options->verify.command_level_every,
                 "every n-th case also at command level behind TLM sockets; 0: none")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1'000'000}));
  app.footer(
      "Examples:\n  lockstep verify attention --cases 1000 --seed 1\n  lockstep verify dsa --seed "
      "1");
  app.callback([options, cases, &exit_code] {
    options->cases_given = cases->count() > 0;
    exit_code = options->what == "dsa" ? verify_dsa(*options) : verify(*options);
  });
}

}  // namespace lockstep
