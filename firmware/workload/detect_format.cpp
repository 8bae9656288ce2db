#include "firmware/workload/detect_format.h"

#include <algorithm>

#include <fmt/format.h>

#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

std::vector<std::string> columns_of(std::string_view header) {
  std::vector<CsvField> fields;
  split_csv(header, fields);
  std::vector<std::string> names;
  names.reserve(fields.size());
  for (const auto& field : fields) names.emplace_back(field.text);
  return names;
}

bool is_csv(const TraceFormat& format) {
  return format.parse_csv != nullptr;
}

std::string names_of(const std::vector<const TraceFormat*>& formats) {
  std::string names;
  for (const auto* format : formats) {
    names += (names.empty() ? "" : ", ") + std::string(format->name);
  }
  return names;
}

std::vector<const TraceFormat*> all_formats() {
  std::vector<const TraceFormat*> all;
  for (const auto& format : trace_formats()) all.push_back(&format);
  return all;
}

[[noreturn]] void refuse(const std::string& at, std::size_t column, const std::string& message) {
  throw InputError(fmt::format("{}:{}: {}\n", at, column, message));
}

Json first_object(const std::string& line, const std::string& at) {
  ParsedRow row;
  Json object = parse_json_line(line, row);
  if (row.faults.empty()) return object;
  const auto& fault = row.faults.front();
  refuse(at, fault.column, fault.message + "; line: `" + excerpt(line) + "`");
}

DetectedFormat named(const std::string& line, const std::string& name, const std::string& at) {
  const auto formats = trace_formats();
  const auto* format =
      std::find_if(formats.begin(), formats.end(), [&](const auto& f) { return f.name == name; });
  if (format == formats.end()) {
    throw InputError(
        fmt::format("unknown trace format `{}`; known: {}\n", name, names_of(all_formats())));
  }
  if (!is_csv(*format)) return {format, {}};
  const auto header = columns_of(line);
  for (const auto& column : columns_of(format->header)) {
    const auto count = std::count(header.begin(), header.end(), column);
    if (count == 1) continue;
    refuse(at, 1,
           fmt::format("expected a header with `{}` once, for format {} (`{}`), got `{}`", column,
                       name, format->header, excerpt(line)));
  }
  return {format, header};
}

}  // namespace

DetectedFormat detect_format(const std::string& line, const std::optional<std::string>& name,
                             const std::string& at) {
  if (name) return named(line, *name, at);
  const auto text = trimmed(line);
  if (!text.empty() && text.front() == '[') {
    refuse(at, 1, "a JSON array; expected one JSON object a line, or a CSV header");
  }
  const bool is_json = !text.empty() && text.front() == '{';
  const auto header = is_json ? std::vector<std::string>{} : columns_of(line);
  const Json object = is_json ? first_object(line, at) : Json{};
  std::vector<const TraceFormat*> matches;
  for (const auto& format : trace_formats()) {
    if (is_csv(format) == is_json) continue;
    if (is_json ? format.recognises(object) : columns_of(format.header) == header) {
      matches.push_back(&format);
    }
  }
  if (matches.size() == 1) return {matches.front(), header};
  const auto got = fmt::format("got `{}`; name the format", excerpt(line));
  if (matches.empty()) {
    refuse(at, 1,
           fmt::format("expected the header or first object of a known format, {}: {}", got,
                       names_of(all_formats())));
  }
  refuse(at, 1, fmt::format("more than one format begins so, {}: {}", got, names_of(matches)));
}

}  // namespace lockstep
