#include "sim/attention/verify_data.h"

#include <algorithm>
#include <cmath>

#include "firmware/workload/random.h"
#include "tlm/contract/errors.h"
#include "tlm/contract/fp16.h"

namespace lockstep {
namespace {

// Uniform over the fp16 numbers of 11 bits in [-2, 2): four of them from one draw.
void fill(Random& random, std::vector<std::uint16_t>& numbers, std::int64_t count) {
  constexpr int kBits = 12;
  numbers.resize(static_cast<std::size_t>(count));
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i % 4 == 0) bits = random.next();
    const auto step = static_cast<int>(bits & ((1U << kBits) - 1)) - (1 << (kBits - 1));
    bits >>= 16;
    numbers[i] = fp16_from_double(step / 1024.0);
  }
}

std::vector<std::uint8_t> bytes_of(const std::uint16_t* numbers, std::size_t count) {
  std::vector<std::uint8_t> bytes(2 * count);
  for (std::size_t i = 0; i < count; ++i) {
    bytes[2 * i] = static_cast<std::uint8_t>(numbers[i] & 0xFF);
    bytes[2 * i + 1] = static_cast<std::uint8_t>(numbers[i] >> 8);
  }
  return bytes;
}

}  // namespace

std::vector<SequenceData> draw_data(const VerifyCase& verify) {
  Random random(verify.seed);
  std::vector<SequenceData> data(verify.tokens.size());
  const std::int64_t width =
      static_cast<std::int64_t>(verify.shape.kv_heads) * verify.shape.head_dim;
  for (std::size_t s = 0; s < data.size(); ++s) {
    fill(random, data[s].keys, verify.tokens[s] * width);
    fill(random, data[s].values, verify.tokens[s] * width);
    fill(random, data[s].queries, verify.group * width);
  }
  return data;
}

void poke_data(const VerifyCase& verify, const KvPools& pools,
               const std::vector<SequenceData>& data, StackPort& port) {
  const auto width = static_cast<std::size_t>(verify.shape.kv_heads) *
                     static_cast<std::size_t>(verify.shape.head_dim);
  for (std::size_t s = 0; s < data.size(); ++s) {
    for (std::int64_t token = 0; token < verify.tokens[s]; ++token) {
      const auto block =
          verify.tables[s][static_cast<std::size_t>(token / verify.shape.block_tokens)];
      const auto in_block = static_cast<int>(token % verify.shape.block_tokens);
      const auto first = static_cast<std::size_t>(token) * width;
      const bool kept = port.poke(pools.address(0, KvTensor::kKey, block, in_block),
                                  bytes_of(data[s].keys.data() + first, width)) &&
                        port.poke(pools.address(0, KvTensor::kValue, block, in_block),
                                  bytes_of(data[s].values.data() + first, width));
      ensure(kept, "the stack of a verification keeps data");
    }
  }
}

std::vector<double> reference_output(const VerifyCase& verify, const SequenceData& data,
                                     std::int64_t tokens) {
  const auto dims = static_cast<std::size_t>(verify.shape.head_dim);
  const auto heads = static_cast<std::size_t>(verify.shape.kv_heads);
  const auto group = static_cast<std::size_t>(verify.group);
  const double scale = 1 / std::sqrt(static_cast<double>(dims));
  std::vector<double> keys, values, output;
  for (const auto key : data.keys) keys.push_back(static_cast<double>(fp16_to_float(key)));
  for (const auto value : data.values) values.push_back(static_cast<double>(fp16_to_float(value)));
  std::vector<double> scores(static_cast<std::size_t>(tokens));
  for (std::size_t row = 0; row < heads * group; ++row) {
    const std::size_t head = row / group;
    std::vector<double> query;
    for (std::size_t d = 0; d < dims; ++d)
      query.push_back(static_cast<double>(fp16_to_float(data.queries[row * dims + d])));
    for (std::size_t t = 0; t < scores.size(); ++t) {
      double sum = 0;
      const double* key = keys.data() + (t * heads + head) * dims;
      for (std::size_t d = 0; d < dims; ++d) sum += query[d] * key[d];
      scores[t] = sum * scale;
    }
    const double top = *std::max_element(scores.begin(), scores.end());
    double total = 0;
    std::vector<double> weighted(dims, 0);
    for (std::size_t t = 0; t < scores.size(); ++t) {
      const double weight = std::exp(scores[t] - top);
      total += weight;
      const double* value = values.data() + (t * heads + head) * dims;
      for (std::size_t d = 0; d < dims; ++d) weighted[d] += weight * value[d];
    }
    for (const double value : weighted) output.push_back(value / total);
  }
  return output;
}

}  // namespace lockstep
