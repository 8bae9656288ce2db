#include "firmware/kv/sequence_runs.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace lockstep {
namespace {

constexpr BlockId kGap = -1;

}  // namespace

SequenceRuns::SequenceRuns(std::int32_t pool_blocks, std::int32_t blocks_per_region)
    : blocks_per_region_(blocks_per_region), owners_(static_cast<std::size_t>(pool_blocks)) {}

void SequenceRuns::append(SequenceId sequence, BlockId block) {
  auto& table = tables_[sequence];
  table.blocks.push_back(kGap);
  set(sequence, table, static_cast<std::int32_t>(table.blocks.size()) - 1, block);
}

void SequenceRuns::drop(BlockId block) {
  const auto [sequence, index] = owner(block);
  if (index < 0) return;
  auto& table = tables_.at(sequence);
  set(sequence, table, index, kGap);
  while (!table.blocks.empty() && table.blocks.back() == kGap) table.blocks.pop_back();
}

void SequenceRuns::move(SequenceId sequence, std::int32_t index, BlockId to) {
  set(sequence, tables_.at(sequence), index, to);
}

void SequenceRuns::forget(SequenceId sequence) {
  const auto found = tables_.find(sequence);
  if (found == tables_.end()) return;
  scattered_.erase({-excess(found->second), sequence});
  for (const auto block : found->second.blocks) {
    if (block != kGap) owner(block) = {};
  }
  tables_.erase(found);
}

std::optional<BlockId> SequenceRuns::block(SequenceId sequence, std::int32_t index) const {
  const auto& blocks = tables_.at(sequence).blocks;
  if (index < 0 || index >= static_cast<std::int32_t>(blocks.size())) return std::nullopt;
  const auto block = blocks[static_cast<std::size_t>(index)];
  return block == kGap ? std::nullopt : std::optional(block);
}

bool SequenceRuns::is_last(const BlockRun& run) const {
  return run.end() == static_cast<std::int32_t>(tables_.at(run.sequence).blocks.size());
}

std::vector<BlockRun> SequenceRuns::runs_of(SequenceId sequence) const {
  const auto& table = tables_.at(sequence);
  std::vector<BlockRun> runs;
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(table.blocks.size()); ++i) {
    const auto block = table.blocks[static_cast<std::size_t>(i)];
    if (block == kGap) continue;
    if (starts_run(table, i) == 1) runs.push_back({sequence, i, 0, block / blocks_per_region_});
    ++runs.back().length;
  }
  return runs;
}

std::vector<BlockRun> SequenceRuns::runs_in(RegionIndex region) const {
  const auto first = owners_.begin() + std::ptrdiff_t{region} * blocks_per_region_;
  std::vector<Owner> owners;
  std::copy_if(first, first + blocks_per_region_, std::back_inserter(owners),
               [](const Owner& owner) { return owner.index >= 0; });
  std::sort(owners.begin(), owners.end(), [](const Owner& a, const Owner& b) {
    return std::tie(a.sequence, a.index) < std::tie(b.sequence, b.index);
  });
  std::vector<BlockRun> runs;
  for (const auto& [sequence, index] : owners) {
    if (runs.empty() || runs.back().sequence != sequence || runs.back().end() != index) {
      runs.push_back({sequence, index, 0, region});
    }
    ++runs.back().length;
  }
  std::stable_sort(runs.begin(), runs.end(),
                   [](const BlockRun& a, const BlockRun& b) { return a.length < b.length; });
  return runs;
}

std::vector<SequenceId> SequenceRuns::most_scattered(std::int32_t count) const {
  std::vector<SequenceId> sequences;
  for (const auto& [order, sequence] : scattered_) {
    if (static_cast<std::int32_t>(sequences.size()) == count) break;
    sequences.push_back(sequence);
  }
  return sequences;
}

void SequenceRuns::set(SequenceId sequence, Table& table, std::int32_t index, BlockId block) {
  auto& entry = table.blocks[static_cast<std::size_t>(index)];
  scattered_.erase({-excess(table), sequence});
  table.runs -= starts_run(table, index) + starts_run(table, index + 1);
  if (entry != kGap) {
    owner(entry) = {};
    --table.held;
  }
  entry = block;
  if (entry != kGap) {
    owner(entry) = {sequence, index};
    ++table.held;
  }
  table.runs += starts_run(table, index) + starts_run(table, index + 1);
  if (excess(table) > 0) scattered_.insert({-excess(table), sequence});
}

std::int32_t SequenceRuns::starts_run(const Table& table, std::int32_t index) const {
  const auto at = static_cast<std::size_t>(index);
  if (at >= table.blocks.size() || table.blocks[at] == kGap) return 0;
  if (at == 0 || table.blocks[at - 1] == kGap) return 1;
  const bool same_region =
      table.blocks[at] / blocks_per_region_ == table.blocks[at - 1] / blocks_per_region_;
  return same_region ? 0 : 1;
}

std::int32_t SequenceRuns::excess(const Table& table) const {
  return table.runs - (table.held + blocks_per_region_ - 1) / blocks_per_region_;
}

}  // namespace lockstep
