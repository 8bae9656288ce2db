// Results of the study as files and for people.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/study/study.h"

namespace lockstep {

// A line per cell and metric: measured, published, difference, allowed.
std::string study_csv(const Study& study);
std::string study_json(const Study& study);
std::string study_markdown(const Study& study);
// A table per part, then what was skipped and what missed.
std::string study_text(const Study& study);
// Name and SVG text of each chart whose part was run.
std::vector<std::pair<std::string, std::string>> study_charts(const Study& study);

}  // namespace lockstep
