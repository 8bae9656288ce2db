// Counts of what a step's kernels read, and the identities that hold between kernels and tokens.
#include "firmware/attention/attention_run.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

PassCounts counts_of(const PimKernel& kernel, int banks) {
  PassCounts counts;
  std::int32_t open = -1;
  for (const auto& run : kernel) {
    if (run.op != PimOp::kMacAb) continue;
    counts.all_bank_commands += run.commands();
    counts.row_visits += run.row != open ? 1 : 0;
    open = run.row;
  }
  counts.bank_slots = counts.all_bank_commands * banks;
  return counts;
}

}  // namespace

PassCounts& PassCounts::operator+=(const PassCounts& other) {
  kv_bytes += other.kv_bytes;
  read_bytes += other.read_bytes;
  all_bank_commands += other.all_bank_commands;
  row_visits += other.row_visits;
  bank_slots += other.bank_slots;
  useful_slots += other.useful_slots;
  return *this;
}

// All layers: they have equal kernels but for their rows.
void AttentionRun::count(const std::vector<DomainKernel>& kernels, const SequenceList& sequences,
                         PassCounts& counts) const {
  PassCounts layer;
  for (std::size_t i = 0; i < kernels.size();) {
    std::size_t end = i;  // of the domains that share a kernel
    while (end < kernels.size() && kernels[end].kernel == kernels[i].kernel) ++end;
    const auto one = counts_of(*kernels[i].kernel, map_.banks());
    for (; i < end; ++i) layer += one;
  }
  std::int64_t tokens = 0;
  for (const auto* sequence : sequences) tokens += sequence->tokens();
  layer.kv_bytes = 2 * tokens * config_.shape.token_bytes();
  layer.read_bytes = layer.kv_bytes * repeats_of_a_column(plan_.queries, map_.beats());
  layer.useful_slots = layer.read_bytes / map_.geometry().column_bytes;
  ensure(layer.useful_slots <= layer.bank_slots, "the passes read less than the tokens attended");
  for (int i = 0; i < config_.layers; ++i) counts += layer;
}

}  // namespace lockstep
