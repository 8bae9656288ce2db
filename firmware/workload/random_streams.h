// The independent random streams of a workload: what each draw is for.
#pragma once

#include "firmware/workload/random.h"

namespace lockstep {

enum class RandomStream : std::uint64_t {
  kArrivals = 1,
  kPromptTokens,
  kOutputTokens,
  kPrefixTokens,
  kPrefixChoice,
};

inline Random random_of(std::uint64_t seed, RandomStream stream) {
  return Random(seed, static_cast<std::uint64_t>(stream));
}

}  // namespace lockstep
