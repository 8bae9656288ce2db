// The section `attention` of a configuration: how passes run on the stack, and what stands beside.
#pragma once

#include "configs/config.h"
#include "firmware/attention/attention_config.h"
#include "firmware/decode/decode_config.h"
#include "hw/stack/stack_config.h"

namespace lockstep {

// What `decode` and `stack` say is taken over: serving, pool, bank unit. Mistakes go to the
// document, those of the processor's file are thrown as a ConfigError.
AttentionConfig read_attention(ConfigSection& root, const DecodeConfig& decode,
                               const StackConfig& stack);

// The document's tree, with the text of the processor's file in the place of its name: what a run's
// results depend on.
ConfigNode with_xpu(ConfigDocument& document);

}  // namespace lockstep
