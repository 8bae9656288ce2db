// Between clocks and simulated time. The only place where a count of cycles becomes an sc_time.
#pragma once

#include <systemc>

#include "tlm/contract/units.h"

namespace lockstep {

// CK of a stack that came alive at `origin`. Instants are rounded to the picosecond one by one, so
// that no error adds up: 1.3 GHz has no whole number of picoseconds to a clock. Needs SystemC's
// default time resolution of 1 ps.
class Clock {
 public:
  explicit Clock(Hertz frequency) : frequency_(frequency) {}

  // Counts from now on; for stacks that run one after another in one simulation.
  void start() { origin_ = sc_core::sc_time_stamp(); }

  Hertz frequency() const { return frequency_; }
  sc_core::sc_time instant(Cycles n) const {
    const auto ps = instant_of(n, frequency_).count;
    return origin_ + sc_core::sc_time::from_value(static_cast<sc_dt::uint64>(ps));
  }
  // From now to clock `n`, zero if that has passed.
  sc_core::sc_time until(Cycles n) const {
    const auto then = instant(n);
    const auto& now = sc_core::sc_time_stamp();
    return then > now ? then - now : sc_core::SC_ZERO_TIME;
  }
  // The first clock whose instant is not before `time`.
  Cycles at(const sc_core::sc_time& time) const {
    const auto ps = static_cast<std::int64_t>((time - origin_).value());
    Cycles n = cycles_ceil({ps}, frequency_);
    while (n > Cycles{0} && instant_of(n - Cycles{1}, frequency_).count >= ps) n = n - Cycles{1};
    while (instant_of(n, frequency_).count < ps) n += Cycles{1};
    return n;
  }
  Cycles now() const { return at(sc_core::sc_time_stamp()); }

 private:
  Hertz frequency_;
  sc_core::sc_time origin_;
};

}  // namespace lockstep
