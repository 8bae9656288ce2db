#include "sim/study/svg_chart.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

const Chart kTwoLines{
    "M1 & M2",
    "block size, tokens",
    "share",
    {"4", "16"},
    {{"paged", {0.5, 1.0}, 0, Stroke::kSolid}, {"region", {-1.0, 0.9}, 1, Stroke::kDashed}},
    ChartKind::kLines};

TEST(SvgChart, HasTitleAxesUnitsAndALegend) {
  const auto svg = svg_of(kTwoLines);
  for (const char* text :
       {">M1 &amp; M2<", ">block size, tokens<", ">share<", ">paged<", ">region<", ">4<", ">16<"}) {
    EXPECT_EQ(count(svg, text), 1U) << text;
  }
  EXPECT_EQ(svg.substr(0, 4), "<svg");
  EXPECT_EQ(svg.substr(svg.size() - 7), "</svg>\n");
}

// The axis of values up to 1.0 has ticks at 0, 0.2, … 1.0; the plot is 300 units high, from 340 up.
TEST(SvgChart, PlacesPointsByTheirValueAndLeavesOutMissingOnes) {
  const auto svg = svg_of(kTwoLines);
  EXPECT_EQ(count(svg, "<polyline"), 2U);
  EXPECT_EQ(count(svg, "<circle"), 3U);
  EXPECT_EQ(count(svg, "points=\"192.5,190.0 437.5,40.0 \""), 1U);
  EXPECT_EQ(count(svg, "points=\"437.5,70.0 \""), 1U);
}

TEST(SvgChart, DrawsABarForEachValue) {
  auto chart = kTwoLines;
  chart.kind = ChartKind::kBars;
  const auto svg = svg_of(chart);
  EXPECT_EQ(count(svg, "<rect"), 1U + 3U) << "the background and three bars";
  EXPECT_EQ(count(svg, "height=\"150.0\""), 1U);
}

}  // namespace
}  // namespace lockstep
