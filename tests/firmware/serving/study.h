// The placement study's setting, and a run of the serving loop over one of its request streams.
#pragma once

#include <charconv>
#include <fstream>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "firmware/serving/pool.h"
#include "firmware/serving/serving_loop.h"

namespace lockstep::study {

constexpr std::int32_t kBlockTokens = 16;
constexpr std::int32_t kBlocksPerRegion = 8;  // 512 KiB / 4 KiB a token / 16 tokens

inline std::vector<Request> requests(const std::string& name) {
  std::ifstream file(LOCKSTEP_SOURCE_DIR "/tests/data/requests/" + name);
  if (!file) throw std::runtime_error("no such request stream: " + name);
  std::vector<Request> all;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::int32_t field[6] = {};
    const char* at = line.data();
    for (auto& value : field) at = std::from_chars(at, line.data() + line.size(), value).ptr + 1;
    all.push_back({field[0], field[1], field[2], field[3], field[4], field[5], {}, 0});
  }
  return all;
}

// Regions that a table touches over the least it could touch.
inline double region_spread(const std::vector<BlockId>& table, std::int32_t blocks_per_region) {
  std::set<BlockId> regions;
  for (const auto block : table) regions.insert(block / blocks_per_region);
  return static_cast<double>(regions.size()) /
         blocks_for(static_cast<std::int64_t>(table.size()), blocks_per_region);
}

struct Result {
  ServingCounters counters;
  double region_spread = 0;  // mean over all sequences of every 16th step
};

inline Result run(const std::vector<Request>& stream, std::string_view policy, double headroom,
                  const ServingConfig& config, const PoolConfig& pool = {0, kBlocksPerRegion}) {
  auto sized = pool;
  sized.pool_blocks = pool_blocks(headroom, config.max_batch, stream, config.block_tokens,
                                  pool.blocks_per_region, kv_policy(policy).rounding);
  const auto allocator = make_kv_allocator(policy, sized);
  ServingLoop loop(config, stream, *allocator);
  double sum = 0;
  std::int64_t scored = 0;
  while (!loop.done()) {
    loop.begin_step();
    if (loop.step() % 16 == 0) {
      for (const auto& sequence : loop.running()) {
        sum += region_spread(sequence.blocks, pool.blocks_per_region);
        ++scored;
      }
    }
    loop.end_step();
  }
  return {loop.counters(), sum / static_cast<double>(scored)};
}

}  // namespace lockstep::study
