#include "sim/run/run_config.h"

#include <algorithm>

#include "configs/config.h"
#include "configs/dump.h"
#include "configs/registry.h"
#include "firmware/workload/workload_config.h"
#include "sim/attention/attention_section.h"
#include "sim/cosim/cosim_config.h"
#include "sim/run/decode_section.h"
#include "sim/sparse/sparse_section.h"

namespace lockstep {
namespace {

std::vector<std::string> read_policies(ConfigSection& kv) {
  const auto policies = kv.required_list<std::string>("policies");
  const auto known = names_of(kv_policies());
  std::string list;
  for (const auto name : known) list += (list.empty() ? "" : ", ") + std::string(name);
  kv.require_among({"policies"}, !policies.empty(),
                   "expected at least one policy, got an empty list");
  for (const auto& policy : policies) {
    kv.require_among({"policies"}, std::count(known.begin(), known.end(), policy) > 0,
                     "expected policies out of " + list + ", got `" + policy + "`");
    kv.require_among({"policies"}, std::count(policies.begin(), policies.end(), policy) == 1,
                     "expected every policy once, got `" + policy + "` twice");
  }
  return policies;
}

ReplayConfig read_replay(ConfigSection section) {
  constexpr std::array<std::string_view, 3> kTokenPolicies = {"error", "drop", "clip"};
  ReplayConfig replay;
  replay.options.max_requests = section.required_in<std::int64_t>("max_requests", 1, 1'000'000'000);
  replay.running = section.required_in<std::int64_t>("running", 1, 1'000'000);
  replay.options.token_policy =
      static_cast<TokenPolicy>(section.choice("out_of_range", kTokenPolicies));
  replay.options.prompt.max = section.required_in("max_prompt_tokens", 1, 1 << 30);
  replay.options.output.max = section.required_in("max_output_tokens", 1, 1 << 30);
  return replay;
}

RunConfig read_run(ConfigSection root) {
  constexpr int kMaxName = 64;
  RunConfig config{
      root.required<std::string>("name"), {}, read_stack(root), {}, {}, {}, {}, {}, {}, {}, {}};
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.';
  };
  root.require(std::all_of(config.name.begin(), config.name.end(), plain) &&
                   config.name.size() <= kMaxName && config.name.substr(0, 1) != ".",
               "name", "expected letters, digits, `-`, `_` and `.`: it names the output folder");
  const auto seed =
      static_cast<std::uint64_t>(root.required_in<std::int64_t>("seed", 0, INT64_MAX));
  config.detail = static_cast<Detail>(root.choice("detail", kDetails));

  auto kv = root.section("kv");
  config.policies = read_policies(kv);
  config.decode = read_decode(root, config.stack.geometry, seed);
  auto workload = root.section("workload");
  config.workload = read_workload(workload, seed);
  root.require(config.decode.serving.speculation || !workload.parsed() ||
                   workload.optional<std::string>("kind", "") != kSpeculativeWorkload,
               "speculation", "must not be `off` where workload.kind is `spec`");
  config.replay = read_replay(root.section("replay"));
  if (root.has("attention")) config.attention = read_attention(root, config.decode, config.stack);
  root.require(config.attention || !root.has("dsa"), "dsa", "needs a section `attention`");
  if (config.attention && root.has("dsa"))
    config.sparse = read_sparse(root, *config.attention, config.stack, config.detail);
  return config;
}

}  // namespace

ConfigDocument open_config(const ConfigSource& source) {
  auto document = ConfigDocument::from_file(source.file);
  for (const auto& assignment : source.overrides) document.set(assignment);
  if (source.seed) document.set("seed=" + *source.seed);
  return document;
}

void accept_run_sections(ConfigSection& root) {
  for (const auto* key : {"name", "seed", "detail", "model", "kv", "workload", "replay", "serving",
                          "scoring", "formula", "attention", "speculation", "cosim", "dsa"}) {
    root.accept(key);
  }
}

RunConfig load_run_config(const ConfigSource& source) {
  auto document = open_config(source);
  RunConfig config = read_run(document.root());
  document.throw_if_invalid();
  config.tree = with_xpu(document);
  config.hash = config_hash(config.tree);
  return config;
}

StackConfig load_stack_config(const ConfigSource& source) {
  auto document = open_config(source);
  auto root = document.root();
  StackConfig config = read_stack(root);
  accept_run_sections(root);
  document.throw_if_invalid();
  return config;
}

ResolvedConfig resolve_config(const ConfigSource& source) {
  auto document = open_config(source);
  auto root = document.root();
  if (root.has("workload")) {
    read_run(root);
  } else {
    const StackConfig stack = read_stack(root);
    if (root.has("cosim")) read_cosim(root, stack);
    if (root.has("formula")) read_formula(root.section("formula"));
  }
  document.throw_if_invalid();
  const ConfigNode tree = with_xpu(document);
  return {config_hash(tree), dump(tree)};
}

KvMemory kv_memory(const RunConfig& config) {
  return {config.stack.map,
          {config.stack.geometry, config.decode.shape, config.decode.channel_groups,
           config.stack.channels_per_domain()}};
}

}  // namespace lockstep
