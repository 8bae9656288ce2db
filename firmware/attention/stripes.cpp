#include "firmware/attention/stripes.h"

#include <algorithm>

#include "tlm/contract/attention_pass.h"
#include "tlm/contract/errors.h"

namespace lockstep {

// Most tokens lie in the row of the token before, or in one opened not long ago.
std::size_t Stripes::row_of(std::int32_t row) {
  if (latest_row_ < rows_.size() && rows_[latest_row_].row == row) return latest_row_;
  for (std::size_t i = rows_.size(); i > 0; --i) {
    if (rows_[i - 1].row == row) return i - 1;
  }
  rows_.push_back({row, stripes_.size(), 0});
  return rows_.size() - 1;
}

bool Stripes::add(const TokenPlace& place, std::int32_t token) {
  latest_row_ = row_of(place.row);
  Row& row = rows_[latest_row_];
  const auto begin = stripes_.begin() + static_cast<std::ptrdiff_t>(row.first);
  const auto end = begin + static_cast<std::ptrdiff_t>(row.count);
  auto stripe =
      std::lower_bound(begin, end, place.column,
                       [](const Stripe& s, std::int32_t column) { return s.column < column; });
  const bool is_new = stripe == end || stripe->column != place.column;
  if (is_new) {
    stripe = stripes_.insert(
        stripe, {place.row, place.column, 0,
                 std::vector<std::int32_t>(static_cast<std::size_t>(banks_), kNoToken)});
    ++row.count;
    for (std::size_t i = latest_row_ + 1; i < rows_.size(); ++i) ++rows_[i].first;
  }
  auto& slot = stripe->token_of[static_cast<std::size_t>(place.bank)];
  ensure(slot == kNoToken, "a list of blocks names a place of the cache twice");
  slot = token;
  ++stripe->tokens;
  ++tokens_;
  return is_new;
}

void Stripes::clear() {
  stripes_.clear();
  rows_.clear();
  latest_row_ = 0;
  tokens_ = 0;
}

}  // namespace lockstep
