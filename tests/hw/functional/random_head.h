// Heads with random shapes and numbers, and their attention in double precision.
#pragma once

#include <random>

#include "tests/hw/functional/head_case.h"

namespace lockstep {

class HeadDice {
 public:
  explicit HeadDice(std::uint64_t seed) : raw_(seed) {}

  int roll(int low, int high) {
    return low + static_cast<int>(raw_() % static_cast<std::uint64_t>(high - low + 1));
  }
  // Between -1 and 1, in steps of 2^-10.
  double number() { return roll(-1024, 1024) / 1024.0; }

  HeadShape shape(int domains) {
    HeadShape s;
    s.element = kKvElements[static_cast<std::size_t>(roll(0, 4))].element;
    s.queries = roll(1, 8);
    s.parts = roll(1, 16 / (s.queries * s.beats()) > 2 ? 2 : 1);
    s.queries_per_column = roll(1, s.queries);
    s.head_channels = roll(1, domains);
    s.tokens = roll(1, 3) == 1 ? roll(1, 16) : roll(1, 600);
    s.scale = 1 / static_cast<float>(std::sqrt(s.head_dim()));
    if (s.element != KvElement::kFp16) {
      s.scale *= 0.03125F;  // of the keys
      s.value_scale = 0.0625F;
    }
    return s;
  }

  // Bytes of finite numbers.
  Elements elements(KvElement element, std::size_t count) {
    Elements bytes;
    for (std::size_t i = 0; i < count; ++i) {
      if (element == KvElement::kFp16) {
        const auto bits = half(number());
        bytes.push_back(static_cast<std::uint8_t>(bits));
        bytes.push_back(static_cast<std::uint8_t>(bits >> 8));
      } else if (element == KvElement::kBf16) {
        const auto bits = bits_of_float(static_cast<float>(roll(-128, 127)) / 128);
        bytes.push_back(static_cast<std::uint8_t>(bits >> 16));
        bytes.push_back(static_cast<std::uint8_t>(bits >> 24));
      } else if (element == KvElement::kInt8) {
        bytes.push_back(static_cast<std::uint8_t>(roll(-128, 127)));
      } else {
        // Exponents that keep the numbers below 16.
        const int top = element == KvElement::kFp8E4m3 ? 0x57 : 0x4B;
        bytes.push_back(static_cast<std::uint8_t>(roll(0, top) | (roll(0, 1) << 7)));
      }
    }
    return bytes;
  }

  HeadCase head(const HeadShape& s) {
    HeadCase head{s, {}, {}, {}};
    for (int i = 0; i < s.queries * s.head_dim(); ++i) head.queries.push_back(half(number()));
    const auto count = static_cast<std::size_t>(s.tokens * s.head_dim());
    head.keys = elements(s.element, count);
    head.values = elements(s.element, count);
    return head;
  }

 private:
  std::mt19937_64 raw_;
};

// The value of element `index`, by the definition of its format and nothing of the model's.
inline double value_of(KvElement element, const Elements& bytes, std::size_t index) {
  const auto scaled = [](int bits, int exponent_bits, int fraction_bits) {
    const int bias = (1 << (exponent_bits - 1)) - 1;
    const int exponent = (bits >> fraction_bits) & ((1 << exponent_bits) - 1);
    const int fraction = bits & ((1 << fraction_bits) - 1);
    const double magnitude = exponent == 0 ? std::ldexp(fraction, 1 - bias - fraction_bits)
                                           : std::ldexp(fraction + (1 << fraction_bits),
                                                        exponent - bias - fraction_bits);
    return (bits >> (exponent_bits + fraction_bits)) != 0 ? -magnitude : magnitude;
  };
  switch (element) {
    case KvElement::kFp16:
      return scaled(bytes[2 * index] + 256 * bytes[2 * index + 1], 5, 10);
    case KvElement::kBf16:
      return scaled(bytes[2 * index] + 256 * bytes[2 * index + 1], 8, 7);
    case KvElement::kInt8:
      return bytes[index] < 128 ? bytes[index] : bytes[index] - 256;
    case KvElement::kFp8E4m3:
      return scaled(bytes[index], 4, 3);
    case KvElement::kFp8E5m2:
      return scaled(bytes[index], 5, 2);
  }
  return 0;
}

struct ReferenceOutput {
  std::vector<double> out;    // [query][dim]: softmax(q K^T scale) V value_scale
  std::vector<double> bound;  // what rounding of the unit and the die may change it by
};

// Bound: the model rounds a probability to fp16 (relative 2^-11, absolute 2^-25) and everything
// else to fp32. The output is a quotient of sums of positive weights, so a relative error e of each
// weight moves it by at most 2 e max|v|. Scores: `score_error` absolute, the same relative in p.
inline ReferenceOutput reference(const HeadCase& head) {
  const auto& s = head.shape;
  ReferenceOutput result;
  std::vector<double> scores(static_cast<std::size_t>(s.tokens));
  const auto dims = static_cast<std::size_t>(s.head_dim());
  for (std::size_t query = 0; query < static_cast<std::size_t>(s.queries); ++query) {
    double largest = -1e300, magnitude = 0, total = 0;
    for (std::size_t t = 0; t < scores.size(); ++t) {
      double dot = 0, absolute = 0;
      for (std::size_t dim = 0; dim < dims; ++dim) {
        const auto bits = head.queries[query * dims + dim];
        const double term = value_of(KvElement::kFp16, bytes_of_halves({bits}), 0) *
                            value_of(s.element, head.keys, t * dims + dim);
        dot += term;
        absolute += std::fabs(term);
      }
      scores[t] = dot * static_cast<double>(s.scale);
      largest = std::max(largest, scores[t]);
      magnitude = std::max(magnitude, absolute * static_cast<double>(s.scale));
    }
    const double additions = static_cast<double>(dims) + 8;
    const double score_error = additions * magnitude * std::ldexp(1, -23);
    for (const double score : scores) total += std::exp(score - largest);
    for (std::size_t dim = 0; dim < dims; ++dim) {
      double sum = 0, largest_value = 0;
      for (std::size_t t = 0; t < scores.size(); ++t) {
        const double value = value_of(s.element, head.values, t * dims + dim) * s.value_scale;
        sum += std::exp(scores[t] - largest) * value;
        largest_value = std::max(largest_value, std::fabs(value));
      }
      const double lost = static_cast<double>(s.tokens) * std::ldexp(1, -25) / total;
      const double summing = static_cast<double>(s.tokens + 20) * std::ldexp(1, -23);
      const double relative = std::ldexp(1, -11) + 2 * score_error + lost + summing;
      result.out.push_back(sum / total);
      result.bound.push_back(2 * relative * largest_value);
    }
  }
  return result;
}

}  // namespace lockstep
