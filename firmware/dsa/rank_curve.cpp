#include "firmware/dsa/rank_curve.h"

#include <algorithm>

namespace lockstep {

void RankCurve::observe(Span<double> predicted, const BlockList& selected) {
  const BlockList ranked = ranked_blocks(predicted);
  if (hits_.size() < ranked.size()) hits_.resize(ranked.size(), 0);
  for (std::size_t rank = 0; rank < ranked.size(); ++rank) {
    if (std::binary_search(selected.begin(), selected.end(), ranked[rank])) ++hits_[rank];
  }
  selected_ += static_cast<std::int64_t>(selected.size());
  ++steps_;
}

double RankCurve::expected_missed(double delta) const {
  if (steps_ == 0) return static_cast<double>(top_k_);
  const auto count =
      std::min<std::int64_t>(budget_blocks(delta, top_k_), static_cast<std::int64_t>(hits_.size()));
  std::int64_t hit = 0;
  for (std::int64_t rank = 0; rank < count; ++rank) hit += hits_[static_cast<std::size_t>(rank)];
  return static_cast<double>(selected_ - hit) / static_cast<double>(steps_);
}

std::int64_t RankCurve::bin_ranks() const {
  constexpr std::int64_t kBinsPerBudget = 8;
  return std::max<std::int64_t>(1, top_k_ / kBinsPerBudget);
}

double RankCurve::probability(std::int64_t rank) const {
  const auto ranks = static_cast<std::int64_t>(hits_.size());
  if (steps_ == 0 || rank < 0 || rank >= ranks) return 0;
  const std::int64_t begin = rank / bin_ranks() * bin_ranks();
  const std::int64_t end = std::min(begin + bin_ranks(), ranks);
  std::int64_t hit = 0;
  for (std::int64_t r = begin; r < end; ++r) hit += hits_[static_cast<std::size_t>(r)];
  return static_cast<double>(hit) / static_cast<double>((end - begin) * steps_);
}

std::vector<double> RankCurve::probabilities(Span<double> predicted) const {
  std::vector<double> by_block(predicted.size(), 0.0);
  const BlockList ranked = ranked_blocks(predicted);
  for (std::size_t rank = 0; rank < ranked.size(); ++rank) {
    by_block[static_cast<std::size_t>(ranked[rank])] = probability(static_cast<std::int64_t>(rank));
  }
  return by_block;
}

}  // namespace lockstep
