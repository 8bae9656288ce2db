// lockstep cosim CONFIG: attention on banks whose unit is RTL beside the model.
#include "sim/cosim/cosim.h"

#include <charconv>
#include <memory>

#include <fmt/format.h>

#include "sim/cli/command.h"
#include "sim/commands/declare.h"

namespace lockstep {
namespace {

struct Options {
  ConfigSource source;
  std::string banks;
  std::string window;
  std::string format = "text";
  std::int64_t cycles = 0;
  std::int64_t tokens = 0;
  CosimOptions cosim;
};

// All of `text` is a number from 0 to `most`.
std::optional<std::int64_t> number(std::string_view text, std::int64_t most) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || rest != end || error != std::errc{} || value < 0 || value > most)
    return std::nullopt;
  return value;
}

std::vector<int> read_banks(const std::string& text, int banks) {
  std::vector<int> chosen;
  if (text == "all") return chosen;
  for (std::size_t at = 0; at <= text.size();) {
    const auto comma = std::min(text.find(',', at), text.size());
    const auto word = text.substr(at, comma - at);
    const auto bank = number(word, banks - 1);
    if (!bank) {
      throw InputError(
          fmt::format("--banks: expected `all`, or banks from 0 to {} such as `0,5`, "
                      "got `{}`",
                      banks - 1, word));
    }
    chosen.push_back(static_cast<int>(*bank));
    at = comma + 1;
  }
  return chosen;
}

void read_window(const std::string& text, UnitWaves& waves) {
  const auto colon = std::min(text.find(':'), text.size());
  const auto first = number(std::string_view(text).substr(0, colon), INT64_MAX);
  const auto last = colon < text.size()
                        ? number(std::string_view(text).substr(colon + 1), INT64_MAX)
                        : std::nullopt;
  if (!first || !last || *first > *last) {
    throw InputError(
        "--window: expected the first and last clock of the units, such as `100:200`, "
        "got `" +
        text + "`");
  }
  waves.first = *first;
  waves.last = *last;
}

int cosim(Options options) {
  CosimConfig config = load_cosim_config(options.source);
  if (options.tokens > 0) config.pass.tokens = options.tokens;
  options.cosim.at_least = {options.cycles};
  if (options.cosim.domain >= config.stack.domains()) {
    throw InputError(fmt::format("--domain: expected a domain from 0 to {}, got `{}`",
                                 config.stack.domains() - 1, options.cosim.domain));
  }
  if (!options.banks.empty()) {
    options.cosim.banks =
        read_banks(options.banks, config.stack.controller.topology.count(Level::kBank));
  }
  if (!options.window.empty()) read_window(options.window, options.cosim.waves);
  const CosimReport report = run_cosim(config, options.cosim);
  fmt::print("{}",
             options.format == "json" ? cosim_json(config, report) : cosim_text(config, report));
  return report.passed() ? kExitDone : kExitCheckFailed;
}

}  // namespace

void declare_cosim(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<Options>();
  app.add_option("CONFIG", options->source.file, "configuration with a section `cosim` (YAML)")
      ->required();
  app.add_option("--set", options->source.overrides,
                 "override a value: path.to.key=value; repeatable")
      ->allow_extra_args(false);
  app.add_option("--banks", options->banks,
                 "these banks in lockstep (0,5 or all) instead of the configuration's");
  app.add_option("--domain", options->cosim.domain, "the domain they are of")
      ->check(CLI::NonNegativeNumber)
      ->needs("--banks");
  auto* const cycles =
      app.add_option("--cycles", options->cycles, "passes until so many CK of the stack are over")
          ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000'000}));
  app.add_option("--tokens", options->tokens, "length of the one pass")
      ->check(CLI::Range(std::int64_t{1}, kMostCosimTokens))
      ->excludes(cycles);
  auto* const waves = app.add_option("--waves", options->cosim.waves.file,
                                     "waveform of the RTL (.vcd, .fst), a file for each bank");
  app.add_option("--window", options->window, "first:last clock of the units in it")->needs(waves);
  app.add_option("--traces", options->cosim.traces_folder,
                 "folder for vectors and timing trace of each bank");
  app.add_option("--commands", options->cosim.commands_file,
                 "also write every DRAM and PIM command to this CSV file");
  app.add_option("--format", options->format, "what is printed: text or json")
      ->check(CLI::IsMember({"text", "json"}));
  app.footer(
      "Example:\n  lockstep cosim configs/cosim-bank-mac.yaml --banks all --waves out/unit.vcd "
      "--window 0:100");
  app.callback([options, &exit_code] { exit_code = cosim(*options); });
}

}  // namespace lockstep
