// Everything a stack is built from: geometry, address map, clock, timing, controllers. One struct,
// read from the memory sections of a configuration.
#pragma once

#include "hw/channel/controller_config.h"
#include "hw/energy/energy.h"
#include "hw/pim/unit_choice.h"
#include "tlm/contract/address_map.h"
#include "tlm/contract/geometry.h"
#include "tlm/contract/mac_unit.h"

namespace lockstep {

class ConfigSection;

// How much of a pseudo channel's surroundings one all-bank command covers.
enum class AllBankScope : std::uint8_t { kPseudoChannel, kChannel };
constexpr std::array<std::string_view, 2> kAllBankScopes = {"pseudo_channel", "channel"};
// Whether it covers all SIDs or the one it names.
enum class StackIdScope : std::uint8_t { kOne, kAll };
constexpr std::array<std::string_view, 2> kStackIdScopes = {"one", "all"};

// Whether banks hold bytes and units compute, or are only timed.
enum class Storage : std::uint8_t { kNone, kSparse };
constexpr std::array<std::string_view, 2> kStorages = {"none", "sparse"};

struct StackConfig {
  StackGeometry geometry;
  AddressMap map;
  Hertz clock;
  AllBankScope all_bank_scope = AllBankScope::kPseudoChannel;
  StackIdScope stack_id_scope = StackIdScope::kAll;
  ControllerConfig controller;
  EnergyTable energy = {};
  Storage storage = Storage::kNone;
  MacParameters bank_unit = {};
  BankUnitChoice units = {};

  // Between two edges of a bank unit's clock.
  Cycles unit_period() const { return controller.timing.dram.nCCDAB; }
  // Half scope: the bank groups of a SID in two halves, each a SID of its own to the controller.
  int halves() const { return controller.timing.pim.overlap == RowOverlap::kHalfScope ? 2 : 1; }
  // Between the coordinates of the stack and those of a controller.
  BankAddress bank_address(const Location& location) const;
  Location location(int domain, const BankAddress& at) const;

  // A lockstep domain is what one controller drives.
  int channels_per_domain() const {
    return all_bank_scope == AllBankScope::kChannel ? geometry.pseudo_channels : 1;
  }
  int domains() const { return geometry.flat_channels() / channels_per_domain(); }
  int banks_in_lockstep() const { return controller.topology.banks_in_lockstep(); }
  // Bytes that one all-bank command reads.
  Bytes bytes_per_command() const {
    return {static_cast<std::int64_t>(banks_in_lockstep()) * geometry.column_bytes};
  }
  // All domains at one MACab every nCCDAB, in bytes a second.
  double peak_pim_bytes_per_second() const;
};

// Some of the channels as a stack of their own: same clock, timing and energy of an event, its
// share of the background, and the map of AddressMap::of_fewer_channels. `channels` are pseudo
// channels: a power of two, in whole channels, fewer than all. Requires a stack that stores
// nothing.
StackConfig part_of(const StackConfig& stack, int channels);

// Reads `geometry`, `address_map`, `clock`, `storage`, `timing`, `pim`, `refresh` and `controller`.
// Mistakes go to the document; the result is of use only if there are none.
StackConfig read_stack(ConfigSection& root);

}  // namespace lockstep
