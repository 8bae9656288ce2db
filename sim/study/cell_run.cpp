#include "sim/study/cell_run.h"

#include <filesystem>

#include "configs/setting_place.h"
#include "firmware/decode/decode_run.h"
#include "hw/stack/direct_stack.h"
#include "sim/cosim/unit_factory.h"
#include "sim/run/comparison.h"
#include "sim/run/interrupt.h"
#include "sim/run/served_requests.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

DecodeResult decode(const RunConfig& config, const std::string& policy,
                    std::vector<Request> requests) {
  const KvMemory memory = kv_memory(config);
  DirectStack stack(config.stack, make_unit_factory(config.stack.units));
  DecodeRun run(config.decode, memory, kv_policy(policy), std::move(requests), config.stack.clock);
  auto result = run.run(stack, [](const StepRecord&, const ServingCounters&) {
    if (interrupt_noted()) throw Interrupted("interrupted: nothing was written");
  });
  stack.check_identities();
  ensure(stack.total_stats().commands[static_cast<std::size_t>(Cmd::MACab)] ==
             result.all_bank_commands * config.stack.halves(),
         "the stack issued other all-bank commands than the kernels asked for");
  return result;
}

MetricValues measure(const RunConfig& config, const DecodeResult& result, std::int64_t requests) {
  const auto& serving = result.serving;
  const auto mean = [](const Population& population) {
    return population.mean().value_or(kNoValue);
  };
  const auto whole = [](std::int64_t count) { return static_cast<double>(count); };
  auto values =
      MetricValues{}
          .m1(mean(result.m1))
          .m2(mean(result.m2))
          .m3(mean(result.m3_gbps))
          .with(Metric::kCycleBandwidth, cycle_bandwidth_gbps(result, config.stack.clock))
          .spread(mean(result.region_spread))
          .with(Metric::kAdjacency, mean(result.adjacency))
          .steps(whole(serving.steps))
          .with(Metric::kPreemptions, whole(serving.preemptions))
          .with(Metric::kAdmissionFailures, whole(serving.admission_failures))
          .with(Metric::kEmptyShare, serving.empty_share())
          .with(Metric::kDropped, whole(serving.dropped()))
          .with(Metric::kLost, whole(std::abs(requests - serving.completed - serving.dropped())));
  if (serving.copy_on_write_tokens > 0) {
    values = values.with(Metric::kCopyBackShare,
                         whole(serving.copied_back_tokens) / whole(serving.copy_on_write_tokens));
  }
  return values;
}

}  // namespace

std::optional<std::string> requests_file(const StudyOptions& options, const CellSpec& spec) {
  const auto& stream = traits(spec.stream);
  if (stream.file.empty()) return std::nullopt;
  const bool is_trace = stream.origin == StreamOrigin::kPublicTrace;
  const auto folder = is_trace ? options.traces_folder.value_or("") : options.requests_folder;
  return (std::filesystem::path(folder) / stream.file).string();
}

CellResult run_cell(const StudyOptions& options, const CellSpec& spec) {
  const RunConfig config = load_run_config({options.config_file, spec.overrides, std::nullopt});
  auto served = served_requests(config, requests_file(options, spec));
  CellResult cell;
  cell.spec = spec;
  cell.requests = static_cast<std::int64_t>(served.requests.size());
  DecodeResult result;
  at_places_of(config.tree,
               [&] { result = decode(config, spec.policy, std::move(served.requests)); });
  cell.measured = measure(config, result, cell.requests);
  cell.scored_pairs = result.m1.count();
  cell.copied_bytes = result.copied_bytes;
  cell.copy_time_ns = nanoseconds(result.copy_time, config.stack.clock);
  cell.cycle_to_formula = cycle_to_formula(config, result).value_or(kNoValue);
  return cell;
}

}  // namespace lockstep
