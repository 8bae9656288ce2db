// Every policy of the placement study, block by block against what its implementation returned; and
// what the reader of such logs refuses.
#include "firmware/kv/oplog.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

const std::string kReference = LOCKSTEP_SOURCE_DIR "/tests/data/kv/allocator_oplogs.json";

std::string refusal_of(const std::string& text) {
  try {
    parse_oplogs(text, "log.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

std::string with_operations(const std::string& operations) {
  return R"([{"policy": "region", "pool_blocks": 16, "blocks_per_region": 8, "ops": [)" +
         operations + "]}]";
}

TEST(Oplog, ReplayReturnsEveryBlockIdOfTheStudy) {
  const auto logs = read_oplogs(kReference);
  ASSERT_EQ(logs.size(), 4U);
  std::size_t operations = 0;
  for (const auto& log : logs) {
    const auto ours = nlohmann::json::parse(replay(log))["ops"];
    ASSERT_EQ(ours.size(), log.operations.size());
    for (std::size_t i = 0; i < log.operations.size(); ++i) {
      ASSERT_EQ(ours[i][3].get<std::vector<BlockId>>(), log.operations[i].ids)
          << log.policy << ", pool of " << log.pool.pool_blocks << ", op " << i;
    }
    operations += log.operations.size();
  }
  EXPECT_EQ(operations, 306U + 287U + 306U + 508U);
}

TEST(Oplog, ReplayPrintsALineOfTheShapeItReads) {
  const auto log = parse_oplogs(with_operations(R"(["admit",5,9],["append",5,1])"), "f").front();
  EXPECT_EQ(replay(log), R"({"policy":"region","pool_blocks":16,"blocks_per_region":8,"ops":)"
                         R"([["admit",5,9,[0,1,2,3,4,5,6,7,8]],["append",5,1,[9]]]})");
}

TEST(Oplog, WhatCannotBePlacedIsNullAndSoIsAllThatFollows) {
  const auto log =
      parse_oplogs(with_operations(R"(["admit",1,17],["append",1,1],["release",1,18])"), "f");
  EXPECT_EQ(nlohmann::json::parse(replay(log.front()))["ops"].dump(),
            R"([["admit",1,17,null],["append",1,1,null],["release",1,18,null]])");
}

TEST(Oplog, AnAdmissionKnowsWhatItsSequenceWillNeed) {
  const auto logs =
      parse_oplogs(with_operations(R"(["admit",1,2],["append",1,1],["scratch",1,4],["unref",1,4],)"
                                   R"(["append",1,1],["release",1,4],["admit",1,1])"),
                   "f");
  EXPECT_EQ(logs.front().operations[0].final_blocks, 4 + 4);
  EXPECT_EQ(logs.front().operations[6].final_blocks, 1);
}

// The column is where the unexpected token ends.
TEST(Oplog, SyntaxIsReportedByLineAndColumn) {
  EXPECT_EQ(refusal_of("[\n  {\"policy\" \"region\"}]"), "log.json:2:20: this is no JSON");
  EXPECT_EQ(refusal_of(""), "log.json:1:1: this is no JSON");
  EXPECT_EQ(refusal_of("{}"), "log.json: expected an array of logs");
  EXPECT_EQ(refusal_of("[]"), "log.json: has no logs");
}

TEST(Oplog, EveryMistakeOfAFileIsReported) {
  EXPECT_EQ(
      refusal_of(R"([7, {"policy": "best", "pool_blocks": 0, "pool": 3, "ops": []},
                           {"blocks_per_region": 8, "pool_blocks": 1.5}])"),
      "log.json: log 0: expected an object, got 7\n"
      "log.json: log 1: unknown key `pool`\n"
      "log.json: log 1: unknown KV policy `best`; known: " +
          [] {
            std::string names;
            for (const auto& policy : kv_policies()) {
              names += (names.empty() ? "" : ", ") + std::string(policy.name);
            }
            return names;
          }() +
          "\n"
          "log.json: log 1: `pool_blocks`: expected an integer of 1 to 2^31 - 1, got 0\n"
          "log.json: log 1: missing key `blocks_per_region`\n"
          "log.json: log 2: `policy`: expected the name of a KV policy\n"
          "log.json: log 2: `pool_blocks`: expected an integer of 1 to 2^31 - 1, got 1.5\n"
          "log.json: log 2: `ops`: expected an array of operations");
}

struct WrongOperation {
  const char* operations;
  const char* message;
};
constexpr WrongOperation kWrong[] = {
    {R"(["admit"])", "op 0: expected [kind, sequence, blocks] or [kind, sequence, blocks, ids]"},
    {R"(["grow",0,1])",
     R"(op 0: unknown operation "grow"; known: admit, append, scratch, unref, release)"},
    {R"(["admit",-1,1])", "op 0: `sequence`: expected an integer of 0 to 2^31 - 1, got -1"},
    {R"(["admit",0,2147483648])",
     "op 0: `blocks`: expected an integer of 1 to 2^31 - 1, got 2147483648"},
    {R"(["admit",0,2,[1]])", "op 0: `ids`: expected null or 2 block ids, got [1]"},
    {R"(["admit",0,1,["a"]])", R"(op 0: `ids`: expected an integer of 0 to 2^31 - 1, got "a")"},
    {R"(["append",3,1])", "op 0: sequence 3 is not live"},
    {R"(["admit",0,1],["admit",0,1])", "op 1: sequence 0 is live already"},
    {R"(["admit",0,1],["append",0,2])", "op 1: an append is of 1 blocks"},
    {R"(["admit",0,1],["release",0,2])", "op 1: the sequence's table is of 1 blocks"},
    {R"(["admit",0,1],["unref",0,2])", "op 1: the sequence has no scratch blocks"},
    {R"(["admit",0,1],["scratch",0,2],["unref",0,1])",
     "op 2: the sequence's scratch is of 2 blocks"},
    {R"(["admit",0,1],["scratch",0,2],["scratch",0,1])",
     "op 2: the sequence's last scratch blocks were not given back"},
    {R"(["admit",0,1],["scratch",0,2],["release",0,1])",
     "op 2: the sequence's scratch blocks were not given back"},
};

TEST(Oplog, AnOperationThatCannotBeIsRefused) {
  for (const auto& wrong : kWrong) {
    EXPECT_EQ(refusal_of(with_operations(wrong.operations)),
              "log.json: log 0, " + std::string(wrong.message));
  }
}

TEST(Oplog, AFileThatIsNotThereIsNamed) {
  try {
    read_oplogs("no/such.json");
    FAIL() << "read a file that is not there";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "no/such.json: expected a readable file, got: No such file or directory");
  }
}

}  // namespace
}  // namespace lockstep
