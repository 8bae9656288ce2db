// The controller of one lockstep domain: takes host requests and PIM kernels, and issues the
// command of each as soon as the timing table allows. Pure: time is an argument, never a kernel's.
#pragma once

#include <cstdint>
#include <vector>

#include "hw/channel/command_observer.h"
#include "hw/channel/controller_config.h"
#include "hw/channel/host_queue.h"
#include "hw/channel/pim_queue.h"
#include "hw/channel/refresh_timer.h"
#include "hw/channel/softmax_unit.h"
#include "hw/channel/stats.h"
#include "hw/dram/bank_state.h"
#include "hw/dram/timing_engine.h"

namespace lockstep {

struct Completion {
  enum class Kind : std::uint8_t { kHost, kKernel };
  Kind kind;
  std::uint64_t id;
  Cycles when;  // the data is out, the write is taken, the kernel's last result is there
};

// Copies are snapshots (they share nothing but the kernels). What arrives at clock a can be served
// from clock a + 1 on, so the order of events within one clock never shows.
class ChannelController {
 public:
  explicit ChannelController(const ControllerConfig& config);

  // Requires that nothing has been issued after `request.arrival`: advance() to it first.
  void push(const HostRequest& request);
  void push(const KernelRequest& request);

  // The clock of the next command, or INT64_MAX if there will be none without further requests.
  Cycles next();
  // Issues the next command alone (command level).
  void issue_next();
  // Issues everything up to and including `until`, equal commands in closed form (stream level).
  void advance(Cycles until);
  // As advance(), but stops as soon as a request or kernel has completed.
  void advance_to_completion();

  // Whether the work is one kernel and nothing else.
  bool lone_kernel() const { return host_.empty() && pim_.size() == 1 && completions_.empty(); }
  // Becomes what an equal controller with an equal kernel became; the completion keeps the id of
  // this one's kernel. Requires lone_kernel(), and that `equal` has just completed its own.
  void take_over(const ChannelController& equal);

  bool has_work() const { return !host_.empty() || !pim_.empty(); }
  std::size_t host_waiting() const { return host_.size(); }
  std::size_t kernels_waiting() const { return pim_.size(); }
  // Completions since the last call, in order of issue.
  std::vector<Completion> take_completions();
  bool completed_something() const { return !completions_.empty(); }

  void set_observer(CommandObserver* observer) { observer_ = observer; }
  bool observed() const { return observer_ != nullptr; }
  const ChannelStats& stats() const { return stats_; }
  const BankState& banks() const { return banks_; }
  Cycles last_issue() const { return now_; }
  // Holds the conservation identities of docs/model.md; throws InternalError on a breach.
  void check_identities() const;

  // Equal controllers do the same with the same requests from here on.
  friend bool operator==(const ChannelController& a, const ChannelController& b);

 private:
  static constexpr std::size_t kMaxScopes = 8;  // SIDs of a domain, in halves
  enum class Side : std::uint8_t { kHost, kPim };
  struct Decision {
    Cycles when{INT64_MAX};
    Cmd cmd = Cmd::ACT;
    Source source = Source::kHost;
    BankAddress at;
    std::int32_t row = 0;
    Reason reason = 0;
    std::size_t index = 0;  // of the request (its slot) or run in its queue
    bool alone = true;      // no other PIM run may go beside this one
  };

  const Decision& decide();
  Side choose_side() const;
  Cycles floor_of(Side side) const;
  Wait plain_wait(Side side) const;
  Decision host_decision();
  Decision pim_decision() const;
  Decision pim_run_decision(std::size_t index, Cycles floor) const;
  Decision pim_row_decision(const PimRun& run, Cycles floor) const;
  Decision pim_row_ahead(std::size_t index, Cycles floor) const;
  bool row_ready(const PimRun& run) const;
  std::size_t scope_of(BankAddress at) const;
  Decision refresh_decision(Cycles not_before, Reason because) const;
  Decision timed(Cmd cmd, BankAddress at, Source source, Cycles not_before, Reason because) const;
  void watch(const Decision& decision) const;
  void execute(const Decision& decision, Cycles until);
  void execute_host(const Decision& decision);
  void execute_pim_row(const Decision& decision);
  void execute_pim_column(const Decision& decision, Cycles until);
  std::int64_t equal_commands(const Decision& decision, Cycles until, IssuedCommands& issued) const;
  std::int64_t equal_moves(const Decision& decision, const PimRun& run,
                           const IssuedCommands& issued) const;
  void tell_engine_of_last(const Decision& decision, const IssuedCommands& issued);
  void tell_observer(const Decision& decision, IssuedCommands issued);
  void complete_pim_column(const Decision& decision, const PimRun& run, std::int64_t count);
  void execute_refresh(const Decision& decision);
  void settle_kernels();
  void record(const Decision& decision, IssuedCommands issued);
  Cycles latency_of(Cmd cmd) const;
  Cycles dependence_of(const PimRun& run) const;
  void note_side(Side side, Cycles when);

  ControllerConfig config_;
  TimingEngine engine_;
  BankState banks_;
  RefreshTimer refresh_;
  HostQueue host_;
  PimQueue pim_;
  ChannelStats stats_;

  Cycles now_;             // of the last command
  Cycles arrival_floor_;   // first clock at which the latest arrivals can be served
  Cycles pim_floor_;       // first clock after the last barrier
  Cycles pim_completion_;  // when all PIM commands so far have their results
  Cycles moved_;           // when all moves to the die so far have arrived
  SoftmaxUnit softmax_;
  Cycles last_work_;     // last command of a host request or a kernel
  Cycles last_column_;   // column command of either side: for the watchdog
  Cycles pim_progress_;  // last PIM column command: for the age limit
  Cycles slice_end_;     // of the current time slice
  Side mode_ = Side::kPim;
  bool served_in_turn_ = false;  // a column command has gone since mode_ changed
  // By lockstep scope: its next MAC command is the one its ACT was for; with dual row buffers, when
  // the row that it opened last can be worked on.
  std::array<bool, kMaxScopes> opened_{};
  std::array<Cycles, kMaxScopes> sensed_{};
  bool decided_ = false;
  Decision decision_;
  std::vector<Completion> completions_;
  CommandObserver* observer_ = nullptr;
};

}  // namespace lockstep
