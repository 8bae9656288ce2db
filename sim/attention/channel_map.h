// An address map under which one all-bank command may cover both pseudo channels and all SIDs.
#pragma once

#include <string_view>

namespace lockstep {

// Host-cacheline with lines of 128 B, one in each channel; tokens of 2 KiB go round pseudo
// channels, banks and SIDs.
constexpr std::string_view kChannelMap =
    "row column[:2] stack_id bank_group bank channel[0] channel[:1] column[1] column[0] byte";

}  // namespace lockstep
