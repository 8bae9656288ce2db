#include "sim/replay/request_stream.h"

#include <array>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "firmware/workload/line_reader.h"
#include "tlm/contract/errors.h"
#include "tlm/contract/input_file.h"

namespace lockstep {
namespace {

constexpr std::string_view kHeader = "op,pseudo_channel,bank,row,col";
constexpr std::string_view kTimedHeader = "op,pseudo_channel,bank,row,col,arrival";
constexpr int kMaxListed = 20;
constexpr std::size_t kFields = 5;

struct Field {
  std::string_view text;
  std::size_t column;  // from 1
};

std::vector<Field> split(std::string_view line) {
  std::vector<Field> fields;
  std::size_t start = 0;
  for (std::size_t comma = line.find(','); comma != std::string_view::npos;
       comma = line.find(',', start)) {
    fields.push_back({line.substr(start, comma - start), start + 1});
    start = comma + 1;
  }
  fields.push_back({line.substr(start), start + 1});
  return fields;
}

class StreamParser {
 public:
  StreamParser(std::string file, const StackConfig& config, bool timed)
      : file_(std::move(file)), config_(config), timed_(timed) {}

  void parse(std::int64_t line, std::string_view text) {
    line_ = line;
    const auto fields = split(text);
    const auto expected = timed_ ? kFields + 1 : kFields;
    if (fields.size() != expected) {
      return report(1, fmt::format("expected {} fields ({}), got {}", expected,
                                   timed_ ? kTimedHeader : kHeader, fields.size()));
    }
    const auto& g = config_.geometry;
    const std::array<int, 4> limits = {g.flat_channels(), g.banks_per_pseudo_channel(), g.rows,
                                       g.columns};
    constexpr std::array<const char*, 4> kNames = {"pseudo channel", "bank", "row", "column"};
    std::array<int, 4> values{};
    const auto faults = faults_;
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = number(fields[i + 1], kNames[i], limits[i]);
    }
    if (timed_) read_arrival(fields[kFields]);
    if (faults_ == faults) add(fields[0], values[0], values[1], values[2], values[3]);
  }

  RequestStream finish() {
    if (faults_ > kMaxListed)
      message_ += fmt::format("{}: and {} more mistakes\n", file_, faults_ - kMaxListed);
    if (faults_ > 0) throw InputError(message_);
    if (stream_.requests == 0)
      throw InputError(file_ + ": expected requests behind the header, got none");
    return std::move(stream_);
  }

  void report(std::size_t column, const std::string& what) {
    if (++faults_ <= kMaxListed)
      message_ += fmt::format("{}:{}:{}: {}\n", file_, line_, column, what);
  }

 private:
  int number(const Field& field, const char* name, int limit) {
    int value = 0;
    const auto [end, error] =
        std::from_chars(field.text.data(), field.text.data() + field.text.size(), value);
    const bool good = error == std::errc{} && end == field.text.data() + field.text.size() &&
                      value >= 0 && value < limit;
    if (!good)
      report(field.column,
             fmt::format("expected a {} from 0 to {}, got `{}`", name, limit - 1, field.text));
    return good ? value : 0;
  }

  // A later line with an earlier clock would be a request from the past of its channel.
  void read_arrival(const Field& field) {
    constexpr std::int64_t kMost = std::int64_t{1} << 40;  // clocks: 7 minutes at 2.6 GHz
    std::int64_t value = 0;
    const char* const end = field.text.data() + field.text.size();
    const auto [stop, error] = std::from_chars(field.text.data(), end, value);
    if (error == std::errc{} && stop == end && value >= arrival_.count && value <= kMost) {
      arrival_ = {value};
      return;
    }
    report(field.column,
           fmt::format("expected an arrival from {} (that of the line before) to {}, got `{}`",
                       arrival_.count, kMost, field.text));
  }

  void add(const Field& op, int channel, int bank, int row, int column) {
    const auto& g = config_.geometry;
    Location location;
    location.channel = channel;
    location.stack_id = bank / g.banks_per_sid();
    location.bank_group = bank % g.banks_per_sid() / g.banks;
    location.bank = bank % g.banks;
    auto& domain = stream_.domains[channel / config_.channels_per_domain()];
    const BankAddress at = config_.bank_address(location);
    ++stream_.requests;
    if (op.text == "LD" || op.text == "ST") {
      HostRequest request;
      request.id = static_cast<std::uint64_t>(line_);
      request.op = op.text == "LD" ? HostOp::kRead : HostOp::kWrite;
      request.at = at;
      request.row = row;
      request.column = column;
      request.arrival = arrival_;
      domain.requests.push_back(request);
      return;
    }
    for (const auto& known : kPimOps) {
      if (known.name != op.text) continue;
      auto& kernels = domain.kernels;
      if (kernels.empty() || kernels.back().arrival < arrival_) kernels.push_back({arrival_, {}});
      return kernels.back().runs.push_back(run_of(known.op, at, row, column));
    }
    --stream_.requests;
    std::string names = "LD, ST";
    for (const auto& known : kPimOps) names += ", " + std::string(known.name);
    report(op.column, fmt::format("expected one of {}, got `{}`", names, op.text));
  }

  static PimRun run_of(PimOp op, const BankAddress& at, int row, int column) {
    PimRun run;
    run.op = op;
    run.pseudo_channel = static_cast<std::uint8_t>(at.pseudo_channel);
    run.stack_id = static_cast<std::uint8_t>(at.stack_id);
    run.bank_group = static_cast<std::uint8_t>(at.bank_group);
    run.bank = static_cast<std::uint8_t>(at.bank);
    run.row = row;
    run.column = column;
    return run;
  }

  std::string file_;
  const StackConfig& config_;
  bool timed_;
  std::int64_t line_ = 0;
  Cycles arrival_;
  int faults_ = 0;
  std::string message_;
  RequestStream stream_;
};

}  // namespace

RequestStream read_request_stream(const std::string& file, const StackConfig& config) {
  auto stream = open_input_file(file);
  LineReader reader(stream, file);
  std::string line;
  if (!reader.next(line) || (line != kHeader && line != kTimedHeader)) {
    throw InputError(fmt::format("{}:1:1: expected the header `{}` or `{}`, got `{:.60}`", file,
                                 kHeader, kTimedHeader, line));
  }
  StreamParser parser(file, config, line == kTimedHeader);
  while (reader.next(line)) {
    if (!line.empty()) parser.parse(reader.line_number(), line);
  }
  return parser.finish();
}

}  // namespace lockstep
