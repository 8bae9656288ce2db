// Mean and percentiles of a population, kept whole so that percentiles are exact.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace lockstep {

class Population {
 public:
  void add(double value) { values_.push_back(value); }
  std::int64_t count() const { return static_cast<std::int64_t>(values_.size()); }
  // nullopt of an empty population: no average without its members.
  std::optional<double> mean() const;
  // The smallest value that `percent` of the population do not exceed (nearest rank).
  std::optional<double> percentile(double percent) const;

 private:
  std::vector<double> values_;
};

}  // namespace lockstep
