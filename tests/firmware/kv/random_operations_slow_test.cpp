// Random operations on every policy, a million each.
#include "tests/firmware/kv/random_operations.h"

namespace lockstep {
namespace {

TEST(KvPolicies, KeepTheBooksOverAMillionRandomOperations) {
  run_random_operations(1'000'000, 4);
}

}  // namespace
}  // namespace lockstep
