#include "hw/stack/access_symmetry.h"

namespace lockstep {

AccessSymmetry::AccessSymmetry(const StackConfig& config, Span<HostAccess> accesses)
    : config_(config) {
  std::uint64_t ends = 0;
  for (const auto& access : accesses) {
    ends |= access.address | static_cast<std::uint64_t>(access.bytes);
  }
  if (ends == 0) return;
  const std::uint64_t alignment = ends & (~ends + 1);
  const int inside =
      config.map.decode(config.map.mask(Coordinate::kChannel) & (alignment - 1)).channel;
  const int per_domain = config.channels_per_domain();
  const int shared = inside / per_domain * per_domain;  // bits within a domain stay apart
  Location shared_bits;
  shared_bits.channel = shared;
  skipped_ = config.map.encode(shared_bits);
  shared_domain_bits_ = static_cast<std::size_t>(shared / per_domain);
}

}  // namespace lockstep
