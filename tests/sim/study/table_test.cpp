// Walks the tables of the study: every cell can be loaded, its requests are there, and what was
// published of it can be measured.
#include <filesystem>
#include <set>

#include <gtest/gtest.h>

#include "sim/run/run_config.h"
#include "sim/study/cell_run.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

constexpr const char* kConfig = LOCKSTEP_SOURCE_DIR "/configs/study-kv.yaml";

StudyOptions options() {
  StudyOptions options;
  options.config_file = kConfig;
  options.requests_folder = LOCKSTEP_SOURCE_DIR "/tests/data/requests";
  return options;
}

TEST(StudyTable, EveryPartHasItsOwnNameAndCells) {
  std::set<std::string_view> names;
  for (const auto& part : study_parts()) {
    EXPECT_TRUE(names.insert(part.name).second) << part.name;
    EXPECT_GT(part.cells.size(), 0U) << part.name;
    EXPECT_FALSE(part.what.empty()) << part.name;
  }
}

TEST(StudyTable, EveryCellIsAValidConfiguration) {
  for (const auto extent : {Extent::kFull, Extent::kQuick}) {
    for (const auto& spec : expand({}, extent)) {
      EXPECT_NO_THROW(load_run_config({kConfig, spec.overrides, std::nullopt}))
          << spec.part->name << ", " << spec.label;
      EXPECT_NO_THROW(kv_policy(spec.policy)) << spec.part->name << ", " << spec.label;
    }
  }
}

TEST(StudyTable, TheRequestsOfEveryCellAreInTheProject) {
  for (const auto& spec : expand({}, Extent::kFull)) {
    if (traits(spec.stream).origin == StreamOrigin::kPublicTrace) continue;
    const auto file = requests_file(options(), spec);
    if (file) {
      EXPECT_TRUE(std::filesystem::exists(*file)) << *file;
    }
  }
}

TEST(StudyTable, AGainIsPublishedOnlyBesideAPagedCell) {
  for (const auto& part : study_parts()) {
    for (const auto& cell : part.cells) {
      if (!cell.published.has(Metric::kGain)) continue;
      bool beside = false;
      for (const auto& other : part.cells) {
        beside |=
            other.label == cell.label && other.stream == cell.stream && other.policy == kPaged;
      }
      EXPECT_TRUE(beside) << part.name << ", " << cell.label;
    }
  }
}

TEST(StudyTable, PartsForAllPoliciesListEveryPolicyOnceForEachLabel) {
  std::multiset<std::string> seen;
  for (const auto& spec : expand({"preemption"}, Extent::kFull)) {
    seen.insert(spec.label + " " + spec.policy);
  }
  for (const char* label : {"0.6", "0.8", "1.0", "1.3"}) {
    for (const auto& policy : kv_policies()) {
      EXPECT_EQ(seen.count(std::string(label) + " " + std::string(policy.name)), 1U)
          << label << " " << policy.name;
    }
  }
  EXPECT_EQ(seen.size(), 4 * kv_policies().size());
}

TEST(StudyTable, AnUnknownPartIsNamedWithTheKnownOnes) {
  try {
    expand({"headlines"}, Extent::kFull);
    FAIL() << "an unknown part was taken";
  } catch (const InputError& error) {
    EXPECT_STREQ(
        error.what(),
        "--part: expected one of headline, all-pairs, block-size, workload, map, kv-heads, "
        "sharding, window, structure, kv-split, spec, preemption, headroom, batch, load, "
        "fixed-length, seeds, unit-waste, traces, got `headlines`");
  }
}

TEST(StudyTolerance, IsThatOfWhoseRequestsTheyAre) {
  EXPECT_DOUBLE_EQ(allowed_difference(Metric::kM1, StreamOrigin::kStudy, 0.5), 0.01);
  EXPECT_DOUBLE_EQ(allowed_difference(Metric::kM1, StreamOrigin::kOwnGenerator, 0.5), 0.02);
  EXPECT_DOUBLE_EQ(allowed_difference(Metric::kM3, StreamOrigin::kStudy, 2000), 60);
  EXPECT_DOUBLE_EQ(allowed_difference(Metric::kM3, StreamOrigin::kOwnGenerator, 2000), 120);
  EXPECT_DOUBLE_EQ(allowed_difference(Metric::kPreemptions, StreamOrigin::kStudy, 200), 20);
  EXPECT_DOUBLE_EQ(allowed_difference(Metric::kSteps, StreamOrigin::kStudy, 5959), 0);
}

}  // namespace
}  // namespace lockstep
