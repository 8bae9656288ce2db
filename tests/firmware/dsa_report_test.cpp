// The reports on a trace small enough to work by hand, and what they must not do.
#include <string>

#include <gtest/gtest.h>

#include "firmware/dsa/trace_files.h"
#include "firmware/dsa/trace_report.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

// Two heads, K = 1. Head 0 always selects block 0; head 1 selects 0, 0, then 1, then 1.
ScoreTrace hand_made() {
  std::string csv = "step,phase,layer,head,block,score\n";
  const char* const rows[4][2] = {
      {"4,1,1", "4,1,1"}, {"4,1,1", "4,1,1"}, {"4,1,1", "1,9,1"}, {"4,1,1", "1,9,1"}};
  for (int step = 0; step < 4; ++step) {
    for (int head = 0; head < 2; ++head) {
      for (int block = 0; block < 3; ++block) {
        csv += std::to_string(step) + (step < 2 ? ",0,0," : ",1,0,") + std::to_string(head) + ',' +
               std::to_string(block) + ',' + rows[step][head][2 * block] + '\n';
      }
    }
  }
  TraceMeta meta;
  meta.source = "hand";
  meta.block_tokens = 16;
  meta.k_dyn = 1;
  return parse_trace_csv(csv, "hand.csv", meta);
}

ReportOptions options() {
  return {{1, 2}, {1}, 32, CalibrationWeights::kClippedAtZero};
}

TEST(DsaStats, AreThoseWorkedByHand) {
  const auto stats = dsa_stats(hand_made(), options());
  EXPECT_EQ(stats["decode_steps"], 2);
  EXPECT_EQ(stats["first_context_tokens"], 48);
  const auto& mean = stats["mean"];
  EXPECT_EQ(mean["reuse_overlap_ratio"], 1) << "both heads keep their block over the decode steps";
  // theta is (0.2, 0.1, 0): head 1 has levels 4, 1 before step 2, and 3.4, 2.6 before step 3. So it
  // misses block 1 twice at delta 1 and never at delta 2 (1 before 2 at equal levels, then 2.6).
  EXPECT_EQ(stats["heads"][1]["theta"]["alpha"], 0.2);
  EXPECT_EQ(mean["deltas"][0]["overlap_ratio"], 0.5);
  EXPECT_EQ(mean["deltas"][0]["missed_blocks"], 0.5);
  EXPECT_EQ(mean["deltas"][0]["missed_blocks_slowest_head"], 1);
  EXPECT_EQ(mean["deltas"][0]["layer_steps_without_miss_ratio"], 0);
  EXPECT_EQ(mean["deltas"][1]["overlap_ratio"], 1);
  EXPECT_EQ(mean["deltas"][1]["wasted_blocks"], 1);
  EXPECT_EQ(mean["deltas"][1]["layer_steps_without_miss_ratio"], 1);
  EXPECT_EQ(stats["heads"][0]["deltas"][0]["overlap_ratio"], 1);
  EXPECT_EQ(stats["heads"][1]["deltas"][0]["overlap_ratio"], 0);
}

TEST(DsaStats, TextSaysTheSame) {
  EXPECT_EQ(dsa_stats_text(dsa_stats(hand_made(), options())),
            "hand: 1 layers x 2 KV heads, 2 decode steps, context 48 to 48 tokens, blocks of 16 "
            "tokens, K = 1 blocks (forced blocks not counted)\n"
            "reuse overlap 1.000; blocks per touched 32-token region 1.00 (1.20 if independent)\n"
            "delta  overlap     p5  widened  recall  missed  slowest  wasted  no miss\n"
            " 1.00    0.500  0.500    0.750   0.500     0.5      1.0     0.5    0.000\n"
            " 2.00    1.000  1.000    1.000   1.000     0.0      0.0     1.0    1.000\n");
}

TEST(DsaStats, RefusesARegionThatHoldsNoWholeBlocks) {
  ReportOptions wrong = options();
  wrong.region_tokens = 40;
  try {
    dsa_stats(hand_made(), wrong);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "region_tokens must be a multiple of the block of 16 tokens, got 40");
  }
}

TEST(DsaCalibration, ShowsEachHead) {
  const auto report = dsa_calibration(hand_made(), CalibrationWeights::kClippedAtZero);
  EXPECT_EQ(report["heads"].size(), 2U);
  EXPECT_EQ(report["heads"][0]["rows"], 1);
  EXPECT_EQ(report["heads"][0]["best_hit_ratio"], 1);
  EXPECT_EQ(dsa_calibration_text(report),
            "hand: 1 layers x 2 KV heads, 2 decode steps, context 48 to 48 tokens, blocks of 16 "
            "tokens, K = 1 blocks (forced blocks not counted)\n"
            "layer  head  rows  alpha  beta  gamma   best  median  worst\n"
            "    0     0     1   0.20  0.10   0.00  1.000   1.000  1.000\n"
            "    0     1     1   0.20  0.10   0.00  1.000   1.000  1.000\n");
}

}  // namespace
}  // namespace lockstep
