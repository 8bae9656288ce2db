// Ordinary read streams against Ramulator 2.1, DRAMSys and DRAMsim3 (tests/data/dram): with their
// parameters every command goes at the clock they recorded.
//
// They record an activation that takes more than one clock on the row bus at its first clock and
// count its intervals from its last; here it goes at that last clock. So an ACT of theirs is one
// clock earlier, except DRAMsim3's, which takes one clock. In HBM3, PRE goes on half clocks: it
// belongs to the clock before, and nRP after it starts on a whole clock again, one later.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <tuple>

#include <gtest/gtest.h>

#include "tests/support/csv_rows.h"
#include "tests/support/drive.h"
#include "tests/support/presets.h"

namespace lockstep {
namespace {

// parameters.json, HBM2_used. Values of rules that reads never meet are as in hbm3_5200().
TimingSet hbm2_2000() {
  TimingSet set = hbm3_5200();
  Timing& t = set.dram;
  t.nBL = {2}, t.nCL = {17}, t.nRCDRD = {12}, t.nRP = {14}, t.nRAS = {28}, t.nRC = {42};
  t.nRTP = {5}, t.nCCDS = {2}, t.nCCDL = {3}, t.nRRDS = {4}, t.nRRDL = {6}, t.nFAW = {16};
  t.nRFC = {220}, t.nREFI = {3900};
  return set;
}

// parameters.json, HBM3_16Gb_8hi/HBM3_6400Mbps, with nRP one longer for PRE on half clocks. Refresh
// is due at absolute clock 6240, which is 6239.5 from the first command, so on the half clock of
// 6239.
TimingSet hbm3_6400() {
  TimingSet set = hbm3_5200();
  Timing& t = set.dram;
  t.nBL = {2}, t.nCL = {20}, t.nRCDRD = {31}, t.nRP = {26 + 1}, t.nRAS = {45}, t.nRC = {72};
  t.nRTP = {9}, t.nCCDS = {2}, t.nCCDL = {4}, t.nCCDR = {3}, t.nRRDS = {4}, t.nRRDL = {5};
  t.nFAW = {24}, t.nRFC = {560}, t.nREFI = {6239};
  return set;
}

struct Run {
  const char* simulator;
  const char* stream;
  TimingSet (*timing)();
  std::int64_t act_extra;  // clocks of the row bus that an ACT takes beyond its first
  std::int64_t gap = 0;    // clocks between requests; 0: all at once
};

const Run kRuns[] = {
    // clang-format off
    {"ramulator2_hbm3_6400", "s1_same_row_20",            hbm3_6400, 1},
    {"ramulator2_hbm3_6400", "s2_alt_rows_same_bank_20",  hbm3_6400, 1},
    {"ramulator2_hbm3_6400", "s3_16banks_bgfast",         hbm3_6400, 1},
    {"ramulator2_hbm3_6400", "s3b_16banks_bgslow",        hbm3_6400, 1},
    {"ramulator2_hbm3_6400", "s5_refresh_probe_gap977",   hbm3_6400, 1, 977},
    {"ramulator2_hbm2",      "s1_same_row_20",            hbm2_2000, 1},
    {"ramulator2_hbm2",      "s2_alt_rows_same_bank_20",  hbm2_2000, 1},
    {"ramulator2_hbm2",      "s3_16banks_bgfast",         hbm2_2000, 1},
    {"dramsys_hbm2",         "s1_same_row_20",            hbm2_2000, 1},
    {"dramsys_hbm2",         "s2_alt_rows_same_bank_20",  hbm2_2000, 1},
    {"dramsys_hbm2",         "s3_16banks_bgfast",         hbm2_2000, 1},
    {"dramsim3_hbm2",        "s1_same_row_20",            hbm2_2000, 0},
    {"dramsim3_hbm2",        "s3_16banks_bgfast",         hbm2_2000, 0},
    // clang-format on
};

struct Command {
  std::int64_t clock;
  std::string name;
  int bank_group;
  int bank;
  bool operator==(const Command& o) const {
    return clock == o.clock && name == o.name && bank_group == o.bank_group && bank == o.bank;
  }
  friend std::ostream& operator<<(std::ostream& out, const Command& c) {
    return out << c.clock << ' ' << c.name << ' ' << c.bank_group << ' ' << c.bank << '\n';
  }
};

std::vector<Command> recorded(const Run& run) {
  std::vector<Command> commands;
  for (auto& row :
       read_csv_rows(std::string("dram/") + run.simulator + "." + run.stream + ".open.csv")) {
    const auto clock = static_cast<std::int64_t>(std::floor(std::stod(row["rel_cycle"])));
    const bool all_banks = row["bankgroup"].empty();
    commands.push_back({clock + (row["cmd"] == "ACT" ? run.act_extra : 0), row["cmd"],
                        all_banks ? 0 : std::stoi(row["bankgroup"]),
                        all_banks ? 0 : std::stoi(row["bank_in_group"])});
  }
  return commands;
}

std::string their_name(Cmd cmd) {
  if (cmd == Cmd::PREpb) return "PRE";
  if (cmd == Cmd::PREab) return "PREA";
  if (cmd == Cmd::REFab) return "REFA";
  return std::string(traits(cmd).name);
}

// Offers each request so that its first command can go at its own clock: an RD one clock after it
// arrives; an ACT at its last clock, so `act_extra` later.
void drive(ChannelController& controller, const Run& run) {
  std::ifstream file(std::string(LOCKSTEP_SOURCE_DIR) + "/tests/data/dram/requests/" + run.stream +
                     ".req");
  HostRequest request;
  while (file >> request.at.bank_group >> request.at.bank >> request.row >> request.column) {
    const auto n = static_cast<std::int64_t>(request.id);
    request.arrival = {std::max<std::int64_t>(0, n * run.gap - 1)};
    controller.advance(request.arrival);
    if (run.gap > 0 && n > 0 && controller.banks().open_row(request.at) != request.row) {
      request.arrival += Cycles{run.act_extra};
      controller.advance(request.arrival);
    }
    controller.push(request);
    ++request.id;
  }
  ASSERT_GT(request.id, 0U) << "no requests";
  drain(controller);
}

std::vector<Command> ours(const Run& run) {
  auto config = controller_5200();
  config.timing = run.timing();
  if (run.gap > 0) config.refresh.mode = RefreshMode::kAllBank;
  ChannelController controller(config);
  CommandLog log;
  controller.set_observer(&log);
  drive(controller, run);
  std::vector<Command> commands;
  const std::int64_t first = log.entries().front().cycle.count - run.act_extra;
  for (const auto& entry : log.entries()) {
    commands.push_back(
        {entry.cycle.count - first, their_name(entry.cmd), entry.at.bank_group, entry.at.bank});
  }
  return commands;
}

// Commands of one clock in an order of their own: on two buses neither is first.
void sort(std::vector<Command>& commands) {
  std::sort(commands.begin(), commands.end(), [](const Command& a, const Command& b) {
    return std::tie(a.clock, a.name) < std::tie(b.clock, b.name);
  });
}

class DramReference : public testing::TestWithParam<Run> {};

TEST_P(DramReference, EveryCommandGoesAtTheRecordedClock) {
  auto theirs = recorded(GetParam());
  auto here = ours(GetParam());
  sort(theirs);
  sort(here);
  EXPECT_EQ(here, theirs);
}

INSTANTIATE_TEST_SUITE_P(Recorded, DramReference, testing::ValuesIn(kRuns), [](const auto& tested) {
  return std::string(tested.param.simulator) + "_" + tested.param.stream;
});

}  // namespace
}  // namespace lockstep
