#include "sim/run/run_config.h"

#include <algorithm>

#include "configs/config.h"
#include "configs/dump.h"
#include "configs/registry.h"
#include "firmware/workload/workload_config.h"

namespace lockstep {
namespace {

KvShape read_shape(ConfigSection model, ConfigSection& kv) {
  const auto heads = model.required_in("kv_heads", 1, 1024);
  const auto dims = model.required_in("head_dim", 1, 65536);
  const auto element = model.required_in<Bytes>("element_size", {1}, {8});
  constexpr int kKeyAndValue = 2;
  return {kv.required_in<std::int64_t>("block_tokens", 1, 1 << 20),
          kKeyAndValue * element.count * heads * dims};
}

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

ServingConfig read_serving(ConfigSection section, const KvShape& shape) {
  constexpr std::array<std::string_view, 2> kAdmissions = {"oracle", "vllm"};
  ServingConfig serving;
  serving.max_batch = section.required_in("max_batch", 1, 4096);
  serving.admission = static_cast<Admission>(section.choice("admission", kAdmissions));
  serving.watermark = section.required_in("watermark", 0.0, 0.99);
  serving.max_preemptions = section.required_in("max_preemptions", 1, 1'000'000);
  serving.block_tokens = static_cast<std::int32_t>(shape.block_tokens);
  return serving;
}

ScoringConfig read_scoring(ConfigSection& section, Reorder& reorder) {
  ScoringConfig scoring;
  reorder.mode = kReorderModes[section.choice("reorder", names_of(kReorderModes))].mode;
  reorder.window_bursts = section.required_in("window", 1, kMaxWindowBursts);
  scoring.every_steps = section.required_in<std::int64_t>("every_steps", 1, 1'000'000);
  const auto sequences = section.required<std::string>("sequences");
  if (!sequences.empty() && sequences != "all") {
    scoring.max_sequences = section.required_in<std::int64_t>("sequences", 1, 1'000'000);
  }
  return scoring;
}

FormulaTiming read_formula(ConfigSection section) {
  constexpr double kPicosecondsPerNanosecond = 1000;
  const Picoseconds most{1'000'000'000};
  FormulaTiming formula{};
  formula.tCCD_ab_ns =
      static_cast<double>(section.required_in<Picoseconds>("tCCDAB", {1}, most).count) /
      kPicosecondsPerNanosecond;
  formula.tRC_ns = static_cast<double>(section.required_in<Picoseconds>("tRC", {1}, most).count) /
                   kPicosecondsPerNanosecond;
  return formula;
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
      root.required<std::string>("name"), {}, read_stack(root), {}, {}, {}, {}, {}, {}};
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
  auto& decode = config.decode;
  decode.shape = read_shape(root.section("model"), kv);
  config.policies = read_policies(kv);
  decode.headroom = kv.required_in("headroom", 0.01, 1000.0);
  constexpr std::array<std::string_view, 2> kScratch = {"separate", "shared"};
  decode.scratch = static_cast<ScratchPlacement>(kv.choice("scratch", kScratch));
  decode.seed = seed;
  decode.serving = read_serving(root.section("serving"), decode.shape);
  auto scoring = root.section("scoring");
  decode.scoring = read_scoring(scoring, decode.reorder);
  decode.scoring.seed = seed;
  decode.scoring.formula = read_formula(root.section("formula"));
  auto workload = root.section("workload");
  config.workload = read_workload(workload, seed);
  config.replay = read_replay(root.section("replay"));
  return config;
}

}  // namespace

namespace {

ConfigDocument open_document(const ConfigSource& source) {
  auto document = ConfigDocument::from_file(source.file);
  for (const auto& assignment : source.overrides) document.set(assignment);
  if (source.seed) document.set("seed=" + *source.seed);
  return document;
}

}  // namespace

RunConfig load_run_config(const ConfigSource& source) {
  auto document = open_document(source);
  RunConfig config = read_run(document.root());
  document.throw_if_invalid();
  config.hash = config_hash(document.tree());
  config.resolved = dump(document.tree());
  return config;
}

StackConfig load_stack_config(const ConfigSource& source) {
  auto document = open_document(source);
  auto root = document.root();
  StackConfig config = read_stack(root);
  for (const auto* key : {"name", "seed", "detail", "model", "kv", "workload", "replay", "serving",
                          "scoring", "formula"}) {
    root.accept(key);
  }
  document.throw_if_invalid();
  return config;
}

ResolvedConfig resolve_config(const ConfigSource& source) {
  auto document = open_document(source);
  auto root = document.root();
  if (root.has("workload")) {
    read_run(root);
  } else {
    read_stack(root);
    if (root.has("formula")) read_formula(root.section("formula"));
  }
  document.throw_if_invalid();
  return {config_hash(document.tree()), dump(document.tree())};
}

}  // namespace lockstep
