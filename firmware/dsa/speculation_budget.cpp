#include "firmware/dsa/speculation_budget.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/core.h>

#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

using Matrix = std::vector<std::vector<double>>;  // rows of [coefficients | right side]

std::vector<double> solve(Matrix system) {
  const std::size_t n = system.size();
  for (std::size_t column = 0; column < n; ++column) {
    std::size_t pivot = column;
    for (std::size_t row = column + 1; row < n; ++row) {
      if (std::abs(system[row][column]) > std::abs(system[pivot][column])) pivot = row;
    }
    std::swap(system[column], system[pivot]);
    for (std::size_t row = 0; row < n; ++row) {
      if (row == column) continue;
      const double factor = system[row][column] / system[column][column];
      for (std::size_t i = column; i <= n; ++i) system[row][i] -= factor * system[column][i];
    }
  }
  std::vector<double> solution(n);
  for (std::size_t row = 0; row < n; ++row) solution[row] = system[row][n] / system[row][row];
  return solution;
}

// Coefficients, lowest power first, of the least-squares polynomial (normal equations).
std::vector<double> fit(const std::vector<double>& x, const std::vector<double>& y, int degree) {
  const auto terms = static_cast<std::size_t>(degree) + 1;
  Matrix system(terms, std::vector<double>(terms + 1, 0.0));
  for (std::size_t sample = 0; sample < x.size(); ++sample) {
    for (std::size_t i = 0; i < terms; ++i) {
      const double power = std::pow(x[sample], static_cast<double>(i));
      for (std::size_t j = 0; j < terms; ++j) {
        system[i][j] += power * std::pow(x[sample], static_cast<double>(j));
      }
      system[i][terms] += power * y[sample];
    }
  }
  return solve(std::move(system));
}

double value_at(const std::vector<double>& coefficients, double x) {
  double value = 0;
  for (std::size_t i = coefficients.size(); i-- > 0;) value = value * x + coefficients[i];
  return value;
}

void check(const std::vector<LatencySample>& samples) {
  if (samples.empty()) throw InputError("latency profile: it needs at least one context");
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto& sample = samples[i];
    if (sample.context_tokens < 1) {
      throw InputError(
          fmt::format("latency profile: context {} is below 1 token", sample.context_tokens));
    }
    if (i > 0 && sample.context_tokens == samples[i - 1].context_tokens) {
      throw InputError(
          fmt::format("latency profile: context {} appears twice", sample.context_tokens));
    }
    const bool timed = sample.selection_us >= 0 &&
                       std::all_of(sample.speculation_us.begin(), sample.speculation_us.end(),
                                   [](double time) { return time >= 0; });
    if (!timed) {
      throw InputError(fmt::format("latency profile: context {} has a time that is not 0 or more",
                                   sample.context_tokens));
    }
  }
}

}  // namespace

LatencyProfile::LatencyProfile(std::vector<LatencySample> samples, int degree)
    : samples_(std::move(samples)) {
  std::sort(samples_.begin(), samples_.end(), [](const LatencySample& a, const LatencySample& b) {
    return a.context_tokens < b.context_tokens;
  });
  check(samples_);
  const int power = std::clamp(degree, 0, static_cast<int>(samples_.size()) - 1);
  scale_tokens_ = static_cast<double>(samples_.back().context_tokens);  // keeps the powers near 1
  std::vector<double> contexts;
  std::vector<double> times;
  for (const auto& sample : samples_) {
    contexts.push_back(static_cast<double>(sample.context_tokens) / scale_tokens_);
    times.push_back(sample.selection_us);
  }
  selection_ = fit(contexts, times, power);
  for (std::size_t d = 0; d < kDeltas.size(); ++d) {
    std::transform(samples_.begin(), samples_.end(), times.begin(),
                   [d](const LatencySample& sample) { return sample.speculation_us[d]; });
    speculation_[d] = fit(contexts, times, power);
  }
}

LatencySample LatencyProfile::at(std::int64_t context_tokens) const {
  for (const auto& sample : samples_) {
    if (sample.context_tokens == context_tokens) return sample;
  }
  const double x = static_cast<double>(context_tokens) / scale_tokens_;
  LatencySample sample{context_tokens, std::max(0.0, value_at(selection_, x)), {}};
  for (std::size_t d = 0; d < kDeltas.size(); ++d) {
    sample.speculation_us[d] = std::max(0.0, value_at(speculation_[d], x));
  }
  return sample;
}

double LatencyProfile::largest_safe_delta(std::int64_t context_tokens) const {
  const LatencySample sample = at(context_tokens);
  for (std::size_t d = kDeltas.size(); d-- > 0;) {
    if (sample.speculation_us[d] <= sample.selection_us) return kDeltas[d];
  }
  return 0;
}

double latency_optimal_delta(const SpeculationCost& cost) {
  const auto latency_us = [&cost](double delta) {
    return std::max(cost.window_us, cost.speculation_us(delta)) + cost.repair_us(delta);
  };
  return *std::min_element(kDeltas.begin(), kDeltas.end(),
                           [&](double a, double b) { return latency_us(a) < latency_us(b); });
}

}  // namespace lockstep
