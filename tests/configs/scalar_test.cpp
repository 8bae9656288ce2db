// Every scalar type against texts that are, and are not, of it. Values by hand.
#include "configs/scalar.h"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "tests/configs/mistakes.h"

namespace lockstep {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

std::optional<std::int64_t> count_of(const QuantityKind& kind, std::string_view text) {
  return parse_quantity(text, kind);
}

struct GoodQuantity {
  const QuantityKind& kind;
  std::string_view text;
  std::int64_t count;
};

class GoodQuantities : public testing::TestWithParam<GoodQuantity> {};

TEST_P(GoodQuantities, AreExact) {
  EXPECT_EQ(count_of(GetParam().kind, GetParam().text), GetParam().count) << GetParam().text;
}

const QuantityKind& kTime = quantity_kind(Picoseconds{});
const QuantityKind& kSize = quantity_kind(Bytes{});
const QuantityKind& kFrequency = quantity_kind(Hertz{});
const QuantityKind& kCycles = quantity_kind(Cycles{});
const QuantityKind& kEnergy = quantity_kind(Femtojoules{});
const QuantityKind& kPower = quantity_kind(Microwatts{});
const QuantityKind& kBandwidth = quantity_kind(BytesPerSecond{});

INSTANTIATE_TEST_SUITE_P(
    Scalar, GoodQuantities,
    testing::Values(
        GoodQuantity{kTime, "14 ns", 14'000}, GoodQuantity{kTime, "0.625 ns", 625},
        GoodQuantity{kTime, "3.9 us", 3'900'000}, GoodQuantity{kTime, "350 ns", 350'000},
        GoodQuantity{kTime, "1 ps", 1}, GoodQuantity{kTime, "1.0 ps", 1},
        GoodQuantity{kTime, "0 ns", 0}, GoodQuantity{kTime, "32 ms", 32'000'000'000},
        GoodQuantity{kTime, "0.000000000001 s", 1},
        GoodQuantity{kTime, "9223372036854775807 ps", kMost},
        GoodQuantity{kTime, "9223372.036854775807 s", kMost}, GoodQuantity{kSize, "32 B", 32},
        GoodQuantity{kSize, "1 KiB", 1'024}, GoodQuantity{kSize, "0.5 KiB", 512},
        GoodQuantity{kSize, "1.5 MiB", 1'572'864}, GoodQuantity{kSize, "16 GiB", 17'179'869'184},
        GoodQuantity{kFrequency, "1.3 GHz", 1'300'000'000},
        GoodQuantity{kFrequency, "333.333333 MHz", 333'333'333},
        GoodQuantity{kFrequency, "32.768 kHz", 32'768}, GoodQuantity{kFrequency, "5 Hz", 5},
        GoodQuantity{kCycles, "19 CK", 19}, GoodQuantity{kEnergy, "1.1 pJ", 1'100},
        GoodQuantity{kEnergy, "3 fJ", 3}, GoodQuantity{kEnergy, "2.5 nJ", 2'500'000},
        GoodQuantity{kEnergy, "1 uJ", 1'000'000'000}, GoodQuantity{kPower, "75 mW", 75'000},
        GoodQuantity{kPower, "1.25 W", 1'250'000}, GoodQuantity{kPower, "4 uW", 4},
        GoodQuantity{kBandwidth, "819.2 GB/s", 819'200'000'000},
        GoodQuantity{kBandwidth, "3.35 TB/s", 3'350'000'000'000},
        GoodQuantity{kBandwidth, "1 B/s", 1}));

struct Row {
  const QuantityKind& kind;
  std::string_view unit;
};

class BadNumbers : public testing::TestWithParam<Row> {};

TEST_P(BadNumbers, AreRefusedForEveryQuantity) {
  const std::string unit{GetParam().unit};
  ASSERT_EQ(count_of(GetParam().kind, "14 " + unit), 14);
  for (const std::string& text :
       std::vector<std::string>{"14",
                                "",
                                " ",
                                "14" + unit,
                                "14  " + unit,
                                " 14 " + unit,
                                "14 " + unit + " ",
                                "14 " + unit + "x",
                                "14 " + unit + " x",
                                "14 ?",
                                "14 ",
                                " " + unit,
                                unit,
                                "-14 " + unit,
                                "+14 " + unit,
                                "014 " + unit,
                                "00 " + unit,
                                "1e3 " + unit,
                                "0x10 " + unit,
                                "1,000 " + unit,
                                "1_000 " + unit,
                                ". " + unit,
                                ".5 " + unit,
                                "5. " + unit,
                                "1.2.3 " + unit,
                                "1.-5 " + unit,
                                "0.5 " + unit,
                                "nan " + unit,
                                "inf " + unit,
                                "9223372036854775808 " + unit,
                                "99999999999999999999999999999999999999999 " + unit,
                                "1.0000000000000000000000 " + unit,
                                std::string(100'000, '9') + " " + unit}) {
    EXPECT_EQ(count_of(GetParam().kind, text), std::nullopt) << "`" << text.substr(0, 60) << "`";
  }
}

INSTANTIATE_TEST_SUITE_P(Scalar, BadNumbers,
                         testing::Values(Row{kTime, "ps"}, Row{kSize, "B"}, Row{kFrequency, "Hz"},
                                         Row{kCycles, "CK"}, Row{kEnergy, "fJ"}, Row{kPower, "uW"},
                                         Row{kBandwidth, "B/s"}));

TEST(Scalar, QuantityRefusesAnotherUnitAnotherCaseAndWhatIsNotExact) {
  EXPECT_EQ(count_of(kTime, "14 nCK"), std::nullopt);
  EXPECT_EQ(count_of(kTime, "14 NS"), std::nullopt);
  EXPECT_EQ(count_of(kTime, "0.0001 ns"), std::nullopt);
  EXPECT_EQ(count_of(kSize, "1 KB"), std::nullopt) << "1000 or 1024?";
  EXPECT_EQ(count_of(kSize, "0.3 KiB"), std::nullopt);
  EXPECT_EQ(count_of(kSize, "8589934592 GiB"), std::nullopt) << "2^63";
  EXPECT_EQ(count_of(kFrequency, "0.3333333333 GHz"), std::nullopt);
  EXPECT_EQ(count_of(kCycles, "19"), std::nullopt);
  EXPECT_EQ(count_of(kBandwidth, "819 GiB/s"), std::nullopt);
}

TEST(Scalar, PrintedQuantitiesReadBackInTheLargestExactUnit) {
  EXPECT_EQ(Scalar<Picoseconds>::print({14'000}), "14 ns");
  EXPECT_EQ(Scalar<Picoseconds>::print({625}), "625 ps");
  EXPECT_EQ(Scalar<Picoseconds>::print({0}), "0 ps");
  EXPECT_EQ(Scalar<Bytes>::print({std::int64_t{3} << 30}), "3 GiB");
  EXPECT_EQ(Scalar<Bytes>::print({1'025}), "1025 B");
  EXPECT_EQ(Scalar<Hertz>::print({1'300'000'000}), "1300 MHz");
  EXPECT_EQ(Scalar<Cycles>::print({19}), "19 CK");
  EXPECT_EQ(Scalar<Picoseconds>::parse(Scalar<Picoseconds>::print({kMost}))->count, kMost);
}

TEST(Scalar, UnitsOfEachQuantityAreListedFromSmallToLargeFromOne) {
  for (const auto* kind : {&kTime, &kSize, &kFrequency, &kCycles, &kEnergy, &kPower, &kBandwidth}) {
    EXPECT_EQ(kind->units[0].scale, 1) << kind->noun;
    for (std::size_t i = 1; i < kind->units.size(); ++i) {
      EXPECT_LT(kind->units[i - 1].scale, kind->units[i].scale) << kind->noun;
    }
    EXPECT_EQ(std::string(kind->expected).rfind(kind->noun, 0), 0U) << kind->expected;
  }
}

TEST(Scalar, WholeNumbersReachTheEndsOfTheirType) {
  EXPECT_EQ(Scalar<int>::parse("0"), 0);
  EXPECT_EQ(Scalar<int>::parse("-1"), -1);
  EXPECT_EQ(Scalar<int>::parse("2147483647"), 2147483647);
  EXPECT_EQ(Scalar<int>::parse("-2147483648"), std::numeric_limits<int>::min());
  EXPECT_EQ(Scalar<std::int64_t>::parse("2147483648"), 2147483648);
  EXPECT_EQ(Scalar<std::int64_t>::parse("9223372036854775807"), kMost);
  EXPECT_EQ(Scalar<std::int64_t>::parse("-9223372036854775808"),
            std::numeric_limits<std::int64_t>::min());
}

TEST(Scalar, DecimalsAreTheNearestDouble) {
  EXPECT_EQ(Scalar<double>::parse("0.25"), 0.25);
  EXPECT_EQ(Scalar<double>::parse("3"), 3.0);
  EXPECT_EQ(Scalar<double>::parse("-1.5"), -1.5);
  EXPECT_EQ(Scalar<double>::parse("0.1"), 0.1);
  EXPECT_EQ(Scalar<double>::print(0.1), "0.1");
  EXPECT_EQ(Scalar<double>::print(std::numeric_limits<double>::denorm_min()).size(), 326U)
      << "0. and 323 zeros before the 5";
}

struct BadText {
  const char* text;
  const char* hint;  // what the message says after it
};

class BadWholeNumbers : public testing::TestWithParam<BadText> {};

TEST_P(BadWholeNumbers, AreReportedAtTheirColumn) {
  const auto [text, hint] = GetParam();
  EXPECT_EQ(
      mistakes_in(std::string("n: ") + text + "\n",
                  [](ConfigSection root) { EXPECT_EQ(root.required<int>("n"), 0); }),
      std::string("c.yaml:1:4: `n`: expected a whole number, got `") + text + "`" + hint + "\n");
}

INSTANTIATE_TEST_SUITE_P(
    Scalar, BadWholeNumbers,
    testing::Values(
        BadText{"010", ", which has a leading zero"}, BadText{"-07", ", which has a leading zero"},
        BadText{"00", ", which has a leading zero"}, BadText{"2147483648", ", which is too large"},
        BadText{"-2147483649", ", which is too small"},
        BadText{"99999999999999999999", ", which is too large"}, BadText{"-0", ""},
        BadText{"3.2e1", ""}, BadText{"3.9", ""}, BadText{"3.", ""}, BadText{"1e3", ""},
        BadText{"+5", ""}, BadText{"0x10", ""}, BadText{"0o10", ""}, BadText{"1_000", ""},
        BadText{"1,000", ""}, BadText{"12x", ""}, BadText{"12 x", ""}, BadText{"14 ns", ""},
        BadText{"--1", ""}, BadText{"true", ""}, BadText{".inf", ""}, BadText{"١", ""}));

class BadDecimals : public testing::TestWithParam<const char*> {};

TEST_P(BadDecimals, AreReportedAtTheirColumn) {
  const std::string text = GetParam();
  EXPECT_EQ(mistakes_in("x: " + text + "\n",
                        [](ConfigSection root) { EXPECT_EQ(root.required<double>("x"), 0.0); }),
            "c.yaml:1:4: `x`: expected a decimal number such as `0.25`, got `" + text + "`\n");
}

INSTANTIATE_TEST_SUITE_P(Scalar, BadDecimals,
                         testing::Values("1e3", "3.2e1", ".5", "5.", "01.5", "+1", "nan", ".nan",
                                         "inf", ".inf", "-.5", "1.2.3", "0x1p3", "1,5", "50%",
                                         "1.5 x", "--1.5"));

TEST(Scalar, ADecimalBeyondTheRangeOfADoubleIsRefused) {
  EXPECT_EQ(Scalar<double>::parse(std::string(400, '9')), std::nullopt);
}

TEST(Scalar, WordsAreOneLineAndNotEmpty) {
  const auto read = [](ConfigSection root) {
    EXPECT_EQ(root.required<std::string>("a"), "row column[4:1] byte");
    EXPECT_EQ(root.required<std::string>("b"), "010");
    EXPECT_EQ(root.required<std::string>("c"), "no: 'yes'");
    root.required<std::string>("d");
    root.required<std::string>("e");
    root.required<std::string>("f");
  };
  EXPECT_EQ(mistakes_in("a: row column[4:1] byte\nb: 010\nc: \"no: 'yes'\"\n"
                        "d: ''\ne: \"a\\nb\"\nf: [a]\n",
                        read),
            "c.yaml:4:4: `d`: expected a word, got ``\n"
            "c.yaml:5:4: `e`: expected a word, got `a\\nb`\n"
            "c.yaml:6:4: `f`: expected a word, got a list\n");
}

TEST(Scalar, QuantityMessagesNameTheUnit) {
  const auto read = [](ConfigSection root) {
    root.required<Cycles>("a");
    root.required<Bytes>("b");
    root.required<Hertz>("c");
    root.required<Femtojoules>("d");
    root.required<Microwatts>("e");
    root.required<BytesPerSecond>("f");
  };
  EXPECT_EQ(mistakes_in("a: 1\nb: 1\nc: 1\nd: 1\ne: 1\nf: 1\n", read),
            "c.yaml:1:4: `a`: expected a count of clocks such as `19 CK`, got `1`\n"
            "c.yaml:2:4: `b`: expected a size in whole bytes such as `16 GiB`, got `1`\n"
            "c.yaml:3:4: `c`: expected a frequency in whole Hz such as `1.3 GHz`, got `1`\n"
            "c.yaml:4:4: `d`: expected an energy in whole fJ such as `1.1 pJ`, got `1`\n"
            "c.yaml:5:4: `e`: expected a power in whole uW such as `75 mW`, got `1`\n"
            "c.yaml:6:4: `f`: expected a bandwidth in whole B/s such as `819.2 GB/s`, got `1`\n");
}

}  // namespace
}  // namespace lockstep
