#include "firmware/dsa/qk_process.h"

#include <algorithm>
#include <cmath>

namespace lockstep {
namespace {

// No source: chosen to have what is reported of score traces (sinks, query-independent heavy
// hitters, a drifting focus, outlier channels), with the overlaps of docs/dsa.md, section 9.
constexpr double kPassageTokens = 192;  // mean; lengths are geometric
constexpr std::int64_t kShortestPassage = 8;
constexpr int kTopics = 48;
constexpr double kTopicZipf = 0.8;
constexpr double kPassageWeight = 0.7;
constexpr double kHeavyProbability = 0.02;  // query-independent heavy hitters
constexpr double kHeavyWeight = 0.5;
constexpr double kHeavyPareto = 3.0;
constexpr std::int64_t kSinkTokens = 4;
constexpr double kSinkWeight = 3.0;
constexpr int kOutlierChannels = 4;
constexpr double kOutlierScale = 2.0;
constexpr std::size_t kFocusPassages = 24;
constexpr double kFocusTauSteps = 200;
constexpr double kFocusWeightTauSteps = 60;
constexpr double kFocusWeightSpread = 0.7;
constexpr double kSwitchProbability = 1.0 / 256;
constexpr int kTokenTypes = 64;
constexpr double kTypeShare = 0.3;  // of the fast part that belongs to the token's type
constexpr double kHeadSpread = 0.3;
// What makes a softmax over kernels as peaky as real heads.
constexpr double kSoftmaxLogitScale = 8.0;

enum Purpose { kStructure, kTokens, kFocus, kFast, kHeads };

std::vector<double> normal_vector(RandomStream& random) {
  std::vector<double> values(QkProcess::kHeadDim);
  for (double& value : values) value = random.normal() / std::sqrt(double{QkProcess::kHeadDim});
  return values;
}

void add(std::vector<double>& to, double weight, const std::vector<double>& from) {
  for (std::size_t d = 0; d < to.size(); ++d) to[d] += weight * from[d];
}

double squared_norm(const std::vector<double>& vector) {
  double sum = 0;
  for (const double value : vector) sum += value * value;
  return sum;
}

void scale_all(std::vector<std::vector<double>>& vectors, double factor) {
  for (auto& vector : vectors) {
    for (double& value : vector) value *= factor;
  }
}

// Draws i with probability proportional to 1 / (i + 1)^exponent.
class Zipf {
 public:
  Zipf(int count, double exponent) {
    double sum = 0;
    for (int i = 1; i <= count; ++i) cumulative_.push_back(sum += std::pow(i, -exponent));
  }
  std::size_t draw(RandomStream& random) const {
    const double at = random.uniform() * cumulative_.back();
    return static_cast<std::size_t>(
        std::upper_bound(cumulative_.begin(), cumulative_.end() - 1, at) - cumulative_.begin());
  }

