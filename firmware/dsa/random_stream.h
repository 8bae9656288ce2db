// Random numbers that are the same on every machine: a 64-bit counter through a fixed mixer, keyed
// by what the numbers are for, so that one head's draws do not depend on another's.
#pragma once

#include <cstdint>

namespace lockstep {

class RandomStream {
 public:
  // `purpose` tells apart the streams of one (seed, layer, head).
  RandomStream(std::uint64_t seed, int layer, int head, int purpose)
      : state_(mix(mix(mix(mix(seed) + unsigned_of(layer)) + unsigned_of(head)) +
                   unsigned_of(purpose))) {}

  static RandomStream from_state(std::uint64_t state) { return RandomStream(state); }

  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15U;
    return mix(state_);
  }

  double uniform() { return static_cast<double>(next() >> 11U) * 0x1p-53; }  // [0, 1)
  bool happens(double probability) { return uniform() < probability; }

  std::int64_t below(std::int64_t end) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::int64_t>((static_cast<Wide>(next()) * unsigned_of(end)) >> 64U);
  }

  // Mean 0, variance 1: the sum of twelve 16-bit uniforms. Integer arithmetic only, so no two
  // libraries differ; its tails end at 6 and its excess kurtosis is -0.1.
  double normal() {
    constexpr int kDraws = 3;
    std::int64_t sum = 0;
    for (int draw = 0; draw < kDraws; ++draw) {
      const std::uint64_t bits = next();
      for (unsigned shift = 0; shift < 64; shift += 16) {
        sum += static_cast<std::int64_t>((bits >> shift) & 0xFFFFU);
      }
    }
    constexpr std::int64_t kMean = 6 * 0xFFFF;
    return static_cast<double>(sum - kMean) * 0x1p-16;
  }

 private:
  explicit RandomStream(std::uint64_t state) : state_(state) {}

  template <typename Integer>
  static std::uint64_t unsigned_of(Integer value) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  }

  // The finaliser of SplitMix64 (Steele, Lea, Flood 2014).
  static std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
  }

  std::uint64_t state_;
};

}  // namespace lockstep
