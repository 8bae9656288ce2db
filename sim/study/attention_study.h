// The placement gain of attention with real K and V passes: by GQA group, by the queries that one
// column access serves, and by the scope of an all-bank command.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/study/study.h"
#include "tlm/contract/span.h"

namespace lockstep {

struct AttentionScope {
  std::string_view name;
  int banks;  // of one all-bank command
  std::string_view overrides;
};
Span<AttentionScope> attention_scopes();

struct AttentionStudyOptions {
  std::string config_file;
  Extent extent = Extent::kFull;
  int jobs = 1;
};

// One of the two placements of a cell.
struct AttentionPlacement {
  double kv_bandwidth_gbps = 0;
  double mac_utilisation = 0;
  double commands_per_row = 0;  // MACab from one row change to the next
};

struct AttentionCell {
  const AttentionScope* scope = nullptr;
  int group = 1;
  int queries_per_column = 1;
  AttentionPlacement paged, region;
  double gain_formula = 0;  // time of all MACab: tCCDAB each, tRC for one that opens a row
  double gain_cycles = 0;   // time of attention

  // Of the time that columns and row changes take under `paged` by equation (4) of docs/model.md,
  // in clocks of the configuration: the row changes' part. What remains is compute.
  double row_change_share = 0;
};

struct AttentionStudy {
  std::string workload;
  std::vector<AttentionCell> cells;  // by scope, group, queries a column
};

// The result does not depend on `jobs`. Throws what the first run that failed threw.
AttentionStudy run_attention_study(const AttentionStudyOptions& options);

std::string attention_study_csv(const AttentionStudy& study);
std::string attention_study_json(const AttentionStudy& study);
std::string attention_study_markdown(const AttentionStudy& study);

}  // namespace lockstep
