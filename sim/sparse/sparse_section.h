// The section `dsa` of a configuration: sparse attention on the stack.
#pragma once

#include "configs/config.h"
#include "firmware/attention/attention_config.h"
#include "firmware/sparse/sparse_config.h"
#include "hw/stack/channel_module.h"
#include "hw/stack/stack_config.h"

namespace lockstep {

// `attention` gives model, processor, unit and pipeline. Mistakes go to the document.
SparseConfig read_sparse(ConfigSection& root, const AttentionConfig& attention,
                         const StackConfig& stack, Detail detail);

}  // namespace lockstep
