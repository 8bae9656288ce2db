// Every bank unit of a stack on a clock of its own, with its timing trace.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "hw/pim/mac_vectors.h"
#include "sim/cosim/bank_replay.h"

namespace lockstep {

class TraceText final : public UnitTrace {
 public:
  void on_clock(std::int64_t clock, const MacStep& step, const MacOutputs& seen) override {
    text += mac_trace(clock, step, seen);
  }
  std::string text;
};

class Replays final : public UnitObserver {
 public:
  using Factory = std::function<std::unique_ptr<MacUnit>()>;
  Replays(UnitClock clock, Factory factory) : clock_(clock), factory_(std::move(factory)) {}

  void on_operation(const UnitOperation& operation) override {
    auto& bank = banks_[operation.bank];
    if (!bank.replay) {
      bank.trace = std::make_unique<TraceText>();
      bank.replay = std::make_unique<BankReplay>(operation.domain, operation.bank, clock_,
                                                 factory_(), bank.trace.get());
    }
    bank.replay->add(operation);
  }
  void on_progress(int, Cycles when) override {
    for (auto& [index, bank] : banks_) bank.replay->play_until(when);
  }
  // Traces by bank.
  std::map<int, std::string> finish() {
    std::map<int, std::string> traces;
    for (auto& [index, bank] : banks_) {
      bank.replay->finish();
      traces[index] = bank.trace->text;
    }
    return traces;
  }
  ReplayCounts counts() const {
    ReplayCounts counts;
    for (const auto& [index, bank] : banks_) counts += bank.replay->counts();
    return counts;
  }

 private:
  struct Bank {
    std::unique_ptr<TraceText> trace;
    std::unique_ptr<BankReplay> replay;
  };
  UnitClock clock_;
  Factory factory_;
  std::map<int, Bank> banks_;
};

}  // namespace lockstep
