// The data side of a stack: the storage and bank units of every channel, and the buffer die they
// share. Belongs to whoever advances the controllers.
#pragma once

#include <memory>
#include <vector>

#include "hw/pim/functional_channel.h"
#include "hw/stack/stack_config.h"

namespace lockstep {

class FunctionalStack {
 public:
  // `factory` makes the bank units, one when a bank first computes.
  FunctionalStack(const StackConfig& config, const MacUnitFactory& factory);

  // Who must see the commands of a domain; nullptr where the configuration stores nothing.
  CommandObserver* observer(int domain);

  // Tells `observer` what all bank units do from now on; nullptr ends it.
  void observe_units(UnitObserver* observer);

  // Without time. Whatever the storage mode; false if the range does not lie in the stack.
  bool write(std::uint64_t address, Span<std::uint8_t> bytes);
  bool read(std::uint64_t address, std::uint8_t* data, std::int64_t bytes);

  // Finished since the last call, by head_pass.
  std::vector<PassResult> take_results() { return die_.take_results(); }
  const FunctionalStats& stats(int domain) const { return channel(domain).stats(); }
  FunctionalStats total_stats() const;
  // Throws InternalError if a pass has begun and is not finished, for the end of a run.
  void check_settled() const;

 private:
  FunctionalChannel& channel(int domain) const {
    return *channels_[static_cast<std::size_t>(domain)];
  }
  bool holds(std::uint64_t address, std::int64_t bytes) const;

  const StackConfig config_;
  BufferDie die_;
  std::vector<std::unique_ptr<FunctionalChannel>> channels_;
};

}  // namespace lockstep
