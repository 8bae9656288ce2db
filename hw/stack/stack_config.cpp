#include "hw/stack/stack_config.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "configs/config.h"
#include "hw/pim/kv_decode.h"

namespace lockstep {

// `unit`: what kMacTimings says of the unit's pipeline; else clocks, for units that are none of
// ours.
struct UnitDelay {
  std::optional<Cycles> fixed;
};
template <>
struct Scalar<UnitDelay> {
  static constexpr std::int64_t kMost = 1'000'000;
  static const char* expected() { return "`unit` or clocks such as `36 CK`, at most 1000000"; }
  static std::optional<UnitDelay> parse(const std::string& text) {
    if (text == "unit") return UnitDelay{};
    const auto clocks = Scalar<Cycles>::parse(text);
    if (!clocks || clocks->count > kMost) return std::nullopt;
    return UnitDelay{clocks};
  }
};

namespace {

StackGeometry read_geometry(ConfigSection section) {
  StackGeometry g;
  g.channels = section.required_in("channels", 1, 64);
  g.pseudo_channels = section.required_in("pseudo_channels", 1, 2);
  g.stack_ids = section.required_in("stack_ids", 1, 4);
  g.bank_groups = section.required_in("bank_groups", 1, 8);
  g.banks = section.required_in("banks", 1, 8);
  g.rows = section.required_in("rows", 1, 1 << 20);
  g.columns = section.required_in("columns", 1, 1024);
  const auto column = section.required_in<Bytes>("column_size", {1}, {1024});
  g.column_bytes = static_cast<int>(column.count);
  return g;
}

AddressMap read_map(ConfigSection& root, const StackGeometry& geometry) {
  const auto text = root.required<std::string>("address_map");
  auto parsed = AddressMap::parse(text, geometry);
  if (auto* map = std::get_if<AddressMap>(&parsed)) return *map;
  const auto& refusal = std::get<std::string>(parsed);
  root.require(false, "address_map",
               "expected one of host-cacheline, host-centric, pim-friendly, or every address bit "
               "once from the top (`row bank_group bank channel column byte`), got `" +
                   text + "`: " + refusal);
  // A stand-in, so that reading can go on to the next mistake.
  return std::get<AddressMap>(
      AddressMap::parse("channel row column stack_id bank_group bank byte", StackGeometry{}));
}

// Without mac_latency and mode_switch, which may be the unit's.
PimTiming read_pim_timing(ConfigSection& section) {
  constexpr std::array<std::string_view, 2> kActAb = {"simultaneous", "staggered"};
  PimTiming pim;
  pim.act_ab = static_cast<ActAbPower>(section.choice("act_ab", kActAb));
  pim.overlap = static_cast<RowOverlap>(section.choice("row_overlap", kRowOverlaps));
  pim.n_move_latency = section.required_in<Cycles>("move_latency", {0}, {100'000});
  pim.n_softmax_latency = section.required_in<Cycles>("softmax_latency", {0}, {1'000'000});
  pim.softmax_elements_per_clock =
      section.required_in<std::int64_t>("softmax_elements_per_clock", 1, 1'000'000);
  return pim;
}

MacParameters read_bank_unit(ConfigSection& section) {
  MacParameters unit;
  unit.queries = section.required_in("unit_queries", 1, kMaxMacQueries);
  unit.column_parts = section.required_in("unit_column_parts", 1, kMaxMacLaneSets);
  unit.depth = section.required_in("unit_stages", 1, 64);
  section.require(find_mac_timing(unit.depth) != nullptr, "unit_stages", "must be 1, 3 or 6");
  section.require_among({"unit_column_parts", "unit_queries"}, unit.lane_sets() <= kMaxMacLaneSets,
                        "times unit_queries must be at most 16");
  return unit;
}

// Rows of `unit_of`: some or all banks of a domain, and what computes for them.
BankUnitChoice read_unit_choice(ConfigSection& section, int domains, int banks) {
  BankUnitChoice choice;
  choice.everywhere = static_cast<BankUnitKind>(section.optional_choice("unit", kBankUnitKinds, 0));
  if (!section.has("unit_of")) return choice;
  for (auto& row : section.sections("unit_of")) {
    const int domain = row.required_in("domain", 0, domains - 1);
    const auto kind = static_cast<BankUnitKind>(row.choice("unit", kBankUnitKinds));
    std::vector<int> named = row.optional_list<int>("banks", {});
    row.require(!row.has("banks") || !named.empty(), "banks",
                "expected at least one bank, got an empty list; leave it out for all");
    for (const int bank : named) {
      row.require(bank >= 0 && bank < banks, "banks",
                  "expected banks of a domain from 0 to " + std::to_string(banks - 1) + ", got `" +
                      std::to_string(bank) + "`");
    }
    if (named.empty()) {
      for (int bank = 0; bank < banks; ++bank) named.push_back(bank);
    }
    for (const int bank : named) choice.exceptions[{domain, bank}] = kind;
  }
  return choice;
}

RefreshConfig read_refresh(ConfigSection section) {
  constexpr int kMaxPostponed = 8;  // JESD238
  RefreshConfig refresh;
  refresh.mode = static_cast<RefreshMode>(section.choice("mode", kRefreshModes));
  refresh.postpone = section.required_in("postpone", 0, kMaxPostponed);
  refresh.pull_in = section.required_in("pull_in", 0, kMaxPostponed);
  return refresh;
}

Level lockstep_level(const StackConfig& config) {
  if (config.halves() > 1) return Level::kSid;
  if (config.stack_id_scope == StackIdScope::kOne && config.geometry.stack_ids > 1)
    return Level::kSid;
  return config.channels_per_domain() > 1 ? Level::kDomain : Level::kPseudoChannel;
}

}  // namespace

double StackConfig::peak_pim_bytes_per_second() const {
  const double commands = 1.0 / seconds(controller.timing.dram.nCCDAB, clock);
  const double groups = static_cast<double>(domains());
  return groups * static_cast<double>(bytes_per_command().count) * commands;
}

BankAddress StackConfig::bank_address(const Location& location) const {
  const int groups = controller.topology.bank_groups;
  return {location.channel % channels_per_domain(),
          location.stack_id * halves() + location.bank_group / groups, location.bank_group % groups,
          location.bank};
}

Location StackConfig::location(int domain, const BankAddress& at) const {
  Location location;
  location.channel = domain * channels_per_domain() + at.pseudo_channel;
  location.stack_id = at.stack_id / halves();
  location.bank_group = at.stack_id % halves() * controller.topology.bank_groups + at.bank_group;
  location.bank = at.bank;
  return location;
}

StackConfig part_of(const StackConfig& stack, int channels) {
  const int all = stack.geometry.flat_channels();
  int halvings = 0;
  while (channels << halvings < all) ++halvings;
  ensure(channels << halvings == all && channels % stack.geometry.pseudo_channels == 0,
         "a part has a power of two of channels, and whole ones");
  ensure(stack.storage == Storage::kNone,
         "units of a stack that stores are chosen by its channels");
  StackConfig part = stack;
  part.geometry.channels = channels / stack.geometry.pseudo_channels;
  part.map = stack.map.of_fewer_channels(halvings);
  part.energy.background.count = stack.energy.background.count * channels / all;
  return part;
}

StackConfig read_stack(ConfigSection& root) {
  const StackGeometry geometry = read_geometry(root.section("geometry"));
  StackConfig config{geometry,
                     read_map(root, geometry),
                     root.required_in<Hertz>("clock", {1'000'000}, {100'000'000'000}),
                     AllBankScope::kPseudoChannel,
                     StackIdScope::kAll,
                     {},
                     {},
                     static_cast<Storage>(root.choice("storage", kStorages)),
                     {},
                     {}};
  // A clock that failed to parse must not divide anything by zero on the way to the report.
  if (config.clock.count <= 0) config.clock = {1'000'000'000};

  auto pim = root.section("pim");
  config.all_bank_scope = static_cast<AllBankScope>(pim.choice("all_bank_scope", kAllBankScopes));
  config.stack_id_scope = static_cast<StackIdScope>(pim.choice("stack_id_scope", kStackIdScopes));
  pim.require(!(config.all_bank_scope == AllBankScope::kChannel &&
                config.stack_id_scope == StackIdScope::kOne && geometry.stack_ids > 1),
              "stack_id_scope", "must be `all` where all_bank_scope is `channel`");

  auto& controller = config.controller;
  controller.timing.pim = read_pim_timing(pim);
  pim.require(
      config.halves() == 1 || (config.all_bank_scope == AllBankScope::kPseudoChannel &&
                               controller.timing.pim.act_ab == ActAbPower::kSimultaneous &&
                               geometry.stack_ids == 1 && geometry.bank_groups % 2 == 0),
      "row_overlap",
      "half_scope needs all_bank_scope pseudo_channel, act_ab simultaneous, one SID and an even "
      "number of bank groups");
  controller.topology = {config.channels_per_domain(),
                         geometry.stack_ids * config.halves(),
                         geometry.bank_groups / config.halves(),
                         geometry.banks,
                         lockstep_level(config),
                         config.halves()};
  controller.timing.banks_per_sid = controller.topology.banks_per_sid();
  config.bank_unit = read_bank_unit(pim);
  config.units = read_unit_choice(pim, config.domains(), controller.topology.count(Level::kBank));
  const auto mac_latency = pim.required<UnitDelay>("mac_latency");
  const auto mode_switch = pim.required<UnitDelay>("mode_switch");
  root.require(config.storage == Storage::kNone || geometry.column_bytes == kColumnBytes, "storage",
               "needs `geometry.column_size: 32 B` to be `sparse`: a bank unit has 16 lanes");
  auto timing = root.section("timing");
  controller.timing.dram = read_timing(timing, config.clock);
  if (const MacTiming* const unit = find_mac_timing(config.bank_unit.depth)) {
    const auto delay = [&config](const UnitDelay& chosen, UnitClocks of_unit) {
      return chosen.fixed ? *chosen.fixed : of_unit.count * config.unit_period();
    };
    controller.timing.pim.n_mac_latency = delay(mac_latency, unit->issue_to_drain);
    controller.timing.pim.n_mode_switch = delay(mode_switch, unit->issue_to_mode_switch);
  }
  controller.refresh = read_refresh(root.section("refresh"));
  // One bank at a time is refreshed; if the next is due before the row can be opened, none ever is.
  const auto& dram = controller.timing.dram;
  const std::int64_t per_bank = dram.nREFI.count / geometry.banks_per_pseudo_channel();
  const Cycles cycle = dram.nRP + dram.nRFCpb + dram.nRCDRD + dram.nRTP;
  root.require_among(
      {"refresh"}, controller.refresh.mode != RefreshMode::kPerBank || cycle.count < per_bank,
      "per_bank refresh leaves no time for all-bank commands: nRP + nRFCpb + nRCDRD + nRTP = " +
          std::to_string(cycle.count) +
          " CK must be less than nREFI / banks = " + std::to_string(per_bank) + " CK");
  config.energy = read_energy(root.section("energy"));

  auto section = root.section("controller");
  controller.page_policy = static_cast<PagePolicy>(section.choice("page_policy", kPagePolicies));
  controller.arbitration = static_cast<Arbitration>(section.choice("arbitration", kArbitrations));
  controller.time_slice = section.required_in<Cycles>("time_slice", {1}, {100'000'000});
  controller.age_limit = section.required_in<Cycles>("age_limit", {1}, {100'000'000});
  controller.host_window = section.required_in("host_window", 1, 1024);
  auto& drain = controller.write_drain;
  drain.high = section.required_in("write_drain_high", 0, 1024);
  drain.low = section.required_in("write_drain_low", 0, 1023);
  section.require(drain.high <= controller.host_window, "write_drain_high",
                  "must be at most host_window: so many writes could never wait in it");
  section.require(drain.low < std::max(1, drain.high), "write_drain_low",
                  "must be less than write_drain_high, and 0 without a drain");
  controller.pim_window = section.required_in("pim_window", 1, 1024);
  return config;
}

}  // namespace lockstep
