// What a channel that computes counts. Only commands of kernels with data count as MAC commands.
#pragma once

#include <cstdint>
#include <string_view>

namespace lockstep {

struct FunctionalStats {
  std::int64_t mac_commands = 0;
  std::int64_t mac_banks = 0;
  std::int64_t mac_bytes = 0;
  std::int64_t host_bytes_read = 0;
  std::int64_t host_bytes_written = 0;
};

struct FunctionalCounter {
  std::string_view name;
  std::int64_t FunctionalStats::*member;
  std::string_view meaning;
};

constexpr FunctionalCounter kFunctionalCounters[] = {
    // clang-format off
    {"mac_commands",       &FunctionalStats::mac_commands,       "MAC commands that computed"},
    {"mac_banks",          &FunctionalStats::mac_banks,          "banks that held a token, summed over MAC commands"},
    {"mac_bytes",          &FunctionalStats::mac_bytes,          "bytes that those banks read for them"},
    {"host_bytes_read",    &FunctionalStats::host_bytes_read,    "bytes read by the host"},
    {"host_bytes_written", &FunctionalStats::host_bytes_written, "bytes written by the host"},
    // clang-format on
};

constexpr FunctionalStats& operator+=(FunctionalStats& total, const FunctionalStats& part) {
  for (const auto& counter : kFunctionalCounters) {
    total.*(counter.member) += part.*(counter.member);
  }
  return total;
}

}  // namespace lockstep
