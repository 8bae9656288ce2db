// Text to numbers, at the edges.
#include "firmware/workload/fields.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

TEST(TraceFields, TakeOnlyWholeIntegers) {
  EXPECT_EQ(integer_of("2147483648"), 2147483648);
  EXPECT_EQ(integer_of("-1"), -1);
  for (const char* text : {"", " 5", "5 ", "+5", "1e3", "0x10", "5.0", "9223372036854775808"}) {
    EXPECT_EQ(integer_of(text), std::nullopt) << text;
  }
}

TEST(TraceFields, ConvertDecimalTimesExactly) {
  EXPECT_EQ(nanoseconds_of("0.9799600", TimeUnit::kSeconds), 979'960'000);
  EXPECT_EQ(nanoseconds_of("61.114", TimeUnit::kSeconds), 61'114'000'000);
  EXPECT_EQ(nanoseconds_of("5.1e-05", TimeUnit::kSeconds), 51'000);
  EXPECT_EQ(nanoseconds_of("1E+2", TimeUnit::kMilliseconds), 100'000'000);
  EXPECT_EQ(nanoseconds_of("7", TimeUnit::kNanoseconds), 7);
  EXPECT_EQ(nanoseconds_of("0.49", TimeUnit::kNanoseconds), 0);
  EXPECT_EQ(nanoseconds_of("0.5", TimeUnit::kNanoseconds), 1);
  EXPECT_EQ(nanoseconds_of("1e-999999999", TimeUnit::kSeconds), 0);
  EXPECT_EQ(nanoseconds_of("0e999999999", TimeUnit::kSeconds), 0);
  EXPECT_EQ(nanoseconds_of("0.00000000000000000000000000000000000000000001", TimeUnit::kSeconds),
            0);
  EXPECT_EQ(nanoseconds_of("1.00000000000000000000000000000000000000000001", TimeUnit::kSeconds),
            1'000'000'000);
  EXPECT_EQ(nanoseconds_of("4611686018427387904", TimeUnit::kNanoseconds), std::int64_t{1} << 62);
}

TEST(TraceFields, RefuseWhatIsNoTime) {
  for (const char* text : {"", ".", "-1", "+1", "1.2.3", "1e", "1e+", "1e+-2", "1s", "nan", "inf",
                           "4611686019", "1e999999999"}) {
    EXPECT_EQ(nanoseconds_of(text, TimeUnit::kSeconds), std::nullopt) << text;
  }
}

// Expected values from `date -u -d <text> +%s`.
TEST(TraceFields, ConvertDatesToNanosecondsOf1970) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  EXPECT_EQ(nanoseconds_of_date("1970-01-01 00:00:00"), 0);
  EXPECT_EQ(nanoseconds_of_date("2023-11-16 18:17:03.9799600"), 1700158623 * kSecond + 979'960'000);
  EXPECT_EQ(nanoseconds_of_date("2024-02-29T23:59:59.000000001Z"), 1709251199 * kSecond + 1);
  EXPECT_EQ(nanoseconds_of_date("2024-05-10 00:00:00.009930+00:00"),
            1715299200 * kSecond + 9'930'000);
  EXPECT_EQ(nanoseconds_of_date("2024-05-10 02:00:00+02:00"), 1715299200 * kSecond);
  EXPECT_EQ(nanoseconds_of_date("2024-05-09 18:30:00-05:30"), 1715299200 * kSecond);
  EXPECT_EQ(nanoseconds_of_date("2099-12-31 00:00:00"), 4102358400 * kSecond);
}

TEST(TraceFields, RefuseDatesThatDoNotExist) {
  for (const char* text : {"", "2023-11-16", "2023-02-29 00:00:00", "2023-13-01 00:00:00",
                           "2023-11-16 24:00:00", "2023-11-16 18:60:00", "2023-11-16 18:17:60",
                           "2023-11-16 18:17:03.", "2023-11-16 18:17:03.1234567890",
                           "2023-11-16 18:17:03 ", "23-11-16 18:17:03", "2023-11-16 18:17:03+2",
                           "1969-12-31 23:59:59", "2023-00-10 00:00:00", "2023-01-00 00:00:00"}) {
    EXPECT_EQ(nanoseconds_of_date(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace lockstep
