// Where a decode run keeps its KV. The heads may be split over groups of channels: each group then
// holds its share of every token, at the same place of its own channels.
#pragma once

#include <vector>

#include "firmware/kernels/kv_layout.h"
#include "firmware/serving/block_manager.h"
#include "tlm/contract/stack_port.h"

namespace lockstep {

struct KvMemoryConfig {
  StackGeometry geometry;
  KvShape shape;  // of all heads
  int channel_groups = 1;
  int channels_per_domain = 1;
};

// Reads and writes that move tokens inside the pool.
struct CopyAccesses {
  std::vector<HostAccess> reads;
  std::vector<HostAccess> writes;
};

class KvMemory {
 public:
  // `map` is that of the whole stack. Throws InputError if the groups divide neither channels nor
  // tokens, and as KvLayout; Unsupported if the channels of one lockstep domain would need
  // different kernels.
  KvMemory(const AddressMap& map, const KvMemoryConfig& config);

  // Of one group: all groups are alike.
  const KvLayout& layout() const { return layout_; }
  const KvShape& shape() const { return config_.shape; }
  int channel_groups() const { return config_.channel_groups; }
  int channels_per_domain() const { return config_.channels_per_domain; }
  // The lockstep domains, of all groups, whose kernel is that of a class of layout().
  const std::vector<int>& domains(std::size_t channel_class) const {
    return domains_[channel_class];
  }

  void append(const BlockCopy& copy, CopyAccesses& accesses) const;

 private:
  void append(AccessKind kind, BlockId block, const BlockCopy& copy,
              std::vector<HostAccess>& accesses) const;
  void append_in_groups(AccessKind kind, std::uint64_t address, std::int64_t bytes,
                        std::vector<HostAccess>& accesses) const;

  const KvMemoryConfig config_;
  const AddressMap map_;
  const KvLayout layout_;
  std::vector<std::vector<int>> domains_;  // by class
};

}  // namespace lockstep
