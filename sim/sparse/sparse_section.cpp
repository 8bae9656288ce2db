#include "sim/sparse/sparse_section.h"

#include <algorithm>

#include <fmt/format.h>

#include "firmware/dsa/score_process.h"
#include "firmware/sparse/cache_plan.h"
#include "sim/sparse/sparse_stacks.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

constexpr std::int64_t kMostTokens = 1 << 24;

double read_ns(ConfigSection& section, const std::string& key) {
  constexpr double kPicoseconds = 1e3;
  constexpr Picoseconds kMost{1'000'000'000'000};  // a second
  return static_cast<double>(section.required_in<Picoseconds>(key, {0}, kMost).count) /
         kPicoseconds;
}

std::string known_schedules() {
  std::string known = "dense";
  for (const auto& row : kSchedules) known += ", " + std::string(row.name);
  return known;
}

std::vector<std::string> read_schedules(ConfigSection& dsa) {
  auto schedules = dsa.required_list<std::string>("schedules");
  dsa.require_among({"schedules"}, !schedules.empty(), "expected at least one schedule, got none");
  for (const auto& name : schedules) {
    const bool known =
        name == "dense" || std::any_of(kSchedules.begin(), kSchedules.end(),
                                       [&](const auto& s) { return s.name == name; });
    dsa.require_among({"schedules"}, known,
                      "expected schedules out of " + known_schedules() + ", got `" + name + "`");
    dsa.require_among({"schedules"}, std::count(schedules.begin(), schedules.end(), name) == 1,
                      "expected every schedule once, got `" + name + "` twice");
  }
  return schedules;
}

SelectorConfig read_selector(ConfigSection section, int block_tokens) {
  constexpr std::array<std::string_view, 2> kScorers = {"quest", "infllm2"};
  SelectorConfig selector;
  selector.scorer = kScorers[section.choice("scorer", kScorers)];
  selector.block_tokens = block_tokens;
  selector.budget_tokens = section.required_in<std::int64_t>("budget", 1, kMostTokens);
  selector.init_blocks = section.required_in("init_blocks", 0, 1 << 16);
  selector.local_blocks = section.required_in("local_blocks", 1, 1 << 16);
  selector.granularity = static_cast<Granularity>(section.choice("granularity", kGranularities));
  selector.dense_layers = section.required_in("dense_layers", 0, 1024);
  const std::int64_t forced = std::int64_t{selector.init_blocks} + selector.local_blocks;
  section.require(
      selector.budget_tokens / block_tokens > forced, "budget",
      fmt::format("must hold more than the {} forced blocks of {} tokens", forced, block_tokens));
  return selector;
}

void read_scores(ConfigSection section, SparseConfig& config) {
  config.trace = section.required<std::string>("trace");
  if (config.trace == "none") config.trace.clear();
  config.process = section.required<std::string>("process");
  std::string known;
  bool found = false;
  for (const auto& row : kProcesses) {
    known += (known.empty() ? "" : ", ") + std::string(row.name);
    found |= row.name == config.process;
  }
  section.require_among({"process"}, found,
                        "expected one of " + known + ", got `" + config.process + "`");
  config.target_reuse_ratio = section.required_in("reuse", 0.01, 0.999);
  config.calibration_rows = section.required_in<std::int64_t>("calibration_rows", 1, 1 << 16);
}

void read_prediction(ConfigSection section, SparseConfig& config) {
  constexpr std::array<std::string_view, 4> kModes = {"union", "exact-partials", "exact-latemask",
                                                      "recompute"};
  const auto theta = section.required_list<double>("theta");
  section.require_among({"theta"}, theta.empty() || theta.size() == 3,
                        "expected [alpha, beta, gamma], or [] to calibrate");
  if (theta.size() == 3) config.theta = Theta{theta[0], theta[1], theta[2]};
  config.delta_rule = static_cast<DeltaRule>(section.choice("delta_rule", kDeltaRules));
  config.delta = section.required_in("delta", 0.05, 16.0);
  config.repair = repair_mode(kModes[section.choice("repair", kModes)]);
}

HandOff read_hand_off(ConfigSection section) {
  HandOff hand_off;
  hand_off.doorbell_ns = read_ns(section, "doorbell");
  hand_off.descriptor_ns = read_ns(section, "descriptor");
  hand_off.descriptor_gbps = section.required_in("descriptor_gbps", 0.001, 1e6);
  hand_off.sync_ns = read_ns(section, "sync");
  hand_off.top_k_ns = read_ns(section, "top_k");
  hand_off.top_k_scores_ns = section.required_in("top_k_scores_per_ns", 0.0001, 1e6);
  hand_off.merge_ns = read_ns(section, "merge");
  hand_off.merge_gbps = section.required_in("merge_gbps", 0.001, 1e6);
  return hand_off;
}

void take_attention(const AttentionConfig& attention, std::uint64_t seed, SparseConfig& config) {
  config.shape = attention.shape;
  config.group = attention.group;
  config.unit = attention.unit;
  config.pipeline = attention.pipeline;
  config.xpu = attention.xpu;
  config.layer = attention.layer;
  config.layers = attention.layers;
  config.seed = seed;
}

