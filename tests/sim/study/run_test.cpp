// Runs parts of the study: what was published is met, and threads change nothing.
#include <gtest/gtest.h>

#include "sim/study/study_report.h"

namespace lockstep {
namespace {

StudyOptions quick(std::vector<std::string> parts) {
  StudyOptions options;
  options.config_file = LOCKSTEP_SOURCE_DIR "/configs/study-kv.yaml";
  options.requests_folder = LOCKSTEP_SOURCE_DIR "/tests/data/requests";
  options.parts = std::move(parts);
  options.extent = Extent::kQuick;
  return options;
}

void expect_met(const Study& study) {
  for (const auto& line : study.missed()) ADD_FAILURE() << line;
}

TEST(Study, TheHeadlineIsMet) {
  const auto study = run_study(quick({"headline"}));
  ASSERT_EQ(study.cells.size(), 3U);
  expect_met(study);
  EXPECT_EQ(study.cells[0].measured[Metric::kSteps], 5959);
  EXPECT_EQ(study.cells[1].measured[Metric::kSteps], 5955);
  EXPECT_EQ(study.cells[2].measured[Metric::kSteps], 6485);
}

// M1 and M2 of a group are those of the whole stack; its bandwidth is its share of the channels.
TEST(Study, ShardingLeavesM1AndM2AndDividesM3) {
  const auto study = run_study(quick({"sharding"}));
  ASSERT_EQ(study.cells.size(), 8U);
  expect_met(study);
  for (std::size_t i = 2; i < study.cells.size(); ++i) {
    const auto& whole = study.cells[i % 2].measured;
    const auto& part = study.cells[i].measured;
    const double groups = 1 << (i / 2);
    EXPECT_DOUBLE_EQ(part[Metric::kM1], whole[Metric::kM1]);
    EXPECT_DOUBLE_EQ(part[Metric::kM2], whole[Metric::kM2]);
    EXPECT_NEAR(part[Metric::kM3], whole[Metric::kM3] / groups, 1e-9 * whole[Metric::kM3]);
    EXPECT_DOUBLE_EQ(part[Metric::kCycleBandwidth], whole[Metric::kCycleBandwidth])
        << "the groups read side by side";
  }
}

TEST(Study, SpeculationIsRepairedByScratchApartAndCopyback) {
  const auto study = run_study(quick({"spec"}));
  ASSERT_EQ(study.cells.size(), 12U);
  expect_met(study);
  for (const auto& cell : study.cells) EXPECT_GT(cell.copied_bytes, 0) << cell.spec.label;
}

TEST(Study, ResultsDoNotDependOnTheNumberOfJobs) {
  auto options = quick({"structure", "kv-heads"});
  const auto alone = run_study(options);
  options.jobs = 3;
  const auto together = run_study(options);
  EXPECT_EQ(study_csv(alone), study_csv(together));
  EXPECT_EQ(study_json(alone), study_json(together));
  EXPECT_EQ(study_markdown(alone), study_markdown(together));
  EXPECT_EQ(study_charts(alone), study_charts(together));
}

TEST(Study, WithoutTracesTheirPartIsSkippedWithASentence) {
  const auto study = run_study(quick({"traces"}));
  EXPECT_TRUE(study.cells.empty());
  ASSERT_EQ(study.skipped.size(), 1U);
  EXPECT_EQ(study.skipped.front(), "traces: skipped, for want of --traces FOLDER");
  auto options = quick({"traces"});
  options.traces_folder = "/no-such-folder";
  const auto elsewhere = run_study(options);
  ASSERT_EQ(elsewhere.skipped.size(), 3U);
  EXPECT_EQ(elsewhere.skipped.front(),
            "traces, Azure conversation: skipped, there is no "
            "/no-such-folder/AzureLLMInferenceTrace_conv.csv");
}

TEST(Study, AMissedValueIsNamed) {
  Study study;
  StudyCell row{"16", kPaged, Stream::kSteady, "", MetricValues{}.m1(0.5)};
  const StudyPart part{"block-size", "", "", Policies::kListed, {&row, 1}};
  CellResult cell;
  cell.spec = {&part, "16", "paged-lifo", Stream::kSteady, {}, row.published};
  cell.verdicts.push_back({Metric::kM1, 0.52, 0.5, 0.01, false});
  cell.verdicts.push_back({Metric::kM2, 0.99, 0.99, 0.01, true});
  study.cells.push_back(cell);
  EXPECT_EQ(study.missed(),
            (std::vector<std::string>{
                "block-size, 16, paged-lifo: M1 0.5200, published 0.5000, allowed 0.01000"}));
  EXPECT_FALSE(cell.met());
}

}  // namespace
}  // namespace lockstep
