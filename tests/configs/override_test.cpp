// `--set path.to.key=value`: what it changes, and where its own mistakes are said to be.
#include <gtest/gtest.h>

#include "configs/dump.h"
#include "tests/configs/mistakes.h"

namespace lockstep {
namespace {

const char* const kText = "seed: 1\npim:\n  units: 2\n  lanes: [1, 2]\n";

std::string dumped_with(const std::string& assignment) {
  auto doc = ConfigDocument::from_text(kText, "c.yaml");
  doc.set(assignment);
  EXPECT_EQ(doc.mistakes(), "");
  return dump(doc.tree());
}

std::string mistakes_with(const std::vector<std::string>& assignments) {
  auto doc = ConfigDocument::from_text(kText, "c.yaml");
  for (const auto& assignment : assignments) doc.set(assignment);
  ConfigSection root = doc.root();
  root.required<int>("seed");
  root.section("pim").required<int>("units");
  root.section("pim").required_list<int>("lanes");
  root.section("pim").optional<std::string>("map", "");
  return doc.mistakes();
}

TEST(Override, ReplacesAScalarOrAList) {
  EXPECT_EQ(dumped_with("seed=7"), "seed: 7\npim:\n  units: 2\n  lanes:\n    - 1\n    - 2\n");
  EXPECT_EQ(dumped_with("pim.units=14 ns"),
            "seed: 1\npim:\n  units: 14 ns\n  lanes:\n    - 1\n    - 2\n");
  EXPECT_EQ(dumped_with("pim.lanes=[3]"), "seed: 1\npim:\n  units: 2\n  lanes:\n    - 3\n");
}

TEST(Override, AddsAKeyAndMergesAMap) {
  EXPECT_EQ(
      dumped_with("pim.map=row column[4:1] a=b"),
      "seed: 1\npim:\n  units: 2\n  lanes:\n    - 1\n    - 2\n  map: \"row column[4:1] a=b\"\n");
  EXPECT_EQ(dumped_with("pim={units: 3}"),
            "seed: 1\npim:\n  units: 3\n  lanes:\n    - 1\n    - 2\n");
}

TEST(Override, TheLastOneWins) {
  EXPECT_EQ(mistakes_with({"pim.units=x", "pim.units=3"}), "");
}

TEST(Override, ATimeTakesThePlaceOfACountOfClocks) {
  auto doc = ConfigDocument::from_text("timing:\n  nRP: 19 CK\n  nRAS: 45 CK\n", "c.yaml");
  doc.set("timing.tRP=14 ns");
  doc.set("timing={tRAS: 33 ns}");
  EXPECT_EQ(dump(doc.tree()), "timing:\n  tRP: 14 ns\n  tRAS: 33 ns\n");
  doc.set("timing.nRP=20 CK");
  EXPECT_EQ(dump(doc.tree()), "timing:\n  tRAS: 33 ns\n  nRP: 20 CK\n");
}

TEST(Override, PlacesAWrongValueInTheArgument) {
  EXPECT_EQ(mistakes_with({"pim.units=two"}),
            "--set pim.units=two:1:11: `pim.units`: expected a whole number, got `two`\n");
  EXPECT_EQ(mistakes_with({"pim.lanes=[1, z]"}),
            "--set pim.lanes=[1, z]:1:15: `pim.lanes[1]`: expected a whole number, got `z`\n");
  EXPECT_EQ(mistakes_with({"pim.units="}),
            "--set pim.units=:1:11: `pim.units`: expected a whole number, got nothing\n");
}

TEST(Override, ReportsAnUnknownKeyInTheArgument) {
  EXPECT_EQ(mistakes_with({"pim.unitz=3"}),
            "--set pim.unitz=3:1:5: unknown key `pim.unitz`; did you mean `units`?\n");
  EXPECT_EQ(mistakes_with({"extends=b.yaml"}), "--set extends=b.yaml:1:1: unknown key `extends`\n");
}

TEST(Override, LeavesAMissingKeyAtTheFile) {
  auto doc = ConfigDocument::from_text(kText, "c.yaml");
  doc.set("pim.units=3");
  doc.root().accept("seed");
  ConfigSection pim = doc.root().section("pim");
  pim.accept("units");
  pim.accept("lanes");
  pim.required<int>("absent");
  EXPECT_EQ(doc.mistakes(), "c.yaml:3:3: missing key `pim.absent` (a whole number)\n");
}

TEST(Override, NeedsTheMapsAboveItsKey) {
  EXPECT_EQ(mistakes_with({"pin.units=3"}),
            "--set pin.units=3:1:1: there is no `pin` to set a key of; did you mean `pim`?\n");
  EXPECT_EQ(mistakes_with({"pim.a.b=3"}),
            "--set pim.a.b=3:1:5: there is no `pim.a` to set a key of\n");
  EXPECT_EQ(mistakes_with({"pim.units.x=3"}),
            "--set pim.units.x=3:1:5: `pim.units`: expected a map to set a key of, got `2`\n");
  EXPECT_EQ(mistakes_with({"pim.lanes.0=3"}),
            "--set pim.lanes.0=3:1:5: `pim.lanes`: expected a map to set a key of, got a list\n");
}

TEST(Override, KeepsMapsMaps) {
  EXPECT_EQ(mistakes_with({"pim=3"}),
            "--set pim=3:1:5: `pim`: expected a map, as at c.yaml:3:3, got `3`\n");
  EXPECT_EQ(mistakes_with({"seed={a: 1}"}),
            "--set seed={a: 1}:1:6: `seed`: expected no map, as at c.yaml:1:7, got a map\n");
}

TEST(Override, IsReportedAfterTheFilesInTheOrderGiven) {
  auto doc = ConfigDocument::from_text("a: x\n", "c.yaml");
  doc.set("z=1");
  doc.set("b=1");
  doc.root().required<int>("a");
  EXPECT_EQ(doc.mistakes(),
            "c.yaml:1:4: `a`: expected a whole number, got `x`\n"
            "--set z=1:1:1: unknown key `z`\n"
            "--set b=1:1:1: unknown key `b`\n");
}

TEST(Override, IsSilentOnADocumentThatCouldNotBeRead) {
  auto doc = ConfigDocument::from_text("- 1\n", "c.yaml");
  doc.set("a.b=1");
  EXPECT_EQ(doc.mistakes(), "c.yaml:1:1: expected a map of keys, got a list\n");
}

class BadAssignments : public testing::TestWithParam<const char*> {};

TEST_P(BadAssignments, AreRefused) {
  const std::string text = GetParam();
  EXPECT_EQ(mistakes_with({text}),
            "--set " + text + ":1:1: expected `path.to.key=value`, got `" + text + "`\n");
}

INSTANTIATE_TEST_SUITE_P(Override, BadAssignments,
                         testing::Values("", "seed", "=1", ".seed=1", "pim.=1", "pim..units=1",
                                         "pim units=1", " seed=1", "seed =1"));

TEST(Override, RefusesASecondLineAndBadYaml) {
  EXPECT_EQ(mistakes_with({"seed=1\nb: 2"}),
            "--set seed=1\\nb: 2:1:1: expected `path.to.key=value`, got `seed=1\\nb: 2`\n");
  EXPECT_EQ(
      mistakes_with({"seed=[1"}),
      "--set seed=[1:1:6: expected a word as a key, got a list or map: is a bracket left open?\n");
  EXPECT_EQ(mistakes_with({"seed=&a 1"}),
            "--set seed=&a 1:1:6: expected a value without an anchor, got `&a`\n");
}

}  // namespace
}  // namespace lockstep
