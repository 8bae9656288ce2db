// What the buffer die knows of one attention pass: the scores that the channels of its head have
// sent, their softmax, and the weighted values.
#pragma once

#include <cstdint>
#include <vector>

#include "hw/die/softmax.h"
#include "tlm/contract/attention_pass.h"

namespace lockstep {

class HeadPass {
 public:
  // Takes the shape from the first channel's part.
  explicit HeadPass(const PassData& data);

  // Whether `data` can be a part of the same pass and kernel: all that the die computes with must
  // be equal, whatever the channel, its tokens' places, its operands and how columns are accessed.
  bool fits(const PassData& data) const;
  // Whether `data` is of the kernel that follows those so far, which have kept their scores.
  bool is_continued_by(const PassData& data) const;
  // Requires is_continued_by().
  void continue_with(const PassData& data);

  // The partial score of one channel. What is added twice is an InternalError.
  void add_score(int head_channel, int query, std::int32_t token, float score);
  // The channel has issued an SFM. Returns whether that completed the softmax of the pass.
  bool start_softmax(int head_channel);
  bool channel_ready(int head_channel) const;
  bool softmax_done() const { return !softmax_.empty(); }

  // 0 for a token that is masked out. Requires softmax_done().
  std::uint16_t probability(int query, std::int32_t token) const {
    return softmax_[static_cast<std::size_t>(query)].probabilities[static_cast<std::size_t>(token)];
  }

  // Lanes of one channel, summed over its banks: [query][dim of the channel].
  void add_lanes(int head_channel, Span<float> lanes);
  bool finished() const { return channels_finished_ == channels_.size(); }
  // Requires finished().
  PassResult result() const;

 private:
  struct Channel {
    std::vector<float> scores;  // [token][query]
    std::vector<std::uint8_t> scored;
    std::size_t missing = 0;
    bool ready = false;
    std::vector<float> lanes;  // [query][dim]
  };

  bool same_shape(const PassData& data) const;
  void take_tokens(const PassData& data);
  void compute_softmax();
  void spread_over_tokens(std::vector<std::uint16_t>& probabilities) const;
  Channel& channel(int head_channel) { return channels_[static_cast<std::size_t>(head_channel)]; }

  std::int64_t id_;
  std::size_t queries_;
  std::size_t tokens_ = 0;
  std::int32_t scored_before_ = 0;
  bool keeps_scores_ = false;
  std::vector<std::uint8_t> attended_;  // by token; empty while the scores are kept
  std::size_t dims_;                    // of a channel
  float scale_;
  float value_scale_;
  std::vector<Channel> channels_;
  std::vector<Softmax> softmax_;  // by query
  std::size_t channels_ready_ = 0;
  std::size_t channels_finished_ = 0;
};

}  // namespace lockstep
