#include "tests/hw/stress.h"

namespace lockstep {
namespace {

TEST(StressSlow, AMillionRequestsOfBothSidesEndOnce) {
  stress_every_arbitration(1'000'000);
}

}  // namespace
}  // namespace lockstep
