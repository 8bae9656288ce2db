#include "firmware/workload/portable_math.h"

#include <cmath>

namespace lockstep {
namespace {

constexpr double kLn2 = 0.693147180559945309417;

}  // namespace

// ln(m 2^e) = e ln 2 + 2 artanh((m - 1)/(m + 1)). With m in [1/sqrt 2, sqrt 2] the argument is
// below 0.172, and the thirteenth term of the series below 2^-63.
double portable_log(double x) {
  constexpr double kHalfSqrt2 = 0.70710678118654752440;
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent);  // exact
  if (mantissa < kHalfSqrt2) {
    mantissa *= 2;
    --exponent;
  }
  const double t = (mantissa - 1) / (mantissa + 1);
  const double square = t * t;
  double series = 0;
  for (int n = 25; n >= 1; n -= 2) series = series * square + 1.0 / n;
  return exponent * kLn2 + 2 * t * series;
}

// e^x = 2^k e^r with |r| <= ln(2)/2; the fifteenth term of the Taylor series is below 2^-60.
double portable_exp(double x) {
  const double k = std::floor(x / kLn2 + 0.5);
  const double r = x - k * kLn2;
  double series = 1;
  for (int n = 14; n >= 1; --n) series = 1 + series * r / n;
  return std::ldexp(series, static_cast<int>(k));  // exact
}

}  // namespace lockstep
