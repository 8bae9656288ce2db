// Random operations on every policy, few enough for every run.
#include "tests/firmware/kv/random_operations.h"

namespace lockstep {
namespace {

TEST(KvPolicies, KeepTheBooksOverRandomOperations) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) run_random_operations(5000, seed);
}

}  // namespace
}  // namespace lockstep
