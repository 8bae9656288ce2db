#include "hw/die/head_pass.h"

#include <utility>

#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

// Tokens that have a value in the chunks.
std::vector<std::uint8_t> attended(const PassData& data) {
  const auto tokens = static_cast<std::size_t>(data.tokens);
  if (data.all_attended()) return std::vector<std::uint8_t>(tokens, 1);
  std::vector<std::uint8_t> result(data.keeps_scores ? 0 : tokens);
  if (data.keeps_scores) return result;
  for (const auto& chunk : data.chunks) {
    if (chunk.of == ChunkOf::kKeys) continue;
    for (const std::int32_t token : chunk.token_of) {
      if (token != kNoToken) result[static_cast<std::size_t>(token)] = 1;
    }
  }
  return result;
}

}  // namespace

HeadPass::HeadPass(const PassData& data)
    : id_(data.head_pass),
      queries_(static_cast<std::size_t>(data.queries)),
      dims_(static_cast<std::size_t>(data.dims())),
      scale_(data.scale),
      value_scale_(data.value_scale),
      channels_(static_cast<std::size_t>(data.head_channels)) {
  ensure(data.scored_before == 0, "a pass was continued that had not begun");
  take_tokens(data);
}

void HeadPass::take_tokens(const PassData& data) {
  const auto tokens = static_cast<std::size_t>(data.tokens);
  for (auto& channel : channels_) {
    channel.missing += queries_ * (tokens - tokens_);
    channel.scores.resize(queries_ * tokens);
    channel.scored.resize(queries_ * tokens);
  }
  tokens_ = tokens;
  scored_before_ = data.scored_before;
  keeps_scores_ = data.keeps_scores;
  attended_ = attended(data);
}

bool HeadPass::is_continued_by(const PassData& data) const {
  return keeps_scores_ && static_cast<std::size_t>(data.scored_before) == tokens_ &&
         data.tokens >= data.scored_before && same_shape(data) && !fits(data);
}

void HeadPass::continue_with(const PassData& data) {
  take_tokens(data);
}

bool HeadPass::fits(const PassData& data) const {
  return same_shape(data) && static_cast<std::size_t>(data.tokens) == tokens_ &&
         data.scored_before == scored_before_ && data.keeps_scores == keeps_scores_ &&
         (data.all_attended() || attended(data) == attended_);
}

bool HeadPass::same_shape(const PassData& data) const {
  return data.head_pass == id_ && static_cast<std::size_t>(data.queries) == queries_ &&
         static_cast<std::size_t>(data.dims()) == dims_ && data.scale == scale_ &&
         data.value_scale == value_scale_ &&
         static_cast<std::size_t>(data.head_channels) == channels_.size();
}

void HeadPass::add_score(int head_channel, int query, std::int32_t token, float score) {
  Channel& from = channel(head_channel);
  const std::size_t index =
      static_cast<std::size_t>(token) * queries_ + static_cast<std::size_t>(query);
  ensure(from.scored[index] == 0, "a score of a pass was moved to the die twice");
  from.scores[index] = score;
  from.scored[index] = 1;
  --from.missing;
}

bool HeadPass::start_softmax(int head_channel) {
  Channel& from = channel(head_channel);
  ensure(!keeps_scores_, "a softmax was asked for in a kernel that only scores");
  if (from.missing > 0 || from.ready) return false;
  from.ready = true;
  if (++channels_ready_ < channels_.size()) return false;
  compute_softmax();
  return true;
}

bool HeadPass::channel_ready(int head_channel) const {
  return channels_[static_cast<std::size_t>(head_channel)].ready;
}

void HeadPass::compute_softmax() {
  std::vector<float> scores;
  for (std::size_t query = 0; query < queries_; ++query) {
    scores.clear();
    for (std::size_t token = 0; token < tokens_; ++token) {
      if (attended_[token] == 0) continue;
      const std::size_t index = token * queries_ + query;
      std::uint32_t sum = bits_of_float(channels_[0].scores[index]);
      for (std::size_t c = 1; c < channels_.size(); ++c) {
        sum = mac_sum(sum, bits_of_float(channels_[c].scores[index]));
      }
      scores.push_back(float_of_bits(sum) * scale_);
    }
    softmax_.push_back(softmax(scores));
    spread_over_tokens(softmax_.back().probabilities);
  }
  for (auto& channel : channels_) {
    channel.scores = {};
    channel.scored = {};
  }
}

// From the attended tokens to all.
void HeadPass::spread_over_tokens(std::vector<std::uint16_t>& probabilities) const {
  if (probabilities.size() == tokens_) return;
  std::vector<std::uint16_t> all(tokens_);
  std::size_t next = 0;
  for (std::size_t token = 0; token < tokens_; ++token) {
    if (attended_[token] != 0) all[token] = probabilities[next++];
  }
  probabilities = std::move(all);
}

void HeadPass::add_lanes(int head_channel, Span<float> lanes) {
  Channel& from = channel(head_channel);
  ensure(softmax_done() && from.lanes.empty() && lanes.size() == queries_ * dims_,
         "the weighted values of a channel came twice, or before their softmax");
  from.lanes.assign(lanes.begin(), lanes.end());
  ++channels_finished_;
}

PassResult HeadPass::result() const {
  PassResult result;
  result.head_pass = id_;
  for (std::size_t query = 0; query < queries_; ++query) {
    result.m.push_back(softmax_[query].m);
    result.l.push_back(softmax_[query].l);
    for (const auto& channel : channels_) {
      for (std::size_t dim = 0; dim < dims_; ++dim) {
        const float scaled = channel.lanes[query * dims_ + dim] * value_scale_;
        result.acc.push_back(float_of_bits(canonical_bits(scaled)));
      }
    }
  }
  return result;
}

}  // namespace lockstep
