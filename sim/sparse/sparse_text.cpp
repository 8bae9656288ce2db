#include <fmt/format.h>

#include "firmware/sparse/side_memory.h"
#include "sim/sparse/sparse_report.h"

namespace lockstep {
namespace {

std::string fixed(std::optional<double> value, int decimals) {
  return value ? fmt::format("{:.{}f}", *value, decimals) : "-";
}

std::optional<double> micro(std::optional<double> nano) {
  if (!nano) return std::nullopt;
  return *nano / 1e3;
}

std::optional<double> mean(std::int64_t sum, std::int64_t of) {
  if (of == 0) return std::nullopt;
  return static_cast<double>(sum) / static_cast<double>(of);
}

class Table {
 public:
  explicit Table(const SparseComparison& comparison) : comparison_(comparison) {
    row("", [](const ScheduleResult& s) { return s.name; });
  }

  template <typename Value>
  void row(std::string_view label, const Value& value) {
    text_ += fmt::format("{:<36}", label);
    for (const auto& schedule : comparison_.schedules)
      text_ += fmt::format(" {:>12}", value(schedule));
    text_ += '\n';
  }
  void heading(std::string_view line) { text_ += fmt::format("\n{}\n", line); }
  std::string text() const { return text_; }

 private:
  const SparseComparison& comparison_;
  std::string text_;
};

void append_stages(Table& table) {
  table.heading("exposed time by stage, us a token (in brackets: hidden behind others)");
  for (const auto& stage : kSparseStages) {
    const auto i = static_cast<std::size_t>(stage.stage);
    table.row(fmt::format("  {}", stage.name), [i](const ScheduleResult& s) -> std::string {
      const double unit = 1e3 * static_cast<double>(s.result.steps.size());
      const double exposed = s.result.exposed_ns[i] / unit;
      const double hidden = (s.result.busy_ns[i] - s.result.exposed_ns[i]) / unit;
      if (s.result.busy_ns[i] == 0) return "-";
      constexpr double kShown = 0.005;
      return hidden < kShown ? fmt::format("{:.2f}", exposed)
                             : fmt::format("{:.2f} ({:.1f})", exposed, hidden);
    });
  }
}

void append_lists(Table& table, const RunConfig& config) {
  using S = const ScheduleResult&;
  table.heading("blocks of a list (a step, layer, request and KV head)");
  table.row("  overlap of guess and selection", [](S s) { return fixed(s.overlap(), 4); });
  table.row("  selected",
            [](S s) { return fixed(mean(s.result.lists.selected, s.result.lists.lists), 1); });
  table.row("  guessed",
            [](S s) { return fixed(mean(s.result.lists.guessed, s.result.lists.lists), 1); });
  table.row("  missed",
            [](S s) { return fixed(mean(s.result.lists.missed, s.result.lists.lists), 2); });
  table.row("  missed by the head that missed most",
            [](S s) { return fixed(mean(s.result.lists.most_missed, s.result.lists.layers), 2); });
  table.row("  wasted",
            [](S s) { return fixed(mean(s.result.lists.wasted, s.result.lists.lists), 2); });
  table.row("  layers that wait for speculation",
            [](S s) { return fixed(mean(s.result.windows.overruns, s.result.windows.layers), 3); });
  table.row("  list after speculation, us a layer", [&](S s) -> std::string {
    const auto& windows = s.result.windows;
    if (windows.layers == 0) return "-";
    return fixed(
        nanoseconds(windows.slack, config.stack.clock) / 1e3 / static_cast<double>(windows.layers),
        3);
  });
}

void append_streams(Table& table, const RunConfig& config, const SparseComparison& comparison) {
  for (std::size_t i = 0; i < kSparseStreams.size(); ++i) {
    const auto stream = static_cast<SparseStream>(i);
    using S = const ScheduleResult&;
    if (!comparison.has_commands(stream)) continue;
    table.heading(fmt::format("stream {}", kSparseStreams[i]));
    table.row("  commands, k a token", [&](S s) {
      const auto commands = static_cast<double>(s.streams[i].total_commands());
      return commands == 0 ? "-"
                           : fixed(commands / 1e3 / static_cast<double>(s.result.steps.size()), 1);
    });
    table.row("  row hits of MAC commands", [&](S s) { return fixed(s.row_hits(stream), 4); });
    table.row("  row hits of columns",
              [&](S s) { return fixed(s.column_row_hits(config, stream), 4); });
    table.row("  bank participation",
              [&](S s) { return fixed(s.participation(config, stream), 4); });
    table.row("  GB/s of K and V",
              [&](S s) { return fixed(s.bandwidth_gbps(config.stack.clock, stream), 1); });
    table.row("  energy, uJ a token", [&](S s) {
      const double pj = s.energy_pj(config, stream);
      return pj == 0 ? "-" : fixed(pj / 1e6 / static_cast<double>(s.result.steps.size()), 2);
    });
  }
}

std::string side_memory_text(const SparseConfig& config, double delta) {
  constexpr double kMebibyte = 1 << 20;
  std::string text = "\nmemory beside K and V, MiB\n";
  for (const auto& part : side_memory(config, delta)) {
    text += fmt::format("  {:<17}{:>12.3f}  {}\n", part.name,
                        static_cast<double>(part.bytes) / kMebibyte, part.of);
  }
  return text + "\n";
}

std::string home_of_summaries(const RunConfig& config) {
  const auto home = config.sparse->summaries;
  const auto name = kSummaryHomes[static_cast<std::size_t>(home)];
  if (home != SummaryHome::kReserved) return std::string(name);
  return fmt::format("{} ({} of {} pseudo channels)", name, config.sparse->reserved_channels,
                     config.stack.geometry.flat_channels());
}

}  // namespace

std::string sparse_text_report(const RunConfig& config, const SparseComparison& comparison) {
  const auto& sparse = *config.sparse;
  std::string text = fmt::format(
      "{}: {} tokens of context, {} decoded, batch {}, {} layers, detail {}, seed {}\n"
      "{}: blocks of {}, budget {}; {}; delta {:.2f}, repair {}, lists {}, placement {}\n"
      "selection {}, summaries {}, overlap {}, {}; streams are of the simulated layers\n\n",
      config.name, sparse.context_tokens, sparse.decode_tokens, sparse.batch, sparse.layers,
      kDetails[static_cast<std::size_t>(config.detail)], sparse.seed, sparse.selector.scorer,
      sparse.shape.block_tokens, sparse.selector.budget_tokens, comparison.scores,
      comparison.schedules.front().delta,
      kRepairModes[static_cast<std::size_t>(sparse.repair)].name,
      kListRules[static_cast<std::size_t>(sparse.lists)],
      kBlockPlacements[static_cast<std::size_t>(sparse.placement)],
      kSelectionEngines[static_cast<std::size_t>(sparse.selection)], home_of_summaries(config),
      kOverlapPolicies[static_cast<std::size_t>(sparse.overlap)], sparse.xpu.name);
  Table table(comparison);
  using S = const ScheduleResult&;
  table.row("token mean, us", [](S s) { return fixed(micro(s.result.token_ns.mean()), 2); });
  table.row("token p95, us", [](S s) { return fixed(micro(s.result.token_ns.percentile(95)), 2); });
  table.row("tokens a second, all requests",
            [&](S s) { return fixed(s.tokens_per_second(config), 1); });
  table.row("speedup over serial",
            [&](S s) { return fixed(comparison.speedup("serial", s.name), 3); });
  table.row("speedup over dense",
            [&](S s) { return fixed(comparison.speedup("dense", s.name), 3); });
  append_stages(table);
  append_lists(table, config);
  append_streams(table, config, comparison);
  table.heading("this computer");
  table.row("  wall-clock time, s", [](S s) { return fixed(s.wall_seconds, 2); });
  return text + table.text() + side_memory_text(sparse, comparison.schedules.front().delta) +
         fmt::format("lists made in {:.2f} s; the selection holds {:.4f} of the best K\n",
                     comparison.list_seconds, comparison.mean_recall);
}

}  // namespace lockstep
