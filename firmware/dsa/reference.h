// `lockstep dsa predict REFERENCE.json`: runs selection, calibration and predictor over the score
// rows of a file, and answers with the same file in which every computed key holds our own value.
#pragma once

#include <string>
#include <string_view>

namespace lockstep {

// Keys read: `blocks`, `steps`, `top_k`, `scores` [steps][blocks] (null: the block is not
// complete), `calibration_rows`, `runs` [] with `theta` [alpha, beta, gamma] and `delta`. Keys
// computed, and overwritten where present: `calibration_h`, `best_theta`, `reuse_overlap`, and in
// each run `predicted`, `selected`, `overlap`, `final_level`, `final_trend`; fractions are printed
// to nine decimals. Throws InputError with the place; `file` is only used in messages.
std::string predict_reference(std::string_view text, const std::string& file);

}  // namespace lockstep
