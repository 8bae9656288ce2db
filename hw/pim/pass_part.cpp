#include "hw/pim/pass_part.h"

#include <algorithm>
#include <string>
#include <utility>

#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

constexpr int kBurstsPerLaneSet = kMacLanes / kDrainWords;

// Places of tokens in all chunks but those of `other`. No token is below `first`, and none has two
// of them.
std::int64_t count_places(const PassData& pass, ChunkOf other, std::int32_t first) {
  std::vector<std::uint8_t> placed(static_cast<std::size_t>(pass.tokens));
  std::int64_t count = 0;
  for (const auto& chunk : pass.chunks) {
    if (chunk.of == other) continue;
    for (const std::int32_t token : chunk.token_of) {
      if (token == kNoToken) continue;
      ensure(token >= first && token < pass.tokens &&
                 std::exchange(placed[static_cast<std::size_t>(token)], std::uint8_t{1}) == 0,
             "a pass gives the key and the value of a token one slot of one bank each");
      ++count;
    }
  }
  return count;
}

}  // namespace

PassPart::PassPart(std::shared_ptr<const KernelData> data, const PassData& pass,
                   std::int64_t serial, int banks, const MacParameters& unit, BufferDie& die)
    : data_(std::move(data)),
      pass_(pass),
      serial_(serial),
      banks_(banks),
      die_(die),
      head_(nullptr),
      scored_tokens_(count_places(pass, ChunkOf::kValues, pass.scored_before)),
      attended_tokens_(count_places(pass, ChunkOf::kKeys, 0)),
      scores_to_move_(scored_tokens_ * pass.queries),
      chunk_begun_(pass.chunks.size()) {
  check_shape(unit);
  for (const auto& chunk : pass.chunks) {
    const auto empty = std::count(chunk.token_of.begin(), chunk.token_of.end(), kNoToken);
    const auto tokens = static_cast<std::int64_t>(chunk.token_of.size()) - empty;
    chunk_left_.push_back(tokens * pass.parts * pass.beats() * pass.queries);
  }
  head_ = &die.pass(pass);
}

void PassPart::check_shape(const MacParameters& unit) const {
  ensure(
      pass_.queries >= 1 && pass_.parts >= 1 && pass_.tokens >= 1 && pass_.queries_per_column >= 1,
      "a pass has queries, parts and tokens, and serves queries with each column");
  ensure(pass_.head_channel >= 0 && pass_.head_channel < pass_.head_channels,
         "a pass names a channel that its head does not have");
  if (pass_.queries > unit.queries || pass_.lane_sets() > unit.lane_sets()) {
    throw Unsupported("a pass of " + std::to_string(pass_.queries) + " queries needs " +
                      std::to_string(pass_.lane_sets()) + " lane sets; a bank unit serves " +
                      std::to_string(unit.queries) + " queries and has " +
                      std::to_string(unit.lane_sets()) + " lane sets");
  }
  const auto whole_slots = [this](const PassChunk& chunk) {
    const auto banks = static_cast<std::size_t>(banks_);
    return chunk.token_of.size() % banks == 0 && chunk.token_of.size() <= banks * kMacTokens;
  };
  ensure(std::all_of(pass_.chunks.begin(), pass_.chunks.end(), whole_slots),
         "a chunk tells the tokens of all banks of 1 to 16 slots");
  ensure(scored_tokens_ == pass_.tokens - pass_.scored_before,
         "a pass places the key of every token that it has to score");
  ensure(pass_.keeps_scores     ? attended_tokens_ == 0
         : pass_.all_attended() ? attended_tokens_ == pass_.tokens
                                : attended_tokens_ > 0,
         "a pass places the value of every token that it attends to");
}

std::int32_t PassPart::token(int chunk, int slot, int bank) const {
  ensure(chunk >= 0 && static_cast<std::size_t>(chunk) < pass_.chunks.size() && slot >= 0 &&
             slot < kMacTokens,
         "a command names a chunk or slot that its pass does not have");
  const auto& places = pass_.chunks[static_cast<std::size_t>(chunk)].token_of;
  const auto index = static_cast<std::size_t>(slot * banks_ + bank);
  return index < places.size() ? places[index] : kNoToken;
}

