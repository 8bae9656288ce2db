// The project's source of random numbers for workloads. Same seed, same numbers, on every compiler
// and library: the standard's distributions differ between libraries.
#pragma once

#include <cstdint>

namespace lockstep {

// SplitMix64 of Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA
// 2014: a Weyl sequence through a mixing function.
class Random {
 public:
  // Generators of one seed and different streams are independent for all practical purposes, so
  // that, say, other output lengths leave the arrivals as they were.
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0);

  std::uint64_t next();  // uniform over 64 bits
  std::int64_t uniform(std::int64_t low,
                       std::int64_t high);       // both included, low <= high; unbiased
  double unit();                                 // [0, 1), a multiple of 2^-53
  double exponential();                          // mean 1
  double normal();                               // mean 0, deviation 1
  double lognormal(double ln_mu, double sigma);  // |ln_mu + sigma z| <= 700
  std::int64_t poisson(double mean);             // mean >= 0; takes time of order mean

 private:
  std::uint64_t state_;
};

}  // namespace lockstep
