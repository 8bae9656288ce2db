#include "firmware/decode/summary_stats.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lockstep {

std::optional<double> Population::mean() const {
  if (values_.empty()) return std::nullopt;
  return std::accumulate(values_.begin(), values_.end(), 0.0) / static_cast<double>(values_.size());
}

std::optional<double> Population::percentile(double percent) const {
  if (values_.empty()) return std::nullopt;
  auto sorted = values_;
  const auto rank =
      static_cast<std::size_t>(std::ceil(percent / 100.0 * static_cast<double>(sorted.size())));
  const auto nth = sorted.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(rank, 1) - 1);
  std::nth_element(sorted.begin(), nth, sorted.end());
  return *nth;
}

}  // namespace lockstep
