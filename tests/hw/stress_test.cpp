#include "tests/hw/stress.h"

namespace lockstep {
namespace {

TEST(Stress, TenThousandRequestsOfBothSidesEndOnce) {
  stress_every_arbitration(10'000);
}

}  // namespace
}  // namespace lockstep
