#include "sim/traces/reached_banks.h"

#include <algorithm>

namespace lockstep {

namespace {

// Of the half of its SID that a record names by its first bank group; of all of it without halves.
int first_bank_of_half(const CommandRecord& record, const StackConfig& config) {
  const auto& geometry = config.geometry;
  const int groups = geometry.bank_groups / config.halves();
  const int first = config.halves() > 1 ? std::max(record.bank_group, 0) / groups * groups : 0;
  return (std::max(record.stack_id, 0) * geometry.bank_groups + first) * geometry.banks;
}

}  // namespace

ReachedBanks reached_banks(Cmd cmd, const CommandRecord& record, const StackConfig& config) {
  const auto& geometry = config.geometry;
  const int sid = std::max(record.stack_id, 0);
  ReachedBanks reached;
  reached.first_channel = record.channel;
  switch (traits(cmd).scope) {
    case Scope::kBank:
      if (record.bank < 0 || record.bank_group < 0) return reached;
      reached.first_bank = bank_index(record, geometry);
      reached.banks = 1;
      return reached;
    case Scope::kSameBank:
      reached.first_bank = first_bank_of_half(record, config) + record.bank;
      reached.banks = geometry.bank_groups / config.halves();
      reached.step = geometry.banks;
      return reached;
    case Scope::kPseudoChannel:
      if (traits(cmd).bus == Bus::kRow) reached.banks = geometry.banks_per_pseudo_channel();
      return reached;
    case Scope::kLockstep:
      break;
  }
  if (config.halves() > 1) {
    reached.first_bank = first_bank_of_half(record, config);
    reached.banks = geometry.banks_per_sid() / config.halves();
    return reached;
  }
  reached.channels = config.channels_per_domain();
  reached.first_channel = record.channel / reached.channels * reached.channels;
  const bool one_sid = config.stack_id_scope == StackIdScope::kOne;
  reached.first_bank = one_sid ? sid * geometry.banks_per_sid() : 0;
  reached.banks = one_sid ? geometry.banks_per_sid() : geometry.banks_per_pseudo_channel();
  return reached;
}

int bank_index(const CommandRecord& record, const StackGeometry& geometry) {
  if (record.bank < 0 || record.bank_group < 0) return -1;
  return (std::max(record.stack_id, 0) * geometry.bank_groups + record.bank_group) *
             geometry.banks +
         record.bank;
}

OpenRows::OpenRows(const StackConfig& config)
    : config_(config),
      banks_per_channel_(config.geometry.banks_per_pseudo_channel()),
      banks_(index(config.geometry.flat_channels() * banks_per_channel_)),
      channels_(index(config.geometry.flat_channels())) {}

double OpenRows::hit_rate(int channel) const {
  const auto& [open, accesses, hits] = channels_[index(channel)];
  return accesses == 0 ? 0.0 : static_cast<double>(hits) / static_cast<double>(accesses);
}

bool OpenRows::set(int channel, int bank_of_channel, std::int32_t row) {
  Bank& at = bank(channel, bank_of_channel);
  if (at.row == row) return false;
  channels_[index(channel)].open += (row != kClosed ? 1 : 0) - (at.row != kClosed ? 1 : 0);
  at = {row, row != kClosed};
  return true;
}

// An access of many banks hits if it does in its first.
void OpenRows::count_access(const ReachedBanks& reached) {
  for (int c = reached.first_channel; c < reached.first_channel + reached.channels; ++c) {
    if (reached.banks == 0) continue;
    ++channels_[index(c)].accesses;
    channels_[index(c)].hits += bank(c, reached.first_bank).fresh ? 0 : 1;
    for (int i = 0; i < reached.banks; ++i) {
      bank(c, reached.first_bank + i * reached.step).fresh = false;
    }
  }
}

}  // namespace lockstep