 private:
  std::vector<double> cumulative_;
};

}  // namespace

struct QkProcess::Passages {
  std::vector<std::size_t> of_token;
  std::vector<Vector> look;  // topic centre + passage vector
};

RandomStream QkProcess::stream(int purpose) const {
  return {config_.seed, layer_, head_, purpose};
}

QkProcess::QkProcess(const ProcessConfig& config, int layer, int head)
    : config_(config),
      layer_(layer),
      head_(head),
      tokens_(config.context_tokens + config.decode_steps),
      steps_(config.calibration_rows + config.decode_steps) {
  RandomStream random = stream(kStructure);
  mean_query_ = normal_vector(random);
  std::vector<Vector> topics;
  for (int i = 0; i < kTopics; ++i) topics.push_back(normal_vector(random));
  const Zipf topic(kTopics, kTopicZipf);
  Passages passages;
  while (static_cast<std::int64_t>(passages.of_token.size()) < tokens_) {
    const double length = 1 + std::log(1 - random.uniform()) / std::log(1 - 1 / kPassageTokens);
    const auto tokens = std::max(kShortestPassage, static_cast<std::int64_t>(length));
    passages.of_token.insert(passages.of_token.end(), static_cast<std::size_t>(tokens),
                             passages.look.size());
    passages.look.push_back(topics[topic.draw(random)]);
    add(passages.look.back(), kPassageWeight, normal_vector(random));
  }
  draw_keys(passages);
  draw_slow(passages);
  draw_fast();
}

void QkProcess::draw_keys(const Passages& passages) {
  RandomStream random = stream(kTokens);
  const double along_mean = 1 / squared_norm(mean_query_);
  Vector outliers(kHeadDim, 0.0);
  for (int i = 0; i < kOutlierChannels; ++i) {
    outliers[static_cast<std::size_t>(random.below(kHeadDim))] = kOutlierScale * random.normal();
  }
  scorer_ = make_block_scorer(config_.selector.scorer, {1, kGroup, kHeadDim},
                              config_.selector.block_tokens, ScorePrecision::kFp16);
  for (std::int64_t token = 0; token < tokens_; ++token) {
    Vector key = passages.look[passages.of_token[static_cast<std::size_t>(token)]];
    add(key, 1, normal_vector(random));
    add(key, 1, outliers);
    if (random.happens(kHeavyProbability)) {
      const double pareto = std::pow(1 - random.uniform(), -1 / kHeavyPareto) - 1;
      add(key, kHeavyWeight * (pareto + 0.5) * along_mean, mean_query_);
    }
    if (token < kSinkTokens) add(key, kSinkWeight * along_mean, mean_query_);
    const std::vector<float> stored(key.begin(), key.end());
    keys_.insert(keys_.end(), stored.begin(), stored.end());
    scorer_->append(stored);
  }
}

// The weighted sum of the passages in focus; their log weights follow a slow autoregression.
void QkProcess::draw_slow(const Passages& passages) {
  RandomStream random = stream(kFocus);
  const auto any = static_cast<std::int64_t>(passages.look.size());
  std::vector<std::size_t> focus(kFocusPassages);
  for (auto& passage : focus) passage = static_cast<std::size_t>(random.below(any));
  std::vector<double> log_weight(kFocusPassages);
  for (double& weight : log_weight) weight = random.normal();
  const double kept = std::exp(-1 / kFocusWeightTauSteps);
  double norm = 0;
  for (std::int64_t t = 0; t < steps_; ++t) {
    const auto newest = static_cast<std::size_t>(
        std::max<std::int64_t>(0, config_.context_tokens - config_.calibration_rows + t - 1));
    const auto seen =
        std::max<std::int64_t>(1, static_cast<std::int64_t>(passages.of_token[newest]));
    const bool switched = random.happens(kSwitchProbability);
    slow_.emplace_back(kHeadDim, 0.0);
    for (std::size_t i = 0; i < kFocusPassages; ++i) {
      const bool leaves = random.happens(1 / kFocusTauSteps) || (switched && random.happens(0.5));
      if (leaves) focus[i] = static_cast<std::size_t>(random.below(seen));
      if (t > 0) {
        log_weight[i] = kept * log_weight[i] + std::sqrt(1 - kept * kept) * random.normal();
      }
      const auto& look = passages.look[focus[i]];
      const double weight = std::exp(kFocusWeightSpread * log_weight[i]);
      add(slow_.back(), weight / std::sqrt(squared_norm(look)), look);
    }
    norm += std::sqrt(squared_norm(slow_.back()));
  }
  scale_all(slow_, static_cast<double>(steps_) / norm);
}

void QkProcess::draw_fast() {
  RandomStream random = stream(kFast);
  RandomStream heads = stream(kHeads);
  std::vector<Vector> types;
  for (int i = 0; i < kTokenTypes; ++i) types.push_back(normal_vector(random));
  const Zipf type(kTokenTypes, 1);
  double squares = 0;
  for (std::int64_t t = 0; t < steps_; ++t) {
    fast_.emplace_back(kHeadDim, 0.0);
    add(fast_.back(), std::sqrt(kTypeShare), types[type.draw(random)]);
    add(fast_.back(), std::sqrt(1 - kTypeShare), normal_vector(random));
    squares += squared_norm(fast_.back());
    std::vector<Vector> own;
    Vector mean(kHeadDim, 0.0);
    for (int g = 0; g < kGroup; ++g) {
      own.push_back(normal_vector(heads));
      add(mean, 1.0 / kGroup, own.back());
    }
    deviation_.emplace_back();
    for (auto& vector : own) {
      add(vector, -1, mean);
      for (const double value : vector) {
        deviation_.back().push_back(static_cast<float>(kHeadSpread * value));
      }
    }
  }
  scale_all(fast_, 1 / std::sqrt(squares / static_cast<double>(steps_)));
}

std::vector<float> QkProcess::query(std::int64_t step, double fast) const {
  const auto at = static_cast<std::size_t>(step);
  Vector shared = slow_[at];
  add(shared, 1 / std::sqrt(squared_norm(mean_query_)), mean_query_);
  add(shared, fast, fast_[at]);
  const double scale =
      config_.selector.scorer == "infllm2" ? kSoftmaxLogitScale * std::sqrt(double{kHeadDim}) : 1;
  std::vector<float> heads = deviation_[at];
  for (std::size_t i = 0; i < heads.size(); ++i) {
    const double value = shared[i % kHeadDim] + static_cast<double>(heads[i]);
    heads[i] = static_cast<float>(scale * value);
  }
  return heads;
}

ScoreSeries QkProcess::scores(double fast) const {
  const std::int64_t blocks = tokens_ / config_.selector.block_tokens;
  ScoreSeries series{steps_, blocks,
                     std::vector<double>(static_cast<std::size_t>(steps_ * blocks))};
  for (std::int64_t t = 0; t < steps_; ++t) {
    const std::int64_t tokens = config_.context_tokens - config_.calibration_rows + t + 1;
    const auto row = scorer_->score(query(t, fast), tokens)[0];
    std::copy(row.begin(), row.end(), series.scores.begin() + t * blocks);
  }
  mask_forced(config_, series);
  return series;
}

}  // namespace lockstep
