// The public traces themselves, where they are at hand: every line is read, none is lost.
#include <gtest/gtest.h>

#include "firmware/workload/to_steps.h"
#include "tests/firmware/workload/trace_text.h"

namespace lockstep {
namespace {

RequestTrace read_public(const std::string& name, const ReadOptions& options = {}) {
  return read_requests(LOCKSTEP_TRACES_DIR "/" + name, options);
}

// Counts and extremes as published, and as awk finds them in the files.
TEST(PublicTraces, OfAzureAreReadWhole) {
  const auto conv = read_public("AzureLLMInferenceTrace_conv.csv");
  EXPECT_EQ(conv.requests.size(), 19'366U);
  EXPECT_EQ(conv.report.total_lines, 19'367);
  EXPECT_EQ(conv.report.rejected_requests(), 0);
  EXPECT_EQ(conv.report.out_of_order, 0);
  const auto code = read_public("AzureLLMInferenceTrace_code.csv");
  EXPECT_EQ(code.requests.size(), 8'819U);
  EXPECT_EQ(code.requests.back().request.output_tokens, 173);  // the line without an end
}

TEST(PublicTraces, OfMooncakeAreReadWhole) {
  const auto trace = read_public("mooncake_conversation_head2000.jsonl");
  EXPECT_EQ(trace.requests.size(), 2'000U);
  EXPECT_EQ(trace.report.format, "mooncake");
  EXPECT_EQ(trace.report.equal_arrivals, 1'776);
  for (const auto& timed : trace.requests) {
    EXPECT_EQ(timed.request.hash_block_tokens, 512);
    EXPECT_EQ(static_cast<int>(timed.request.hash_ids.size()),
              (timed.request.prompt_tokens + 511) / 512);
  }
}

// The first 2,000 requests bring 529,807 output tokens; 64 at a time, that is 8,278.2 steps.
TEST(PublicTraces, ScaleToSixtyFourRunning) {
  ReadOptions options;
  options.max_requests = 2'000;
  const auto trace = read_public("AzureLLMInferenceTrace_conv.csv", options);
  const auto schedule = to_steps(trace, MeanConcurrency{64});
  EXPECT_EQ(schedule.requests.size(), 2'000U);
  EXPECT_EQ(schedule.requests.back().arrival_step, 8'278);
  EXPECT_EQ(schedule.reordered, 0);
  // 18:15:46.6805900 to 18:22:50.9400470 is 424,259,457,000 ns.
  EXPECT_DOUBLE_EQ(schedule.nanoseconds_per_step, 64.0 * 424'259'457'000 / 529'807);
}

}  // namespace
}  // namespace lockstep
