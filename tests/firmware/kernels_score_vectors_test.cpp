// What the reader of score vectors refuses, in its exact words, and the CSV it answers with.
#include <locale>
#include <string>

#include <gtest/gtest.h>

#include "firmware/kernels/score_vectors.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

constexpr StackGeometry kStack{};

constexpr std::string_view kGood =
    R"({"tokens":1,"block_tokens":16,"kv_bytes_per_token":4096,"address_map":"host-cacheline",)"
    R"("reorder":"window","window":64,"block_table":[0]})";

std::string refusal_of(std::string_view json) {
  try {
    parse_score_vectors(json, "v.json", kStack);
    return "accepted";
  } catch (const InputError& error) {
    return error.what();
  }
}

// kGood in an array, with one text replaced.
std::string with(std::string_view from, std::string_view to) {
  std::string json(kGood);
  const auto at = json.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return "[" + json.replace(at, from.size(), to) + "]";
}

struct Refusal {
  std::string_view from, to, message;
};

constexpr Refusal kRefusals[] = {
    // clang-format off
    {R"("tokens":1)", R"("tokens":0)", "`tokens` must be an integer from 1 to 2147483647, but is 0"},
    {R"("tokens":1)", R"("tokens":1e3)", "`tokens` must be an integer from 1 to 2147483647, but is 1000.0"},
    {R"("tokens":1)", R"("tokens":"1")", "`tokens` must be an integer from 1 to 2147483647, but is \"1\""},
    {R"("tokens":1)", R"("tokens":18446744073709551615)", "`tokens` must be an integer from 1 to 2147483647, but is 18446744073709551615"},
    {R"("tokens":1)", R"("tokens":[1])", "`tokens` must be an integer from 1 to 2147483647, but is an array"},
    {R"("tokens":1)", R"("tokens":17)", "`block_table` has 1 blocks, but 17 tokens need 2"},
    {R"("tokens":1,)", "", "key `tokens` is missing"},
    {R"("tokens":1)", R"("token":1)", "unknown key `token`"},
    {R"("block_tokens":16)", R"("block_tokens":-1)", "`block_tokens` must be an integer from 1 to 2147483647, but is -1"},
    {R"("block_tokens":16)", R"("block_tokens":1000000000)", "a block of 1000000000 tokens x 4096 B does not fit into the stack of 8589934592 B"},
    {"4096", "1000", "a token must fill whole columns of 32 B, but kv_bytes_per_token is 1000"},
    {"host-cacheline", "host-cache", "address map `host-cache`: no such field or bits: `host-cache`"},
    {R"("window","window")", R"("fifo","window")", "unknown reorder `fifo`; known: window, inorder"},
    {R"("window":64)", R"("window":0)", "`window` must be an integer from 1 to 65535, but is 0"},
    {"[0]", "[131072]", "`block_table[0]` must be an integer from 0 to 131071, but is 131072"},
    {"[0]", "[0,-1]", "`block_table[1]` must be an integer from 0 to 131071, but is -1"},
    {"[0]", "7", "`block_table` must be an array, but is 7"},
    {"[0]", "[]", "`block_table` has 0 blocks, but 1 tokens need 1"},
    {"[0]", R"([0],"m1":0.5)", "key `bursts` is missing"},
    {"[0]", R"([0],"bursts":1,"commands":1,"hits":0,"m1":"x","m2":0,"m3_gbps":0)", "`m1` must be a number, but is \"x\""},
    // clang-format on
};

TEST(ScoreVectors, RefusesEachMalformedVectorInOneSentence) {
  for (const auto& refusal : kRefusals) {
    EXPECT_EQ(refusal_of(with(refusal.from, refusal.to)),
              "v.json: vector 0: " + std::string(refusal.message));
  }
}

TEST(ScoreVectors, RefusesWhatIsNoArrayOfVectors) {
  EXPECT_EQ(refusal_of(""), "v.json:1:1: this is no JSON");
  EXPECT_EQ(refusal_of("[{\n \"tokens\": 010}]"), "v.json:2:14: this is no JSON");
  EXPECT_EQ(refusal_of("[1e999]"), "v.json: a number is out of range");
  EXPECT_EQ(refusal_of("[]"), "v.json: must be an array of at least one score vector");
  EXPECT_EQ(refusal_of(kGood), "v.json: must be an array of at least one score vector");
  EXPECT_EQ(refusal_of("[7]"), "v.json: vector 0: must be an object, but is 7");
  EXPECT_EQ(refusal_of(with("{", R"({"tokens":2,)")),
            "v.json: key `tokens` is given twice in one object");
}

TEST(ScoreVectors, TellsTheMistakesOfAllVectorsAtOnce) {
  const std::string good(kGood);
  EXPECT_EQ(refusal_of("[null," + good + ",7]"),
            "v.json: vector 0: must be an object, but is null\n"
            "v.json: vector 2: must be an object, but is 7");
}

TEST(ScoreVectors, AcceptsLabelsAFieldListAndNoExpectedScore) {
  EXPECT_EQ(refusal_of(with("{", R"({"allocator":"paged","step":688,"seq":9,)")), "accepted");
  EXPECT_EQ(refusal_of(with("host-cacheline", "row bank_group bank channel column byte")),
            "accepted");
}

TEST(ScoreVectors, AnswersWithOneLineOfCsvAVector) {
  // One token: in each of 32 channels 4 bursts in 2 commands, of which one misses.
  // M3 = 32 x 512 B / 4.3 ns x 1/8 x 4.3 / (4.3/2 + 45/2) = 2048 / 24.65.
  const auto vectors = parse_score_vectors(with("{", "{"), "v.json", kStack);
  EXPECT_EQ(score_csv(vectors, kStack, kStudyTiming),
            "index,bursts,commands,hits,m1,m2,m3_gbps\n"
            "0,128,64,32,0.500000000000,0.125000000000,83.083164\n");
}

struct CommaDecimals : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(ScoreVectors, CsvIsTheSameInEveryLocale) {
  const auto vectors = parse_score_vectors(with("{", "{"), "v.json", kStack);
  const auto classic = score_csv(vectors, kStack, kStudyTiming);
  const auto before = std::locale::global(std::locale(std::locale(), new CommaDecimals));
  const auto with_commas = score_csv(vectors, kStack, kStudyTiming);
  std::locale::global(before);
  EXPECT_EQ(with_commas, classic);
}

}  // namespace
}  // namespace lockstep
