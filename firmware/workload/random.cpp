#include "firmware/workload/random.h"

#include <cmath>

#include "firmware/workload/portable_math.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

}  // namespace

Random::Random(std::uint64_t seed, std::uint64_t stream)
    : state_(stream == 0 ? seed : mixed(mixed(seed) + stream)) {}

std::uint64_t Random::next() {
  state_ += 0x9e3779b97f4a7c15;  // 2^64 / golden ratio
  return mixed(state_);
}

// Rejects the last, incomplete round of the 64-bit range.
std::int64_t Random::uniform(std::int64_t low, std::int64_t high) {
  ensure(low <= high, "a uniform draw needs a range that is not empty");
  const std::uint64_t count =
      static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
  if (count == 0) return static_cast<std::int64_t>(next());  // the whole range
  const std::uint64_t rest = (UINT64_MAX % count + 1) % count;
  std::uint64_t value = next();
  while (value > UINT64_MAX - rest) value = next();
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + value % count);
}

double Random::unit() {
  return static_cast<double>(next() >> 11) * 0x1p-53;
}

double Random::exponential() {
  return -portable_log(1 - unit());  // 1 - unit() is exact and never 0
}

// Marsaglia's polar method; the second normal of a pair is dropped, to keep one draw one value.
double Random::normal() {
  while (true) {
    const double u = 2 * unit() - 1;
    const double v = 2 * unit() - 1;
    const double s = u * u + v * v;
    if (s > 0 && s < 1) return u * std::sqrt(-2 * portable_log(s) / s);
  }
}

double Random::lognormal(double ln_mu, double sigma) {
  return portable_exp(ln_mu + sigma * normal());
}

// Counts the unit-rate arrivals before `mean`.
std::int64_t Random::poisson(double mean) {
  std::int64_t count = 0;
  double at = exponential();
  while (at < mean) {
    ++count;
    at += exponential();
  }
  return count;
}

}  // namespace lockstep
