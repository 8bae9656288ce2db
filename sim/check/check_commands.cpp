#include "sim/check/check_commands.h"

#include <fmt/format.h>

#include "sim/check/command_resolver.h"
#include "sim/check/domain_checker.h"
#include "tlm/contract/input_file.h"

namespace lockstep {
namespace {

// The file's picosecond may be rounded either way.
void check_time(const TracedCommand& traced, const CheckedCommand& command, Hertz clock,
                Findings& findings) {
  constexpr std::int64_t kPicosecondsPerSecond = 1'000'000'000'000;
  const WideInteger exact = static_cast<WideInteger>(command.cycle) * kPicosecondsPerSecond;
  const WideInteger told = static_cast<WideInteger>(traced.at.count) * clock.count;
  const WideInteger apart = exact > told ? exact - told : told - exact;
  if (apart <= clock.count) return;
  findings.begin(command);
  findings.breach(Rule::kTime,
                  fmt::format("cycle {} is at {} ps, found {}", command.cycle,
                              static_cast<std::int64_t>(exact / clock.count), traced.at.count));
  findings.end();
}

}  // namespace

CheckReport check_commands(std::istream& trace, const std::string& file,
                           const StackConfig& config) {
  CommandCsvReader reader(trace, file);
  CommandResolver resolver(config, reader);
  Findings findings;
  std::vector<DomainChecker> domains;
  for (int d = 0; d < config.domains(); ++d) domains.emplace_back(config, d);
  TracedCommand traced;
  CheckedCommand command;
  std::int64_t end = 0;
  while (reader.next(traced)) {
    if (!resolver.resolve(traced, command)) continue;
    check_time(traced, command, config.clock, findings);
    const auto domain =
        static_cast<std::size_t>(traced.record.channel / config.channels_per_domain());
    domains[domain].check(command, findings);
    end = std::max(end, command.cycle);
  }
  reader.finish();
  for (auto& domain : domains) domain.finish(reader.lines(), end, findings);
  return {file,
          reader.lines(),
          reader.commands(),
          findings.count(),
          findings.by_rule(),
          findings.listed()};
}

CheckReport check_commands(const std::string& file, const StackConfig& config) {
  auto stream = open_input_file(file);
  return check_commands(stream, file, config);
}

}  // namespace lockstep
