// Damaged traces are read or refused; nothing else may happen. Run it under the sanitizers as well.
#include <random>

#include <gtest/gtest.h>

#include "tests/firmware/workload/trace_text.h"

namespace lockstep {
namespace {

std::vector<ReadOptions> every_way_to_read(const TraceFormat& format) {
  ReadOptions clip = with_format(std::string(format.name));
  clip.token_policy = TokenPolicy::kClip;
  clip.prompt = {2, 1000};
  return {ReadOptions{}, with_format(std::string(format.name)), clip};
}

// Any exception but InputError leaves the test, and fails it.
void expect_read_or_refused(const TraceFormat& format, const std::string& text) {
  for (const auto& options : every_way_to_read(format)) {
    const auto message = refusal_of(text, options);
    EXPECT_TRUE(message.empty() || message.back() == '\n') << message;
  }
}

TEST(DamagedTrace, IsReadOrRefusedWhereverItIsCutOff) {
  for (const auto& format : trace_formats()) {
    const auto text = sample_text(format);
    ASSERT_FALSE(text.empty()) << format.name;
    for (std::size_t size = 0; size <= text.size(); ++size) {
      SCOPED_TRACE(testing::Message() << format.name << " cut at " << size);
      expect_read_or_refused(format, text.substr(0, size));
    }
  }
}

TEST(DamagedTrace, IsReadOrRefusedWhateverBytesAreFlipped) {
  constexpr unsigned kSeed = 20231116;
  constexpr int kRounds = 400;
  std::mt19937 random(kSeed);
  for (const auto& format : trace_formats()) {
    const auto original = sample_text(format);
    for (int round = 0; round < kRounds; ++round) {
      SCOPED_TRACE(testing::Message() << format.name << ", seed " << kSeed << ", round " << round);
      std::string text = original;
      for (unsigned flips = random() % 4 + 1; flips > 0; --flips) {
        text[random() % text.size()] = static_cast<char>(random() % 256);
      }
      expect_read_or_refused(format, text);
    }
  }
}

TEST(DamagedTrace, SurvivesDeepNesting) {
  const std::string deep(500'000, '[');
  EXPECT_NE(refusal_of("{\"time\": " + deep), "");
  EXPECT_NE(refusal_of("{\"time\": " + deep + std::string(deep.size(), ']') + "}"), "");
}

}  // namespace
}  // namespace lockstep
