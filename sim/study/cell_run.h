// One run of the study: one policy on a stack without a SystemC kernel.
#pragma once

#include <optional>
#include <string>

#include "sim/study/study.h"

namespace lockstep {

// The request file of a cell, nullopt for a generated workload.
std::optional<std::string> requests_file(const StudyOptions& options, const CellSpec& spec);

// Everything of a CellResult that needs no other cell. Throws InputError, Interrupted.
CellResult run_cell(const StudyOptions& options, const CellSpec& spec);

}  // namespace lockstep
