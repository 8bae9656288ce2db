// One line of a trace on its way to a request: fields by name, and a fault for each that is wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "firmware/workload/fields.h"
#include "firmware/workload/request_trace.h"

namespace lockstep {

struct Fault {
  std::size_t column = 1;  // byte in the line, from 1
  std::string message;     // what, what was expected, what was got
};

// What one line came to. With a fault, its requests do not count.
struct ParsedRow {
  std::vector<TimedRequest> requests;
  std::vector<Fault> faults;
  std::int64_t failed_requests = 0;  // requests that the service did not answer
  std::int64_t chained = 0;          // requests whose arrival is only a lower bound
};

// Inclusive range of a whole number.
struct IntegerRange {
  std::int64_t low = 0;
  std::int64_t high = 0;
};

struct CsvField {
  std::string_view text;   // without blanks around it
  std::size_t column = 1;  // of the text in the line, from 1
};

// Splits at commas. No quotes: no known trace has them, and a quoted number is refused as such.
void split_csv(std::string_view line, std::vector<CsvField>& fields);

// Fields of a CSV line by the header's names. A missing name is InternalError: headers are checked.
class CsvRow {
 public:
  CsvRow(const std::vector<std::string>& header, const std::vector<CsvField>& fields,
         ParsedRow& out)
      : header_(header), fields_(fields), out_(out) {}

  std::int64_t integer(std::string_view name, IntegerRange range);
  std::int32_t tokens(std::string_view name);
  std::int64_t time(std::string_view name, TimeUnit unit);
  std::int64_t date(std::string_view name);
  void fault(std::string_view name, const std::string& message);
  ParsedRow& out() { return out_; }

 private:
  const CsvField& field(std::string_view name) const;

  const std::vector<std::string>& header_;
  const std::vector<CsvField>& fields_;
  ParsedRow& out_;
};

using Json = nlohmann::json;

// Members of a JSON object by name. `line` is its text, for columns.
class JsonRow {
 public:
  JsonRow(const Json& object, std::string_view line, ParsedRow& out)
      : object_(object), line_(line), out_(out) {}

  bool has(const char* name) const { return object_.contains(name); }
  std::int64_t integer(const char* name, IntegerRange range);
  std::int32_t tokens(const char* name);
  std::int64_t time(const char* name, TimeUnit unit);
  std::vector<std::uint64_t> hash_ids(const char* name);  // absent: none
  const Json* array(const char* name);                    // nullptr after a fault
  void allow_only(Span<std::string_view> names);
  void fault(std::string_view name, const std::string& message);
  const Json& object() const { return object_; }
  std::string_view line() const { return line_; }
  ParsedRow& out() { return out_; }

 private:
  const Json* member(const char* name, const std::string& expected);
  void mismatch(const char* name, const std::string& expected, const Json& got);

  const Json& object_;
  std::string_view line_;
  ParsedRow& out_;
};

// The object of a JSON line; a fault and `null` if it is not one, or names a member twice.
Json parse_json_line(const std::string& line, ParsedRow& out);

// Sets the ids of a request. A fault unless each id names `block_tokens` tokens of the prompt, with
// or without the partial block at its end, and no id comes twice.
void set_hash_ids(JsonRow& row, const char* name, std::int32_t block_tokens, Request& request);

constexpr std::int64_t kMaxTokens = INT32_MAX;

}  // namespace lockstep
