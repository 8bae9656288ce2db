// What a host can ask of a stack, whoever answers: SystemC modules behind TLM sockets, or the same
// controllers without a kernel.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "tlm/contract/pim_isa.h"
#include "tlm/contract/span.h"
#include "tlm/contract/units.h"

namespace lockstep {

// A kernel for one lockstep domain. Domains with equal work should get the same kernel object.
struct DomainKernel {
  int domain = 0;
  std::shared_ptr<const PimKernel> kernel;
};

enum class AccessKind : std::uint8_t { kRead, kWrite };

// An ordinary access of the host to `bytes` bytes from `address` on.
struct HostAccess {
  AccessKind kind = AccessKind::kRead;
  std::uint64_t address = 0;
  std::int64_t bytes = 0;
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
  virtual int domains() const = 0;
};

}  // namespace lockstep
