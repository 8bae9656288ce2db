#include "sim/study/svg_chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

namespace lockstep {
namespace {

constexpr double kWidth = 760;
constexpr double kHeight = 400;
constexpr double kLeft = 70;
constexpr double kRight = 560;  // the legend is to the right of it
constexpr double kTop = 40;
constexpr double kBottom = 340;
constexpr int kTicks = 5;

// Colours that remain apart for colour-blind readers (Okabe and Ito 2008), then greys.
constexpr std::array<std::string_view, 10> kColours = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                       "#E69F00", "#56B4E9", "#F0E442", "#000000",
                                                       "#777777", "#BBBBBB"};

std::string_view colour_of(const ChartSeries& series) {
  return kColours[static_cast<std::size_t>(series.colour) % kColours.size()];
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else {
      result += c;
    }
  }
  return result;
}

// The least of 1, 2, 2.5, 5 x a power of ten whose kTicks-fold reaches `largest`.
double tick_step(double largest) {
  const double least = std::max(largest, 1e-9) / kTicks;
  const double decade = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 2.5, 5.0}) {
    if (factor * decade >= least * (1 - 1e-9)) return factor * decade;
  }
  return 10 * decade;
}

class Drawing {
 public:
  explicit Drawing(const Chart& chart) : chart_(chart) {
    double largest = 0;
    for (const auto& series : chart.series) {
      for (const double value : series.values) largest = std::max(largest, value);
    }
    step_ = tick_step(largest);
  }

  std::string text() {
    axes();
    for (std::size_t s = 0; s < chart_.series.size(); ++s) {
      if (chart_.kind == ChartKind::kBars) {
        bars(s);
      } else {
        line(chart_.series[s]);
      }
      legend(s);
    }
    return svg_ + "</svg>\n";
  }

 private:
  double x(std::size_t category) const {
    const double slot = (kRight - kLeft) / static_cast<double>(chart_.categories.size());
    return kLeft + slot * (static_cast<double>(category) + 0.5);
  }
  double y(double value) const { return kBottom - value / (kTicks * step_) * (kBottom - kTop); }

  void label(double at_x, double at_y, std::string_view anchor, std::string_view text) {
    svg_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", at_x,
                        at_y, anchor, escaped(text));
  }

  void axes() {
    svg_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
        "{1}\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"{0}\" height=\"{1}\" "
        "fill=\"white\"/>\n",
        kWidth, kHeight);
    label((kLeft + kRight) / 2, kTop - 18, "middle", chart_.title);
    label((kLeft + kRight) / 2, kBottom + 42, "middle", chart_.x_label);
    svg_ += fmt::format(
        "<text transform=\"translate(16 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
        (kTop + kBottom) / 2, escaped(chart_.y_label));
    for (int tick = 0; tick <= kTicks; ++tick) {
      const double value = tick * step_;
      svg_ += fmt::format("<line x1=\"{}\" y1=\"{:.1f}\" x2=\"{}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n",
                          kLeft, y(value), kRight, y(value), tick == 0 ? "black" : "#dddddd");
      label(kLeft - 6, y(value) + 4, "end", fmt::format("{:g}", value));
    }
    for (std::size_t c = 0; c < chart_.categories.size(); ++c) {
      label(x(c), kBottom + 18, "middle", chart_.categories[c]);
    }
  }

  void line(const ChartSeries& series) {
    std::string points;
    for (std::size_t c = 0; c < series.values.size(); ++c) {
      if (series.values[c] < 0) continue;
      points += fmt::format("{:.1f},{:.1f} ", x(c), y(series.values[c]));
      svg_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", x(c),
                          y(series.values[c]), colour_of(series));
    }
    svg_ +=
        fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"{}/>\n",
                    points, colour_of(series), dashes(series));
  }

  void bars(std::size_t index) {
    const auto& series = chart_.series[index];
    const double slot = (kRight - kLeft) / static_cast<double>(chart_.categories.size());
    const double width = 0.8 * slot / static_cast<double>(chart_.series.size());
    for (std::size_t c = 0; c < series.values.size(); ++c) {
      if (series.values[c] < 0) continue;
      const double left = x(c) - 0.4 * slot + width * static_cast<double>(index);
      svg_ += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"{}/>\n",
          left, y(series.values[c]), width * 0.92, kBottom - y(series.values[c]), colour_of(series),
          series.stroke == Stroke::kDashed ? " fill-opacity=\"0.45\"" : "");
    }
  }

  void legend(std::size_t index) {
    const auto& series = chart_.series[index];
    const double at = kTop + 18 * static_cast<double>(index);
    svg_ += fmt::format(
        "<line x1=\"{0}\" y1=\"{2:.1f}\" x2=\"{1}\" y2=\"{2:.1f}\" stroke=\"{3}\" "
        "stroke-width=\"3\"{4}/>\n",
        kRight + 15, kRight + 40, at, colour_of(series), dashes(series));
    label(kRight + 46, at + 4, "start", series.name);
  }

  static std::string_view dashes(const ChartSeries& series) {
    return series.stroke == Stroke::kDashed ? " stroke-dasharray=\"6 4\"" : "";
  }

  const Chart& chart_;
  double step_ = 1;
  std::string svg_;
};

}  // namespace

std::string svg_of(const Chart& chart) {
  return Drawing(chart).text();
}

}  // namespace lockstep
