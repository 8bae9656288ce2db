#include "hw/die/head_pass.h"

#include "tlm/contract/errors.h"

namespace lockstep {

HeadPass::HeadPass(const PassData& data)
    : id_(data.head_pass),
      queries_(static_cast<std::size_t>(data.queries)),
      tokens_(static_cast<std::size_t>(data.tokens)),
      dims_(static_cast<std::size_t>(data.dims())),
      scale_(data.scale),
      value_scale_(data.value_scale),
      channels_(static_cast<std::size_t>(data.head_channels)) {
  for (auto& channel : channels_) {
    channel.missing = queries_ * tokens_;
    channel.scores.resize(channel.missing);
    channel.scored.resize(channel.missing);
  }
}

bool HeadPass::fits(const PassData& data) const {
  return data.head_pass == id_ && static_cast<std::size_t>(data.queries) == queries_ &&
         static_cast<std::size_t>(data.tokens) == tokens_ &&
         static_cast<std::size_t>(data.dims()) == dims_ && data.scale == scale_ &&
         data.value_scale == value_scale_ &&
         static_cast<std::size_t>(data.head_channels) == channels_.size();
}

void HeadPass::add_score(int head_channel, int query, std::int32_t token, float score) {
  Channel& from = channel(head_channel);
  const std::size_t index =
      static_cast<std::size_t>(query) * tokens_ + static_cast<std::size_t>(token);
  ensure(from.scored[index] == 0, "a score of a pass was moved to the die twice");
  from.scores[index] = score;
  from.scored[index] = 1;
  --from.missing;
}

bool HeadPass::start_softmax(int head_channel) {
  Channel& from = channel(head_channel);
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
  std::vector<float> scores(tokens_);
  for (std::size_t query = 0; query < queries_; ++query) {
    for (std::size_t token = 0; token < tokens_; ++token) {
      const std::size_t index = query * tokens_ + token;
      std::uint32_t sum = bits_of_float(channels_[0].scores[index]);
      for (std::size_t c = 1; c < channels_.size(); ++c) {
        sum = mac_sum(sum, bits_of_float(channels_[c].scores[index]));
      }
      scores[token] = float_of_bits(sum) * scale_;
    }
    softmax_.push_back(softmax(scores));
  }
  for (auto& channel : channels_) {
    channel.scores = {};
    channel.scored = {};
  }
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
