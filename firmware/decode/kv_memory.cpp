#include "firmware/decode/kv_memory.h"

#include <string>

#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

int log2_of_groups(const KvMemoryConfig& config) {
  for (int bits = 0; bits < 16; ++bits) {
    if (config.channel_groups == 1 << bits) return bits;
  }
  throw InputError("channel groups must be a power of two, got " +
                   std::to_string(config.channel_groups));
}

// The first thing to be said of a configuration, whatever is looked at first later.
const KvMemoryConfig& checked(const KvMemoryConfig& config) {
  log2_of_groups(config);
  return config;
}

StackGeometry group_geometry(const KvMemoryConfig& config) {
  auto geometry = config.geometry;
  if (geometry.channels % config.channel_groups != 0) {
    throw InputError(std::to_string(config.channel_groups) + " channel groups do not divide " +
                     std::to_string(geometry.channels) + " channels");
  }
  geometry.channels /= config.channel_groups;
  return geometry;
}

KvShape group_shape(const KvMemoryConfig& config) {
  auto shape = config.shape;
  if (shape.kv_bytes_per_token % config.channel_groups != 0) {
    throw InputError(std::to_string(config.channel_groups) + " channel groups do not divide " +
                     std::to_string(shape.kv_bytes_per_token) + " B of a token");
  }
  shape.kv_bytes_per_token /= config.channel_groups;
  return shape;
}

// The domains whose kernel is that of the class: all channels of a domain must be in one class.
void append_domains(const ChannelClass& channel_class, int first_channel, int channels_per_domain,
                    std::vector<int>& domains) {
  const auto& members = channel_class.members;
  for (std::size_t i = 0; i < members.size(); i += static_cast<std::size_t>(channels_per_domain)) {
    for (int k = 0; k < channels_per_domain; ++k) {
      const std::size_t at = i + static_cast<std::size_t>(k);
      if (at >= members.size() || members[at] != members[i] + k ||
          members[i] % channels_per_domain != 0) {
        throw Unsupported(
            "the pseudo channels of one lockstep domain hold different tokens under this address "
            "map: set pim.all_bank_scope to pseudo_channel");
      }
    }
    domains.push_back((first_channel + members[i]) / channels_per_domain);
  }
}

void append_merged(const HostAccess& access, std::vector<HostAccess>& accesses) {
  if (!accesses.empty()) {
    auto& last = accesses.back();
    if (last.kind == access.kind &&
        last.address + static_cast<std::uint64_t>(last.bytes) == access.address) {
      last.bytes += access.bytes;
      return;
    }
  }
  accesses.push_back(access);
}

}  // namespace

KvMemory::KvMemory(const AddressMap& map, const KvMemoryConfig& config)
    : config_(checked(config)),
      map_(map),
      layout_(map.without_top(Coordinate::kChannel, log2_of_groups(config)), group_geometry(config),
              group_shape(config)) {
  const int group_channels = layout_.geometry().flat_channels();
  for (const auto& channel_class : layout_.classes()) {
    domains_.emplace_back();
    for (int group = 0; group < config_.channel_groups; ++group) {
      append_domains(channel_class, group * group_channels, config_.channels_per_domain,
                     domains_.back());
    }
  }
}

void KvMemory::append(const BlockCopy& copy, CopyAccesses& accesses) const {
  append(AccessKind::kRead, copy.source, copy, accesses.reads);
  append(AccessKind::kWrite, copy.destination, copy, accesses.writes);
}

void KvMemory::append(AccessKind kind, BlockId block, const BlockCopy& copy,
                      std::vector<HostAccess>& accesses) const {
  const auto& shape = layout_.shape();
  const auto address = static_cast<std::uint64_t>(
      (block * shape.block_tokens + copy.offset_tokens) * shape.kv_bytes_per_token);
  const auto bytes = copy.tokens * shape.kv_bytes_per_token;
  if (config_.channel_groups == 1) {
    accesses.push_back({kind, address, bytes});
  } else {
    append_in_groups(kind, address, bytes, accesses);
  }
}

// An address of a group is one of the stack with the group's number in the channel's top bits.
void KvMemory::append_in_groups(AccessKind kind, std::uint64_t address, std::int64_t bytes,
                                std::vector<HostAccess>& accesses) const {
  const auto column = static_cast<std::uint64_t>(layout_.geometry().column_bytes);
  const auto end = address + static_cast<std::uint64_t>(bytes);
  for (int group = 0; group < config_.channel_groups; ++group) {
    for (auto at = address; at < end; at += column) {
      auto location = layout_.map().decode(at);
      location.channel += group * layout_.geometry().flat_channels();
      append_merged({kind, map_.encode(location), static_cast<std::int64_t>(column)}, accesses);
    }
  }
}

}  // namespace lockstep
