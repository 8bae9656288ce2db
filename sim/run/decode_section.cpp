#include "sim/run/decode_section.h"

#include <string>

#include "configs/registry.h"

namespace lockstep {
namespace {

constexpr int kMostChannelGroups = 8;
constexpr int kMostBranches = 64;

KvShape read_shape(ConfigSection& model, ConfigSection& kv) {
  const auto heads = model.required_in("kv_heads", 1, 1024);
  const auto dims = model.required_in("head_dim", 1, 65536);
  const auto element = model.required_in<Bytes>("element_size", {1}, {8});
  constexpr int kKeyAndValue = 2;
  return {kv.required_in<std::int64_t>("block_tokens", 1, 1 << 20),
          kKeyAndValue * element.count * heads * dims};
}

int read_channel_groups(ConfigSection& kv, ConfigSection& model, const StackGeometry& geometry) {
  const int groups = kv.required_in("channel_groups", 1, kMostChannelGroups);
  kv.require((groups & (groups - 1)) == 0, "channel_groups", "expected 1, 2, 4 or 8");
  kv.require(geometry.channels % groups == 0, "channel_groups",
             "must divide geometry.channels: every group has whole channels");
  kv.require(model.required_in("kv_heads", 1, 1024) % groups == 0, "channel_groups",
             "must divide model.kv_heads: every group has whole heads");
  return groups;
}

ServingConfig read_serving(ConfigSection section, const KvShape& shape) {
  constexpr std::array<std::string_view, 2> kAdmissions = {"oracle", "vllm"};
  constexpr std::array<std::string_view, 3> kSharing = {"off", "prefix_id", "hash_ids"};
  ServingConfig serving;
  serving.max_batch = section.required_in("max_batch", 1, 4096);
  serving.admission = static_cast<Admission>(section.choice("admission", kAdmissions));
  serving.watermark = section.required_in("watermark", 0.0, 0.99);
  serving.max_preemptions = section.required_in("max_preemptions", 1, 1'000'000);
  serving.prefix_sharing = static_cast<PrefixSharing>(section.choice("prefix_sharing", kSharing));
  serving.block_tokens = static_cast<std::int32_t>(shape.block_tokens);
  return serving;
}

std::optional<Speculation> read_speculation(ConfigSection section, std::uint64_t seed) {
  constexpr std::array<std::string_view, 3> kModes = {"off", "splice", "copyback"};
  const auto mode = section.choice("mode", kModes);
  Speculation speculation;
  speculation.branches = section.required_in("branches", 1, kMostBranches);
  speculation.drafts = section.required_in("drafts", 1, kMostBranches);
  speculation.acceptance = section.required_in("acceptance", 0.0, 1.0);
  speculation.seed = seed;
  if (mode == 0) return std::nullopt;
  speculation.commit = mode == 1 ? Speculation::Commit::kSplice : Speculation::Commit::kCopyBack;
  return speculation;
}

ScoringConfig read_scoring(ConfigSection& section, Reorder& reorder) {
  ScoringConfig scoring;
  reorder.mode = kReorderModes[section.choice("reorder", names_of(kReorderModes))].mode;
  reorder.window_bursts = section.required_in("window", 1, kMaxWindowBursts);
  scoring.every_steps = section.required_in<std::int64_t>("every_steps", 1, 1'000'000);
  scoring.simulate_every_steps =
      section.required_in<std::int64_t>("simulate_every_steps", 1, 1'000'000);
  const auto sequences = section.required<std::string>("sequences");
  if (!sequences.empty() && sequences != "all") {
    scoring.max_sequences = section.required_in<std::int64_t>("sequences", 1, 1'000'000);
  }
  return scoring;
}

}  // namespace

DecodeConfig read_decode(ConfigSection& root, const StackGeometry& geometry, std::uint64_t seed) {
  constexpr std::array<std::string_view, 2> kScratch = {"separate", "shared"};
  DecodeConfig decode;
  auto kv = root.section("kv");
  auto model = root.section("model");
  decode.shape = read_shape(model, kv);
  decode.channel_groups = read_channel_groups(kv, model, geometry);
  decode.headroom = kv.required_in("headroom", 0.01, 1000.0);
  decode.scratch = static_cast<ScratchPlacement>(kv.choice("scratch", kScratch));
  decode.seed = seed;
  decode.serving = read_serving(root.section("serving"), decode.shape);
  decode.serving.speculation = read_speculation(root.section("speculation"), seed);
  auto scoring = root.section("scoring");
  decode.scoring = read_scoring(scoring, decode.reorder);
  decode.scoring.seed = seed;
  decode.scoring.formula = read_formula(root.section("formula"));
  return decode;
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

}  // namespace lockstep
