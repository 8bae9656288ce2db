// One channel's part of an attention pass while it is under way: which bank holds which token, and
// what has been done of it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "hw/die/buffer_die.h"
#include "tlm/contract/mac_unit.h"
#include "tlm/contract/pim_isa.h"

namespace lockstep {

// What one MAC command of a run does in every bank.
struct PassStep {
  MacWork work;
  int chunk, slot, part, beat;
  int first_query, last_query;  // both served
  std::int32_t row, column;

  int queries() const { return last_query - first_query + 1; }
};

class PassPart {
 public:
  // `serial` tells parts of a channel apart. `banks`: of the lockstep scope. Throws Unsupported if
  // the pass does not fit the bank units, InternalError if `pass` contradicts itself.
  PassPart(std::shared_ptr<const KernelData> data, const PassData& pass, std::int64_t serial,
           int banks, const MacParameters& unit, BufferDie& die);

  const PassData& pass() const { return pass_; }
  const KernelData* data() const { return data_.get(); }
  std::int64_t serial() const { return serial_; }

  // Token of a slot of a bank, numbered in the scope; kNoToken if there is none.
  std::int32_t token(int chunk, int slot, int bank) const;
  bool has_tokens(int chunk, int bank) const;
  // The index-th command of a MAC run of this pass.
  PassStep step(const PimRun& run, std::int64_t index) const;

  // A step has read its column in `banks` banks.
  void note_read(const PassStep& step, int banks);
  // The first DOT of `chunk`, which may come once.
  void begin_chunk(int chunk);
  // Whether every token of `chunk` has met every query.
  bool chunk_scored(int chunk) const;

  // The last score of a part that keeps them finishes it.
  void add_score(int query, std::int32_t token, float score);
  void start_softmax() { die_.start_softmax(*head_, pass_.head_channel); }
  bool softmax_started() const { return head_->channel_ready(pass_.head_channel); }
  bool softmax_done() const { return delivered_ || head_->softmax_done(); }
  std::uint16_t probability(int query, std::int32_t token) const {
    return head_->probability(query, token);
  }

  // Bank `bank` (its index in the domain) has taken part in an AXPY: its lanes are wanted.
  void want_lanes(int bank);
  // Takes a burst of lanes, if that bank and burst are wanted. The last one finishes the part.
  void take_lanes(int bank, int burst, const DrainBurst& words);
  bool wants(int bank, int burst) const;
  bool delivered() const { return delivered_; }

 private:
  struct BankLanes {
    std::vector<float> words;
    std::vector<std::uint8_t> taken;  // by burst
    std::size_t missing = 0;
  };
  // Of K or of V.
  struct Work {
    std::int64_t columns = 0;  // read, summed over banks
    std::int64_t served = 0;   // the same, times the queries served at once
  };

  void check_shape(const MacParameters& unit) const;
  void deliver_if_complete();
  std::int64_t beats_of(std::int64_t tokens) const { return tokens * pass_.parts * pass_.beats(); }
  bool all_read(const Work& work, std::int64_t tokens) const;

  std::shared_ptr<const KernelData> data_;
  const PassData& pass_;
  std::int64_t serial_;
  int banks_;
  BufferDie& die_;
  HeadPass* head_;              // until the lanes are delivered
  std::int64_t scored_tokens_;  // by this part
  std::int64_t attended_tokens_;
  std::int64_t scores_to_move_;
  std::vector<std::uint8_t> chunk_begun_;
  std::vector<std::int64_t> chunk_left_;  // columns to read for scores, times queries
  Work dot_, axpy_;
  std::map<int, BankLanes> lanes_;  // by bank
  bool delivered_ = false;
};

}  // namespace lockstep
