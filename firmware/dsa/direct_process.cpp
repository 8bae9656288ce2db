#include "firmware/dsa/direct_process.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lockstep {
namespace {

// No source: chosen so that a fitted process has the overlaps of docs/dsa.md, section 9, `pool`
// those nearest to the published ones.
// clang-format off
constexpr DirectModel kModels[] = {
    //          static slow  tau   corr  dof switch     pool  gap  tau
    {"pool",    0.02,  0.02,  150, 0.0,  0,  0.0,       1.5,  40, 2000},
    {"neutral", 0.80,  0.20, 1500, 0.6,  0,  0.0,       0.0,   0,    0},
    {"drift",   0.45,  0.45,  150, 0.6,  4,  1.0 / 256, 0.0,   0,    0},
};
// clang-format on

constexpr float kOffset = 8;  // keeps the weights of Eq. 4 positive

double student(RandomStream& random, int dof) {
  const double normal = random.normal();
  if (dof == 0) return normal;
  double chi_squared = 0;
  for (int i = 0; i < dof; ++i) {
    const double x = random.normal();
    chi_squared += x * x;
  }
  return normal / std::sqrt(chi_squared / dof);
}

void to_unit_variance(std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  for (double& value : values) value /= std::sqrt(squares / count);
}

void correlate_neighbours(std::vector<double>& values, double correlation) {
  const double fresh = std::sqrt(1 - correlation * correlation);
  for (std::size_t b = 1; b < values.size(); ++b) {
    values[b] = correlation * values[b - 1] + fresh * values[b];
  }
}

}  // namespace

const DirectModel* direct_model(std::string_view name) {
  for (const auto& model : kModels) {
    if (model.name == name) return &model;
  }
  return nullptr;
}

DirectProcess::DirectProcess(const DirectModel& model, const ProcessConfig& config, int layer,
                             int head)
    : model_(model),
      config_(config),
      layer_(layer),
      head_(head),
      steps_(config.calibration_rows + config.decode_steps),
      blocks_((config.context_tokens + config.decode_steps) / config.selector.block_tokens),
      base_(static_cast<std::size_t>(steps_ * blocks_), kOffset),
      fast_(base_.size()) {
  add_static();
  add_slow();
  if (model_.pool_ratio > 0) add_pool();
  draw_fast();
}

RandomStream DirectProcess::stream(Purpose purpose) const {
  return {config_.seed, layer_, head_, purpose};
}

std::vector<double> DirectProcess::neighbours_correlated(RandomStream& random) const {
  std::vector<double> values(static_cast<std::size_t>(blocks_));
  for (double& value : values) value = random.normal();
  correlate_neighbours(values, model_.block_correlation);
  return values;
}

void DirectProcess::add_static() {
  RandomStream random = stream(kStatic);
  std::vector<double> values(static_cast<std::size_t>(blocks_));
  for (double& value : values) value = student(random, model_.student_dof);
  to_unit_variance(values);
  correlate_neighbours(values, model_.block_correlation);
  const double scale = std::sqrt(model_.static_variance);
  for (std::size_t i = 0; i < base_.size(); ++i) {
    base_[i] += static_cast<float>(scale * values[i % values.size()]);
  }
}

// An Ornstein-Uhlenbeck process per block, with innovations correlated along the context.
void DirectProcess::add_slow() {
  RandomStream random = stream(kSlow);
  RandomStream switches = stream(kSwitch);
  const double kept = std::exp(-1 / model_.slow_tau_steps);
  const double fresh = std::sqrt(1 - kept * kept);
  const double scale = std::sqrt(model_.slow_variance);
  std::vector<double> state;
  for (std::int64_t t = 0; t < steps_; ++t) {
    const std::vector<double> innovation = neighbours_correlated(random);
    if (t == 0) state = innovation;
    const bool switched = t > 0 && switches.happens(model_.switch_probability);
    for (std::size_t b = 0; b < state.size(); ++b) {
      if (t > 0) state[b] = kept * state[b] + fresh * innovation[b];
      if (switched && switches.happens(0.5)) state[b] = switches.normal();
      base_[static_cast<std::size_t>(t * blocks_) + b] += static_cast<float>(scale * state[b]);
    }
  }
}

void DirectProcess::add_pool() {
  RandomStream random = stream(kPool);
  // A shuffled order of all blocks: the first `members` are in the pool, the rest are free.
  BlockList order(static_cast<std::size_t>(blocks_));
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1],
              order[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(i)))]);
  }
  const double wanted = model_.pool_ratio * static_cast<double>(dynamic_top_k(config_.selector));
  const auto members = std::min(blocks_, static_cast<std::int64_t>(std::llround(wanted)));
  const std::int64_t free_blocks = blocks_ - members;
  for (std::int64_t t = 0; t < steps_; ++t) {
    const bool switched = t > 0 && random.happens(model_.switch_probability);
    for (std::int64_t m = 0; m < members; ++m) {
      const bool leaves =
          random.happens(1 / model_.pool_tau_steps) || (switched && random.happens(0.5));
      if (leaves && free_blocks > 0) {
        std::swap(order[static_cast<std::size_t>(m)],
                  order[static_cast<std::size_t>(members + random.below(free_blocks))]);
      }
      base_[static_cast<std::size_t>(t * blocks_ + order[static_cast<std::size_t>(m)])] +=
          static_cast<float>(model_.pool_gap);
    }
  }
}

void DirectProcess::draw_fast() {
  RandomStream random = stream(kFast);
  for (std::int64_t t = 0; t < steps_; ++t) {
    const std::vector<double> noise = neighbours_correlated(random);
    std::transform(noise.begin(), noise.end(), fast_.begin() + t * blocks_,
                   [](double value) { return static_cast<float>(value); });
  }
}

ScoreSeries DirectProcess::scores(double fast) const {
  ScoreSeries series{steps_, blocks_, std::vector<double>(base_.size())};
  const auto knob = static_cast<float>(fast);
  for (std::size_t i = 0; i < base_.size(); ++i) {
    series.scores[i] = static_cast<double>(base_[i] + knob * fast_[i]);
  }
  mask_forced(config_, series);
  return series;
}

}  // namespace lockstep
