// The study of sparse attention: its files hold what was run, whatever the number of threads.
#include <gtest/gtest.h>

#include "sim/study/dsa_study.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

StudyOptions quick(std::vector<std::string> parts, int jobs) {
  StudyOptions options;
  options.config_file = LOCKSTEP_SOURCE_DIR "/configs/study-dsa.yaml";
  options.parts = std::move(parts);
  options.extent = Extent::kQuick;
  options.jobs = jobs;
  return options;
}

TEST(DsaStudy, ThreadsChangeNothing) {
  const auto one = run_dsa_study(quick({"repair"}, 1));
  const auto two = run_dsa_study(quick({"repair"}, 2));
  EXPECT_EQ(dsa_csv(one), dsa_csv(two));
  EXPECT_EQ(dsa_json(one), dsa_json(two));
  ASSERT_EQ(one.cells.size(), 4U);
  for (const auto& cell : one.cells) {
    for (const auto& row : cell.rows) {
      if (row.schedule != "serial") continue;
      EXPECT_EQ(row[DsaMetric::kSpeedup], 1.0);
      EXPECT_EQ(row[DsaMetric::kTokenUs], one.cells[0].rows[0][DsaMetric::kTokenUs])
          << "no repair mode changes the serial schedule";
    }
  }
  EXPECT_EQ(dsa_charts(one).size(), 2U);
}

TEST(DsaStudy, AnUnknownPartIsNamed) {
  EXPECT_THROW(run_dsa_study(quick({"rowz"}, 1)), InputError);
}

// Published numbers are another platform's: they stand beside, and nothing is judged by them.
TEST(DsaStudy, PublishedSpeedupsStandBesideTheAblationAlone) {
  for (const auto& part : dsa_parts()) {
    for (const auto& published : part.published) {
      EXPECT_EQ(part.name, "ablation");
      EXPECT_EQ(std::count_if(part.cells.begin(), part.cells.end(),
                              [&](const DsaCell& cell) { return cell.label == published.cell; }),
                1);
    }
  }
}

}  // namespace
}  // namespace lockstep
