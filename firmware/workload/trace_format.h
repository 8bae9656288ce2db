// Which request traces can be read. A format is a row of kTraceFormats in trace_formats.cpp.
#pragma once

#include <string_view>

#include "firmware/workload/trace_row.h"
#include "tlm/contract/span.h"

namespace lockstep {

// A CSV format has a header and parse_csv; a format of JSON lines has recognises and parse_json.
struct TraceFormat {
  std::string_view name;  // what a user writes after `format:`
  std::string_view what;  // what it is, for lists and reports
  ArrivalClock clock;
  std::string_view header;  // exactly this one is recognised; a named format may have more columns
  void (*parse_csv)(CsvRow&);
  bool (*recognises)(const Json&);  // the first object of a file
  void (*parse_json)(JsonRow&);
};

Span<TraceFormat> trace_formats();

}  // namespace lockstep
