// What a stack answers over TLM, phase by phase. Times are those of one read of a closed bank at
// 5.2 Gb/s: activation in clock 1, read 19 later, data 19 + 2 after that: clock 41.
#include <gtest/gtest.h>

#include "tests/support/drive.h"
#include "tests/support/stacks.h"
#include "tests/tlm/probe.h"

namespace lockstep {
namespace {

constexpr std::int64_t kCapacity = 4LL * 16 * 64 * 1024;  // pseudo channels, banks, rows, bytes
constexpr unsigned kInterleave = 1024;                    // host-centric: a row
const auto kForever = sc_core::sc_time(100, sc_core::SC_US);

class Protocol : public testing::TestWithParam<Detail> {
 protected:
  Protocol() { sc_core::sc_start(sc_core::SC_ZERO_TIME); }

  sc_core::sc_time clock(std::int64_t n) { return stack.clock().instant({n}); }

  HbmStack stack{"stack", small_stack(), GetParam()};
  HbmStack other{"other", small_stack(), GetParam()};
  Probe probe{"probe", stack};
  Probe patient{"patient", other, Answer::kLater};
};

INSTANTIATE_TEST_SUITE_P(BothLevels, Protocol, testing::Values(Detail::kStream, Detail::kCommand),
                         [](const auto& tested) {
                           return std::string(kDetails[static_cast<std::size_t>(tested.param)]);
                         });

TEST_P(Protocol, AcceptsARequestAtOnceAndRespondsWithTheData) {
  auto& trans = probe.read(0);
  const auto sent = probe.send(trans);
  EXPECT_EQ(sent.answer, tlm::TLM_UPDATED);
  EXPECT_EQ(sent.phase, tlm::END_REQ);
  EXPECT_TRUE(probe.responses().empty());
  sc_core::sc_start(kForever);
  ASSERT_EQ(probe.responses().size(), 1U);
  EXPECT_EQ(probe.responses()[0].trans, &trans);
  EXPECT_EQ(probe.responses()[0].when, clock(41));
  EXPECT_EQ(probe.responses()[0].status, tlm::TLM_OK_RESPONSE);
  trans.release();
}

TEST_P(Protocol, HonoursTheDelayOfARequest) {
  auto& trans = probe.read(0);
  probe.send(trans, clock(100));
  sc_core::sc_start(kForever);
  ASSERT_EQ(probe.responses().size(), 1U);
  EXPECT_EQ(probe.responses()[0].when, clock(141));
  trans.release();
}

TEST_P(Protocol, RespondsOnceToAReadOfManyColumns) {
  auto& trans = probe.read(0, kInterleave);
  probe.send(trans);
  sc_core::sc_start(kForever);
  ASSERT_EQ(probe.responses().size(), 1U);
  EXPECT_EQ(probe.responses()[0].when, clock(41 + 31 * 4)) << "32 columns of one bank, nCCDL apart";
  trans.release();
}

TEST_P(Protocol, RespondsToAKernelWhenItIsComplete) {
  auto& trans = probe.kernel(1, {mac_run(5, 10)});
  const auto sent = probe.send_kernel(trans);
  EXPECT_EQ(sent.phase, tlm::END_REQ);
  sc_core::sc_start(kForever);
  ASSERT_EQ(probe.responses().size(), 1U);
  EXPECT_EQ(probe.responses()[0].when, clock(20 + 9 * 6));
  EXPECT_EQ(stack.total_stats().kernels_completed, 1);
  trans.release();
}

TEST_P(Protocol, RespondsToAnEmptyKernelWithoutTimePassing) {
  auto& trans = probe.kernel(1, {});
  probe.send_kernel(trans);
  sc_core::sc_start(kForever);
  ASSERT_EQ(probe.responses().size(), 1U);
  EXPECT_EQ(probe.responses()[0].when, clock(0));
  trans.release();
}

TEST_P(Protocol, RefusesWhatItCannotDoWithTheResponseThatNamesIt) {
  unsigned char enable = 0;
  struct Refusal {
    const char* what;
    std::uint64_t address;
    unsigned bytes;
    void (*change)(tlm::tlm_generic_payload&, unsigned char*);
    tlm::tlm_response_status status;
  };
  const auto as_it_is = [](tlm::tlm_generic_payload&, unsigned char*) {};
  const Refusal refusals[] = {
      {"beyond the capacity", kCapacity, 32, as_it_is, tlm::TLM_ADDRESS_ERROR_RESPONSE},
      {"across the capacity", kCapacity - 16, 32, as_it_is, tlm::TLM_ADDRESS_ERROR_RESPONSE},
      {"a length that wraps", UINT64_MAX, 32, as_it_is, tlm::TLM_ADDRESS_ERROR_RESPONSE},
      {"nothing", 0, 0, as_it_is, tlm::TLM_ADDRESS_ERROR_RESPONSE},
      {"across channels", kInterleave - 16, 32, as_it_is, tlm::TLM_BURST_ERROR_RESPONSE},
      {"streaming", 0, 64, [](auto& trans, auto*) { trans.set_streaming_width(32); },
       tlm::TLM_BURST_ERROR_RESPONSE},
      {"no command", 0, 32, [](auto& trans, auto*) { trans.set_command(tlm::TLM_IGNORE_COMMAND); },
       tlm::TLM_COMMAND_ERROR_RESPONSE},
      {"byte enables", 0, 32, [](auto& trans, auto* byte) { trans.set_byte_enable_ptr(byte); },
       tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE},
  };
  for (const auto& refusal : refusals) {
    SCOPED_TRACE(refusal.what);
    auto& trans = probe.read(refusal.address, refusal.bytes);
    refusal.change(trans, &enable);
    EXPECT_EQ(probe.send(trans).answer, tlm::TLM_COMPLETED);
    EXPECT_EQ(trans.get_response_status(), refusal.status);
    EXPECT_EQ(trans.get_ref_count(), 1) << "the stack kept what it refused";
    trans.release();
  }
  sc_core::sc_start(kForever);
  EXPECT_TRUE(probe.responses().empty());
  EXPECT_EQ(stack.total_stats().host_requests, 0);
}

TEST_P(Protocol, ServesTheLastByteOfTheStack) {
  auto& trans = probe.read(kCapacity - 1, 1);
  probe.send(trans);
  sc_core::sc_start(kForever);
  EXPECT_EQ(probe.responses().size(), 1U);
  trans.release();
}

TEST_P(Protocol, RefusesAKernelForADomainThatIsNotThere) {
  for (const int domain : {-1, 4}) {
    auto& trans = probe.kernel(domain, {mac_run(1, 1)});
    EXPECT_EQ(probe.send_kernel(trans).answer, tlm::TLM_COMPLETED);
    EXPECT_EQ(trans.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    trans.release();
  }
}

TEST_P(Protocol, CallsAPimPayloadWithoutItsExtensionABug) {
  auto& trans = probe.read(0);
  trans.clear_extension<PimExtension>();
  EXPECT_THROW(probe.send_kernel(trans), InternalError);
  trans.release();
}

TEST_P(Protocol, KeepsAPayloadFromRequestToResponseAndNoLonger) {
  auto& trans = probe.read(0);
  probe.send(trans);
  EXPECT_EQ(trans.get_ref_count(), 2);
  sc_core::sc_start(kForever);
  EXPECT_EQ(trans.get_ref_count(), 1);
  trans.release();
  EXPECT_EQ(&probe.read(32), &trans) << "the pool gives it out again";
}

// Reads of two pseudo channels end in the same clock; reads of one bank 4 clocks apart.
TEST_P(Protocol, HoldsTheNextResponseOfAChannelUntilTheLastWasTaken) {
  auto& first = patient.read(0);
  auto& second = patient.read(32);
  patient.send(first);
  patient.send(second);
  sc_core::sc_start(kForever);
  ASSERT_EQ(patient.responses().size(), 1U) << "BEGIN_RESP came before END_RESP of the last";
  EXPECT_EQ(patient.responses()[0].when, clock(41));
  EXPECT_EQ(patient.end_response(first).answer, tlm::TLM_COMPLETED);
  ASSERT_EQ(patient.responses().size(), 2U);
  EXPECT_EQ(patient.responses()[1].trans, &second);
  EXPECT_EQ(patient.responses()[1].when, kForever);
  patient.end_response(second);
  sc_core::sc_start(kForever);
  EXPECT_EQ(patient.responses().size(), 2U);
  EXPECT_EQ(first.get_ref_count(), 1);
  EXPECT_EQ(second.get_ref_count(), 1);
}

TEST_P(Protocol, GoesOnTakingRequestsWhileAResponseIsNotTaken) {
  for (unsigned i = 0; i < 10; ++i)
    EXPECT_EQ(patient.send(patient.read(32 * i)).phase, tlm::END_REQ);
  sc_core::sc_start(kForever);
  EXPECT_EQ(patient.responses().size(), 1U);
  for (std::size_t i = 0; i < 10; ++i) {
    ASSERT_EQ(patient.responses().size(), i + 1);
    patient.end_response(*patient.responses()[i].trans);
  }
}

TEST_P(Protocol, LeavesAnotherStackOfTheProcessAlone) {
  auto& trans = probe.read(0);
  probe.send(trans);
  probe.send_kernel(probe.kernel(0, {mac_run(1, 4)}));
  sc_core::sc_start(kForever);
  EXPECT_EQ(probe.responses().size(), 2U);
  EXPECT_TRUE(patient.responses().empty());
  const ChannelStats idle;
  EXPECT_TRUE(other.total_stats() == idle);
}

}  // namespace
}  // namespace lockstep
