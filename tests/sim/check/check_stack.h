// A stack for tests of the checker, with parameters that differ enough for each rule to be broken
// alone, and commands written by hand as a canonical trace.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "hw/stack/stack_config.h"
#include "sim/check/check_commands.h"

namespace lockstep {

// HBM3 at 5.2 Gb/s (docs/model.md), except nRC, nRCDWR, nCCDSB, nRREFD: not implied by others here.
inline StackConfig check_stack() {
  constexpr StackGeometry kGeometry{4, 2, 1, 4, 4, 1024, 32, 32};
  StackConfig config{
      kGeometry,          std::get<AddressMap>(AddressMap::parse("pim-friendly", kGeometry)),
      {1'300'000'000},    AllBankScope::kPseudoChannel,
      StackIdScope::kAll, {}};
  auto& timing = config.controller.timing;
  timing.dram = {{2},   {19},   {6},                // nBL nCL nCWL
                 {19},  {18},   {19},  {45}, {70},  // nRCDRD nRCDWR nRP nRAS nRC
                 {2},   {4},    {3},                // nCCDS nCCDL nCCDR
                 {2},   {4},    {39},               // nRRDS nRRDL nFAW
                 {8},   {21},   {8},   {11}, {3},   // nRTP nWR nWTRS nWTRL nRTW
                 {456}, {5070}, {260}, {9},         // nRFC nREFI nRFCpb nRREFD
                 {6},   {7}};                       // nCCDAB nCCDSB
  timing.pim = {};
  timing.pim.n_mac_latency = {20};
  timing.pim.n_move_latency = {30};
  timing.pim.n_softmax_latency = {40};
  config.controller.time_slice = {500};
  config.controller.age_limit = {2000};
  config.controller.write_drain = {8, 2};
  return config;
}

// What the controllers need to agree with the rest of the configuration.
inline void set_scope(StackConfig& config, AllBankScope all_banks, StackIdScope stack_ids,
                      int sid_count) {
  config.geometry.stack_ids = sid_count;
  config.all_bank_scope = all_banks;
  config.stack_id_scope = stack_ids;
  const bool one_sid = (stack_ids == StackIdScope::kOne && sid_count > 1) || config.halves() > 1;
  const Level level = one_sid                               ? Level::kSid
                      : all_banks == AllBankScope::kChannel ? Level::kDomain
                                                            : Level::kPseudoChannel;
  auto& controller = config.controller;
  controller.topology = {config.channels_per_domain(),
                         sid_count * config.halves(),
                         config.geometry.bank_groups / config.halves(),
                         config.geometry.banks,
                         level,
                         config.halves()};
  controller.timing.banks_per_sid = controller.topology.banks_per_sid();
}

struct Written {
  std::int64_t cycle;
  const char* command;
  int bank_group = -1;
  int bank = -1;
  int row = -1;
  int stack_id = -1;
  int channel = 0;
  const char* source = "";
};

inline std::string csv_of(const std::vector<Written>& commands, const StackConfig& config) {
  std::ostringstream csv;
  csv << "ps,cycle,channel,command,bank_group,bank,row,column,source,stack_id,blocked_by\n";
  const auto coordinate = [&](int value) {
    csv << ',';
    if (value >= 0) csv << value;
  };
  for (const auto& c : commands) {
    csv << instant_of({c.cycle}, config.clock).count << ',' << c.cycle << ',' << c.channel << ','
        << c.command;
    for (const int value : {c.bank_group, c.bank, c.row, -1}) coordinate(value);
    csv << ',' << c.source;
    coordinate(c.stack_id);
    csv << ",\n";
  }
  return csv.str();
}

inline CheckReport check_text(const std::string& csv, const StackConfig& config) {
  std::istringstream stream(csv);
  return check_commands(stream, "trace.csv", config);
}

}  // namespace lockstep
