// The tokens of a sequence as the bank units meet them: a stripe is one place (row, column) over
// all banks of the lockstep scope, with at most one token a bank.
#pragma once

#include <cstdint>
#include <vector>

#include "firmware/attention/kv_tensor_map.h"

namespace lockstep {

struct Stripe {
  std::int32_t row = 0;     // from the first of the pool
  std::int32_t column = 0;  // of local head 0, part 0
  std::int32_t tokens = 0;
  std::vector<std::int32_t> token_of;  // by bank; kNoToken where the bank holds none
};

// Rows by first appearance, the stripes of a row together and by column, so that a row is opened
// once and its columns run on.
class Stripes {
 public:
  explicit Stripes(int banks) : banks_(banks) {}

  // Returns whether a new stripe was needed. The place must not have a token yet.
  bool add(const TokenPlace& place, std::int32_t token);
  void clear();

  const std::vector<Stripe>& all() const { return stripes_; }
  std::int64_t tokens() const { return tokens_; }

 private:
  struct Row {
    std::int32_t row;
    std::size_t first;  // stripe
    std::size_t count;
  };

  std::size_t row_of(std::int32_t row);

  int banks_;
  std::vector<Stripe> stripes_;
  std::vector<Row> rows_;
  std::size_t latest_row_ = 0;
  std::int64_t tokens_ = 0;
};

}  // namespace lockstep
