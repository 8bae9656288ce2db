#include "firmware/attention/kv_tensor_map.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "tlm/contract/errors.h"
#include "tlm/contract/mac_unit.h"

namespace lockstep {
namespace {

constexpr bool is_power_of_two(std::int64_t value) {
  return value > 0 && (value & (value - 1)) == 0;
}

// All sums of some of `bits`, in the order of binary counting.
template <typename Int>
std::vector<Int> subsets(const std::vector<Int>& bits) {
  std::vector<Int> sums{0};
  for (const Int bit : bits) {
    const std::size_t count = sums.size();
    for (std::size_t i = 0; i < count; ++i) sums.push_back(sums[i] | bit);
  }
  return sums;
}

}  // namespace

KvTensorMap::KvTensorMap(AddressMap map, const StackGeometry& geometry, int channels_per_domain,
                         const KvTensorShape& shape)
    : map_(std::move(map)),
      geometry_(geometry),
      channels_per_domain_(channels_per_domain),
      shape_(shape),
      region_bytes_(static_cast<std::int64_t>(geometry.row_bytes()) *
                    geometry.banks_per_pseudo_channel() * geometry.flat_channels()) {
  check_shape();
  check_map();
  if (shape_.layout == KvTensorLayout::kVllmX) refuse_vllm_x();
  refuse_unless_broadcast();
  split_bits();
  group_domains();
}

void KvTensorMap::check_shape() const {
  constexpr int kColumnBytes = kMacLanes * 2;
  if (geometry_.column_bytes != kColumnBytes) {
    throw Unsupported(
        fmt::format("the bank unit computes on columns of {} B, but columns have {} B",
                    kColumnBytes, geometry_.column_bytes));
  }
  if (shape_.head_bytes() % geometry_.column_bytes != 0) {
    throw SettingError(
        "model.head_dim",
        fmt::format("a head of {} dims x {} B must fill whole columns of {} B", shape_.head_dim,
                    shape_.element_bytes(), geometry_.column_bytes));
  }
  if (shape_.block_bytes() > geometry_.capacity().count) {
    throw SettingError(
        "kv.block_tokens",
        fmt::format("a block of {} tokens x {} B does not fit into the stack of {} B",
                    shape_.block_tokens, shape_.record_bytes(), geometry_.capacity().count));
  }
}

// The pools of K and V begin at regions, and must differ in rows only.
void KvTensorMap::check_map() const {
  const auto region = static_cast<std::uint64_t>(region_bytes_);
  for (int row = 1; row < geometry_.rows; row *= 2) {
    const auto address = region * static_cast<std::uint64_t>(row);
    if (map_.decode(address) == Location{0, 0, 0, 0, row, 0, 0}) continue;
    throw Unsupported(
        "attention needs an address map with the row above all other bits: then the pools of K and "
        "V, and of every layer, differ in rows only, and both tensors of a token are in one bank");
  }
  if ((map_.mask(Coordinate::kByte) ^ static_cast<std::uint64_t>(geometry_.column_bytes - 1)) != 0)
    throw SettingError("address_map",
                       "an address map must end with `byte`, so that a column is contiguous");
}

// The banks that an all-bank command reaches differ in these coordinates.
bool KvTensorMap::in_scope_of_command(const Location& bit) const {
  return bit.stack_id != 0 || bit.bank_group != 0 || bit.bank != 0 ||
         (bit.channel != 0 && bit.channel < channels_per_domain_);
}

std::string KvTensorMap::what_at(std::uint64_t offset) const {
  const auto token = static_cast<std::uint64_t>(shape_.token_bytes());
  const auto head_bytes = static_cast<std::uint64_t>(shape_.head_bytes());
  const auto within = offset % token;
  const auto location = map_.decode(offset);
  const auto dim = within % head_bytes / static_cast<std::uint64_t>(shape_.element_bytes());
  return fmt::format("pseudo channel {} bank group {} bank {} needs dims {}..{} of head {}",
                     location.channel, location.bank_group, location.bank, dim,
                     dim + kMacLanes * beats() - 1, within / head_bytes);
}

// The query slice that a command broadcasts must be right for all its banks: the head and the
// slice of a column must not depend on the bank.
void KvTensorMap::refuse_unless_broadcast() const {
  const auto column = static_cast<std::uint64_t>(geometry_.column_bytes);
  const auto token = static_cast<std::uint64_t>(shape_.token_bytes());
  constexpr const char* kRefusal =
      "the banks of one all-bank command would need different query slices under this address map: "
      "at row {} column {}, {}, but {}";
  if (is_power_of_two(shape_.head_bytes()) && is_power_of_two(shape_.kv_heads)) {
    for (std::uint64_t bit = column; bit < token; bit *= 2) {
      if (in_scope_of_command(map_.decode(bit)))
        throw Unsupported(fmt::format(kRefusal, 0, 0, what_at(0), what_at(bit)));
    }
    return;
  }
  std::map<std::array<int, 3>, std::uint64_t> first;  // by domain, row, column
  for (std::uint64_t at = 0; at < static_cast<std::uint64_t>(region_bytes_); at += column) {
    const auto place = map_.decode(at);
    const auto seen =
        first.try_emplace({place.channel / channels_per_domain_, place.row, place.column}, at);
    const auto other = seen.first->second;
    if (other % token == at % token) continue;
    throw Unsupported(fmt::format(kRefusal, place.row, place.column, what_at(other), what_at(at)));
  }
  throw Unsupported(
      fmt::format("attention needs a power of two of heads and of bytes a head, but a token has {} "
                  "heads of {} B",
                  shape_.kv_heads, shape_.head_bytes()));
}

// vLLM's x layout keeps K as [block][head][head_dim / 8][token][8]: chunks of 16 B.
void KvTensorMap::refuse_vllm_x() const {
  constexpr std::uint64_t kChunk = 16;
  const auto column = static_cast<std::uint64_t>(geometry_.column_bytes);
  const auto dims_in_chunk = kChunk / static_cast<std::uint64_t>(shape_.element_bytes());
  const auto chunk_row = kChunk * static_cast<std::uint64_t>(shape_.block_tokens);
  const auto head = chunk_row * (static_cast<std::uint64_t>(shape_.head_dim) / dims_in_chunk);
  std::string example;
  for (std::uint64_t bit = column; bit < head && example.empty(); bit *= 2) {
    const auto dim = bit / chunk_row * dims_in_chunk;
    if (dim == 0 || !in_scope_of_command(map_.decode(bit))) continue;
    example = fmt::format(
        "; moreover one command would read dims 0..{} in one bank and {}..{} in "
        "another, under one broadcast query",
        dims_in_chunk - 1, dim, dim + dims_in_chunk - 1);
  }
  throw Unsupported(fmt::format(
      "attention.layout `vllm-x`: a column of {} B holds {} dims of {} tokens, but the bank unit "
      "sums a "
      "column into the score of one token, so that half of its lanes would have to be thrown "
      "away{}; use `split`",
      column, dims_in_chunk, column / kChunk, example));
}

void KvTensorMap::split_bits() {
  const auto column = static_cast<std::uint64_t>(geometry_.column_bytes);
  const auto head = static_cast<std::uint64_t>(shape_.head_bytes());
  const auto token = static_cast<std::uint64_t>(shape_.token_bytes());
  std::vector<std::int32_t> part_columns;
  std::vector<int> part_slices;
  std::vector<int> channel_slices;
  std::vector<std::int32_t> head_columns;
  std::vector<int> head_ids;
  for (std::uint64_t bit = column; bit < static_cast<std::uint64_t>(shape_.record_bytes());
       bit *= 2) {
    const auto at = map_.decode(bit);
    if (at.row != 0) {
      throw Unsupported(fmt::format("a token of {} B does not fit under one row index of {} B",
                                    shape_.record_bytes(), region_bytes_));
    }
    if (bit >= token) {  // K or V
      if (at.channel >= channels_per_domain_) {
        throw Unsupported(
            "attention.layout `interleaved`: under this address map K and V of a token lie in "
            "different "
            "lockstep domains, so that no bank can weigh the values it has scored; use `split`");
      }
    } else if (bit >= head) {
      if (at.column == 0) continue;
      head_columns.push_back(at.column);
      head_ids.push_back(static_cast<int>(bit / head));
    } else if (at.column != 0) {
      part_columns.push_back(at.column);
      part_slices.push_back(static_cast<int>(bit / column));
    } else {
      channel_slices.push_back(static_cast<int>(bit / column));
    }
  }
  part_columns_ = subsets(part_columns);
  part_slices_ = subsets(part_slices);
  channel_slices_ = subsets(channel_slices);
  head_columns_ = subsets(head_columns);
  local_head_ids_ = subsets(head_ids);
  head_channels_ = static_cast<int>(channel_slices_.size());
}

// A class: the domains that differ in the channel bits of dims and heads only.
void KvTensorMap::group_domains() {
  const auto column = static_cast<std::uint64_t>(geometry_.column_bytes);
  std::vector<int> slice_bits;
  std::vector<int> head_bits;
  std::vector<int> head_ids;
  for (std::uint64_t bit = column; bit < static_cast<std::uint64_t>(shape_.token_bytes());
       bit *= 2) {
    const int channel = map_.decode(bit).channel;
    if (channel == 0) continue;
    const bool of_slice = bit < static_cast<std::uint64_t>(shape_.head_bytes());
    (of_slice ? slice_bits : head_bits).push_back(channel);
    if (!of_slice) {
      head_ids.push_back(static_cast<int>(bit / static_cast<std::uint64_t>(shape_.head_bytes())));
    }
  }
  const auto slices = subsets(slice_bits);
  const auto heads = subsets(head_bits);
  const auto ids = subsets(head_ids);
  int inside = 0;
  for (const int bit : slice_bits) inside |= bit;
  for (const int bit : head_bits) inside |= bit;
  const int channels = geometry_.flat_channels();
  class_of_domain_.assign(static_cast<std::size_t>(channels / channels_per_domain_), 0);
  for (int channel = 0; channel < channels; channel += channels_per_domain_) {
    if ((channel & inside) != 0) continue;
    const int index = classes();
    class_domains_.emplace_back();
    for (std::size_t h = 0; h < heads.size(); ++h) {
      for (std::size_t s = 0; s < slices.size(); ++s) {
        const int domain = (channel | heads[h] | slices[s]) / channels_per_domain_;
        class_domains_.back().push_back({domain, static_cast<int>(s), ids[h]});
        class_of_domain_[static_cast<std::size_t>(domain)] = index;
      }
    }
  }
}

std::uint64_t KvTensorMap::offset(KvTensor tensor, BlockId block, int token) const {
  ensure(block >= 0 && token >= 0 && token < shape_.block_tokens, "a token lies in its block");
  const auto record = static_cast<std::uint64_t>(shape_.record_bytes());
  const auto index =
      static_cast<std::uint64_t>(block) * static_cast<std::uint64_t>(shape_.block_tokens) +
      static_cast<std::uint64_t>(token);
  const bool second = tensor == KvTensor::kValue && shape_.layout == KvTensorLayout::kInterleaved;
  return index * record + (second ? static_cast<std::uint64_t>(shape_.token_bytes()) : 0);
}

TokenPlace KvTensorMap::place(KvTensor tensor, BlockId block, int token) const {
  const auto at = map_.decode(offset(tensor, block, token));
  const int lane = ((at.channel % channels_per_domain_ * geometry_.stack_ids + at.stack_id) *
                        geometry_.bank_groups +
                    at.bank_group) *
                       geometry_.banks +
                   at.bank;
  return {class_of_domain_[static_cast<std::size_t>(at.channel / channels_per_domain_)], lane,
          at.row, at.column};
}

}  // namespace lockstep
