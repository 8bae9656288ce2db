#include "hw/pim/functional_channel.h"

#include <algorithm>
#include <utility>

#include "hw/channel/pim_queue.h"
#include "hw/pim/kv_decode.h"
#include "tlm/contract/errors.h"

namespace lockstep {

FunctionalChannel::FunctionalChannel(int domain, const Topology& topology, int columns,
                                     int column_bytes, const MacParameters& unit,
                                     const MacUnitFactory& factory, BufferDie& die)
    : topology_(topology),
      die_(die),
      storage_(topology, columns, column_bytes),
      units_(domain, topology.count(Level::kBank), unit, factory),
      global_buffer_(static_cast<std::size_t>(unit.lane_sets())),
      operand_of_(global_buffer_.size(), -1),
      scalars_(static_cast<std::size_t>(topology.count(Level::kBank) * unit.queries)),
      registers_(static_cast<std::size_t>(topology.count(topology.lockstep))) {
  die.tell(*this);
}

void FunctionalChannel::on_commands(const IssuedCommands& issued) {
  if (issued.request != nullptr) return serve_host(issued.cmd, *issued.request);
  if (issued.run == nullptr || issued.kernel->data == nullptr) return;
  last_ = issued.first;
  for (std::int64_t i = 0; i < issued.count; ++i) {
    perform(issued, issued.run_position + i, last_);
    if (i + 1 < issued.count) last_ += issued.spacing;
  }
  tell_progress();
}

void FunctionalChannel::on_softmax() {
  settle();
  tell_progress();
}

void FunctionalChannel::tell_progress() {
  units_.progress(late_.empty() ? last_ : late_.front().when);
}

void FunctionalChannel::check_settled() const {
  ensure(late_.empty(), "a channel still waits for the softmax of a pass");
}

void FunctionalChannel::serve_host(Cmd cmd, const HostRequest& request) {
  if (request.data == nullptr) return;
  const ColumnBytes where{request.at, request.row, request.column, request.first_byte,
                          request.bytes};
  if (kReads.contains(cmd)) {
    storage_.read(where, request.data);
    stats_.host_bytes_read += request.bytes;
  } else if (kWrites.contains(cmd)) {
    storage_.write(where, request.data);
    stats_.host_bytes_written += request.bytes;
  }
}

void FunctionalChannel::perform(const IssuedCommands& issued, std::int64_t index, Cycles when) {
  const PimRun& run = *issued.run;
  const int burst = run.first_burst + static_cast<int>(index / run.spread);
  const int bank = topology_.index(Level::kBank, issued.at);
  switch (run.op) {
    case PimOp::kWrGb: {
      const auto& data = *issued.kernel->data;
      ensure(static_cast<std::size_t>(run.pass) < data.size(), "a run names no pass of its kernel");
      return write_global_buffer(data[static_cast<std::size_t>(run.pass)], burst);
    }
    case PimOp::kMacAb:
    case PimOp::kMacSb:
      return mac(issued, part_of(issued), index, when);
    case PimOp::kSfm:
      return part_of(issued)->start_softmax();
    case PimOp::kMvSb:
      if (run.drain == DrainFrom::kScores) {
        return move_scores(issued, *part_of(issued), burst, when);
      }
      late_.push_back({run.op, when, part_of(issued), bank, burst, run.chunk, {}, {}});
      return settle();
    case PimOp::kMvGb: {
      const Part& part = part_of(issued);
      ensure(part->softmax_started(), "probabilities were moved before the softmax of their pass");
      late_.push_back({run.op, when, part, bank, run.first_query + burst, run.chunk, {}, {}});
      return settle();
    }
    case PimOp::kBarrier:
      break;
  }
}

// The part of the pass that the run is of. A DOT of a pass that is none, or has finished, begins
// it; so does any command of a pass that an earlier kernel has scored.
const FunctionalChannel::Part& FunctionalChannel::part_of(const IssuedCommands& issued) {
  const PimRun& run = *issued.run;
  const auto& data = *issued.kernel->data;
  ensure(run.pass >= 0 && static_cast<std::size_t>(run.pass) < data.size(),
         "a run names no pass of its kernel");
  const PassData& pass = data[static_cast<std::size_t>(run.pass)];
  const bool is_dot = kMacs.contains(issued.cmd) && run.work == MacWork::kDot;
  const auto found = parts_.find(pass.head_pass);
  if (found != parts_.end() && &found->second->pass() == &pass &&
      !(is_dot && found->second->delivered())) {
    return found->second;
  }
  ensure(is_dot || pass.scored_before > 0, "a pass began with something else than a DOT");
  ensure(found == parts_.end() || found->second->delivered(),
         "a pass was begun again before it had finished");
  return begin_part(issued, pass);
}

// Finished parts stay as long as later commands may move what is left in the banks: until another
// kernel's data come.
const FunctionalChannel::Part& FunctionalChannel::begin_part(const IssuedCommands& issued,
                                                             const PassData& pass) {
  const auto& data = issued.kernel->data;
  for (auto it = parts_.begin(); it != parts_.end();) {
    const bool over = it->second->delivered() &&
                      (it->second->data() != data.get() || it->first == pass.head_pass);
    it = over ? parts_.erase(it) : std::next(it);
  }
  auto part = std::make_shared<PassPart>(data, pass, parts_begun_++, topology_.banks_in_lockstep(),
                                         units_.parameters(), die_);
  return parts_.emplace(pass.head_pass, std::move(part)).first->second;
}

void FunctionalChannel::write_global_buffer(const PassData& pass, int burst) {
  const auto index = static_cast<std::size_t>(burst);
  ensure(index < global_buffer_.size() && index < pass.operands.size(),
         "an operand was written that its pass or the global buffer does not have");
  global_buffer_[index] = pass.operands[index];
  operand_of_[index] = pass.head_pass;
}

void FunctionalChannel::mac(const IssuedCommands& issued, const Part& part, std::int64_t index,
                            Cycles when) {
  const PassStep step = part->step(*issued.run, index);
  auto columns = read_columns(issued, *part, step);
  part->note_read(step, static_cast<int>(columns.size()));
  if (step.work == MacWork::kDot) {
    auto& registers = registers_of(topology_.index(Level::kBank, issued.at));
    if (registers.scores_of != part->serial() || registers.scores_chunk != step.chunk) {
      part->begin_chunk(step.chunk);
      const int scope = topology_.banks_in_lockstep();
      units_.clear(MacOp::kClearScores, when,
                   scope_of(topology_.index(Level::kBank, issued.at)) * scope, scope);
      registers.scores_of = part->serial();
      registers.scores_chunk = step.chunk;
    }
    return dot(*part, step, when, columns);
  }
  ensure(part->softmax_started(), "values were read before the softmax of their pass");
  const int bank = topology_.index(Level::kBank, issued.at);
  late_.push_back({PimOp::kMacAb, when, part, bank, 0, step.chunk, step, std::move(columns)});
  settle();
}

// Of the banks that hold a token there.
std::vector<FunctionalChannel::BankColumn> FunctionalChannel::read_columns(
    const IssuedCommands& issued, const PassPart& part, const PassStep& step) {
  const int banks = topology_.banks_in_lockstep();
  const int first = scope_of(topology_.index(Level::kBank, issued.at)) * banks;
  std::vector<BankColumn> columns;
  for (int bank = first; bank < first + banks; ++bank) {
    const BankAddress at = topology_.address(bank);
    const bool addressed = issued.run->op == PimOp::kMacAb ||
                           (at.pseudo_channel == issued.at.pseudo_channel &&
                            at.stack_id == issued.at.stack_id && at.bank == issued.at.bank);
    if (!addressed || part.token(step.chunk, step.slot, bank - first) == kNoToken) continue;
    std::uint8_t bytes[kColumnBytes];
    storage_.read({at, step.row, step.column, 0, kColumnBytes}, bytes);
    columns.push_back({bank, decode_beat(part.pass().element, bytes, step.beat)});
  }
  const auto participants = static_cast<std::int64_t>(columns.size());
  ++stats_.mac_commands;
  stats_.mac_banks += participants;
  stats_.mac_bytes += participants * kColumnBytes;
  return columns;
}

void FunctionalChannel::dot(const PassPart& part, const PassStep& step, Cycles when,
                            const std::vector<BankColumn>& columns) {
  MacIssue issue;
  issue.op = MacOp::kDot;
  for (const auto& [bank, lanes] : columns) {
    issue.column = lanes;
    for (int query = step.first_query; query <= step.last_query; ++query) {
      const int operand = part.pass().lane_set(query, step.part, step.beat);
      ensure(operand_of_[static_cast<std::size_t>(operand)] == part.pass().head_pass,
             "keys met the queries of another pass");
      issue.operand = global_buffer_[static_cast<std::size_t>(operand)];
      issue.index = static_cast<std::uint16_t>(units_.parameters().score_index(query, step.slot));
      units_.execute(bank, when, issue);
    }
  }
}

void FunctionalChannel::move_scores(const IssuedCommands& issued, PassPart& part, int burst,
                                    Cycles when) {
  const int bank = topology_.index(Level::kBank, issued.at);
  const auto& registers = registers_of(bank);
  const int chunk = issued.run->chunk;
  ensure(registers.scores_of == part.serial() && registers.scores_chunk == chunk,
         "scores were moved that the bank units no longer hold");
  ensure(part.chunk_scored(chunk), "scores were moved before all columns of their keys were read");
  constexpr int kBurstsPerQuery = kMacTokens / kDrainWords;
  const int query = burst / kBurstsPerQuery;
  if (query >= part.pass().queries) return;
  const int first_slot = burst % kBurstsPerQuery * kDrainWords;
  const int place = bank % topology_.banks_in_lockstep();
  if (!part.has_tokens(chunk, place)) return;
  const auto words = units_.read(bank, when, {MacBank::kScores, static_cast<std::uint16_t>(burst)});
  for (int i = 0; i < kDrainWords; ++i) {
    const auto token = part.token(chunk, first_slot + i, place);
    if (token == kNoToken) continue;
    part.add_score(query, token, float_of_bits(words[static_cast<std::size_t>(i)]));
  }
}

void FunctionalChannel::settle() {
  while (!late_.empty() && late_.front().part->softmax_done()) {
    const LateCommand command = std::move(late_.front());
    late_.pop_front();
    perform_late(command);
  }
}

void FunctionalChannel::perform_late(const LateCommand& command) {
  if (command.op == PimOp::kMvGb) return load_scalars(command);
  if (command.op == PimOp::kMacAb) return axpy(command);
  if (!command.part->wants(command.bank, command.burst)) return;
  ensure(registers_of(command.bank).lanes_of == command.part->serial(),
         "lanes were moved that the bank units no longer hold");
  const MacDrain drain{MacBank::kLanes, static_cast<std::uint16_t>(command.burst)};
  command.part->take_lanes(command.bank, command.burst,
                           units_.read(command.bank, command.when, drain));
}

void FunctionalChannel::load_scalars(const LateCommand& command) {
  const PassPart& part = *command.part;
  const int query = command.burst;
  const int place = command.bank % topology_.banks_in_lockstep();
  if (part.delivered() || query >= part.pass().queries) return;
  if (!part.has_tokens(command.chunk, place)) return;
  MacIssue issue;
  issue.op = MacOp::kLoadScalars;
  issue.index = static_cast<std::uint16_t>(query);
  for (int slot = 0; slot < kMacTokens; ++slot) {
    const auto token = part.token(command.chunk, slot, place);
    if (token == kNoToken) continue;
    issue.column[static_cast<std::size_t>(slot)] = part.probability(query, token);
  }
  units_.execute(command.bank, command.when, issue);
  scalars_of(command.bank, query) = {part.serial(), command.chunk};
}

void FunctionalChannel::axpy(const LateCommand& command) {
  const PassStep& step = command.step;
  auto& registers = registers_of(command.bank);
  if (registers.lanes_of != command.part->serial()) {
    const int scope = topology_.banks_in_lockstep();
    units_.clear(MacOp::kClearLanes, command.when, scope_of(command.bank) * scope, scope);
    registers.lanes_of = command.part->serial();
  }
  MacIssue issue;
  issue.op = MacOp::kAxpy;
  for (const auto& [bank, lanes] : command.columns) {
    command.part->want_lanes(bank);
    issue.column = lanes;
    for (int query = step.first_query; query <= step.last_query; ++query) {
      const auto& scalars = scalars_of(bank, query);
      ensure(scalars.of == command.part->serial() && scalars.chunk == step.chunk,
             "values met the probabilities of other tokens");
      issue.index =
          static_cast<std::uint16_t>(command.part->pass().lane_set(query, step.part, step.beat));
      issue.scalar = static_cast<std::uint16_t>(units_.parameters().scalar_index(query, step.slot));
      units_.execute(bank, command.when, issue);
    }
  }
}

}  // namespace lockstep
