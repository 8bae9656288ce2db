// Runs attention for the policies of a configuration on equal stacks and requests.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "firmware/attention/attention_result.h"
#include "hw/channel/stats.h"
#include "sim/run/comparison.h"
#include "sim/run/run_config.h"

namespace lockstep {

struct AttentionPolicy {
  std::string name;
  AttentionResult result;
  ChannelStats stats;  // of the simulated layers
  double wall_seconds = 0;

  // Over the time of attention (KV writes excluded); nullopt without any.
  std::optional<double> kv_bandwidth_gbps(Hertz clock) const;
  std::optional<double> tokens_per_second() const;
  // Multiplications that attention needs, over those that all lanes could have done meanwhile.
  std::optional<double> mac_utilisation(const RunConfig& config) const;
  std::optional<double> bank_participation() const;
  // Of the stack, all layers: counted commands, and background over the steps and prompts' writes.
  EnergyReport energy(const RunConfig& config) const;
  std::optional<double> energy_pj_per_token(const RunConfig& config) const;  // generated
};

struct AttentionComparison {
  std::int64_t requests = 0;
  std::string workload;
  std::string requests_report;
  std::vector<AttentionPolicy> policies;

  // Attention time of the first policy over that of the last; nullopt for one policy. The formula
  // is the placement study's: tCCDAB for every column command, tRC for one that opens a row.
  std::optional<double> gain_formula(const FormulaTiming& timing) const;
  std::optional<double> gain_cycles() const;
};

enum class ShowProgress : std::uint8_t { kNo, kYes };

// Throws as run_comparison(). At stream level no SystemC kernel takes part.
AttentionComparison compare_attention(const RunConfig& config, const RunOptions& options,
                                      ShowProgress shown);

}  // namespace lockstep
