// Where the elements of K and V lie in the banks, derived from the address map: which lockstep
// domains share a head, which columns of a bank hold a token, and whether one broadcast query slice
// can serve every bank of an all-bank command (docs/attention.md, section 1).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "firmware/kv/block.h"
#include "tlm/contract/address_map.h"
#include "tlm/contract/attention_pass.h"
#include "tlm/contract/geometry.h"

namespace lockstep {

enum class KvTensorLayout : std::uint8_t { kSplit, kInterleaved, kVllmX };
constexpr std::array<std::string_view, 3> kKvTensorLayouts = {"split", "interleaved", "vllm-x"};

enum class KvTensor : std::uint8_t { kKey, kValue };

struct KvTensorShape {
  int kv_heads = 8;
  int head_dim = 128;
  KvElement element = KvElement::kFp16;
  int block_tokens = 16;
  KvTensorLayout layout = KvTensorLayout::kSplit;

  constexpr int element_bytes() const { return traits(element).bytes; }
  constexpr std::int64_t head_bytes() const {
    return static_cast<std::int64_t>(head_dim) * element_bytes();
  }
  constexpr std::int64_t token_bytes() const { return kv_heads * head_bytes(); }  // of one tensor
  // Of what a layer keeps together: one tensor of two, or both of a token side by side.
  constexpr std::int64_t record_bytes() const {
    return layout == KvTensorLayout::kInterleaved ? 2 * token_bytes() : token_bytes();
  }
  constexpr std::int64_t block_bytes() const { return block_tokens * record_bytes(); }
  constexpr int pools_per_layer() const { return layout == KvTensorLayout::kInterleaved ? 1 : 2; }
};

// The first column (local head 0, part 0) of a token in one domain of its class. The row counts
// from the first of its pool.
struct TokenPlace {
  int channel_class = 0;
  int bank = 0;  // in the lockstep scope, numbered as PassChunk::token_of
  std::int32_t row = 0;
  std::int32_t column = 0;
};

// A domain as one head sees it.
struct HeadDomain {
  int domain = 0;
  int head_channel = 0;  // which of the head's domains
  int first_head = 0;    // local head i is head heads()[i] of this domain
};

// Every coordinate of an element comes from address bits, and all sizes inside a token are powers
// of two: each of its dims, heads and tokens is a set of bits of one coordinate or another, and a
// location is the OR of those of its parts.
class KvTensorMap {
 public:
  // Throws Unsupported, one sentence with an example, where the banks of one command would need
  // different query slices or the elements of a token scatter over banks or rows; InputError for a
  // shape that no map can hold.
  KvTensorMap(AddressMap map, const StackGeometry& geometry, int channels_per_domain,
              const KvTensorShape& shape);

  const KvTensorShape& shape() const { return shape_; }
  const StackGeometry& geometry() const { return geometry_; }
  int channels_per_domain() const { return channels_per_domain_; }
  int banks() const { return channels_per_domain_ * geometry_.banks_per_pseudo_channel(); }
  // Bytes under one row index of all banks and channels.
  std::int64_t region_bytes() const { return region_bytes_; }

  int parts() const { return static_cast<int>(part_columns_.size()); }  // columns of a token
  int beats() const { return traits(shape_.element).beats; }            // of a column
  int head_channels() const { return head_channels_; }                  // domains that share a head
  int local_heads() const { return static_cast<int>(head_columns_.size()); }
  // Domains that see different tokens; all domains of a class see equal commands.
  int classes() const { return static_cast<int>(class_domains_.size()); }
  const std::vector<HeadDomain>& domains(int channel_class) const {
    return class_domains_[static_cast<std::size_t>(channel_class)];
  }

  TokenPlace place(KvTensor tensor, BlockId block, int token) const;
  std::int32_t part_column(int part) const { return part_columns_[static_cast<std::size_t>(part)]; }
  std::int32_t head_column(int local_head) const {
    return head_columns_[static_cast<std::size_t>(local_head)];
  }
  // The KV head that is local head `local_head` of `domain`.
  int head(const HeadDomain& domain, int local_head) const {
    return domain.first_head | local_head_ids_[static_cast<std::size_t>(local_head)];
  }
  // Which 16-dim slice of the head is beat `beat` of part `part` of a domain.
  int slice(int head_channel, int part, int beat) const {
    const int column = channel_slices_[static_cast<std::size_t>(head_channel)] |
                       part_slices_[static_cast<std::size_t>(part)];
    return column * beats() + beat;
  }

  // From the start of the pool of the tensor to the first byte of a token of it.
  std::uint64_t offset(KvTensor tensor, BlockId block, int token) const;

 private:
  void check_shape() const;
  void check_map() const;
  void refuse_unless_broadcast() const;
  [[noreturn]] void refuse_vllm_x() const;
  void split_bits();
  void group_domains();
  std::string what_at(std::uint64_t offset) const;
  bool in_scope_of_command(const Location& bit) const;

  AddressMap map_;
  StackGeometry geometry_;
  int channels_per_domain_;
  KvTensorShape shape_;
  std::int64_t region_bytes_ = 0;
  int head_channels_ = 1;
  std::vector<std::int32_t> part_columns_;  // by part
  std::vector<int> part_slices_;            // which column of the head, by part
  std::vector<int> channel_slices_;         // by head channel
  std::vector<std::int32_t> head_columns_;  // by local head
  std::vector<int> local_head_ids_;         // by local head
  std::vector<std::vector<HeadDomain>> class_domains_;
  std::vector<int> class_of_domain_;
};

}  // namespace lockstep
