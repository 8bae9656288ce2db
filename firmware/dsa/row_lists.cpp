#include "firmware/dsa/row_lists.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <queue>
#include <set>

#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

struct Row {
  std::int64_t row = 0;
  std::vector<BlockIndex> blocks;  // most probable first
  std::size_t taken = 0;
};

// The next blocks of one row, and what they are worth per nanosecond.
struct Offer {
  double per_ns = 0;
  std::int64_t row = 0;
  std::size_t index = 0;  // into the rows
  std::size_t blocks = 0;

  friend bool operator<(const Offer& a, const Offer& b) {  // the greatest is taken first
    return a.per_ns < b.per_ns || (a.per_ns == b.per_ns && a.row > b.row);
  }
};

std::vector<Row> rows_of(const std::vector<double>& probability, const RowOfBlock& row_of) {
  std::map<std::int64_t, std::vector<BlockIndex>> by_number;
  for (std::size_t b = 0; b < probability.size(); ++b) {
    const auto block = static_cast<BlockIndex>(b);
    if (probability[b] > 0) by_number[row_of(block)].push_back(block);
  }
  std::vector<Row> rows;
  for (auto& [number, blocks] : by_number) {
    std::stable_sort(blocks.begin(), blocks.end(), [&](BlockIndex a, BlockIndex b) {
      return probability[static_cast<std::size_t>(a)] > probability[static_cast<std::size_t>(b)];
    });
    rows.push_back({number, std::move(blocks), 0});
  }
  return rows;
}

class GreedyPrediction {
 public:
  GreedyPrediction(const std::vector<double>& probability, std::vector<Row> rows,
                   const RowCost& cost, double budget_ns)
      : probability_(probability), rows_(std::move(rows)), cost_(cost), left_ns_(budget_ns) {}

  BlockList run() {
    for (std::size_t i = 0; i < rows_.size(); ++i) offer(i);
    while (!offers_.empty()) {
      const Offer best = offers_.top();
      offers_.pop();
      take(best);
    }
    std::sort(prediction_.begin(), prediction_.end());
    return prediction_;
  }

 private:
  double opening_ns(const Row& row) const { return row.taken == 0 ? cost_.open_row_ns : 0; }

  std::size_t affordable(const Row& row) const {
    const double blocks = std::floor((left_ns_ - opening_ns(row)) / cost_.block_ns);
    const auto remaining = row.blocks.size() - row.taken;
    return blocks < 1 ? 0
                      : static_cast<std::size_t>(std::min(blocks, static_cast<double>(remaining)));
  }

  // The most valuable prefix that fits. In an open row the next block alone is the best there is.
  void offer(std::size_t index) {
    const Row& row = rows_[index];
    Offer best{0, row.row, index, 0};
    double worth = 0;
    for (std::size_t n = 1; n <= affordable(row); ++n) {
      worth += probability_[static_cast<std::size_t>(row.blocks[row.taken + n - 1])];
      const double ns = opening_ns(row) + static_cast<double>(n) * cost_.block_ns;
      if (worth / ns > best.per_ns) best = {worth / ns, row.row, index, n};
    }
    if (best.blocks > 0) offers_.push(best);
  }

  void take(const Offer& best) {
    Row& row = rows_[best.index];
    if (best.blocks > affordable(row)) return offer(best.index);
    left_ns_ -= opening_ns(row) + static_cast<double>(best.blocks) * cost_.block_ns;
    const auto begin = row.blocks.begin() + static_cast<std::ptrdiff_t>(row.taken);
    prediction_.insert(prediction_.end(), begin, begin + static_cast<std::ptrdiff_t>(best.blocks));
    row.taken += best.blocks;
    offer(best.index);
  }

  const std::vector<double>& probability_;
  std::vector<Row> rows_;
  RowCost cost_;
  double left_ns_;
  std::priority_queue<Offer> offers_;
  BlockList prediction_;
};

}  // namespace

std::int64_t rows_touched(const BlockList& blocks, const RowOfBlock& row_of) {
  std::vector<std::int64_t> rows;
  for (const BlockIndex block : blocks) rows.push_back(row_of(block));
  std::sort(rows.begin(), rows.end());
  return std::unique(rows.begin(), rows.end()) - rows.begin();
}

double reading_ns(const BlockList& blocks, const RowOfBlock& row_of, const RowCost& cost) {
  return static_cast<double>(rows_touched(blocks, row_of)) * cost.open_row_ns +
         static_cast<double>(blocks.size()) * cost.block_ns;
}

BlockList row_aware_prediction(const std::vector<double>& probability, const RowOfBlock& row_of,
                               const RowCost& cost, double budget_ns) {
  ensure(cost.block_ns > 0, "reading a block must take time");
  return GreedyPrediction(probability, rows_of(probability, row_of), cost, budget_ns).run();
}

BlockList top_blocks_by_row(Span<double> scores, std::int64_t count, std::int64_t exchanged,
                            const RowOfBlock& row_of) {
  ensure(exchanged >= 0 && exchanged <= count, "a list exchanges no more blocks than it has");
  BlockList chosen = top_blocks(scores, count - exchanged);
  BlockList rivals = blocks_without(top_blocks(scores, count + exchanged), chosen);
  std::stable_sort(rivals.begin(), rivals.end(), [&](BlockIndex a, BlockIndex b) {
    return scores[static_cast<std::size_t>(a)] > scores[static_cast<std::size_t>(b)];
  });
  std::set<std::int64_t> open;
  for (const BlockIndex block : chosen) open.insert(row_of(block));
  while (static_cast<std::int64_t>(chosen.size()) < count && !rivals.empty()) {
    auto next = std::find_if(rivals.begin(), rivals.end(),
                             [&](BlockIndex block) { return open.count(row_of(block)) != 0; });
    if (next == rivals.end()) next = rivals.begin();
    open.insert(row_of(*next));
    chosen.push_back(*next);
    rivals.erase(next);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

BlockList top_regions(Span<double> scores, std::int64_t region_blocks, std::int64_t count) {
  const auto blocks = static_cast<std::int64_t>(scores.size());
  std::vector<double> best(static_cast<std::size_t>((blocks + region_blocks - 1) / region_blocks),
                           std::numeric_limits<double>::quiet_NaN());
  for (std::int64_t b = 0; b < blocks; ++b) {
    double& region = best[static_cast<std::size_t>(b / region_blocks)];
    region = std::fmax(region, scores[static_cast<std::size_t>(b)]);
  }
  BlockList chosen;
  for (const BlockIndex region : top_blocks(best, count)) {
    const std::int64_t end = std::min((region + 1) * region_blocks, blocks);
    for (std::int64_t b = region * region_blocks; b < end; ++b) {
      if (std::isnan(scores[static_cast<std::size_t>(b)])) continue;
      chosen.push_back(static_cast<BlockIndex>(b));
    }
  }
  return chosen;
}

}  // namespace lockstep
