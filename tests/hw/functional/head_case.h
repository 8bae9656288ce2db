// One attention head on a small stack: its K, V and queries as numbers, where they lie in the
// banks, and the kernels of its channels. Placement: token t in bank t % banks, slot t / banks %
// 16, chunk t / (banks x 16); a row of K and a row of V for each chunk.
#pragma once

#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include "hw/stack/stack_config.h"
#include "tests/hw/functional/small_config.h"
#include "tlm/contract/errors.h"
#include "tlm/contract/stack_port.h"

namespace lockstep {

struct HeadShape {
  int queries = 1;
  int queries_per_column = 1;
  int parts = 1;
  int head_channels = 1;
  std::int32_t tokens = 1;
  KvElement element = KvElement::kFp16;
  float scale = 1;
  float value_scale = 1;
  std::int64_t head_pass = 7;
  std::int32_t first_row = 0;

  int beats() const { return traits(element).beats; }
  int column_elements() const { return beats() * kMacLanes; }
  int channel_dims() const { return parts * column_elements(); }
  int head_dim() const { return head_channels * channel_dims(); }
};

using Halves = std::vector<std::uint16_t>;   // fp16 bits
using Elements = std::vector<std::uint8_t>;  // as the banks hold them

inline std::uint16_t half(double value) {
  return fp16_from_double(value);
}

// Numbers [token][dim] of fp16 as bytes.
inline Elements bytes_of_halves(const Halves& numbers) {
  Elements bytes;
  for (const auto number : numbers) {
    bytes.push_back(static_cast<std::uint8_t>(number));
    bytes.push_back(static_cast<std::uint8_t>(number >> 8));
  }
  return bytes;
}

struct HeadCase {
  HeadShape shape;
  Halves queries;  // [query][dim]
  Elements keys;   // [token][dim], elements of shape.element
  Elements values;
};

class HeadOnStack {
 public:
  // Channel c of the head is domain `domains[c]`.
  HeadOnStack(const StackConfig& config, HeadCase head, std::vector<int> domains)
      : config_(config), head_(std::move(head)), domains_(std::move(domains)) {}

  int banks() const { return config_.banks_in_lockstep(); }
  int chunk_tokens() const { return banks() * kMacTokens; }
  int chunks() const { return (head_.shape.tokens + chunk_tokens() - 1) / chunk_tokens(); }

  // Visits each column of K (`row_offset` 0) or V (chunks()): address, place in the tensor.
  template <typename Visitor>
  void for_each_column(int row_offset, Visitor&& visit) const {
    const auto& s = head_.shape;
    for (std::int32_t t = 0; t < s.tokens; ++t) {
      for (int c = 0; c < s.head_channels; ++c) {
        for (int part = 0; part < s.parts; ++part) {
          const BankAddress at = config_.controller.topology.address(t % banks());
          Location location = config_.location(domains_[static_cast<std::size_t>(c)], at);
          location.row = s.first_row + row_offset + t / chunk_tokens();
          location.column = t / banks() % kMacTokens * s.parts + part;
          const int dim = c * s.channel_dims() + part * s.column_elements();
          visit(config_.map.encode(location),
                static_cast<std::size_t>(t * s.head_dim() + dim) *
                    static_cast<std::size_t>(traits(s.element).bytes));
        }
      }
    }
  }

  void poke(StackPort& stack) const {
    for_each_column(0, [&](std::uint64_t address, std::size_t at) {
      stack.poke(address, {head_.keys.data() + at, 32});
    });
    for_each_column(chunks(), [&](std::uint64_t address, std::size_t at) {
      stack.poke(address, {head_.values.data() + at, 32});
    });
  }

