// What a host can ask of a stack, whoever answers: SystemC modules behind TLM sockets, or the same
// controllers without a kernel.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "tlm/contract/attention_pass.h"
#include "tlm/contract/pim_isa.h"
#include "tlm/contract/span.h"
#include "tlm/contract/units.h"

namespace lockstep {

// A kernel for one lockstep domain. Domains with equal work should get the same kernel object.
// `data` is for stacks that compute; without it the kernel is only timed.
struct DomainKernel {
  int domain = 0;
  std::shared_ptr<const PimKernel> kernel;
  std::shared_ptr<const KernelData> data = {};
};

enum class AccessKind : std::uint8_t { kRead, kWrite };

// An ordinary access of the host to `bytes` bytes from `address` on.
struct HostAccess {
  AccessKind kind = AccessKind::kRead;
  std::uint64_t address = 0;
  std::int64_t bytes = 0;
  std::uint8_t* data = nullptr;  // `bytes` bytes to write, or to be read into; nullptr: timing only
};

// When the last kernel and the last access of an execute() had completed; its start without any.
struct Completions {
  Cycles kernels;
  Cycles accesses;
};

class StackPort {
 public:
  virtual ~StackPort() = default;

  // The host's clock, counted in CK from the start of the run.
  virtual Cycles now() const = 0;
  // Lets time pass: work of the host itself.
  virtual void wait(Cycles clocks) = 0;
  // Sends everything at now() and returns when the last of it has completed.
  virtual void execute(Span<DomainKernel> kernels, Span<HostAccess> accesses) = 0;
  // Of the last execute(). A port that does not tell them apart answers now() for both.
  virtual Completions completions() const { return {now(), now()}; }
  virtual int domains() const = 0;

  // Without time, past the queues: fills the memory before a run, looks at it after. Works whatever
  // the storage of the stack is, but where that is `none`, nothing else reads or writes what they
  // do. `bytes` has the size to read. False where there is no memory behind the port, or the range
  // does not lie in it.
  virtual bool poke(std::uint64_t address, Span<std::uint8_t> bytes);
  virtual bool peek(std::uint64_t address, std::vector<std::uint8_t>& bytes);
  // Results of the passes finished since the last call, by head_pass; empty where nothing computes.
  virtual std::vector<PassResult> take_results();
};

inline bool StackPort::poke(std::uint64_t, Span<std::uint8_t>) {
  return false;
}
inline bool StackPort::peek(std::uint64_t, std::vector<std::uint8_t>&) {
  return false;
}
inline std::vector<PassResult> StackPort::take_results() {
  return {};
}

}  // namespace lockstep