bool PassPart::has_tokens(int chunk, int bank) const {
  for (int slot = 0; slot < kMacTokens; ++slot) {
    if (token(chunk, slot, bank) != kNoToken) return true;
  }
  return false;
}

PassStep PassPart::step(const PimRun& run, std::int64_t index) const {
  ensure(run.parts == pass_.parts, "a run and its pass have different parts");
  const int k = static_cast<int>(index / run.repeats);
  const int repeat = static_cast<int>(index % run.repeats);
  const int group = repeat / pass_.beats();
  PassStep step{};
  step.work = run.work;
  step.chunk = run.chunk;
  step.slot = run.slot + (run.part + k) / run.parts;
  step.part = (run.part + k) % run.parts;
  step.beat = repeat % pass_.beats();
  step.first_query = run.first_query + group * pass_.queries_per_column;
  step.last_query = std::min(step.first_query + pass_.queries_per_column, pass_.queries) - 1;
  step.row = run.row;
  step.column = run.column + k;
  ensure(step.queries() > 0, "a MAC command serves no query of its pass");
  return step;
}

void PassPart::note_read(const PassStep& step, int banks) {
  Work& work = step.work == MacWork::kDot ? dot_ : axpy_;
  work.columns += banks;
  work.served += std::int64_t{banks} * step.queries();
  if (step.work == MacWork::kDot) {
    chunk_left_[static_cast<std::size_t>(step.chunk)] -= std::int64_t{banks} * step.queries();
  }
}

void PassPart::begin_chunk(int chunk) {
  auto& begun = chunk_begun_[static_cast<std::size_t>(chunk)];
  ensure(begun == 0, "a chunk went on after another had cleared its scores");
  begun = 1;
}

bool PassPart::chunk_scored(int chunk) const {
  return chunk_left_[static_cast<std::size_t>(chunk)] <= 0;
}

void PassPart::add_score(int query, std::int32_t token, float score) {
  head_->add_score(pass_.head_channel, query, token, score);
  --scores_to_move_;
  if (pass_.keeps_scores && scores_to_move_ == 0) delivered_ = true;
}

void PassPart::want_lanes(int bank) {
  BankLanes& lanes = lanes_[bank];
  if (lanes.missing > 0 && lanes.missing == lanes.taken.size()) return;
  const auto sets = static_cast<std::size_t>(pass_.lane_sets());
  lanes.words.resize(sets * kMacLanes);
  lanes.missing = sets * kBurstsPerLaneSet;
  lanes.taken.assign(lanes.missing, 0);
}

bool PassPart::wants(int bank, int burst) const {
  const auto found = lanes_.find(bank);
  if (delivered_ || found == lanes_.end()) return false;
  const auto& taken = found->second.taken;
  return static_cast<std::size_t>(burst) < taken.size() &&
         taken[static_cast<std::size_t>(burst)] == 0;
}

void PassPart::take_lanes(int bank, int burst, const DrainBurst& words) {
  if (!wants(bank, burst)) return;
  BankLanes& lanes = lanes_[bank];
  lanes.taken[static_cast<std::size_t>(burst)] = 1;
  --lanes.missing;
  std::transform(words.begin(), words.end(), lanes.words.begin() + burst * kDrainWords,
                 float_of_bits);
  deliver_if_complete();
}

bool PassPart::all_read(const Work& work, std::int64_t tokens) const {
  return work.columns == beats_of(tokens) * pass_.groups() &&
         work.served == beats_of(tokens) * pass_.queries;
}

// The banks are added in ascending order, to +0.
void PassPart::deliver_if_complete() {
  if (axpy_.served < beats_of(attended_tokens_) * pass_.queries) return;
  for (const auto& [bank, lanes] : lanes_) {
    if (lanes.missing > 0) return;
  }
  ensure(all_read(dot_, scored_tokens_) && all_read(axpy_, attended_tokens_),
         "the banks read other columns than those of the attended tokens, once a group");
  std::vector<float> sums(lanes_.begin()->second.words.size());
  for (const auto& [bank, lanes] : lanes_) {
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sums[i] = float_of_bits(canonical_bits(sums[i] + lanes.words[i]));
    }
  }
  delivered_ = true;
  lanes_.clear();
  die_.add_lanes(*std::exchange(head_, nullptr), pass_.head_channel, sums);
}

}  // namespace lockstep