  PassData pass(int channel) const {
    const auto& s = head_.shape;
    PassData data;
    data.head_pass = s.head_pass;
    data.head_channels = s.head_channels;
    data.head_channel = channel;
    data.queries = s.queries;
    data.parts = s.parts;
    data.tokens = s.tokens;
    data.scale = s.scale;
    data.queries_per_column = s.queries_per_column;
    data.element = s.element;
    data.value_scale = s.value_scale;
    for (int query = 0; query < s.queries; ++query) {
      for (int lane = 0; lane < s.channel_dims(); ++lane) {
        if (lane % kMacLanes == 0) data.operands.emplace_back();
        data.operands.back()[static_cast<std::size_t>(lane % kMacLanes)] =
            head_.queries[static_cast<std::size_t>(query * s.head_dim() +
                                                   channel * s.channel_dims() + lane)];
      }
    }
    data.chunks.resize(static_cast<std::size_t>(chunks()));
    for (std::int32_t t = 0; t < s.tokens; ++t) {
      auto& places = data.chunks[static_cast<std::size_t>(t / chunk_tokens())].token_of;
      places.resize(static_cast<std::size_t>((t % chunk_tokens() / banks() + 1) * banks()),
                    kNoToken);
      places[static_cast<std::size_t>(t % chunk_tokens())] = t;
    }
    return data;
  }

  // The runs of a whole pass, equal in all channels of the head.
  PimKernel kernel() const {
    const auto& s = head_.shape;
    const int sets = s.queries * s.parts * s.beats();
    PimKernel runs;
    runs.push_back(move(PimOp::kWrGb, 1, sets, 0));
    for (int chunk = 0; chunk < chunks(); ++chunk) {
      runs.push_back(mac(MacWork::kDot, chunk, s.first_row + chunk));
      add_moves(runs, PimOp::kMvSb, DrainFrom::kScores, s.queries * 2, chunk);
    }
    runs.push_back(move(PimOp::kSfm, 1, 1, 0));
    runs.back().elements = s.queries * s.tokens;
    for (int chunk = 0; chunk < chunks(); ++chunk) {
      add_moves(runs, PimOp::kMvGb, DrainFrom::kScores, s.queries, chunk);
      runs.push_back(mac(MacWork::kAxpy, chunk, s.first_row + chunks() + chunk));
    }
    add_moves(runs, PimOp::kMvSb, DrainFrom::kLanes, sets * 2, 0);
    return runs;
  }

  std::vector<DomainKernel> kernels() const {
    const auto shared = std::make_shared<const PimKernel>(kernel());
    std::vector<DomainKernel> result;
    for (int channel = 0; channel < head_.shape.head_channels; ++channel) {
      result.push_back({domains_[static_cast<std::size_t>(channel)], shared,
                        std::make_shared<const KernelData>(KernelData{pass(channel)})});
    }
    return result;
  }

 private:
  static PimRun move(PimOp op, int spread, int bursts, int chunk) {
    PimRun run;
    run.op = op;
    run.spread = static_cast<std::uint8_t>(spread);
    run.columns = spread * bursts;
    run.chunk = static_cast<std::int16_t>(chunk);
    return run;
  }

  // `bursts` of every bank of the scope: a run goes round the banks of one SID.
  void add_moves(PimKernel& runs, PimOp op, DrainFrom drain, int bursts, int chunk) const {
    const auto& topology = config_.controller.topology;
    const int sid_banks = topology.bank_groups * topology.banks;
    for (int bank = 0; bank < banks(); bank += sid_banks) {
      const BankAddress at = topology.address(bank);
      PimRun run = move(op, sid_banks, bursts, chunk);
      run.drain = drain;
      run.pseudo_channel = static_cast<std::uint8_t>(at.pseudo_channel);
      run.stack_id = static_cast<std::uint8_t>(at.stack_id);
      runs.push_back(run);
    }
  }

  PimRun mac(MacWork work, int chunk, std::int32_t row) const {
    const auto& s = head_.shape;
    const int tokens = std::min(chunk_tokens(), s.tokens - chunk * chunk_tokens());
    PimRun run;
    run.op = PimOp::kMacAb;
    run.work = work;
    run.chunk = static_cast<std::int16_t>(chunk);
    run.row = row;
    run.parts = static_cast<std::uint8_t>(s.parts);
    run.columns = (tokens + banks() - 1) / banks() * s.parts;
    run.repeats = (s.queries + s.queries_per_column - 1) / s.queries_per_column * s.beats();
    return run;
  }

  StackConfig config_;
  HeadCase head_;
  std::vector<int> domains_;
};

// Sends the head to `stack` and returns its result.
inline PassResult attend(StackPort& stack, const HeadOnStack& head) {
  head.poke(stack);
  stack.execute(head.kernels(), {nullptr, 0});
  auto results = stack.take_results();
  ensure(results.size() == 1, "one pass gives one result");
  return results[0];
}

}  // namespace lockstep
