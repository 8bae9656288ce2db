#include "sim/cosim/cosim.h"

#include <chrono>
#include <filesystem>
#include <numeric>

#include <fmt/format.h>

#include "hw/pim/mac_model.h"
#include "hw/stack/direct_stack.h"
#include "rtl/lockstep_mac.h"
#include "sim/attention/verify_attention.h"
#include "sim/run/system.h"
#include "tlm/contract/command_csv.h"

namespace lockstep {
namespace {

int banks_of(const StackConfig& stack) {
  return stack.controller.topology.count(Level::kBank);
}

// The configuration's choice, or the command line's.
BankUnitChoice choice_of(const CosimConfig& config, const CosimOptions& options) {
  if (!options.banks) return config.stack.units;
  BankUnitChoice choice;
  std::vector<int> banks = *options.banks;
  if (banks.empty()) {
    banks.resize(static_cast<std::size_t>(banks_of(config.stack)));
    std::iota(banks.begin(), banks.end(), 0);
  }
  for (const int bank : banks) choice.exceptions[{options.domain, bank}] = BankUnitKind::kLockstep;
  return choice;
}

// FNV-1a over the passes' digests.
std::uint64_t joined(std::uint64_t digest, std::uint64_t pass) {
  return (digest ^ pass) * 0x100000001B3ULL;
}

// Runs one pass after another until `at_least` CK have gone by.
void run_passes(const CosimConfig& config, Cycles at_least, StackPort& port, CosimReport& report) {
  std::int64_t first_pass = 0;
  do {
    const auto verify = pass_case(config.pass, report.passes);
    const auto outcome = run_verify_case(verify, config.stack, port, first_pass);
    report.digest = joined(report.digest, outcome.digest);
    report.error = outcome.error <= report.error ? report.error : outcome.error;
    ++report.passes;
  } while (port.now() < at_least);
  report.cycles = port.now();
}

}  // namespace

VerifyCase pass_case(const CosimPass& pass, std::int64_t index) {
  VerifyCase verify;
  verify.index = index;
  verify.shape = pass.shape;
  verify.group = pass.group;
  verify.queries_per_column = pass.queries_per_column;
  verify.pipeline = pass.pipeline;
  verify.tokens = {pass.tokens};
  const std::int64_t blocks = (pass.tokens + pass.shape.block_tokens - 1) / pass.shape.block_tokens;
  verify.tables.emplace_back(static_cast<std::size_t>(blocks));
  std::iota(verify.tables[0].begin(), verify.tables[0].end(), BlockId{0});
  verify.pool_blocks = blocks;
  verify.seed = pass.seed + static_cast<std::uint64_t>(index);
  return verify;
}

Cosim::Cosim(const CosimConfig& config, const CosimOptions& options)
    : config_(config), options_(options) {
  const BankUnitChoice choice = choice_of(config, options);
  std::vector<std::pair<int, int>> chosen;
  for (int domain = 0; domain < config.stack.domains(); ++domain) {
    for (int bank = 0; bank < banks_of(config.stack); ++bank) {
      if (choice.of(domain, bank) != BankUnitKind::kModel) chosen.emplace_back(domain, bank);
    }
  }
  for (const auto& [domain, bank] : chosen)
    add_bank(domain, bank, choice.of(domain, bank), chosen.size() > 1);
}

void Cosim::add_bank(int domain, int bank, BankUnitKind kind, bool several) {
  const auto& parameters = config_.stack.bank_unit;
  const std::string name = fmt::format("bank_{}_{}", domain, bank);
  UnitWaves waves = options_.waves;
  const auto folder = std::filesystem::path(waves.file).parent_path();
  std::error_code ignored;  // the file itself will say that it cannot be written
  if (!folder.empty()) std::filesystem::create_directories(folder, ignored);
  if (!waves.file.empty()) waves.file = numbered(waves.file, name, several ? 2 : 1);
  auto& made = banks_[{domain, bank}];
  if (!options_.traces_folder.empty())
    made.trace = std::make_unique<UnitTraceFiles>(options_.traces_folder + "/" + name);
  auto unit = make_rtl_unit(parameters, waves);
  if (kind == BankUnitKind::kLockstep) {
    auto both =
        std::make_unique<LockstepMac>(std::make_unique<MacModel>(parameters), std::move(unit));
    made.lockstep = both.get();
    unit = std::move(both);
  }
  const UnitClock clock{config_.stack.unit_period(), config_.pass.queries_per_column};
  made.replay =
      std::make_unique<BankReplay>(domain, bank, clock, std::move(unit), made.trace.get());
}

// Keeps exceptions away from the kernel's processes, which may call this.
template <typename Work>
void Cosim::attempt(Work work) {
  if (failure_ || !difference_.empty()) return;
  const auto start = std::chrono::steady_clock::now();
  try {
    work();
  } catch (const CosimDifference& found) {
    difference_ = found.what();
  } catch (const std::exception&) {
    failure_ = std::current_exception();
  }
  seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if ((failure_ || !difference_.empty()) && sc_core::sc_is_running()) sc_core::sc_pause();
}

void Cosim::on_operation(const UnitOperation& operation) {
  const auto found = banks_.find({operation.domain, operation.bank});
  if (found != banks_.end()) found->second.replay->add(operation);
}

void Cosim::on_progress(int domain, Cycles when) {
  attempt([&] {
    const auto end = banks_.upper_bound({domain, INT32_MAX});
    for (auto bank = banks_.lower_bound({domain, 0}); bank != end; ++bank)
      bank->second.replay->play_until(when);
  });
}

void Cosim::finish() {
  attempt([&] {
    for (auto& [place, bank] : banks_) {
      bank.replay->finish();
      if (bank.trace) bank.trace->keep();
    }
  });
}

ReplayCounts Cosim::counts() const {
  ReplayCounts counts;
  for (const auto& [place, bank] : banks_) counts += bank.replay->counts();
  return counts;
}

std::int64_t Cosim::comparisons() const {
  std::int64_t comparisons = 0;
  for (const auto& [place, bank] : banks_) {
    comparisons += bank.lockstep != nullptr ? bank.lockstep->comparisons() : 0;
    comparisons += bank.replay->counts().drains;  // with what the stack went on with
  }
  return comparisons;
}

CosimReport run_cosim(const CosimConfig& config, const CosimOptions& options) {
  Cosim cosim(config, options);
  CosimReport report;
  report.tokens = config.pass.tokens;
  // Values are the models': the units under co-simulation are held against them.
  System system("cosim", config.stack, Detail::kCommand, make_mac_model,
                [&](StackPort& port) { run_passes(config, options.at_least, port, report); });
  std::unique_ptr<OutputFile> file;
  std::unique_ptr<CommandCsv> csv;
  if (!options.commands_file.empty()) {
    file = std::make_unique<OutputFile>(options.commands_file);
    csv = std::make_unique<CommandCsv>(file->stream(), config.stack.clock);
    system.stack().record_to(csv.get());
  }
  system.stack().observe_units(&cosim);
  try {
    system.run();
  } catch (const Unsupported&) {
    if (cosim.difference().empty() && !cosim.failure()) throw;  // it was not we who stopped it
  }
  cosim.finish();
  if (cosim.failure()) std::rethrow_exception(cosim.failure());
  csv.reset();
  if (file) file->keep();

  report.banks = cosim.banks();
  report.counts = cosim.counts();
  report.comparisons = cosim.comparisons();
  report.difference = cosim.difference();
  report.seconds = cosim.seconds();
  if (!report.difference.empty()) return report;
  if (report.counts.beats == 0) {
    throw Unsupported(
        "no bank under co-simulation holds a token of the pass: choose others (--banks, --domain) "
        "or more tokens");
  }
  CosimReport alone;
  DirectStack models(config.stack);
  run_passes(config, options.at_least, models, alone);
  report.functional_digest = alone.digest;
  return report;
}

}  // namespace lockstep
