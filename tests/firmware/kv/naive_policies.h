// Placement as one would write it without a thought for speed: every decision scans the pool.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "firmware/kv/allocator.h"

namespace lockstep {

class NaivePolicy {
 public:
  virtual ~NaivePolicy() = default;
  virtual std::optional<std::vector<BlockId>> admit(SequenceId id, int now, int final) = 0;
  virtual std::optional<BlockId> append(SequenceId id) = 0;
  virtual std::optional<std::vector<BlockId>> scratch(SequenceId id, int count) = 0;
  virtual void give(BlockId block) = 0;
  virtual void forget(SequenceId id) = 0;
};

enum class End { kFront, kBack };

class NaiveList final : public NaivePolicy {
 public:
  NaiveList(int first, int pool, End end) : end_(end) {
    for (int block = first; block < pool; ++block) free_.push_back(block);
  }
  std::optional<std::vector<BlockId>> admit(SequenceId id, int now, int) override {
    return scratch(id, now);
  }
  std::optional<BlockId> append(SequenceId id) override {
    const auto one = scratch(id, 1);
    return one ? std::optional(one->front()) : std::nullopt;
  }
  std::optional<std::vector<BlockId>> scratch(SequenceId, int count) override {
    if (static_cast<int>(free_.size()) < count) return std::nullopt;
    std::vector<BlockId> blocks;
    while (count-- > 0) {
      const auto at = end_ == End::kFront ? free_.begin() : free_.end() - 1;
      blocks.push_back(*at);
      free_.erase(at);
    }
    return blocks;
  }
  void give(BlockId block) override { free_.push_back(block); }
  void forget(SequenceId) override {}

 private:
  End end_;
  std::vector<BlockId> free_;
};

class NaiveRegion final : public NaivePolicy {
 public:
  NaiveRegion(int pool, int size) : size_(size), free_(static_cast<std::size_t>(pool), true) {}
  std::optional<std::vector<BlockId>> admit(SequenceId id, int now, int) override {
    if (std::count(free_.begin(), free_.end(), true) < now) return std::nullopt;
    std::vector<BlockId> blocks;
    while (now-- > 0) blocks.push_back(take(id));
    return blocks;
  }
  std::optional<BlockId> append(SequenceId id) override {
    const auto one = admit(id, 1, 1);
    return one ? std::optional(one->front()) : std::nullopt;
  }
  std::optional<std::vector<BlockId>> scratch(SequenceId, int count) override {
    return admit(-1, count, count);
  }
  void give(BlockId block) override { free_[static_cast<std::size_t>(block)] = true; }
  void forget(SequenceId id) override { current_.erase(id); }

 private:
  long room(int region) const {
    const auto first = free_.begin() + region * size_;
    return std::count(first, first + size_, true);
  }
  BlockId take(SequenceId id) {
    if (current_.count(id) == 0 || room(current_[id]) == 0) current_[id] = choose();
    const auto first = free_.begin() + current_[id] * size_;
    const auto block = std::find(first, first + size_, true);
    *block = false;
    return static_cast<BlockId>(block - free_.begin());
  }
  int choose() const {
    int best = 0;  // an empty region has the most room there can be
    for (int region = 0; region < static_cast<int>(free_.size()) / size_; ++region) {
      if (room(region) > room(best)) best = region;
    }
    return best;
  }

  int size_;
  std::vector<bool> free_;
  std::map<SequenceId, int> current_;
};

class NaiveContiguous final : public NaivePolicy {
 public:
  explicit NaiveContiguous(int pool) : free_(static_cast<std::size_t>(pool), true) {}
  std::optional<std::vector<BlockId>> admit(SequenceId id, int now, int final) override {
    const auto first = std::search_n(free_.begin(), free_.end(), final, true);
    if (first == free_.end()) return std::nullopt;
    std::fill_n(first, final, false);
    const auto start = static_cast<int>(first - free_.begin());
    spans_[id] = {start, start + now, start + final};
    return range(start, start + now);
  }
  std::optional<BlockId> append(SequenceId id) override { return spans_[id].next++; }
  std::optional<std::vector<BlockId>> scratch(SequenceId id, int count) override {
    return range(spans_[id].end - count, spans_[id].end);
  }
  void give(BlockId) override {}
  void forget(SequenceId id) override {
    std::fill(free_.begin() + spans_[id].first, free_.begin() + spans_[id].end, true);
    spans_.erase(id);
  }

 private:
  static std::vector<BlockId> range(int first, int end) {
    std::vector<BlockId> blocks;
    for (int block = first; block < end; ++block) blocks.push_back(block);
    return blocks;
  }
  struct Place {
    int first, next, end;
  };
  std::vector<bool> free_;
  std::map<SequenceId, Place> spans_;
};

// nullptr for a policy that has no naive twin; its books are checked all the same.
inline std::unique_ptr<NaivePolicy> naive_twin(std::string_view policy, int pool, int region) {
  if (policy == "paged-lifo") return std::make_unique<NaiveList>(0, pool, End::kBack);
  if (policy == "paged-fifo") return std::make_unique<NaiveList>(1, pool, End::kFront);
  if (policy == "region") return std::make_unique<NaiveRegion>(pool, region);
  if (policy == "contiguous") return std::make_unique<NaiveContiguous>(pool);
  return nullptr;
}

}  // namespace lockstep
