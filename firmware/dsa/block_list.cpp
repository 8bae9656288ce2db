#include "firmware/dsa/block_list.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

namespace lockstep {
namespace {

template <typename Score>
BlockList choosable(Span<Score> scores) {
  BlockList blocks;
  blocks.reserve(scores.size());
  for (std::size_t b = 0; b < scores.size(); ++b) {
    if (!std::isnan(scores[b])) blocks.push_back(static_cast<BlockIndex>(b));
  }
  return blocks;
}

template <typename Score>
auto better(Span<Score> scores) {
  return [scores](BlockIndex a, BlockIndex b) {
    const Score score_a = scores[static_cast<std::size_t>(a)];
    const Score score_b = scores[static_cast<std::size_t>(b)];
    return score_a > score_b || (score_a == score_b && a < b);
  };
}

// By the lowest score that is still in: what lies above it is in, and of its equals the first ones.
template <typename Score>
BlockList top_of(Span<Score> scores, std::int64_t count) {
  std::vector<Score> values;
  values.reserve(scores.size());
  for (const Score score : scores) {
    if (!std::isnan(score)) values.push_back(score);
  }
  if (count <= 0) return {};
  const auto wanted = static_cast<std::size_t>(count);
  if (wanted >= values.size()) return choosable(scores);
  const auto last = values.begin() + (count - 1);
  std::nth_element(values.begin(), last, values.end(), std::greater<>());
  const Score lowest = *last;
  auto equals = static_cast<std::int64_t>(wanted) -
                std::count_if(values.begin(), last, [=](Score s) { return s > lowest; });
  BlockList blocks;
  blocks.reserve(wanted);
  for (std::size_t b = 0; b < scores.size(); ++b) {
    const bool is_in = scores[b] > lowest || (scores[b] == lowest && equals-- > 0);
    if (is_in) blocks.push_back(static_cast<BlockIndex>(b));
  }
  return blocks;
}

}  // namespace

BlockList common_blocks(const BlockList& a, const BlockList& b) {
  BlockList result;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
  return result;
}

BlockList blocks_without(const BlockList& a, const BlockList& b) {
  BlockList result;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
  return result;
}

BlockList all_blocks(const BlockList& a, const BlockList& b) {
  BlockList result;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
  return result;
}

std::size_t count_common(const BlockList& a, const BlockList& b) {
  std::size_t count = 0;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    if (*i == *j) ++count;
    const BlockIndex low = std::min(*i, *j);
    if (*i == low) ++i;
    if (*j == low) ++j;
  }
  return count;
}

bool is_block_list(const BlockList& list) {
  const bool rising =
      std::adjacent_find(list.begin(), list.end(), std::greater_equal<>()) == list.end();
  return rising && (list.empty() || list.front() >= 0);
}

BlockList top_blocks(Span<double> scores, std::int64_t count) {
  return top_of(scores, count);
}

BlockList top_blocks(Span<float> scores, std::int64_t count) {
  return top_of(scores, count);
}

BlockList ranked_blocks(Span<double> scores) {
  BlockList blocks = choosable(scores);
  std::sort(blocks.begin(), blocks.end(), better(scores));
  return blocks;
}

std::int64_t choosable_blocks(Span<double> scores) {
  return std::count_if(scores.begin(), scores.end(), [](double s) { return !std::isnan(s); });
}

std::int64_t budget_blocks(double delta, std::int64_t top_k) {
  constexpr double kDecimalSlack = 1e-9;
  return static_cast<std::int64_t>(std::floor(delta * static_cast<double>(top_k) + kDecimalSlack));
}

}  // namespace lockstep