void read_summaries(ConfigSection& dsa, SparseConfig& config) {
  constexpr int kMostChannels = 128;
  constexpr const char* kKey = "reserved_channels";
  const auto home = dsa.choice("summaries", kSummaryHomes);
  config.summaries = static_cast<SummaryHome>(home);
  const bool reserved = config.summaries == SummaryHome::kReserved;
  const bool given = dsa.has(kKey);
  if (given) config.reserved_channels = dsa.required_in(kKey, 1, kMostChannels);
  dsa.require(given || !reserved, "summaries",
              "`reserved` needs dsa.reserved_channels, the number of pseudo channels that hold "
              "nothing but summaries, but it is not given");
  dsa.require(reserved || !given, kKey,
              fmt::format("must be left out unless dsa.summaries is `reserved`, but that is `{}`",
                          kSummaryHomes[home]));
}

// Both parts get address maps, which are made of bits.
bool is_a_split(const StackGeometry& geometry, int reserved) {
  const auto may_be_a_part = [&](int channels) {
    return channels > 0 && (channels & (channels - 1)) == 0 &&
           channels % geometry.pseudo_channels == 0;
  };
  return may_be_a_part(reserved) && may_be_a_part(geometry.flat_channels() - reserved);
}

// Whatever the parts cannot hold is told at their size.
void check_reserved(ConfigSection& dsa, const SparseConfig& config, const StackConfig& stack) {
  constexpr const char* kKey = "reserved_channels";
  const int all = stack.geometry.flat_channels();
  const int kv = all - config.reserved_channels;
  if (!is_a_split(stack.geometry, config.reserved_channels)) {
    const bool half = is_a_split(stack.geometry, all / 2);
    dsa.require(
        false, kKey,
        fmt::format("expected to leave a power of two of pseudo channels for each part, in "
                    "whole channels of {}: of {} {} can be reserved; got {}, which leaves "
                    "{}",
                    stack.geometry.pseudo_channels, all,
                    half ? fmt::format("only {}", all / 2) : "none", config.reserved_channels, kv));
    return;
  }
  try {
    const auto map = map_of(kv_channels(stack, config), config);
    const auto summary_map = map_of(summary_channels(stack, config), config);
    for (const auto* part : {&map, &summary_map})
      split_queries(config.group, part->parts() * part->beats(), config.unit);
    const CachePlan plan(config, map, summary_map);
    const int heads = std::max(map.local_heads(), summary_map.local_heads());
    dsa.require(heads == 1, kKey,
                fmt::format("expected each KV head to keep channels of its own, but in parts of {} "
                            "and {} pseudo channels a lockstep domain would hold {} of {} heads",
                            kv, config.reserved_channels, heads, config.shape.kv_heads));
  } catch (const Unsupported& error) {
    dsa.require(false, kKey, error.what());
  } catch (const InputError& error) {
    dsa.require(false, kKey, error.what());
  }
}

void check(ConfigSection& dsa, const SparseConfig& config, const StackConfig& stack,
           Detail detail) {
  dsa.require(
      detail == Detail::kStream || !config.summaries_apart(), "summaries",
      fmt::format("`{}` needs `detail: stream`: the modules are one stack with all channels "
                  "alike",
                  kSummaryHomes[static_cast<std::size_t>(config.summaries)]));
  const auto window =
      selection_window(config.selector, config.selector.dense_layers,
                       std::max<std::int64_t>(1, config.context_tokens - config.calibration_rows));
  dsa.require(!window.dense, "context",
              "must have more blocks than the budget from the first calibration row on; else "
              "attention is dense (run it without `dsa`)");
  dsa.require(config.selector.dense_layers < config.layers, "selector",
              "needs a sparse layer: dense_layers must be below attention.layers");
  dsa.require(config.summaries != SummaryHome::kXpu || config.selection == SelectionEngine::kXpu,
              "summaries", "must not be `xpu` where the banks score them: selection `pim`");
  dsa.require(config.row_slack == 0 || config.lists != ListRule::kRegions, "row_slack",
              "must be 0 where `lists: regions` selects whole rows");
  dsa.require(stack.storage == Storage::kNone, "context",
              "needs storage `none`: results of a timed run are not computed");
}

}  // namespace

SparseConfig read_sparse(ConfigSection& root, const AttentionConfig& attention,
                         const StackConfig& stack, Detail detail) {
  auto dsa = root.section("dsa");
  SparseConfig config;
  take_attention(attention, attention.seed, config);
  config.context_tokens = dsa.required_in<std::int64_t>("context", 1, kMostTokens);
  config.decode_tokens = dsa.required_in<std::int64_t>("decode", 1, 1 << 20);
  config.batch = dsa.required_in("batch", 1, 1024);
  config.simulated_layers = dsa.required_in("simulated_layers", 1, 1024);
  config.schedules = read_schedules(dsa);
  config.selector = read_selector(dsa.section("selector"), config.shape.block_tokens);
  read_scores(dsa.section("scores"), config);
  read_prediction(dsa.section("prediction"), config);
  config.lists = static_cast<ListRule>(dsa.choice("lists", kListRules));
  config.row_slack = dsa.required_in("row_slack", 0.0, 1.0);
  config.placement = static_cast<BlockPlacement>(dsa.choice("placement", kBlockPlacements));
  config.packing.rows = dsa.required_in("packed_rows", 1, 4096);
  config.packing.copies_per_step = dsa.required_in("copies_per_step", 0, 1 << 16);
  config.selection = static_cast<SelectionEngine>(dsa.choice("selection", kSelectionEngines));
  read_summaries(dsa, config);
  config.overlap = static_cast<OverlapPolicy>(dsa.choice("overlap", kOverlapPolicies));
  config.hand_off = read_hand_off(dsa.section("hand_off"));
  check(dsa, config, stack, detail);
  if (config.summaries == SummaryHome::kReserved && config.reserved_channels > 0 && root.parsed())
    check_reserved(dsa, config, stack);
  return config;
}

}  // namespace lockstep
