#include "firmware/kv/extents.h"

#include <algorithm>

namespace lockstep {

Extents::Extents(std::int32_t size)
    : leaves_(1), first_of_(static_cast<std::size_t>(size) + 1, -1) {
  while (leaves_ < size + 1) leaves_ *= 2;
  longest_.assign(2 * static_cast<std::size_t>(leaves_), 0);
  give(0, size);
}

std::optional<std::int32_t> Extents::take(std::int32_t length) {
  if (longest_[1] < length) return std::nullopt;
  std::size_t node = 1;
  while (node < static_cast<std::size_t>(leaves_)) {
    node *= 2;
    if (longest_[node] < length) ++node;
  }
  const auto first = static_cast<std::int32_t>(node) - leaves_;
  const auto rest = longest_[node] - length;
  set(first, 0);
  if (rest > 0) {
    set(first + length, rest);
    first_of_[static_cast<std::size_t>(first + length + rest)] = first + length;
  } else {
    first_of_[static_cast<std::size_t>(first + length)] = -1;
  }
  return first;
}

void Extents::give(std::int32_t first, std::int32_t length) {
  if (length == 0) return;
  if (const auto after = length_at(first + length); after > 0) {
    set(first + length, 0);
    length += after;
  }
  if (const auto before = first_of_[static_cast<std::size_t>(first)]; before >= 0) {
    first_of_[static_cast<std::size_t>(first)] = -1;
    length += first - before;
    first = before;
  }
  set(first, length);
  first_of_[static_cast<std::size_t>(first + length)] = first;
}

std::int32_t Extents::length_at(std::int32_t first) const {
  return longest_[static_cast<std::size_t>(leaves_ + first)];
}

void Extents::set(std::int32_t first, std::int32_t length) {
  auto node = static_cast<std::size_t>(leaves_ + first);
  longest_[node] = length;
  for (node /= 2; node > 0; node /= 2) {
    longest_[node] = std::max(longest_[2 * node], longest_[2 * node + 1]);
  }
}

}  // namespace lockstep
