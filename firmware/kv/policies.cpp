// The KV placement policies a configuration may name. To add one: its class, and its row.
#include <string>

#include "firmware/kv/allocator.h"
#include "firmware/kv/chunks.h"
#include "firmware/kv/contiguous.h"
#include "firmware/kv/free_list.h"
#include "firmware/kv/neupims.h"
#include "firmware/kv/region.h"
#include "firmware/kv/region_gather.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

template <typename Policy>
std::unique_ptr<KvAllocator> make(const PoolConfig& config) {
  return std::make_unique<Policy>(config);
}

// clang-format off
constexpr KvPolicy kKvPolicies[] = {
    {"paged-lifo", "vLLM v0.2.7: the block freed last goes first",          PoolRounding::kBlock,  make<PagedLifo>},
    {"paged-fifo", "vLLM V1: the block freed first goes first",             PoolRounding::kBlock,  make<PagedFifo>},
    {"region",     "a sequence fills one row of all banks, then another",   PoolRounding::kRegion, make<RegionPolicy>},
    {"region-gather", "region, and scattered runs are moved back together", PoolRounding::kRegion, make<RegionGather>},
    {"contiguous", "the whole final span at once, lowest gap first",        PoolRounding::kBlock,  make<Contiguous>},
    {"random",     "any free block with equal chance",                      PoolRounding::kBlock,  make<RandomPlacement>},
    {"neupims",    "NeuPIMs: keys by 32 tokens, values by 512",             PoolRounding::kBlock,  make<NeuPims>},
    {"pimphony",   "PIMphony: chunks of 1 MiB owned by one sequence",       PoolRounding::kBlock,  make<PimPhony>},
    {"blockpim",   "BlockPIM: whole rows of all banks owned by one sequence", PoolRounding::kRegion, make<BlockPim>},
    {"patton",     "PATTON: groups of 16 blocks, the last block staged",    PoolRounding::kBlock,  make<Patton>},
};
// clang-format on

}  // namespace

Span<KvPolicy> kv_policies() {
  return kKvPolicies;
}

const KvPolicy& kv_policy(std::string_view name) {
  std::string known;
  for (const auto& policy : kKvPolicies) {
    if (policy.name == name) return policy;
    known += (known.empty() ? "" : ", ") + std::string(policy.name);
  }
  throw InputError("unknown KV policy `" + std::string(name) + "`; known: " + known);
}

std::unique_ptr<KvAllocator> make_kv_allocator(std::string_view name, const PoolConfig& config) {
  const auto& policy = kv_policy(name);
  if (config.pool_blocks < 1 || config.blocks_per_region < 1) {
    throw InputError("a KV pool needs at least 1 block and 1 block per region, got " +
                     std::to_string(config.pool_blocks) + " and " +
                     std::to_string(config.blocks_per_region));
  }
  if (config.block_bytes < 1) {
    throw InputError("a KV block needs at least 1 byte, got " + std::to_string(config.block_bytes));
  }
  if (policy.rounding == PoolRounding::kRegion &&
      config.pool_blocks % config.blocks_per_region != 0) {
    throw InputError("policy `" + std::string(name) + "` needs whole regions: a pool of " +
                     std::to_string(config.pool_blocks) + " blocks is no multiple of " +
                     std::to_string(config.blocks_per_region));
  }
  return policy.make(config);
}

}  // namespace lockstep
