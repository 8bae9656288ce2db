// The tokens of a pass that is scored before its selection is known (docs/dsa.md, exact-latemask).
#pragma once

#include "firmware/attention/pass_data.h"

namespace lockstep {

// Of the kernel that scores a guess: its tokens in order, keys only.
PassTokens scored_tokens(const SequencePasses& guess, int channel_class);

// Of the kernel that ends the pass: keys of `missed`, numbered after those of `guess`, and values
// of `selected`, all of which must be in one of the two. What else was guessed is masked out. The
// chunks of values follow those of keys.
PassTokens remaining_tokens(const SequencePasses& guess, const SequencePasses& missed,
                            const SequencePasses& selected, int channel_class);

}  // namespace lockstep
