// Energy as a fold over counted events (after DRAMPower): nothing here needs a clock but the
// background. To add a term: its key in EnergyTable, and its row in kEnergyTerms.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "hw/channel/controller_config.h"
#include "hw/channel/stats.h"
#include "tlm/contract/units.h"

namespace lockstep {

class ConfigSection;

struct EnergyTable {
  Femtojoules activate;         // one bank: open a row and restore it
  Femtojoules read;             // 32 B from a bank to the host
  Femtojoules write;            // 32 B from the host to a bank
  Femtojoules mac_column;       // one bank: read a column and multiply it
  Femtojoules move;             // 32 B between a bank or the host and the die's buffers
  Femtojoules softmax_element;  // one score through the softmax unit
  Femtojoules refresh_bank;     // one bank's share of a REFab, or one REFpb
  Microwatts background;        // of the whole stack, all the time
};

// How often an event happened, from what the controllers counted.
struct EnergyTerm {
  std::string_view key;
  Femtojoules EnergyTable::*each;
  std::int64_t (*events)(const ChannelStats&, const Topology&);
};

constexpr std::int64_t count_of(const ChannelStats& stats, Cmd cmd) {
  return stats.commands[static_cast<std::size_t>(cmd)];
}

constexpr EnergyTerm kEnergyTerms[] = {
    // clang-format off
    {"activate", &EnergyTable::activate, [](const ChannelStats& s, const Topology& t) {
       return count_of(s, Cmd::ACT) + count_of(s, Cmd::ACTsb) * t.bank_groups + count_of(s, Cmd::ACTab) * t.banks_in_lockstep(); }},
    {"read", &EnergyTable::read, [](const ChannelStats& s, const Topology&) { return count_of(s, Cmd::RD) + count_of(s, Cmd::RDA); }},
    {"write", &EnergyTable::write, [](const ChannelStats& s, const Topology&) { return count_of(s, Cmd::WR) + count_of(s, Cmd::WRA); }},
    {"mac_column", &EnergyTable::mac_column, [](const ChannelStats& s, const Topology& t) {
       return count_of(s, Cmd::MACsb) * t.bank_groups + count_of(s, Cmd::MACab) * t.banks_in_lockstep(); }},
    {"move", &EnergyTable::move, [](const ChannelStats& s, const Topology&) { return count_of(s, Cmd::WRGB) + count_of(s, Cmd::MVSB) + count_of(s, Cmd::MVGB); }},
    {"softmax_element", &EnergyTable::softmax_element, [](const ChannelStats& s, const Topology&) { return s.softmax_elements; }},
    {"refresh_bank", &EnergyTable::refresh_bank, [](const ChannelStats& s, const Topology& t) {
       return count_of(s, Cmd::REFpb) + count_of(s, Cmd::REFab) * (t.count(Level::kBank) / t.pseudo_channels); }},
    // clang-format on
};
constexpr std::size_t kEnergyTermCount = sizeof(kEnergyTerms) / sizeof(kEnergyTerms[0]);

struct EnergyReport {
  std::array<double, kEnergyTermCount> picojoules{};  // by term
  double background_pj = 0;
  double total_pj() const;
};

// Of a stack whose channels counted `stats` in total, over `duration`.
EnergyReport energy_of(const EnergyTable& table, const ChannelStats& stats,
                       const Topology& topology, Cycles duration, Hertz clock);

// Reads every key; each is required, and zero only if it is written so.
EnergyTable read_energy(ConfigSection section);

}  // namespace lockstep
