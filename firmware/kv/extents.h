// The free extents of a pool, with the lowest that is long enough found in O(log pool).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace lockstep {

class Extents {
 public:
  explicit Extents(std::int32_t size);  // one extent: all of [0, size)

  // Cuts `length` from the front of the lowest extent that has as much; nullopt if none has.
  std::optional<std::int32_t> take(std::int32_t length);
  // Gives [first, first + length) back and joins it to its neighbours.
  void give(std::int32_t first, std::int32_t length);

 private:
  std::int32_t length_at(std::int32_t first) const;
  void set(std::int32_t first, std::int32_t length);

  std::int32_t leaves_;
  std::vector<std::int32_t> longest_;   // a max tree; leaf `first` holds the length of its extent
  std::vector<std::int32_t> first_of_;  // by the position after an extent: where it begins, or -1
};

}  // namespace lockstep
