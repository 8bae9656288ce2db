// Runs attention on the banks of a stack with random data, and holds it against a computation in
// double precision from the same fp16 numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "hw/pim/functional_stats.h"
#include "sim/attention/verify_case.h"
#include "sim/run/run_config.h"
#include "tlm/contract/stack_port.h"

namespace lockstep {

// Both derived in docs/model.md, attention. Of the largest output of a head and query; and of what
// the data themselves allow (ReferenceOutput::bounds).
constexpr double kAttentionErrorBound = 2e-3;
constexpr double kShareOfDataBound = 1;

struct VerifyOutcome {
  double error = 0;          // largest difference over the largest output of its head
  double bound_share = 0;    // largest difference over what the data allow
  std::uint64_t digest = 0;  // of every bit of every pass result
  Cycles cycles;             // of the kernels
};

// Fills the memory behind `port`, runs the passes and compares. The passes of the run are numbered
// from `first_pass` on.
VerifyOutcome run_verify_case(const VerifyCase& verify, const StackConfig& stack, StackPort& port,
                              std::int64_t& first_pass);

struct VerifySummary {
  std::int64_t cases = 0;
  std::int64_t failed = 0;
  double worst_error = 0;
  double worst_bound_share = 0;
  std::string worst_case;
  FunctionalStats stats;
  double split_participation = 0;        // of cases whose stripes are full
  double interleaved_participation = 0;  // largest
  std::vector<std::string> failures;     // one line each, the first few
  std::uint64_t digest = 0;              // of all cases, in order
};

struct VerifyOptions {
  std::int64_t cases = 1000;
  std::uint64_t seed = 0;
  int jobs = 1;
  // Every n-th case is run at command level behind TLM sockets too, and must give the same bits; 0:
  // none.
  std::int64_t command_level_every = 10;
};

// One case for each of up to `sequences` requests of the workload and each policy of the
// configuration, at a request's full length (cut at 3,000 tokens), on the configured stack with
// banks that compute. Requires an attention section.
VerifySummary verify_configured(const RunConfig& config, const std::vector<Request>& requests,
                                std::int64_t sequences, int jobs);

// `stacks`: as verify_stacks() makes them.
VerifySummary verify_attention(const std::vector<StackConfig>& stacks,
                               const VerifyOptions& options);

}  // namespace lockstep
