// How a line of each CSV format becomes a request.
#pragma once

#include "firmware/workload/trace_row.h"

namespace lockstep {

void parse_lockstep_csv(CsvRow& row);
void parse_azure(CsvRow& row);
void parse_burstgpt(CsvRow& row);
void parse_vidur(CsvRow& row);
void parse_vidur_lengths(CsvRow& row);
void parse_onnxim(CsvRow& row);

}  // namespace lockstep
