// The pieces of a stack that computes, and what they refuse.
#include <gtest/gtest.h>

#include "hw/die/softmax.h"
#include "hw/pim/kv_decode.h"
#include "hw/pim/mac_model.h"
#include "hw/stack/direct_stack.h"
#include "tests/hw/functional/random_head.h"

namespace lockstep {
namespace {

template <typename Error, typename Action>
std::string text_of(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(BankStorage, TakesMemoryForWrittenRowsOnly) {
  BankStorage storage({1, 1, 4, 4, Level::kPseudoChannel}, 32, 32);
  const std::uint8_t data[] = {1, 2, 3};
  storage.write({{0, 0, 3, 1}, 9, 31, 29, 3}, data);
  storage.write({{0, 0, 3, 1}, 9, 0, 0, 1}, data);
  std::uint8_t read[4] = {9, 9, 9, 9};
  storage.read({{0, 0, 3, 1}, 9, 31, 28, 4}, read);
  EXPECT_EQ(std::vector<int>(read, read + 4), (std::vector<int>{0, 1, 2, 3}));
  storage.read({{0, 0, 1, 3}, 9, 31, 28, 4}, read);
  EXPECT_EQ(std::vector<int>(read, read + 4), (std::vector<int>(4)));
  EXPECT_EQ(storage.rows_held(), 1);
  EXPECT_EQ(text_of<InternalError>([&] {
              storage.write({{}, 0, 0, 30, 3}, data);
            }),
            "bytes of a bank were asked for across the end of a column or row");
}

// Where fp16 holds the number; what it does beyond, by the definition of fp16.
TEST(KvDecode, Bf16BecomesTheNearestFp16Number) {
  const auto decoded = [](std::uint32_t code) {
    Elements column(32);
    column[0] = static_cast<std::uint8_t>(code & 0xFF);
    column[1] = static_cast<std::uint8_t>(code >> 8);
    return fp16_to_float(decode_beat(KvElement::kBf16, column.data(), 0)[0]);
  };
  for (std::uint32_t code = 0; code < 0x10000; ++code) {
    const double number =
        value_of(KvElement::kBf16,
                 {static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(code >> 8)}, 0);
    const int exponent = static_cast<int>(code >> 7 & 0xFF) - 127;
    const bool zero = (code & 0x7FFF) == 0;
    if (exponent == 128) {
      EXPECT_EQ(std::isnan(decoded(code)), (code & 0x7F) != 0) << code;
      EXPECT_EQ(std::isinf(decoded(code)), (code & 0x7F) == 0) << code;
    } else if (exponent > 15) {
      EXPECT_TRUE(std::isinf(decoded(code))) << code;
    } else if (exponent >= -17 || zero) {
      EXPECT_EQ(static_cast<double>(decoded(code)), number) << code;
    } else {
      EXPECT_LE(std::abs(static_cast<double>(decoded(code)) - number), 0x1p-25) << code;
    }
  }
}

TEST(KvDecode, EveryCodeOfEveryElementIsItsNumber) {
  for (const auto& row : kKvElements) {
    if (row.element == KvElement::kBf16) continue;
    for (int code = 0; code < 256; ++code) {
      Elements column(32);
      // Of fp16: the upper byte, which holds sign, exponent and two bits of fraction.
      const int place = row.element == KvElement::kFp16 ? 2 * 5 + 1 : 16 + 5;
      column[static_cast<std::size_t>(place)] = static_cast<std::uint8_t>(code);
      const auto lanes = decode_beat(row.element, column.data(), row.beats - 1);
      const float decoded = fp16_to_float(lanes[5]);
      const bool five_bits = row.bytes == 2 || row.element == KvElement::kFp8E5m2;
      const bool special = (five_bits && (code & 0x7C) == 0x7C) ||
                           (row.element == KvElement::kFp8E4m3 && (code & 0x7F) == 0x7F);
      if (special) {
        const bool infinite = five_bits && (code & 0x03) == 0;
        EXPECT_EQ(std::isinf(decoded), infinite) << row.name << " " << code;
        EXPECT_EQ(std::isnan(decoded), !infinite) << row.name << " " << code;
        continue;
      }
      EXPECT_EQ(static_cast<double>(decoded),
                value_of(row.element, column, row.bytes == 2 ? 5 : 21))
          << row.name << " " << code;
      EXPECT_EQ(lanes[4], 0) << row.name << " " << code;
    }
  }
}

TEST(Softmax, RoundsEachProbabilityOnceAndSumsThemInOrder) {
  const std::vector<float> scores = {0, -1, 3, -20};
  const auto result = softmax(scores);
  EXPECT_EQ(result.m, 3);
  ASSERT_EQ(result.probabilities.size(), 4U);
  EXPECT_EQ(result.probabilities[0], 0x2A5F);  // exp(-3) = 0.0497871: 1631.4 x 2^-15
  EXPECT_EQ(result.probabilities[1], 0x24B0);  // exp(-4) = 0.0183156: 1200.3 x 2^-16
  EXPECT_EQ(result.probabilities[2], 0x3C00);
  EXPECT_EQ(result.probabilities[3], 0);  // exp(-23) is below 2^-25
  EXPECT_EQ(result.l, 1.0F + 1631.0F / 32768 + 1200.0F / 65536);
}

TEST(Softmax, OfNothingButMinusInfinityIsNan) {
  const float infinity = std::numeric_limits<float>::infinity();
  const auto result = softmax(std::vector<float>{-infinity, -infinity});
  EXPECT_EQ(bits_of_float(result.l), kCanonicalNan);
}

struct Refusal {
  StackConfig config = small_config();
  HeadDice dice{1};
  HeadShape shape;

  PimKernel kernel() { return HeadOnStack(config, dice.head(shape), domains()).kernel(); }
  std::vector<int> domains() const {
    std::vector<int> all;
    for (int i = 0; i < shape.head_channels; ++i) all.push_back(i);
    return all;
  }
  template <typename Error>
  std::string of(const PimKernel& runs, PassData data) {
    DirectStack stack(config);
    const std::vector<DomainKernel> kernels = {
        {0, std::make_shared<const PimKernel>(runs),
         std::make_shared<const KernelData>(KernelData{std::move(data)})}};
    return text_of<Error>([&] {
      stack.execute(kernels, {nullptr, 0});
      stack.check_identities();
    });
  }
  PassData pass() { return HeadOnStack(config, dice.head(shape), domains()).pass(0); }
};

TEST(FunctionalStack, RefusesAPassThatIsTooWideForTheBankUnits) {
  Refusal refusal;
  refusal.shape.queries = 8;
  refusal.shape.parts = 2;
  refusal.config = small_config({"pim.unit_queries=4"});
  const auto runs = refusal.kernel();
  auto data = refusal.pass();
  EXPECT_EQ(refusal.of<InternalError>(runs, data),
            "an operand was written that its pass or the global buffer does not have");
  EXPECT_EQ(refusal.of<Unsupported>(PimKernel(runs.begin() + 1, runs.end()), data),
            "a pass of 8 queries needs 16 lane sets; a bank unit serves 4 queries and has 8 lane "
            "sets");
}

TEST(FunctionalStack, CatchesKernelsThatLeaveStepsOut) {
  Refusal refusal;
  refusal.shape.tokens = 20;
  const auto runs = refusal.kernel();  // WRGB, DOT, MVSB, SFM, MVGB, AXPY, MVSB
  ASSERT_EQ(runs.size(), 7U);
  const auto without = [&](std::size_t index) {
    PimKernel rest = runs;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(index));
    return refusal.of<InternalError>(rest, refusal.pass());
  };
  EXPECT_EQ(refusal.of<InternalError>(runs, refusal.pass()), "nothing was thrown");
  EXPECT_EQ(without(0), "keys met the queries of another pass");
  EXPECT_EQ(without(1), "a pass began with something else than a DOT");
  EXPECT_EQ(without(2), "probabilities were moved before the softmax of their pass");
  EXPECT_EQ(without(3), "probabilities were moved before the softmax of their pass");
  EXPECT_EQ(without(4), "values met the probabilities of other tokens");
  EXPECT_EQ(without(5), "a run ended with passes that had begun");
  EXPECT_EQ(without(6), "a run ended with passes that had begun");
}

TEST(FunctionalStack, CatchesCommandsThatOvertakeWhatTheyNeed) {
  Refusal refusal;
  refusal.shape.tokens = 300;  // WRGB, then DOT and MVSB of two chunks, SFM, MVGB and AXPY of each
  const auto runs = refusal.kernel();
  const auto swapped = [&](std::size_t a, std::size_t b) {
    PimKernel wrong = runs;
    std::swap(wrong[a], wrong[b]);
    return refusal.of<InternalError>(wrong, refusal.pass());
  };
  EXPECT_EQ(swapped(2, 3), "scores were moved that the bank units no longer hold");
  EXPECT_EQ(swapped(7, 8), "values met the probabilities of other tokens");
  PimKernel early = runs;
  early[1].columns /= 2;
  EXPECT_EQ(refusal.of<InternalError>(early, refusal.pass()),
            "scores were moved before all columns of their keys were read");
}

TEST(FunctionalStack, CatchesAColumnThatIsReadTwice) {
  Refusal refusal;
  auto runs = refusal.kernel();
  runs.insert(runs.begin() + 1, runs[1]);
  EXPECT_EQ(refusal.of<InternalError>(runs, refusal.pass()),
            "the banks read other columns than those of the attended tokens, once a group");
}

TEST(FunctionalStack, CatchesAChannelThatWaitsForeverForTheOthersOfItsHead) {
  Refusal refusal;
  refusal.shape.head_channels = 2;
  EXPECT_EQ(refusal.of<InternalError>(refusal.kernel(), refusal.pass()),
            "a channel still waits for the softmax of a pass");
}

TEST(FunctionalStack, CatchesATokenWithoutOrWithTwoPlaces) {
  Refusal refusal;
  refusal.shape.tokens = 3;
  const auto runs = refusal.kernel();
  auto data = refusal.pass();
  data.chunks[0].token_of[2] = 0;
  EXPECT_EQ(refusal.of<InternalError>(runs, data),
            "a pass gives the key and the value of a token one slot of one bank each");
  data.chunks[0].token_of[2] = kNoToken;
  EXPECT_EQ(refusal.of<InternalError>(runs, data),
            "a pass places the key of every token that it has to score");
}

TEST(FunctionalStack, SparseStorageNeedsColumnsOf32Bytes) {
  EXPECT_NE(text_of<InputError>([] { small_config({"geometry.column_size=64 B"}); })
                .find("`storage`: needs `geometry.column_size: 32 B` to be `sparse`: a bank unit "
                      "has 16 lanes"),
            std::string::npos)
      << text_of<InputError>([] { small_config({"geometry.column_size=64 B"}); });
}

TEST(FunctionalStack, MakesAUnitForEachBankThatComputesAndNoOther) {
  std::vector<std::pair<int, int>> made;
  const MacUnitFactory factory = [&](int domain, int bank, const MacParameters& parameters) {
    made.emplace_back(domain, bank);
    EXPECT_EQ(parameters.lane_sets(), 16);
    return std::make_unique<MacModel>(parameters);
  };
  Refusal refusal;
  refusal.shape.tokens = 2;
  DirectStack stack(refusal.config, factory);
  const std::vector<DomainKernel> kernels = {
      {3, std::make_shared<const PimKernel>(refusal.kernel()),
       std::make_shared<const KernelData>(KernelData{refusal.pass()})}};
  EXPECT_TRUE(made.empty());
  stack.execute(kernels, {nullptr, 0});
  EXPECT_EQ(made, (std::vector<std::pair<int, int>>{{3, 0}, {3, 1}}));
}

}  // namespace
}  // namespace lockstep
