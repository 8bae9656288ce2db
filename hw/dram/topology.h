// The banks one controller drives as a tree: domain, pseudo channels, SIDs, bank groups, banks. A
// domain is what one all-bank command can reach: a pseudo channel, or both of a channel.
#pragma once

#include <array>
#include <cstdint>

#include "hw/dram/command.h"

namespace lockstep {

enum class Level : std::uint8_t { kDomain, kPseudoChannel, kSid, kBankGroup, kBank };
constexpr std::size_t kLevelCount = 5;

// A bank of a domain. Commands of a wider scope use the coordinates they need and ignore the rest.
struct BankAddress {
  int pseudo_channel = 0;  // in the domain
  int stack_id = 0;
  int bank_group = 0;
  int bank = 0;
};

constexpr bool operator==(BankAddress a, BankAddress b) {
  return a.pseudo_channel == b.pseudo_channel && a.stack_id == b.stack_id &&
         a.bank_group == b.bank_group && a.bank == b.bank;
}

// Counts per level, and node numbers: 0 is the domain, then all pseudo channels, all SIDs, all bank
// groups, all banks.
struct Topology {
  int pseudo_channels = 1;
  int stack_ids = 1;
  int bank_groups = 4;
  int banks = 4;
  Level lockstep = Level::kPseudoChannel;  // the level whose node one all-bank command covers
  int halves = 1;  // 2: the halves of one SID stand as two nodes of level kSid

  constexpr int count(Level level) const {
    constexpr int kDomains = 1;
    switch (level) {
      case Level::kDomain:
        return kDomains;
      case Level::kPseudoChannel:
        return pseudo_channels;
      case Level::kSid:
        return pseudo_channels * stack_ids;
      case Level::kBankGroup:
        return pseudo_channels * stack_ids * bank_groups;
      case Level::kBank:
        return pseudo_channels * stack_ids * bank_groups * banks;
    }
    return 0;
  }

  constexpr bool contains(BankAddress at) const {
    return at.pseudo_channel >= 0 && at.pseudo_channel < pseudo_channels && at.stack_id >= 0 &&
           at.stack_id < stack_ids && at.bank_group >= 0 && at.bank_group < bank_groups &&
           at.bank >= 0 && at.bank < banks;
  }

  // Position among the nodes of `level` of the one above (or at) `at`.
  constexpr int index(Level level, BankAddress at) const {
    const int sid = at.pseudo_channel * stack_ids + at.stack_id;
    switch (level) {
      case Level::kDomain:
        return 0;
      case Level::kPseudoChannel:
        return at.pseudo_channel;
      case Level::kSid:
        return sid;
      case Level::kBankGroup:
        return sid * bank_groups + at.bank_group;
      case Level::kBank:
        return (sid * bank_groups + at.bank_group) * banks + at.bank;
    }
    return 0;
  }

  constexpr BankAddress address(int bank_index) const {
    const int group = bank_index / banks;
    const int sid = group / bank_groups;
    return {sid / stack_ids, sid % stack_ids, group % bank_groups, bank_index % banks};
  }

  // Number of the node among those of all levels.
  constexpr int node(Level level, BankAddress at) const {
    return first_node(level) + index(level, at);
  }
  constexpr int first_node(Level level) const {
    int first = 0;
    for (std::size_t l = 0; l < static_cast<std::size_t>(level); ++l) {
      first += count(static_cast<Level>(l));
    }
    return first;
  }
  constexpr int node_count() const { return first_node(Level::kBank) + count(Level::kBank); }

  constexpr Level level_of(Scope scope) const {
    switch (scope) {
      case Scope::kBank:
      case Scope::kSameBank:
        return Level::kBank;
      case Scope::kLockstep:
        return lockstep;
      case Scope::kPseudoChannel:
        return Level::kPseudoChannel;
    }
    return Level::kBank;
  }
  constexpr int banks_per_sid() const { return bank_groups * banks; }
  constexpr int banks_in_lockstep() const { return count(Level::kBank) / count(lockstep); }
};

}  // namespace lockstep
