#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace lockstep {

// Where `item` stands in `items`, at whose end it is put if it is new: categories and series of a
// chart in the order of their first cell.
template <typename T>
std::size_t index_in(std::vector<T>& items, const T& item) {
  const auto found = std::find(items.begin(), items.end(), item);
  if (found != items.end()) return static_cast<std::size_t>(found - items.begin());
  items.push_back(item);
  return items.size() - 1;
}

}  // namespace lockstep
