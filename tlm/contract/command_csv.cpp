#include "tlm/contract/command_csv.h"

#include <array>
#include <charconv>

#include "tlm/contract/errors.h"

namespace lockstep {
namespace {

constexpr std::size_t kBufferBytes = 1 << 16;

void append(std::string& line, std::int64_t value) {
  std::array<char, 20> digits;
  const auto [end, error] = std::to_chars(digits.begin(), digits.end(), value);
  line.append(digits.begin(), end);
}

void append_coordinate(std::string& line, std::int64_t value) {
  line += ',';
  if (value >= 0) append(line, value);
}

}  // namespace

CommandCsv::CommandCsv(std::FILE* file, Hertz clock) : file_(file), clock_(clock) {
  buffer_.reserve(2 * kBufferBytes);
  buffer_ = "ps,cycle,channel,command,bank_group,bank,row,column,source,stack_id,blocked_by\n";
}

CommandCsv::~CommandCsv() {
  std::fwrite(buffer_.data(), 1, buffer_.size(), file_);
  std::fflush(file_);
}

void CommandCsv::record(const CommandRecord& command) {
  append(buffer_, instant_of(command.cycle, clock_).count);
  buffer_ += ',';
  append(buffer_, command.cycle.count);
  append_coordinate(buffer_, command.channel);
  buffer_ += ',';
  buffer_ += command.command;
  append_coordinate(buffer_, command.bank_group);
  append_coordinate(buffer_, command.bank);
  append_coordinate(buffer_, command.row);
  append_coordinate(buffer_, command.column);
  buffer_ += ',';
  buffer_ += command.source;
  append_coordinate(buffer_, command.stack_id);
  buffer_ += ',';
  buffer_ += command.blocked_by;
  buffer_ += '\n';
  ++lines_;
  if (buffer_.size() >= kBufferBytes) flush();
}

void CommandCsv::flush() {
  if (std::fwrite(buffer_.data(), 1, buffer_.size(), file_) != buffer_.size()) {
    throw InputError("the command trace cannot be written: is the disk full?");
  }
  buffer_.clear();
}

}  // namespace lockstep
