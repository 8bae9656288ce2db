#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "firmware/dsa/trace_files.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

constexpr std::string_view kHeader = "step,phase,layer,head,block,score";
constexpr std::array<const char*, 5> kIndexNames = {"step", "phase", "layer", "head", "block"};
constexpr std::int64_t kLargestIndex = 1 << 20;
constexpr std::int64_t kMostScores = std::int64_t{1} << 26;

struct CsvScore {
  std::array<std::int64_t, 5> at{};  // kIndexNames
  double score = 0;
  std::int64_t line = 0;
};

class CsvReader {
 public:
  CsvReader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  std::vector<CsvScore> scores() {
    if (next_line() != kHeader) refuse(fmt::format("expected the header `{}`", kHeader));
    std::vector<CsvScore> scores;
    while (!text_.empty()) scores.push_back(parse(next_line()));
    if (scores.empty()) refuse("no scores after the header");
    return scores;
  }

  [[noreturn]] void refuse(const std::string& what) const { refuse_at(line_, what); }
  [[noreturn]] void refuse_at(std::int64_t line, const std::string& what) const {
    throw InputError(fmt::format("{}:{}: {}", file_, line, what));
  }

 private:
  std::string_view next_line() {
    ++line_;
    const auto end = std::min(text_.find('\n'), text_.size());
    auto line = text_.substr(0, end);
    text_.remove_prefix(std::min(end + 1, text_.size()));
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    return line;
  }

  template <typename Number>
  Number number(std::string_view field, const char* name) const {
    Number value{};
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (error == std::errc() && end == field.data() + field.size()) return value;
    refuse(fmt::format("`{}` is no {}", field, name));
  }

  CsvScore parse(std::string_view line) const {
    const auto commas = std::count(line.begin(), line.end(), ',');
    if (commas != 5) refuse(fmt::format("expected 6 columns, got {}: `{}`", commas + 1, line));
    CsvScore score;
    score.line = line_;
    for (std::size_t i = 0; i < kIndexNames.size(); ++i) {
      const auto end = line.find(',');
      score.at[i] = number<std::int64_t>(line.substr(0, end), kIndexNames[i]);
      if (score.at[i] < 0 || score.at[i] > kLargestIndex) {
        refuse(
            fmt::format("{} {} is not from 0 to {}", kIndexNames[i], score.at[i], kLargestIndex));
      }
      line.remove_prefix(end + 1);
    }
    score.score = number<double>(line, "score");
    return score;
  }

  std::string_view text_;
  const std::string& file_;
  std::int64_t line_ = 0;
};

std::array<std::int64_t, 5> extents_of(const std::vector<CsvScore>& scores) {
  std::array<std::int64_t, 5> extents{};
  for (const auto& score : scores) {
    for (std::size_t i = 0; i < extents.size(); ++i) {
      extents[i] = std::max(extents[i], score.at[i] + 1);
    }
  }
  return extents;
}

// The number of leading steps of phase 0; a step has one phase, and they do not fall.
std::int64_t prefill_rows(const std::vector<CsvScore>& scores, std::int64_t steps,
                          const CsvReader& reader) {
  std::int64_t rows = 0;
  for (const auto& score : scores) {
    if (score.at[1] == 0) rows = std::max(rows, score.at[0] + 1);
  }
  for (const auto& score : scores) {
    if (score.at[1] > 1 || (score.at[1] == 1) != (score.at[0] >= rows)) {
      reader.refuse_at(score.line, "phase must be 0 in the leading steps and 1 in the others");
    }
  }
  if (rows == 0 || rows == steps) reader.refuse_at(1, "needs steps of phase 0 and of phase 1");
  return rows;
}

void place_scores(const std::vector<CsvScore>& scores, const CsvReader& reader, ScoreTrace& trace) {
  for (const auto& score : scores) {
    const auto& [step, phase, layer, head, block] = score.at;
    const auto at =
        ((step * trace.layers() + layer) * trace.heads() + head) * trace.blocks() + block;
    double& value = trace.scores.values[static_cast<std::size_t>(at)];
    if (!std::isnan(value)) reader.refuse_at(score.line, "this score was given before");
    if (!std::isfinite(score.score)) reader.refuse_at(score.line, "a score must be finite");
    value = score.score;
    auto& complete = trace.n_valid[static_cast<std::size_t>(step)];
    complete = std::max(complete, block + 1);
  }
}

}  // namespace

ScoreTrace parse_trace_csv(std::string_view text, const std::string& file, TraceMeta meta) {
  CsvReader reader(text, file);
  const std::vector<CsvScore> scores = reader.scores();
  const auto [steps, phases, layers, heads, blocks] = extents_of(scores);
  if (steps * layers > kMostScores || steps * layers * heads > kMostScores / blocks) {
    reader.refuse_at(1, "a table this large belongs in a dsa-trace/1 directory");
  }
  ScoreTrace trace;
  trace.meta = std::move(meta);
  trace.meta.prefill_rows = prefill_rows(scores, steps, reader);
  trace.meta.kv_heads = heads;
  trace.meta.layer_ids.clear();
  for (std::int64_t layer = 0; layer < layers; ++layer) trace.meta.layer_ids.push_back(layer);
  trace.scores.shape = {steps, layers, heads, blocks};
  trace.scores.values.assign(static_cast<std::size_t>(steps * layers * heads * blocks),
                             std::numeric_limits<double>::quiet_NaN());
  trace.n_valid.assign(static_cast<std::size_t>(steps), 0);
  place_scores(scores, reader, trace);
  for (std::size_t t = 0; t < trace.n_valid.size(); ++t) {
    if (t > 0) trace.n_valid[t] = std::max(trace.n_valid[t], trace.n_valid[t - 1]);
    trace.pos.push_back(trace.n_valid[t] * trace.meta.block_tokens);
  }
  check_score_trace(trace, file);
  return trace;
}

}  // namespace lockstep
