// Token limits and their policies, and where reading stops.
#include <gtest/gtest.h>

#include "tests/firmware/workload/trace_text.h"

namespace lockstep {
namespace {

const std::string kText =
    "arrived_at,num_prefill_tokens,num_decode_tokens\n"
    "0,0,5\n1,1,1\n2,196710,5\n3,40,0\n4,40,9000\n5,40,40\n";

ReadOptions limits(TokenPolicy policy) {
  ReadOptions options;
  options.token_policy = policy;
  options.prompt = {1, 8192};
  options.output = {1, 2048};
  return options;
}

TEST(TokenLimits, DropCountsEachReason) {
  const auto trace = read_text(kText, limits(TokenPolicy::kDrop));
  EXPECT_EQ(summary(trace.report),
            "t: vidur, 7 lines, 2 requests accepted, 4 rejected, 1 prompt_too_short, 1 "
            "prompt_too_long, 1 output_too_short, 1 output_too_long");
  EXPECT_EQ(trace.requests[1].request.prompt_tokens, 40);
}

TEST(TokenLimits, ClipMovesLengthsToTheLimits) {
  const auto trace = read_text(kText, limits(TokenPolicy::kClip));
  ASSERT_EQ(trace.requests.size(), 6U);
  EXPECT_EQ(trace.report.clipped, 4);
  EXPECT_EQ(trace.requests[0].request.prompt_tokens, 1);
  EXPECT_EQ(trace.requests[2].request.prompt_tokens, 8192);
  EXPECT_EQ(trace.requests[3].request.output_tokens, 1);
  EXPECT_EQ(trace.requests[4].request.output_tokens, 2048);
}

TEST(TokenLimits, ErrorNamesEachRow) {
  EXPECT_EQ(refusal_of(kText, limits(TokenPolicy::kError)),
            "t:2:1: prompt below the minimum of 1 tokens, got 0; line: `0,0,5`\n"
            "t:4:1: prompt above the maximum of 8192 tokens, got 196710; line: `2,196710,5`\n"
            "t:5:1: output below the minimum of 1 tokens, got 0; line: `3,40,0`\n"
            "t:6:1: output above the maximum of 2048 tokens, got 9000; line: `4,40,9000`\n");
}

TEST(TokenLimits, ClippingAPromptKeepsOnlyIdsThatStillHold) {
  const std::string text =
      R"({"time": 0, "in": 40, "out": 1, "hash_ids": [7, 8, 9], "hash_block": 16})";
  ReadOptions options = limits(TokenPolicy::kClip);
  options.prompt = {1, 17};  // one whole block and one token of the second
  const auto shorter = read_text(text, options).requests[0].request;
  EXPECT_EQ(shorter.hash_ids, (std::vector<std::uint64_t>{7, 8}));
  EXPECT_EQ(shareable_hash_blocks(shorter), 1);
  options.prompt = {64, 64};  // id 9 named 8 tokens: it does not name the 16 that are there now
  const auto longer = read_text(text, options).requests[0].request;
  EXPECT_EQ(longer.hash_ids, (std::vector<std::uint64_t>{7, 8}));
  EXPECT_EQ(shareable_hash_blocks(longer), 2);
}

TEST(TokenLimits, ClippingAPromptClipsItsPrefix) {
  ReadOptions options = limits(TokenPolicy::kClip);
  options.prompt = {1, 100};
  const auto trace = read_text(
      "request_id,arrival_step,prompt_tokens,output_tokens,prefix_id,prefix_tokens\n"
      "0,0,300,5,2,200\n",
      options);
  EXPECT_EQ(trace.requests[0].request.prefix_tokens, 100);
}

TEST(TokenLimits, MustBeARange) {
  ReadOptions options;
  options.output = {5, 4};
  EXPECT_EQ(refusal_of(kText, options),
            "output tokens: expected 0 <= min <= max, got min 5 and max 4\n");
}

TEST(MaxRequests, StopsReadingAndSaysSo) {
  ReadOptions options = limits(TokenPolicy::kDrop);
  options.max_requests = 1;
  const auto trace = read_text(kText + "not a row\n", options);
  EXPECT_EQ(trace.requests.size(), 1U);
  EXPECT_EQ(summary(trace.report),
            "t: vidur, 3 lines, 1 requests accepted, 1 rejected, 1 prompt_too_short, stopped at "
            "max_requests");
  options.max_requests = 0;
  EXPECT_EQ(refusal_of(kText, options), "max_requests: expected 1 or more, got 0\n");
}

}  // namespace
}  // namespace lockstep
