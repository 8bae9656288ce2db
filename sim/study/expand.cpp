#include <algorithm>
#include <set>

#include "firmware/kv/allocator.h"
#include "sim/study/study.h"
#include "sim/study/text_table.h"
#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

// Of --quick, after all others: cycles of fewer steps, fewer requests of a trace.
constexpr std::string_view kQuick = "scoring.every_steps=16 ; scoring.simulate_every_steps=256";
constexpr std::string_view kQuickTraces = "replay.max_requests=200";

CellSpec spec_of(const StudyPart& part, const StudyCell& cell, std::string_view policy,
                 Extent extent) {
  CellSpec spec{&part, std::string(cell.label), std::string(policy), cell.stream, {}, {}};
  append_overrides(part.overrides, spec.overrides);
  append_overrides(cell.overrides, spec.overrides);
  if (extent == Extent::kQuick) {
    append_overrides(kQuick, spec.overrides);
    if (traits(cell.stream).origin == StreamOrigin::kPublicTrace) {
      append_overrides(kQuickTraces, spec.overrides);
    }
  }
  return spec;
}

// Of policies without rows of their own, what must hold whatever the policy is.
MetricValues for_any_policy(const MetricValues& published) {
  return MetricValues{}.with(Metric::kLost, published[Metric::kLost]);
}

void append_cells(const StudyPart& part, Extent extent, std::vector<CellSpec>& specs) {
  std::set<std::string_view> listed;
  for (const auto* cell = part.cells.begin(); cell != part.cells.end(); ++cell) {
    specs.push_back(spec_of(part, *cell, cell->policy, extent));
    specs.back().published = cell->published;
    listed.insert(cell->policy);
    const auto* next = cell + 1;
    const bool last_of_label = next == part.cells.end() || next->label != cell->label;
    if (!last_of_label) continue;
    if (part.policies == Policies::kAll) {
      for (const auto& policy : kv_policies()) {
        if (listed.count(policy.name) > 0) continue;
        specs.push_back(spec_of(part, *cell, policy.name, extent));
        specs.back().published = for_any_policy(cell->published);
      }
    }
    listed.clear();
  }
}

}  // namespace

std::vector<CellSpec> expand(const std::vector<std::string>& parts, Extent extent) {
  std::string known;
  for (const auto& part : study_parts()) {
    known += (known.empty() ? "" : ", ") + std::string(part.name);
  }
  for (const auto& name : parts) {
    const auto* const found =
        std::find_if(study_parts().begin(), study_parts().end(),
                     [&](const StudyPart& part) { return part.name == name; });
    if (found == study_parts().end()) {
      throw InputError("--part: expected one of " + known + ", got `" + name + "`");
    }
  }
  std::vector<CellSpec> specs;
  for (const auto& part : study_parts()) {
    if (parts.empty() || std::count(parts.begin(), parts.end(), part.name) > 0) {
      append_cells(part, extent, specs);
    }
  }
  return specs;
}

}  // namespace lockstep
