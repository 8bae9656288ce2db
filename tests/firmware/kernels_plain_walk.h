// The placement score and the row visits, written for the reader and not for speed: every burst of
// every channel is decoded by itself, and a window is a list of bursts. What the tests of
// firmware/kernels compare with.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "firmware/kernels/sequence_stream.h"

namespace lockstep {

struct PlainBurst {
  int bank, row, column;
};

struct PlainChannel {
  std::vector<PlainBurst> bursts;
  std::int64_t commands = 0, hits = 0;
  RowVisits visits;
};

constexpr StackGeometry kStudyStack{};  // 32 pseudo channels x 16 banks x 16 Ki rows x 1 KiB

inline AddressMap study_map(std::string_view text) {
  return std::get<AddressMap>(AddressMap::parse(text, kStudyStack));
}

inline void visit(RowVisits& visits, int row, int column, int commands) {
  if (!visits.empty() && visits.back().row == row) {
    visits.back().columns += commands;
  } else {
    visits.push_back({row, column, commands});
  }
}

inline void plain_window(PlainChannel& channel, const std::vector<PlainBurst>& window,
                         int study_open_row) {
  std::vector<int> order;  // rows by first appearance
  for (const auto& burst : window) {
    if (std::find(order.begin(), order.end(), burst.row) == order.end()) {
      order.push_back(burst.row);
    }
  }
  const int open = channel.visits.empty() ? -1 : channel.visits.back().row;
  const auto rank = [&](int row) { return row == open ? 0 : row == window.back().row ? 2 : 1; };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return rank(a) < rank(b); });
  for (const int row : order) {
    std::map<int, std::vector<int>> columns_of_bank;
    for (const auto& burst : window) {
      if (burst.row == row) columns_of_bank[burst.bank].push_back(burst.column);
    }
    int commands = 0;
    int lowest = kStudyStack.columns;
    for (const auto& [bank, columns] : columns_of_bank) {
      commands = std::max(commands, static_cast<int>(columns.size()));
      lowest = std::min(lowest, columns.front());
    }
    channel.commands += commands;
    channel.hits += commands - (row == study_open_row ? 0 : 1);
    visit(channel.visits, row, lowest, commands);
  }
}

inline void plain_in_order(PlainChannel& channel) {
  struct Command {
    int row;
    std::map<int, int> column_of_bank;
  };
  std::vector<Command> commands;
  for (const auto& burst : channel.bursts) {
    if (commands.empty() || commands.back().row != burst.row ||
        commands.back().column_of_bank.count(burst.bank) != 0) {
      commands.push_back({burst.row, {}});
    }
    commands.back().column_of_bank[burst.bank] = burst.column;
  }
  for (std::size_t i = 0; i < commands.size(); ++i) {
    ++channel.commands;
    if (i > 0 && commands[i - 1].row == commands[i].row) ++channel.hits;
    int lowest = kStudyStack.columns;
    for (const auto& [bank, column] : commands[i].column_of_bank) lowest = std::min(lowest, column);
    visit(channel.visits, commands[i].row, lowest, 1);
  }
}

// By flat channel.
inline std::vector<PlainChannel> plain_walk(const AddressMap& map, const KvShape& shape,
                                            const Reorder& reorder,
                                            const std::vector<TokenRun>& runs) {
  std::vector<PlainChannel> channels(static_cast<std::size_t>(kStudyStack.flat_channels()));
  for (const auto& run : runs) {
    const auto begin =
        (run.block * shape.block_tokens + run.first_token) * shape.kv_bytes_per_token;
    for (auto at = begin; at < begin + run.tokens * shape.kv_bytes_per_token; at += 32) {
      const auto location = map.decode(static_cast<std::uint64_t>(at));
      channels[static_cast<std::size_t>(location.channel)].bursts.push_back(
          {location.bank_group * kStudyStack.banks + location.bank, location.row, location.column});
    }
  }
  for (auto& channel : channels) {
    if (reorder.mode == ReorderMode::kInOrder) {
      plain_in_order(channel);
      continue;
    }
    const auto window = static_cast<std::size_t>(reorder.window_bursts);
    for (std::size_t i = 0; i < channel.bursts.size(); i += window) {
      const auto from = channel.bursts.begin() + static_cast<std::ptrdiff_t>(i);
      const auto to = channel.bursts.begin() +
                      static_cast<std::ptrdiff_t>(std::min(i + window, channel.bursts.size()));
      plain_window(channel, {from, to}, i == 0 ? -1 : channel.bursts[i - 1].row);
    }
  }
  return channels;
}

// The runs of the first `tokens` tokens of a table.
inline std::vector<TokenRun> runs_of(const std::vector<BlockId>& blocks, std::int64_t tokens,
                                     std::int64_t block_tokens) {
  std::vector<TokenRun> runs;
  for (std::int64_t at = 0; at < tokens; at += block_tokens) {
    runs.push_back({blocks[static_cast<std::size_t>(at / block_tokens)], 0,
                    std::min(block_tokens, tokens - at)});
  }
  return runs;
}

// Every channel must have the visits of its class, and all together the score.
inline void expect_equal(const KvLayout& layout, const std::vector<PlainChannel>& plain,
                         const Score& score, const std::vector<RowVisits>& visits_by_class) {
  Score sum;
  for (std::size_t i = 0; i < layout.classes().size(); ++i) {
    for (const int member : layout.classes()[i].members) {
      const auto& channel = plain[static_cast<std::size_t>(member)];
      ASSERT_EQ(visits_by_class[i], channel.visits) << "channel " << member;
      std::int64_t columns = 0;
      for (const auto& row_visit : visits_by_class[i]) columns += row_visit.columns;
      ASSERT_EQ(columns, channel.commands) << "channel " << member;
      sum.bursts += static_cast<std::int64_t>(channel.bursts.size());
      sum.commands += channel.commands;
      sum.hits += channel.hits;
    }
  }
  ASSERT_EQ(score.bursts, sum.bursts);
  ASSERT_EQ(score.commands, sum.commands);
  ASSERT_EQ(score.hits, sum.hits);
}

}  // namespace lockstep
