// Lines that are well formed but no commands of the stack are mistakes of the input.
#include <gtest/gtest.h>

#include "tests/sim/check/check_stack.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

std::string error_of(const std::string& line, const StackConfig& config = check_stack()) {
  try {
    check_text(
        "ps,cycle,channel,command,bank_group,bank,row,column,source,stack_id\n" + line + "\n",
        config);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(CommandResolver, KnowsTheCommandsOfTheModel) {
  EXPECT_EQ(
      error_of("0,0,0,NOP,,,,,host,"),
      "trace.csv:2:7: `command`: expected one of ACT ACTsb ACTab PREpb PREsb PREab REFab REFpb "
      "RD RDA WR WRA MACab MACsb WRGB MVSB MVGB SFM, got `NOP`\n");
  EXPECT_EQ(error_of("0,0,0,ACTIVATEALLBANKS,,,,,host,").substr(0, 38),
            "trace.csv:2:7: `command`: expected one");
}

TEST(CommandResolver, HoldsCoordinatesToTheGeometry) {
  EXPECT_EQ(error_of("0,0,8,PREab,,,,,pim,"),
            "trace.csv:2:5: `channel`: expected a whole number from 0 to 7, got `8`\n");
  EXPECT_EQ(error_of("0,0,0,RD,4,0,,,host,"),
            "trace.csv:2:10: `bank_group`: expected a whole number from 0 to 3, got `4`\n");
  EXPECT_EQ(error_of("0,0,0,ACT,0,0,1024,,host,"),
            "trace.csv:2:15: `row`: expected a whole number from 0 to 1023, got `1024`\n");
  EXPECT_EQ(error_of("0,0,0,RD,0,0,,32,host,"),
            "trace.csv:2:15: `column`: expected a whole number from 0 to 31, got `32`\n");
  EXPECT_EQ(error_of("0,0,0,RD,0,0,,31,host,1"),
            "trace.csv:2:23: `stack_id`: expected a whole number from 0 to 0, got `1`\n");
}

TEST(CommandResolver, WantsTheCoordinatesThatACommandNeeds) {
  EXPECT_EQ(error_of("0,0,0,RD,0,,,,host,"),
            "trace.csv:2:12: `bank`: expected a whole number from 0 to 3, got ``\n");
  EXPECT_EQ(error_of("0,0,0,ACT,0,0,,,host,"),
            "trace.csv:2:15: `row`: expected a whole number from 0 to 1023, got ``\n");
  StackConfig config = check_stack();
  set_scope(config, AllBankScope::kPseudoChannel, StackIdScope::kAll, 2);
  EXPECT_EQ(error_of("0,0,0,ACT,0,0,5,,host,", config),
            "trace.csv:2:23: `stack_id`: expected a whole number from 0 to 1, got ``\n");
  EXPECT_EQ(error_of("0,0,0,ACTab,,,5,,host,", config), "accepted");
  EXPECT_EQ(error_of("0,0,0,WRGB,,,,,pim,", config), "accepted");
}

}  // namespace
}  // namespace lockstep
