// Reading sections: every mistake gives one message at its place, and no message gives two.
#include <gtest/gtest.h>

#include "configs/registry.h"
#include "tests/configs/mistakes.h"

namespace lockstep {
namespace {

struct Timing {
  Picoseconds tRP, tRAS, tRC;
};

void read_timing(ConfigSection root) {
  ConfigSection section = root.section("timing");
  Timing timing;
  timing.tRP = section.required<Picoseconds>("tRP");
  timing.tRAS = section.required<Picoseconds>("tRAS");
  timing.tRC = section.required<Picoseconds>("tRC");
  section.require(timing.tRAS + timing.tRP <= timing.tRC, "tRC", "must be at least tRAS + tRP");
}

TEST(ConfigSection, AcceptsAValidFile) {
  EXPECT_EQ(mistakes_in("timing:\n  tRP: 14 ns\n  tRAS: 28 ns\n  tRC: 42 ns\n", read_timing), "");
}

TEST(ConfigSection, ReportsAMisspeltKeyOnceAndNotAlsoAsMissing) {
  EXPECT_EQ(mistakes_in("timing:\n  tRP: 14 ns\n  tRASS: 28 ns\n  tRC: 42 ns\n", read_timing),
            "c.yaml:3:3: unknown key `timing.tRASS`; did you mean `tRAS`?\n");
}

TEST(ConfigSection, SuggestsAKeyWhateverItsCase) {
  EXPECT_EQ(mistakes_in("timing:\n  trp: 14 ns\n  tRAS: 28 ns\n  tRC: 42 ns\n", read_timing),
            "c.yaml:2:3: unknown key `timing.trp`; did you mean `tRP`?\n");
}

TEST(ConfigSection, SuggestsNothingFarAway) {
  EXPECT_EQ(mistakes_in("timing: {tRP: 1 ns, tRAS: 1 ns, tRC: 2 ns}\nseed: 1\n", read_timing),
            "c.yaml:2:1: unknown key `seed`\n");
}

TEST(ConfigSection, SuggestsAWrittenKeyIfNoOtherIsNear) {
  EXPECT_EQ(
      mistakes_in("timing: {tRP: 1 ns, tRAS: 1 ns, tRC: 2 ns}\ntimings: {x: 1}\n", read_timing),
      "c.yaml:2:1: unknown key `timings`; did you mean `timing`?\n");
}

TEST(ConfigSection, ReportsAMissingKeyAtItsSection) {
  EXPECT_EQ(mistakes_in("timing:\n  tRP: 14 ns\n  tRC: 42 ns\n", read_timing),
            "c.yaml:2:3: missing key `timing.tRAS` (a time in whole ps such as `14 ns`)\n");
}

TEST(ConfigSection, ReportsAMissingSectionOnceAndNotItsKeys) {
  EXPECT_EQ(mistakes_in("other: 1\n", read_timing),
            "c.yaml:1:1: missing key `timing` (a map)\nc.yaml:1:1: unknown key `other`\n");
}

TEST(ConfigSection, ReportsADuplicateKeyWithBothPlaces) {
  EXPECT_EQ(
      mistakes_in("timing:\n  tRP: 14 ns\n  tRAS: 28 ns\n  tRC: 42 ns\n  tRP: x\n", read_timing),
      "c.yaml:5:3: `timing.tRP` appears twice, first at c.yaml:2:3\n");
}

TEST(ConfigSection, ReportsADuplicateSection) {
  EXPECT_EQ(mistakes_in("timing: {tRP: 1 ns, tRAS: 1 ns, tRC: 2 ns}\ntiming:\n", read_timing),
            "c.yaml:2:1: `timing` appears twice, first at c.yaml:1:1\n");
}

TEST(ConfigSection, ReportsARuleAcrossKeysAtTheKeyToChange) {
  EXPECT_EQ(mistakes_in("timing:\n  tRP: 14 ns\n  tRAS: 28 ns\n  tRC: 41 ns\n", read_timing),
            "c.yaml:4:8: `timing.tRC`: must be at least tRAS + tRP\n");
}

TEST(ConfigSection, SkipsARuleOnceAKeyFailedToParse) {
  EXPECT_EQ(mistakes_in("timing:\n  tRP: 14 ns\n  tRAS: 28ns\n  tRC: 1 ns\n", read_timing),
            "c.yaml:3:9: `timing.tRAS`: expected a time in whole ps such as `14 ns`, got `28ns`\n");
}

TEST(ConfigSection, SkipsARuleOfTheRootOnceAKeyBelowFailed) {
  const auto read = [](ConfigSection root) {
    const int units = root.section("pim").required<int>("units");
    root.require(units == root.required<int>("banks"), "banks", "must equal pim.units");
  };
  EXPECT_EQ(mistakes_in("pim: {units: two}\nbanks: 4\n", read),
            "c.yaml:1:14: `pim.units`: expected a whole number, got `two`\n");
  EXPECT_EQ(mistakes_in("pim: {units: 2}\nbanks: 4\n", read),
            "c.yaml:2:8: `banks`: must equal pim.units\n");
}

TEST(ConfigSection, ARuleAmongKeysIgnoresTheOthers) {
  const auto read = [](ConfigSection root) {
    const int a = root.required<int>("a");
    const int b = root.required<int>("b");
    root.required<int>("c");
    root.require_among({"a", "b"}, a < b, "must be less than b");
  };
  EXPECT_EQ(mistakes_in("a: 3\nb: 2\nc: x\n", read),
            "c.yaml:1:4: `a`: must be less than b\n"
            "c.yaml:3:4: `c`: expected a whole number, got `x`\n");
  EXPECT_EQ(mistakes_in("a: 3\nb: x\nc: 1\n", read),
            "c.yaml:2:4: `b`: expected a whole number, got `x`\n");
}

TEST(ConfigSection, ReportsAllMistakesInTheOrderOfLines) {
  EXPECT_EQ(
      mistakes_in("typo: 1\ntiming:\n  tRP: -1 ns\n  tRC: [1]\n  tRAS:\n", read_timing),
      "c.yaml:1:1: unknown key `typo`\n"
      "c.yaml:3:8: `timing.tRP`: expected a time in whole ps such as `14 ns`, got `-1 ns`\n"
      "c.yaml:4:8: `timing.tRC`: expected a time in whole ps such as `14 ns`, got a list\n"
      "c.yaml:5:3: `timing.tRAS`: expected a time in whole ps such as `14 ns`, got nothing\n");
}

TEST(ConfigSection, ReportsAMapWhereAScalarWasExpectedAndTheReverse) {
  EXPECT_EQ(mistakes_in("timing: 3\n", read_timing),
            "c.yaml:1:9: `timing`: expected a map, got `3`\n");
  EXPECT_EQ(mistakes_in("timing: [1]\n", read_timing),
            "c.yaml:1:9: `timing`: expected a map, got a list\n");
  EXPECT_EQ(mistakes_in("timing:\n", read_timing),
            "c.yaml:1:1: `timing`: expected a map, got nothing\n");
  EXPECT_EQ(mistakes_in("a:\n  b: 1\n", [](ConfigSection root) { root.required<int>("a"); }),
            "c.yaml:2:3: `a`: expected a whole number, got a map\n");
}

TEST(ConfigSection, ThrowsWhatItReportsAsAnInputError) {
  auto doc = ConfigDocument::from_text("a: 1\n", "c.yaml");
  EXPECT_NO_THROW(doc.throw_if_invalid()) << "nobody has read the root yet";
  doc.root();
  try {
    doc.throw_if_invalid();
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "c.yaml:1:1: unknown key `a`\n");
  }
}

TEST(ConfigSection, OptionalTakesTheFallbackOnlyIfTheKeyIsNotThere) {
  const auto read = [](ConfigSection root) {
    EXPECT_EQ(root.optional<int>("absent", 7), 7);
    EXPECT_EQ(root.optional<int>("present", 7), 3);
    EXPECT_EQ(root.optional<int>("empty", 7), 0);
  };
  EXPECT_EQ(mistakes_in("present: 3\nempty:\n", read),
            "c.yaml:2:1: `empty`: expected a whole number, got nothing\n");
}

TEST(ConfigSection, RangeIncludesBothEnds) {
  const auto read = [](ConfigSection root) {
    EXPECT_EQ(root.required_in<int>("low", 1, 64), 1);
    EXPECT_EQ(root.required_in<int>("high", 1, 64), 64);
    EXPECT_EQ(root.optional_in<int>("absent", 5, 1, 64), 5);
  };
  EXPECT_EQ(mistakes_in("low: 1\nhigh: 64\n", read), "");
}

TEST(ConfigSection, ReportsWhatIsOutsideItsRange) {
  const auto read = [](ConfigSection root) {
    EXPECT_EQ(root.required_in<int>("a", 1, 64), 1);
    EXPECT_EQ(root.required_in<int>("b", 1, 64), 1);
    EXPECT_EQ(root.required_in<int>("c", 1, std::numeric_limits<int>::max()), 1);
    root.required_in<double>("d", 0, 1);
    root.required_in<Picoseconds>("e", {1}, {14'000});
    root.required_in<Bytes>("f", {1}, {std::numeric_limits<std::int64_t>::max()});
    root.required_in<int>("g", 1, 64);
    root.required_in<int>("h", 1, 64);
  };
  EXPECT_EQ(mistakes_in("a: 0\nb: 65\nc: -1\nd: 1.5\ne: 15 ns\nf: 0 B\ng: 010\nh: [1]\n", read),
            "c.yaml:1:4: `a`: expected a whole number from 1 to 64, got `0`\n"
            "c.yaml:2:4: `b`: expected a whole number from 1 to 64, got `65`\n"
            "c.yaml:3:4: `c`: expected a whole number of at least 1, got `-1`\n"
            "c.yaml:4:4: `d`: expected a decimal number from 0 to 1, got `1.5`\n"
            "c.yaml:5:4: `e`: expected a time from 1 ps to 14 ns, got `15 ns`\n"
            "c.yaml:6:4: `f`: expected a size of at least 1 B, got `0 B`\n"
            "c.yaml:7:4: `g`: expected a whole number from 1 to 64, got `010`, which has a leading "
            "zero\n"
            "c.yaml:8:4: `h`: expected a whole number from 1 to 64, got a list\n");
}

struct Policy {
  std::string_view name;
};
constexpr Policy kPolicies[] = {{"first-fit"}, {"best-fit"}, {"buddy"}};

TEST(ConfigSection, ChoiceGivesTheIndexInTheTable) {
  const auto read = [](ConfigSection root) {
    EXPECT_EQ(root.choice("policy", names_of(kPolicies)), 2U);
    EXPECT_EQ(root.optional_choice("other", names_of(kPolicies), 1), 1U);
  };
  EXPECT_EQ(mistakes_in("policy: buddy\n", read), "");
}

TEST(ConfigSection, ReportsAnUnknownChoice) {
  const auto read = [](ConfigSection root) { root.choice("policy", names_of(kPolicies)); };
  EXPECT_EQ(
      mistakes_in("policy: bestfit\n", read),
      "c.yaml:1:9: `policy`: expected one of first-fit, best-fit, buddy, got `bestfit`; did you "
      "mean `best-fit`?\n");
  EXPECT_EQ(mistakes_in("policy: slab\n", read),
            "c.yaml:1:9: `policy`: expected one of first-fit, best-fit, buddy, got `slab`\n");
  EXPECT_EQ(mistakes_in("policy: [buddy]\n", read),
            "c.yaml:1:9: `policy`: expected one of first-fit, best-fit, buddy, got a list\n");
  EXPECT_EQ(mistakes_in("other: buddy\n", read),
            "c.yaml:1:1: missing key `policy` (one of first-fit, best-fit, buddy)\n"
            "c.yaml:1:1: unknown key `other`\n");
}

TEST(ConfigSection, ReadsListsOfScalars) {
  const auto read = [](ConfigSection root) {
    EXPECT_EQ(root.required_list<int>("flow"), (std::vector<int>{1, 2, 3}));
    EXPECT_EQ(root.required_list<std::string>("block"), (std::vector<std::string>{"a b", "c"}));
    EXPECT_TRUE(root.required_list<int>("empty").empty());
    EXPECT_EQ(root.optional_list<int>("absent", {4}), (std::vector<int>{4}));
  };
  EXPECT_EQ(mistakes_in("flow: [1, 2, 3]\nblock:\n- a b\n- c\nempty: []\n", read), "");
}

TEST(ConfigSection, ReportsEachBadItemAtItsPlace) {
  const auto read = [](ConfigSection root) {
    EXPECT_EQ(root.required_list<int>("a").size(), 4U);
    root.required_list<int>("b");
  };
  EXPECT_EQ(mistakes_in("a: [1, x, [2], ~]\nb: 3\n", read),
            "c.yaml:1:8: `a[1]`: expected a whole number, got `x`\n"
            "c.yaml:1:11: `a[2]`: expected a whole number, got a list\n"
            "c.yaml:1:16: `a[3]`: expected a whole number, got nothing\n"
            "c.yaml:2:4: `b`: expected a list, each item a whole number, got `3`\n");
}

TEST(ConfigSection, ReadsListsOfMaps) {
  const auto read = [](ConfigSection root) {
    for (auto& pool : root.sections("pools")) pool.required<int>("size");
  };
  EXPECT_EQ(mistakes_in("pools:\n  - size: 1\n  - size: 2\n", read), "");
  EXPECT_EQ(mistakes_in("pools:\n  - size: x\n  - sise: 2\n  - 3\n", read),
            "c.yaml:2:11: `pools[0].size`: expected a whole number, got `x`\n"
            "c.yaml:3:5: unknown key `pools[1].sise`; did you mean `size`?\n"
            "c.yaml:4:5: `pools[2]`: expected a map, got `3`\n");
  EXPECT_EQ(mistakes_in("pools: {size: 1}\n", read),
            "c.yaml:1:8: `pools`: expected a list of maps, got a map\n");
}

TEST(ConfigSection, AcceptMakesAKeyKnownAndLooksNoFurther) {
  const auto read = [](ConfigSection root) {
    root.accept("notes");
    EXPECT_TRUE(root.has("b"));
    EXPECT_FALSE(root.has("absent"));
  };
  EXPECT_EQ(mistakes_in("notes: {any: [thing]}\nb: 1\n", read), "");
}

TEST(ConfigSection, TwoReadersMayShareASection) {
  const auto read = [](ConfigSection root) {
    root.section("pim").required<int>("a");
    root.section("pim").required<int>("b");
  };
  EXPECT_EQ(mistakes_in("pim: {a: 1, b: 2}\n", read), "");
}

TEST(ConfigSection, AskingTwiceForABadKeyReportsItOnce) {
  const auto read = [](ConfigSection root) {
    root.required<int>("a");
    root.required<int>("a");
    root.required<int>("b");
    root.required<int>("b");
  };
  EXPECT_EQ(mistakes_in("a: x\n", read),
            "c.yaml:1:1: missing key `b` (a whole number)\n"
            "c.yaml:1:4: `a`: expected a whole number, got `x`\n");
}

TEST(ConfigSection, ParsedTellsWhetherValuesMayBeUsed) {
  const auto read = [](ConfigSection root) {
    root.required<int>("a");
    EXPECT_TRUE(root.parsed());
    root.required<int>("b");
    EXPECT_FALSE(root.parsed());
  };
  EXPECT_NE(mistakes_in("a: 1\nb: x\n", read), "");
}

}  // namespace
}  // namespace lockstep
