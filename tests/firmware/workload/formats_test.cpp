// Every row of kTraceFormats reads its sample, and to the values that one computes by hand.
#include <map>

#include <gtest/gtest.h>

#include "tests/firmware/workload/trace_text.h"

namespace lockstep {
namespace {

// arrival, prompt, output, ids: as tests/data/traces has them, times in ns (steps for our CSV).
struct Expected {
  std::int64_t arrival;
  std::int32_t prompt;
  std::int32_t output;
  std::vector<std::uint64_t> ids;
};

// Days from 1970-01-01 to 2023-11-16 are 19,677; 18:15:46 is second 65,746 of the day.
constexpr std::int64_t kAzureSecond = 19'677LL * 86'400 + 65'746;

const std::map<std::string, std::vector<Expected>>& expected_requests() {
  static const std::map<std::string, std::vector<Expected>> kExpected = {
      {"lockstep-csv", {{2, 193, 152, {}}, {6, 1553, 100, {}}, {6, 1381, 1, {}}}},
      {"lockstep-jsonl",
       {{0, 40, 7, {11, 12, 13}}, {2500000, 1, 1, {}}, {2500001, 32, 9, {11, UINT64_MAX}}}},
      {"azure-llm-2023",
       {{kAzureSecond * 1'000'000'000 + 680'590'000, 374, 44, {}},
        {(kAzureSecond + 4) * 1'000'000'000 + 995'169'000, 396, 109, {}},
        {(kAzureSecond + 64) * 1'000'000'000 + 995'169'100, 7, 1, {}}}},
      {"mooncake",
       {{0, 1500, 50, {0, 1, 2}}, {0, 1024, 3, {0, 1}}, {3'052'000'000, 513, 2000, {0, 46}}}},
      {"vllm-timed-trace", {{0, 40, 5, {1, 2, 3}}, {12'000'000, 32, 6, {1, 2}}}},
      {"qwen-bailian", {{61'114'000'000, 33, 132, {5, 6, 7}}, {61'200'000'000, 48, 9, {5, 6, 8}}}},
      {"burstgpt", {{5'000'000'000, 472, 18, {}}, {118'000'000'000, 417, 276, {}}}},
      {"llmservingsim",
       {{46926808, 10, 70, {}},
        {50000000, 100, 20, {}},
        {50003000, 150, 4, {}},
        {50003500, 160, 5, {}}}},
      {"vidur", {{73'412'346, 129, 91, {}}, {51'000, 1, 1, {}}, {12'000'000'000, 4096, 17, {}}}},
      {"vidur-lengths", {{0, 2588, 135, {}}, {0, 100, 10, {}}}},
      {"onnxim", {{0, 100, 8, {}}, {2500, 4090, 1, {}}}},
  };
  return kExpected;
}

TEST(TraceFormats, EachIsRecognisedByItsSampleAlone) {
  for (const auto& format : trace_formats()) {
    EXPECT_EQ(read_text(sample_text(format)).report.format, format.name);
  }
}

TEST(TraceFormats, EachReadsItsSampleToTheValuesInTheFile) {
  for (const auto& format : trace_formats()) {
    SCOPED_TRACE(format.name);
    const auto trace = read_requests(sample_path(format), with_format(std::string(format.name)));
    const auto& expected = expected_requests().at(std::string(format.name));
    EXPECT_EQ(trace.clock, format.clock);
    ASSERT_EQ(trace.requests.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const auto& [arrival, request] = trace.requests[i];
      EXPECT_EQ(arrival, expected[i].arrival) << "request " << i;
      EXPECT_EQ(request.prompt_tokens, expected[i].prompt) << "request " << i;
      EXPECT_EQ(request.output_tokens, expected[i].output) << "request " << i;
      EXPECT_EQ(request.hash_ids, expected[i].ids) << "request " << i;
    }
  }
}

TEST(TraceFormats, KeepTheIdsAndPrefixesOfOurOwnCsv) {
  const auto trace = read_text(sample_text(trace_formats()[0]));
  EXPECT_EQ(trace.requests[2].request.id, 7);
  EXPECT_EQ(trace.requests[1].request.prefix_id, 0);
  EXPECT_EQ(trace.requests[1].request.prefix_tokens, 1351);
  EXPECT_EQ(trace.requests[0].request.prefix_id, -1);
  EXPECT_EQ(trace.report.equal_arrivals, 1);
}

TEST(TraceFormats, NumberRequestsInOrderWhereTheFileHasNoIds) {
  const auto trace = read_text("arrived_at,num_prefill_tokens,num_decode_tokens\n0,5,5\n1,5,5\n");
  EXPECT_EQ(trace.requests[0].request.id, 0);
  EXPECT_EQ(trace.requests[1].request.id, 1);
}

TEST(TraceFormats, CountFailedRequestsOfBurstGptAsRejected) {
  const auto trace = read_text(
      "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n"
      "5,ChatGPT,472,18,490,Conversation log\n45,ChatGPT,1087,0,1087,Conversation log\n");
  EXPECT_EQ(summary(trace.report),
            "t: burstgpt, 3 lines, 1 requests accepted, 1 rejected, 1 failed_request");
}

TEST(TraceFormats, SayHowManyArrivalsOfSessionsAreLowerBounds) {
  for (const auto& format : trace_formats()) {
    const auto report = read_text(sample_text(format)).report;
    EXPECT_EQ(report.chained, format.name == "llmservingsim" ? 2 : 0) << format.name;
  }
}

TEST(TraceFormats, TakeANamedFormatWithItsColumnsInAnyOrderAndMore) {
  const std::string text =
      "Log Type,Response tokens,Session ID,Timestamp,Model,Request tokens,Total tokens\n"
      "API log,3,9,1.5,GPT-4,4,7\n";
  EXPECT_NE(refusal_of(text), "");
  const auto trace = read_text(text, with_format("burstgpt"));
  EXPECT_EQ(trace.requests[0].arrival, 1'500'000'000);
  EXPECT_EQ(trace.requests[0].request.prompt_tokens, 4);
  EXPECT_EQ(trace.requests[0].request.output_tokens, 3);
}

TEST(TraceFormats, TellMooncakeFromVllmByTheNumberOfIdsOrNotAtAll) {
  const std::string both =
      R"({"timestamp": 0, "input_length": 9, "output_length": 1, "hash_ids": [1]})";
  EXPECT_EQ(refusal_of(both),
            "t:1:1: more than one format begins so, got `{\"timestamp\": 0, \"input_length\": 9, "
            "\"output_leng...`; name the format: mooncake, vllm-timed-trace\n");
  EXPECT_EQ(read_text(both, with_format("mooncake")).requests[0].request.hash_block_tokens, 512);
  EXPECT_EQ(read_text(both, with_format("vllm-timed-trace")).requests[0].request.hash_block_tokens,
            16);
}

TEST(TraceFormats, DoNotShareTheIdOfAPartialBlock) {
  const auto trace = read_text(
      R"({"timestamp": 0, "input_length": 1500, "output_length": 1, "hash_ids": [1, 2, 3]})"
      "\n"
      R"({"timestamp": 0, "input_length": 1024, "output_length": 1, "hash_ids": [1, 2]})"
      "\n");
  EXPECT_EQ(shareable_hash_blocks(trace.requests[0].request), 2);
  EXPECT_EQ(shareable_hash_blocks(trace.requests[1].request), 2);
}

}  // namespace
}  // namespace lockstep
