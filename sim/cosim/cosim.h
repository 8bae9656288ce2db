// lockstep cosim: attention passes on a stack in SystemC, at command level, in which chosen banks
// run RTL beside the model, clock by clock.
#pragma once

#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/attention/verify_case.h"
#include "sim/cosim/bank_replay.h"
#include "sim/cosim/cosim_config.h"
#include "sim/cosim/unit_factory.h"
#include "sim/cosim/unit_trace.h"

namespace lockstep {

class LockstepMac;

struct CosimOptions {
  // Banks of `domain` to run in lockstep instead of the configuration's choice; empty: all of it.
  std::optional<std::vector<int>> banks;
  int domain = 0;
  // Passes follow one another until so many CK have gone by; 0: one pass.
  Cycles at_least;
  UnitWaves waves;            // a file for each bank
  std::string traces_folder;  // vectors and timing trace of each bank
  std::string commands_file;  // every command, as CSV
};

// The bank units under co-simulation. Told of every operation of the stack's units; plays those of
// its banks as soon as no earlier one can come.
class Cosim final : public UnitObserver {
 public:
  Cosim(const CosimConfig& config, const CosimOptions& options);

  void on_operation(const UnitOperation& operation) override;
  void on_progress(int domain, Cycles when) override;
  // Plays what is left, and keeps the traces.
  void finish();

  // At the first difference everything stops; empty if there was none.
  const std::string& difference() const { return difference_; }
  // What went wrong beside: rethrown by whoever ran the stack.
  std::exception_ptr failure() const { return failure_; }

  ReplayCounts counts() const;
  std::int64_t comparisons() const;
  int banks() const { return static_cast<int>(banks_.size()); }
  double seconds() const { return seconds_; }  // spent in the units

 private:
  struct Bank {
    std::unique_ptr<UnitTraceFiles> trace;
    std::unique_ptr<BankReplay> replay;
    LockstepMac* lockstep = nullptr;  // in `replay`
  };

  void add_bank(int domain, int bank, BankUnitKind kind, bool several);
  template <typename Work>
  void attempt(Work work);

  const CosimConfig& config_;
  const CosimOptions& options_;
  std::map<std::pair<int, int>, Bank> banks_;
  std::string difference_;
  std::exception_ptr failure_;
  double seconds_ = 0;
};

// The `index`-th pass as a case of the verification: one sequence, whose blocks follow one another.
VerifyCase pass_case(const CosimPass& pass, std::int64_t index);

struct CosimReport {
  int banks = 0;
  std::int64_t passes = 0;
  std::int64_t tokens = 0;
  Cycles cycles;  // of the stack
  ReplayCounts counts;
  std::int64_t comparisons = 0;
  std::string difference;  // the first; empty if there is none
  double error = 0;        // of the outputs, against double precision
  std::uint64_t digest = 0;
  std::uint64_t functional_digest = 0;  // of the same passes on models, without SystemC
  double seconds = 0;

  bool passed() const { return difference.empty() && digest == functional_digest; }
};

// Throws Unsupported where this program has no RTL, or none of the chosen banks holds a token.
CosimReport run_cosim(const CosimConfig& config, const CosimOptions& options);

std::string cosim_text(const CosimConfig& config, const CosimReport& report);
std::string cosim_json(const CosimConfig& config, const CosimReport& report);

}  // namespace lockstep
