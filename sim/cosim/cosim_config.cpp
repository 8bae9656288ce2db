#include "sim/cosim/cosim_config.h"

#include <string>

namespace lockstep {

CosimPass read_cosim(ConfigSection& root, const StackConfig& stack) {
  auto section = root.section("cosim");
  CosimPass pass;
  pass.tokens = section.required_in<std::int64_t>("tokens", 1, kMostCosimTokens);
  pass.shape.kv_heads = section.required_in("kv_heads", 1, 1024);
  pass.shape.head_dim = section.required_in("head_dim", 1, 65536);
  pass.shape.block_tokens = section.required_in("block_tokens", 1, 1 << 20);
  pass.group = section.required_in("group", 1, kMaxMacQueries);
  pass.queries_per_column = section.required_in("queries_per_column", 1, kMaxMacQueries);
  pass.pipeline = static_cast<Pipeline>(section.choice("pipeline", kPipelines));
  pass.seed = static_cast<std::uint64_t>(section.required_in<std::int64_t>("seed", 0, INT64_MAX));

  root.require_among({"storage"}, stack.storage == Storage::kSparse,
                     "must be `sparse` for `cosim`: the banks hold the pass's keys and values");
  const MacTiming* const unit = find_mac_timing(stack.bank_unit.depth);
  const Cycles latency =
      unit == nullptr ? Cycles{0} : unit->issue_to_drain.count * stack.unit_period();
  auto pim = root.section("pim");
  pim.require_among({"mac_latency"}, stack.controller.timing.pim.n_mac_latency >= latency,
                    "must be `unit` or at least " + std::to_string(latency.count) +
                        " CK for `cosim`: the RTL does not answer before");
  root.section("controller")
      .require_among({"pim_window"}, stack.controller.pim_window == 1,
                     "must be 1 for `cosim`: the pass's commands rely on their order");
  return pass;
}

CosimConfig load_cosim_config(const ConfigSource& source) {
  auto document = open_config(source);
  auto root = document.root();
  CosimConfig config{read_stack(root), {}};
  config.pass = read_cosim(root, config.stack);
  accept_run_sections(root);
  document.throw_if_invalid();
  return config;
}

}  // namespace lockstep
