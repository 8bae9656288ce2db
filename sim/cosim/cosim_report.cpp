#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/cosim/cosim.h"
#include "sim/version.h"

namespace lockstep {
namespace {

double clocks_a_second(const CosimReport& report) {
  return report.seconds > 0 ? static_cast<double>(report.counts.clocks) / report.seconds : 0;
}

}  // namespace

std::string cosim_text(const CosimConfig& config, const CosimReport& report) {
  const auto& pass = config.pass;
  std::string text = fmt::format(
      "attention passes: {}; tokens {}, KV heads {}, dims {}, queries of a head {}\n"
      "banks with RTL: {}; stages {}, CK of a column slot {}, clocks in it {}\n\n",
      report.passes, pass.tokens, pass.shape.kv_heads, pass.shape.head_dim, pass.group,
      report.banks, config.stack.bank_unit.depth, config.stack.unit_period().count,
      pass.queries_per_column);
  const auto line = [&](const char* what, std::int64_t count, const char* meaning) {
    text += fmt::format("{:<12}{:>12}  {}\n", what, count, meaning);
  };
  line("clocks", report.counts.clocks, "of the units, all banks");
  line("beats", report.counts.beats, "operations issued");
  line("drains", report.counts.drains, "bursts of accumulators read");
  line("late", report.counts.late, "beats and drains served after their own clock");
  line("comparisons", report.comparisons, "ports and bursts");
  line("differences", report.difference.empty() ? 0 : 1, "");
  if (!report.difference.empty()) return text + "\nfirst difference: " + report.difference + "\n";
  return text + fmt::format(
                    "\noutput {} the functional run: digest {:016x}; error against double "
                    "precision {:.3e}\n{} CK of the stack; {:.0f} clocks/s of the units\n",
                    report.digest == report.functional_digest ? "equal to" : "DIFFERS from",
                    report.digest, report.error, report.cycles.count, clocks_a_second(report));
}

std::string cosim_json(const CosimConfig& config, const CosimReport& report) {
  nlohmann::ordered_json json = {
      {"schema", 1},
      {"version", kVersion},
      {"passes", report.passes},
      {"tokens", report.tokens},
      {"banks", report.banks},
      {"unit_stages", config.stack.bank_unit.depth},
      {"unit_period_ck", config.stack.unit_period().count},
      {"clocks", report.counts.clocks},
      {"beats", report.counts.beats},
      {"results", report.counts.results},
      {"drains", report.counts.drains},
      {"late", report.counts.late},
      {"comparisons", report.comparisons},
      {"differences", report.difference.empty() ? 0 : 1},
      {"first_difference", report.difference},
      {"output_equal", report.difference.empty() && report.digest == report.functional_digest},
      {"output_digest", fmt::format("{:016x}", report.digest)},
      {"output_error_ratio", report.error},
      {"stack_cycles_ck", report.cycles.count},
      {"clocks_per_s", clocks_a_second(report)},
  };
  return json.dump(2) + "\n";
}

}  // namespace lockstep
