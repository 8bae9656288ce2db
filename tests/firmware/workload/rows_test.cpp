// What real files contain besides requests: line ends, marks, blanks, odd counts and wrong rows.
#include <gtest/gtest.h>

#include "tests/firmware/workload/trace_text.h"

namespace lockstep {
namespace {

const std::string kVidur = "arrived_at,num_prefill_tokens,num_decode_tokens\n";
const std::string kOwn =
    "request_id,arrival_step,prompt_tokens,output_tokens,prefix_id,prefix_tokens\n";

TEST(TraceRows, SurviveLineEndsMarksBlanksAndSpaces) {
  const char* const kSame[] = {
      "arrived_at,num_prefill_tokens,num_decode_tokens\n1,2,3\n4,5,6\n",
      "arrived_at,num_prefill_tokens,num_decode_tokens\r\n1,2,3\r\n4,5,6",
      "\xef\xbb\xbf"
      "arrived_at,num_prefill_tokens,num_decode_tokens\n1,2,3\n4,5,6\n",
      "\n \narrived_at, num_prefill_tokens ,\tnum_decode_tokens\n1, 2, 3\n\n\r\n 4 , 5, 6 \n\n",
  };
  for (const std::string text : kSame) {
    const auto trace = read_text(text);
    ASSERT_EQ(trace.requests.size(), 2U) << text;
    EXPECT_EQ(trace.requests[1].arrival, 4'000'000'000) << text;
    EXPECT_EQ(trace.requests[1].request.output_tokens, 6) << text;
  }
  EXPECT_EQ(read_text(kSame[3]).report.blank_lines, 5);
  EXPECT_EQ(read_text(kSame[3]).report.total_lines, 8);
}

TEST(TraceRows, CountEqualAndOutOfOrderArrivals) {
  const auto report = read_text(kVidur + "5,1,1\n5,1,1\n3,1,1\n4,1,1\n6,1,1\n").report;
  EXPECT_EQ(report.equal_arrivals, 1);
  EXPECT_EQ(report.out_of_order, 2);  // 3 and 4 come after 5
}

struct Refused {
  std::string text;
  std::string message;
};

const Refused kRefused[] = {
    {kVidur + "1,1e3,1\n",
     "t:2:3: `num_prefill_tokens`: expected a whole number from 0 to 2147483647, got `1e3`; "
     "line: "
     "`1,1e3,1`\n"},
    {kVidur + "1, -1,1\n",
     "t:2:4: `num_prefill_tokens`: expected a whole number from 0 to 2147483647, got `-1`; line: "
     "`1, -1,1`\n"},
    {kVidur + "1,1,2147483648\n",
     "t:2:5: `num_decode_tokens`: expected a whole number from 0 to 2147483647, got "
     "`2147483648`; "
     "line: `1,1,2147483648`\n"},
    {kVidur + "-1,1,1\n",
     "t:2:1: `arrived_at`: expected a time of 0 or more and below 146 years, such as `12.5`, got "
     "`-1`; line: `-1,1,1`\n"},
    {kVidur + "1,0,1\n", "t:2:1: prompt below the minimum of 1 tokens, got 0; line: `1,0,1`\n"},
    {kVidur + "1,2\n", "t:2:4: expected 3 columns as in the header, got 2; line: `1,2`\n"},
    {kVidur + "1,2,3,4\n", "t:2:7: expected 3 columns as in the header, got 4; line: `1,2,3,4`\n"},
    {"TIMESTAMP,ContextTokens,GeneratedTokens\n2023-02-29 00:00:00,1,1\n",
     "t:2:1: `TIMESTAMP`: expected a date such as `2023-11-16 18:17:03.9799600`, got `2023-02-29 "
     "00:00:00`; line: `2023-02-29 00:00:00,1,1`\n"},
    {kOwn + "3,0,5,5,-1,0\n3,1,5,5,-1,0\n",
     "t:3:1: expected each request once, got id 3 again, after line 2; line: `3,1,5,5,-1,0`\n"},
    {kOwn + "3,0,5,5,-1,1\n",
     "t:2:12: `prefix_tokens`: expected a whole number from 0 to 0, got `1`; line: "
     "`3,0,5,5,-1,1`\n"},
    {R"({"time": 0, "in": 1, "out": 1, "hash_id": []})",
     "t:1:32: `hash_id`: unknown key; known: time, in, out, hash_ids, hash_block; line: "
     "`{\"time\": 0, \"in\": 1, \"out\": 1, \"hash_id\": []}`\n"},
    {R"({"time": 0, "in": 32, "out": 1, "hash_ids": [4, 4], "hash_block": 16})",
     "t:1:33: `hash_ids`: expected each id once in a request, got 4 twice; line: "
     "`{\"time\": 0, \"in\": 32, \"out\": 1, \"hash_ids\": [4, ...`\n"},
    {R"({"time": 0, "in": 40, "out": 1, "hash_ids": [4], "hash_block": 16})",
     "t:1:33: `hash_ids`: expected 3 ids, one for each 16 of 40 prompt tokens, got 1; line: "
     "`{\"time\": 0, \"in\": 40, \"out\": 1, \"hash_ids\": [4],...`\n"},
    {R"({"time": 0, "in": 1, "in": 2, "out": 1})",
     "t:1:1: `in` appears twice in an object; line: `{\"time\": 0, \"in\": 1, \"in\": 2, "
     "\"out\": "
     "1}`\n"},
    {R"({"time": 0, "in": 1.0, "out": 1})",
     "t:1:13: `in`: expected a whole number from 0 to 2147483647, got `1.0`; line: `{\"time\": "
     "0, "
     "\"in\": 1.0, \"out\": 1}`\n"},
    {R"({"time": 0, "in": 1, "out": 1)",
     "t:1:29: expected one JSON object, which ends or is malformed here; line: `{\"time\": 0, "
     "\"in\": 1, \"out\": 1`\n"},
};

TEST(TraceRows, AreRefusedByLineColumnExpectationAndText) {
  for (const auto& [text, message] : kRefused) EXPECT_EQ(refusal_of(text), message);
}

TEST(TraceRows, AreAllReportedButOnlyTheFirstTwentyShown) {
  std::string text = kVidur;
  for (int i = 0; i < 23; ++i) text += "x,1,1\n";
  const auto message = refusal_of(text);
  EXPECT_NE(message.find("t:21:1: "), std::string::npos);
  EXPECT_EQ(message.find("t:22:1: "), std::string::npos);
  EXPECT_EQ(message.substr(message.rfind("\nt:") + 1), "t: 3 more faults not shown\n");
}

TEST(TraceRows, ShowBytesThatAreNoTextAsNumbers) {
  EXPECT_EQ(refusal_of(kVidur + "1,\x07\xc3\xbc,1\n"),
            "t:2:3: `num_prefill_tokens`: expected a whole number from 0 to 2147483647, got "
            "`\\x07\\xc3\\xbc`; line: `1,\\x07\\xc3\\xbc,1`\n");
}

}  // namespace
}  // namespace lockstep
