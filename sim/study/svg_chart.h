// Line and bar charts over named categories as SVG text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep {

enum class ChartKind : std::uint8_t { kLines, kBars };
enum class Stroke : std::uint8_t { kSolid, kDashed };

struct ChartSeries {
  std::string name;
  std::vector<double> values;  // one per category; negative where there is none
  int colour = 0;              // equal for series that belong together
  Stroke stroke = Stroke::kSolid;
};

struct Chart {
  std::string title;
  std::string x_label;
  std::string y_label;  // with its unit
  std::vector<std::string> categories;
  std::vector<ChartSeries> series;
  ChartKind kind = ChartKind::kLines;
};

// The y axis begins at 0. Equal charts give equal bytes.
std::string svg_of(const Chart& chart);

}  // namespace lockstep
