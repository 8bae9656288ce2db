// Strong types for the quantities the model mixes most. A bare integer never carries a unit here.
#pragma once

#include <cstdint>

namespace lockstep {

__extension__ using WideInteger = __int128;  // products of picoseconds and hertz

template <typename Tag>
struct Quantity {
  std::int64_t count = 0;

  constexpr Quantity& operator+=(Quantity other) {
    count += other.count;
    return *this;
  }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return {a.count + b.count}; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return {a.count - b.count}; }
  friend constexpr Quantity operator*(std::int64_t n, Quantity a) { return {n * a.count}; }
  friend constexpr bool operator<(Quantity a, Quantity b) { return a.count < b.count; }
  friend constexpr bool operator>(Quantity a, Quantity b) { return a.count > b.count; }
  friend constexpr bool operator<=(Quantity a, Quantity b) { return a.count <= b.count; }
  friend constexpr bool operator>=(Quantity a, Quantity b) { return a.count >= b.count; }
  friend constexpr bool operator==(Quantity a, Quantity b) { return a.count == b.count; }
  friend constexpr bool operator!=(Quantity a, Quantity b) { return a.count != b.count; }
};

using Cycles = Quantity<struct CyclesTag>;  // CK periods of the stack
using Picoseconds = Quantity<struct PicosecondsTag>;
using Bytes = Quantity<struct BytesTag>;
using Hertz = Quantity<struct HertzTag>;
using Femtojoules = Quantity<struct FemtojoulesTag>;        // 1 pJ/bit over 32 B is 256,000
using Microwatts = Quantity<struct MicrowattsTag>;          // a microwatt for 1 ns is a femtojoule
using BytesPerSecond = Quantity<struct BytesPerSecondTag>;  // decimal: 1 GB/s is 10^9

// JEDEC rounds a minimum delay up to whole clocks. Exact: no delay or frequency of a configuration
// overflows the 128-bit product.
constexpr Cycles cycles_ceil(Picoseconds delay, Hertz clock) {
  constexpr std::int64_t kPicosecondsPerSecond = 1'000'000'000'000;
  const auto product = static_cast<WideInteger>(delay.count) * clock.count;
  return {static_cast<std::int64_t>((product + kPicosecondsPerSecond - 1) / kPicosecondsPerSecond)};
}

// The instant of clock `n`, rounded to the nearest picosecond; never accumulates rounding.
constexpr Picoseconds instant_of(Cycles n, Hertz clock) {
  constexpr std::int64_t kPicosecondsPerSecond = 1'000'000'000'000;
  const auto product = static_cast<WideInteger>(n.count) * kPicosecondsPerSecond;
  return {static_cast<std::int64_t>((product + clock.count / 2) / clock.count)};
}

inline double seconds(Cycles n, Hertz clock) {
  return static_cast<double>(n.count) / static_cast<double>(clock.count);
}

inline double nanoseconds(Cycles n, Hertz clock) {
  return static_cast<double>(n.count) * 1e9 / static_cast<double>(clock.count);
}

}  // namespace lockstep
