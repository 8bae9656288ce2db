// A trace of block scores, captured from a model or made by a process: format `dsa-trace/1`
// (docs/dsa.md). Replays are open loop: the scores do not react to what was attended.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "firmware/dsa/npy.h"
#include "firmware/dsa/score_process.h"
#include "firmware/dsa/score_series.h"

namespace lockstep {

struct TraceMeta {
  std::string source;      // `synthetic`, or model name and revision
  std::string dsa;         // quest, infllm2 or another selector
  std::string score_kind;  // quest_upper_bound, softmax_group_sum, ...
  std::string granularity = "kv_head";
  std::vector<std::int64_t> layer_ids;
  std::int64_t kv_heads = 0;
  std::int64_t q_heads = 0;   // 0: not stated
  std::int64_t head_dim = 0;  // 0: not stated
  std::int64_t block_tokens = 0;
  std::int64_t token_budget = 0;
  std::int64_t k_dyn = 0;  // K without forced blocks
  std::int64_t init_blocks = 0;
  std::int64_t local_blocks = 0;
  std::int64_t dense_layers = 0;
  std::int64_t prefill_rows = 0;  // leading rows that calibrate (phase 0)
  std::int64_t seed = 0;
  nlohmann::ordered_json gen = nlohmann::ordered_json::object();  // how it was made; free
};

struct ScoreTrace {
  TraceMeta meta;
  NpyArray scores;                    // [step, layer, head, block]; NaN: cannot be chosen
  std::vector<std::int64_t> n_valid;  // complete blocks before each step
  std::vector<std::int64_t> pos;      // tokens in the cache before each step
  std::optional<NpyArray> sel;        // the engine's own selection [step, layer, head, K], -1 pads
  std::optional<NpyArray> mass;       // softmax mass per block, shaped like scores

  std::int64_t steps() const { return scores.shape[0]; }
  std::int64_t layers() const { return scores.shape[1]; }
  std::int64_t heads() const { return scores.shape[2]; }
  std::int64_t blocks() const { return scores.shape[3]; }
  ScoreSeries series(std::int64_t layer, std::int64_t head) const {
    return slice(scores, layer, head);
  }
  ScoreSeries mass_series(std::int64_t layer, std::int64_t head) const {
    return slice(*mass, layer, head);
  }

 private:
  ScoreSeries slice(const NpyArray& array, std::int64_t layer, std::int64_t head) const;
};

// Throws InputError `PLACE: …` when shapes, counts, scores and selections contradict each other. A
// selection must be a top-K of the scores, up to ties.
void check_score_trace(const ScoreTrace& trace, const std::string& place);

// The trace of `layers` x `kv_heads` processes. The knob is fitted on the first three and kept for
// all; what it reached stands in meta.gen.
ScoreTrace generate_score_trace(const ProcessConfig& config, int layers, int kv_heads);

}  // namespace lockstep
