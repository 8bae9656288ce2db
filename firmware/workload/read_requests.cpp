#include "firmware/workload/read_requests.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "firmware/workload/detect_format.h"
#include "firmware/workload/line_reader.h"
#include "firmware/workload/token_limits.h"
#include "tlm/contract/errors.h"
#include "tlm/contract/input_file.h"

namespace lockstep {
namespace {

// The bad rows of a file, the first of them as text.
class FaultList {
 public:
  void add(const std::string& at, const Fault& fault, const std::string& line) {
    if (++count_ > kMaxListedFaults) return;
    text_ += fmt::format("{}:{}: {}; line: `{}`\n", at, fault.column, fault.message, excerpt(line));
  }

  void throw_if_any(const std::string& file) const {
    if (count_ == 0) return;
    const auto more = count_ - kMaxListedFaults;
    throw InputError(more <= 0 ? text_
                               : text_ + fmt::format("{}: {} more faults not shown\n", file, more));
  }

 private:
  std::int64_t count_ = 0;
  std::string text_;
};

class Reader {
 public:
  Reader(std::istream& stream, const std::string& name, const ReadOptions& options)
      : lines_(stream, name), options_(options) {
    trace_.report.file = name;
  }

  RequestTrace read(const ProgressFn& progress) {
    constexpr std::int64_t kLinesBetweenProgress = 1 << 14;
    while (!full() && lines_.next(line_)) {
      read_line();
      if (progress && lines_.line_number() % kLinesBetweenProgress == 0) {
        progress(lines_.bytes_read());
      }
    }
    if (progress) progress(lines_.bytes_read());
    trace_.report.stopped_at_max_requests = full();
    trace_.report.total_lines = lines_.line_number();
    faults_.throw_if_any(trace_.report.file);
    if (trace_.requests.empty()) {
      throw InputError("no request accepted; " + summary(trace_.report) + "\n");
    }
    return std::move(trace_);
  }

 private:
  bool full() const {
    return options_.max_requests && trace_.report.accepted >= *options_.max_requests;
  }

  std::string here() const {
    return fmt::format("{}:{}", trace_.report.file, lines_.line_number());
  }

  void read_line() {
    if (trimmed(line_).empty()) {
      ++trace_.report.blank_lines;
      return;
    }
    if (detected_.format == nullptr) {
      detected_ = detect_format(line_, options_.format, here());
      trace_.report.format = detected_.format->name;
      trace_.clock = detected_.format->clock;
      if (!detected_.header.empty()) return;
    }
    row_.requests.clear();
    row_.faults.clear();
    row_.failed_requests = 0;
    row_.chained = 0;
    parse();
    if (row_.faults.empty()) accept_row();
    for (const Fault& fault : row_.faults) faults_.add(here(), fault, line_);
  }

  void parse() {
    if (detected_.header.empty()) {
      const Json object = parse_json_line(line_, row_);
      if (!row_.faults.empty()) return;
      JsonRow row(object, line_, row_);
      detected_.format->parse_json(row);
      return;
    }
    split_csv(line_, fields_);
    const auto expected = detected_.header.size();
    if (fields_.size() != expected) {
      const auto at = fields_.size() > expected ? fields_[expected].column : line_.size() + 1;
      row_.faults.push_back({at, fmt::format("expected {} columns as in the header, got {}",
                                             expected, fields_.size())});
      return;
    }
    CsvRow row(detected_.header, fields_, row_);
    detected_.format->parse_csv(row);
  }

  void accept_row() {
    count(RejectReason::kFailedRequest) += row_.failed_requests;
    trace_.report.chained += row_.chained;
    for (TimedRequest& timed : row_.requests) {
      if (!full()) accept(timed);
    }
  }

  std::int64_t& count(RejectReason reason) {
    return trace_.report.rejected[static_cast<std::size_t>(reason)];
  }

  void accept(TimedRequest& timed) {
    const bool has_id = trace_.clock == ArrivalClock::kSteps;
    if (has_id && !is_new(timed.request.id)) return;
    if (const auto reason = outside_of(options_, timed.request)) {
      if (options_.token_policy == TokenPolicy::kError) {
        row_.faults.push_back({1, describe(*reason, options_, timed.request)});
        return;
      }
      if (options_.token_policy == TokenPolicy::kDrop) {
        ++count(*reason);
        return;
      }
      clip_to(options_, timed.request);
      ++trace_.report.clipped;
    }
    if (!has_id) timed.request.id = static_cast<std::int32_t>(trace_.report.accepted);
    note_order(timed.arrival);
    trace_.requests.push_back(std::move(timed));
    ++trace_.report.accepted;
  }

  bool is_new(std::int32_t id) {
    const auto [seen, inserted] = line_of_id_.emplace(id, lines_.line_number());
    if (inserted) return true;
    row_.faults.push_back(
        {1, fmt::format("expected each request once, got id {} again, after line {}", id,
                        seen->second)});
    return false;
  }

  void note_order(std::int64_t arrival) {
    if (!trace_.requests.empty()) {
      if (arrival == trace_.requests.back().arrival) ++trace_.report.equal_arrivals;
      if (arrival < latest_arrival_) ++trace_.report.out_of_order;
    }
    latest_arrival_ = trace_.requests.empty() ? arrival : std::max(latest_arrival_, arrival);
  }

  LineReader lines_;
  const ReadOptions& options_;
  RequestTrace trace_;
  FaultList faults_;
  DetectedFormat detected_;
  std::string line_;
  std::vector<CsvField> fields_;
  ParsedRow row_;
  std::unordered_map<std::int32_t, std::int64_t> line_of_id_;
  std::int64_t latest_arrival_ = 0;
};

void check_options(const ReadOptions& options) {
  const auto check = [](const TokenRange& range, const char* what) {
    if (range.min >= 0 && range.min <= range.max) return;
    throw InputError(fmt::format("{} tokens: expected 0 <= min <= max, got min {} and max {}\n",
                                 what, range.min, range.max));
  };
  check(options.prompt, "prompt");
  check(options.output, "output");
  if (options.max_requests && *options.max_requests < 1) {
    throw InputError(
        fmt::format("max_requests: expected 1 or more, got {}\n", *options.max_requests));
  }
}

}  // namespace

RequestTrace read_requests(std::istream& stream, const std::string& name,
                           const ReadOptions& options, const ProgressFn& progress) {
  check_options(options);
  return Reader(stream, name, options).read(progress);
}

RequestTrace read_requests(const std::string& file, const ReadOptions& options,
                           const ProgressFn& progress) {
  auto stream = open_input_file(file);
  return read_requests(stream, file, options, progress);
}

std::string summary(const ReadReport& report) {
  auto text = fmt::format("{}: {}, {} lines, {} requests accepted, {} rejected", report.file,
                          report.format.empty() ? "no format" : report.format, report.total_lines,
                          report.accepted, report.rejected_requests());
  for (const auto& [reason, key, what] : kRejectReasons) {
    const auto count = report.rejected[static_cast<std::size_t>(reason)];
    if (count != 0) text += fmt::format(", {} {}", count, key);
  }
  if (report.clipped != 0) text += fmt::format(", {} clipped", report.clipped);
  if (report.out_of_order != 0) text += fmt::format(", {} out of order", report.out_of_order);
  if (report.chained != 0) text += fmt::format(", {} chained", report.chained);
  if (report.stopped_at_max_requests) text += ", stopped at max_requests";
  return text;
}

}  // namespace lockstep
