#include "sim/check/command_resolver.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace lockstep {
namespace {

// Names have at most five letters, so that one comparison of integers tells them apart.
constexpr std::uint64_t key_of(std::string_view name) {
  if (name.size() > sizeof(std::uint64_t)) return 0;
  std::uint64_t key = 0;
  for (const char c : name) key = key << 8 | static_cast<unsigned char>(c);
  return key;
}

constexpr std::array<std::uint64_t, kOpCount> make_keys() {
  std::array<std::uint64_t, kOpCount> keys{};
  for (std::size_t i = 0; i < kOpCount; ++i) keys[i] = key_of(kOps[i].name);
  return keys;
}
constexpr auto kKeys = make_keys();

std::optional<Op> op_of(std::string_view name) {
  const auto found = std::find(kKeys.begin(), kKeys.end(), key_of(name));
  if (found == kKeys.end()) return std::nullopt;
  return static_cast<Op>(found - kKeys.begin());
}

std::string known_names() {
  std::string names = "one of";
  for (const auto& op : kOps) names += fmt::format(" {}", op.name);
  return names;
}

CheckedCommand::Side side_of(std::string_view source) {
  if (source == "host") return CheckedCommand::Side::kHost;
  if (source == "pim") return CheckedCommand::Side::kPim;
  return CheckedCommand::Side::kOther;
}

}  // namespace

CommandResolver::CommandResolver(const StackConfig& config, CommandCsvReader& reader)
    : config_(config), reader_(reader) {}

bool CommandResolver::resolve(const TracedCommand& traced, CheckedCommand& command) {
  const CommandRecord& record = traced.record;
  const auto op = op_of(record.command);
  if (!op) {
    reader_.refuse(CsvColumn::kCommand, known_names());
    return false;
  }
  command = {};
  command.line = traced.line;
  command.cycle = record.cycle.count;
  command.op = *op;
  command.side = side_of(record.source);
  bool good = within(CsvColumn::kChannel, record.channel, config_.geometry.flat_channels());
  command.pseudo_channel = record.channel % config_.channels_per_domain();
  good &= resolve_bank(record, command);
  good &= resolve_row(record, command);
  return good;
}

bool CommandResolver::resolve_bank(const CommandRecord& record, CheckedCommand& command) {
  const auto& geometry = config_.geometry;
  const Reach reach = traits(command.op).reach;
  const bool one_sid = reach == Reach::kBank || reach == Reach::kSameBank ||
                       (reach == Reach::kLockstep && config_.stack_id_scope == StackIdScope::kOne);
  bool good = true;
  if (record.stack_id >= 0 || (one_sid && geometry.stack_ids > 1))
    good &= within(CsvColumn::kStackId, record.stack_id, geometry.stack_ids);
  const bool of_half =
      (reach == Reach::kLockstep || reach == Reach::kSameBank) && config_.halves() > 1;
  if (record.bank_group >= 0 || reach == Reach::kBank || of_half)
    good &= within(CsvColumn::kBankGroup, record.bank_group, geometry.bank_groups);
  if (record.bank >= 0 || reach == Reach::kBank || reach == Reach::kSameBank)
    good &= within(CsvColumn::kBank, record.bank, geometry.banks);
  command.stack_id = std::max(record.stack_id, 0);
  command.bank_group = record.bank_group;
  command.bank = record.bank;
  return good;
}

bool CommandResolver::resolve_row(const CommandRecord& record, CheckedCommand& command) {
  const auto& geometry = config_.geometry;
  bool good = true;
  if (record.row >= 0 || traits(command.op).deed == Deed::kActivate)
    good &= within(CsvColumn::kRow, record.row, geometry.rows);
  if (record.column >= 0) good &= within(CsvColumn::kColumn, record.column, geometry.columns);
  command.row = record.row;
  return good;
}

bool CommandResolver::within(CsvColumn column, std::int64_t value, int count) {
  if (value >= 0 && value < count) return true;
  reader_.refuse(column, fmt::format("a whole number from 0 to {}", count - 1));
  return false;
}

}  // namespace lockstep
