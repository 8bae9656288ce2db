// The sections of a configuration that say what decodes and how: model, kv, serving, speculation,
// scoring, formula.
#pragma once

#include "configs/config.h"
#include "firmware/decode/decode_config.h"
#include "tlm/contract/geometry.h"

namespace lockstep {

// `seed` is that of the whole run. Mistakes go to the document; the result is of use only if there
// are none.
DecodeConfig read_decode(ConfigSection& root, const StackGeometry& geometry, std::uint64_t seed);

FormulaTiming read_formula(ConfigSection section);

}  // namespace lockstep
