#include "firmware/sparse/cache_plan.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "firmware/decode/region_size.h"
#include "firmware/dsa/random_stream.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

constexpr int kShuffle = 100;  // purpose of the random stream; processes use small numbers

std::int64_t blocks_per_row_of(const SparseConfig& config, const KvTensorMap& map) {
  const auto blocks =
      blocks_per_region(map.geometry(), {config.shape.block_tokens, config.shape.record_bytes()});
  if (blocks) return *blocks;
  throw SettingError(
      "kv.block_tokens",
      fmt::format("a row of all banks and channels ({} B) is not a whole number of blocks of {} "
                  "tokens x {} B; choose another kv.block_tokens",
                  map.region_bytes(), config.shape.block_tokens, config.shape.record_bytes()));
}

std::int64_t in_whole_rows(std::int64_t blocks, std::int64_t blocks_per_row) {
  return (blocks + blocks_per_row - 1) / blocks_per_row * blocks_per_row;
}

// `what` says what lies in pools of so many blocks.
KvPools make_pools(const SparseConfig& config, const KvTensorMap& map, std::int64_t blocks,
                   std::string_view what) {
  const auto blocks_per_row = blocks_per_row_of(config, map);
  const auto layers = static_cast<std::int64_t>(simulated_layers(config).size());
  const std::int64_t rows =
      layers * config.shape.pools_per_layer() * ((blocks + blocks_per_row - 1) / blocks_per_row) *
      std::max<std::int64_t>(1, config.shape.block_bytes() / map.region_bytes());
  if (rows > map.geometry().rows) {
    throw SettingError(
        "dsa.context",
        fmt::format(
            "{} of {} layers and {} requests of {} tokens take {} rows of each bank of {} pseudo "
            "channels, but a bank has {}; lower dsa.simulated_layers, dsa.batch or dsa.context",
            what, layers, config.batch, config.context_tokens + config.decode_tokens, rows,
            map.geometry().flat_channels(), map.geometry().rows));
  }
  return {map, static_cast<int>(layers), blocks};
}

std::vector<BlockId> places_of(const SparseConfig& config, int request, std::int64_t first) {
  std::vector<BlockId> places(static_cast<std::size_t>(config.blocks()));
  std::iota(places.begin(), places.end(), static_cast<BlockId>(first));
  if (config.placement != BlockPlacement::kShuffled) return places;
  RandomStream random(config.seed, request, 0, kShuffle);
  for (std::size_t i = places.size(); i > 1; --i) {
    std::swap(places[i - 1],
              places[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(i)))]);
  }
  return places;
}

}  // namespace

std::vector<SimulatedLayer> simulated_layers(const SparseConfig& config) {
  const int dense = std::min(config.selector.dense_layers, config.layers);
  const int sparse = config.layers - dense;
  std::vector<SimulatedLayer> layers;
  if (config.simulated_layers >= sparse) {
    for (int i = 0; i < config.layers; ++i) layers.push_back({i, i < dense, 1});
    return layers;
  }
  if (dense > 0) layers.push_back({0, true, static_cast<double>(dense)});
  const double weight = static_cast<double>(sparse) / config.simulated_layers;
  for (int i = 0; i < config.simulated_layers; ++i) layers.push_back({dense + i, false, weight});
  return layers;
}

CachePlan::CachePlan(const SparseConfig& config, const KvTensorMap& map,
                     const KvTensorMap& summary_map)
    : map_(map),
      summary_map_(summary_map),
      home_(config.summaries),
      blocks_per_row_(blocks_per_row_of(config, map)),
      kv_blocks_(in_whole_rows(config.blocks(), blocks_per_row_)),
      slots_(config.placement == BlockPlacement::kPacked ? config.packing.rows * blocks_per_row_
                                                         : 0),
      summary_blocks_(
          in_whole_rows((config.summaries_of(config.context_tokens + config.decode_tokens) +
                         config.shape.block_tokens) /
                            config.shape.block_tokens,
                        blocks_per_row_of(config, summary_map))),
      pools_(make_pools(config, map, config.batch * request_blocks(),
                        home_ == SummaryHome::kSame ? "the caches, packed rows and summaries"
                                                    : "the caches and packed rows")) {
  if (config.summaries_apart()) {
    summary_pools_.emplace(
        make_pools(config, summary_map, config.batch * summary_blocks_, "the summaries"));
  }
  for (int request = 0; request < config.batch; ++request)
    places_.push_back(places_of(config, request, request * request_blocks()));
}

BlockId CachePlan::first_slot(int request) const {
  return static_cast<BlockId>(request * request_blocks() + kv_blocks_);
}

BlockId CachePlan::first_summary_block(int request) const {
  if (summary_pools_) return static_cast<BlockId>(request * summary_blocks_);
  return static_cast<BlockId>(request * request_blocks() + kv_blocks_ + slots_);
}

}  // namespace lockstep
