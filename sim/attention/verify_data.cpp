#include "sim/attention/verify_data.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "firmware/workload/random.h"
#include "tlm/contract/errors.h"
#include "tlm/contract/fp16.h"

namespace lockstep {
namespace {

// Uniform over the fp16 numbers of 11 bits in [-2, 2): four of them from one draw.
void fill_halves(Random& random, std::vector<std::uint16_t>& numbers, std::int64_t count) {
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

std::vector<std::uint8_t> bytes_of(const std::vector<std::uint16_t>& numbers) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(2 * numbers.size());
  for (const auto number : numbers) {
    bytes.push_back(static_cast<std::uint8_t>(number & 0xFF));
    bytes.push_back(static_cast<std::uint8_t>(number >> 8));
  }
  return bytes;
}

// The upper half of the fp32 number: all steps of 1 / 64 in [-2, 2) are bf16 numbers.
std::uint16_t bf16_of_step(std::uint64_t bits) {
  const int step = static_cast<int>(bits & 0xFF) - 128;
  return static_cast<std::uint16_t>(bits_of_float(static_cast<float>(step) / 64.0F) >> 16);
}

std::vector<std::uint8_t> draw_elements(Random& random, KvElement element, std::int64_t count) {
  std::vector<std::uint16_t> halves;
  if (element == KvElement::kFp16) {
    fill_halves(random, halves, count);
    return bytes_of(halves);
  }
  if (element == KvElement::kBf16) {
    for (std::int64_t i = 0; i < count; ++i) halves.push_back(bf16_of_step(random.next()));
    return bytes_of(halves);
  }
  // int8: any; fp8 of both kinds: any of magnitude below 2, which is code 0x40.
  const std::uint64_t wanted = element == KvElement::kInt8 ? 0xFF : 0xBF;
  std::vector<std::uint8_t> bytes;
  std::uint64_t bits = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    if (i % 8 == 0) bits = random.next();
    bytes.push_back(static_cast<std::uint8_t>(bits & wanted));
    bits >>= 8;
  }
  return bytes;
}

// The number of a code, by the definition of its format and nothing of the model's.
double number_of(int code, int exponent_bits, int fraction_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const int exponent = (code >> fraction_bits) & ((1 << exponent_bits) - 1);
  const int fraction = code & ((1 << fraction_bits) - 1);
  const double magnitude =
      exponent == 0 ? std::ldexp(fraction, 1 - bias - fraction_bits)
                    : std::ldexp(fraction + (1 << fraction_bits), exponent - bias - fraction_bits);
  return (code >> (exponent_bits + fraction_bits)) != 0 ? -magnitude : magnitude;
}

std::vector<double> numbers_of(KvElement element, const std::vector<std::uint8_t>& bytes,
                               double scale) {
  std::vector<double> numbers;
  const auto size = static_cast<std::size_t>(traits(element).bytes);
  numbers.reserve(bytes.size() / size);
  for (std::size_t i = 0; i < bytes.size(); i += size) {
    const int code = size == 1 ? bytes[i] : bytes[i] + 256 * bytes[i + 1];
    double number = 0;
    switch (element) {
      case KvElement::kFp16:
        number = number_of(code, 5, 10);
        break;
      case KvElement::kBf16:
        number = number_of(code, 8, 7);
        break;
      case KvElement::kInt8:
        number = code < 128 ? code : code - 256;
        break;
      case KvElement::kFp8E4m3:
        number = number_of(code, 4, 3);
        break;
      case KvElement::kFp8E5m2:
        number = number_of(code, 5, 2);
        break;
    }
    numbers.push_back(number * scale);
  }
  return numbers;
}

}  // namespace

std::vector<SequenceData> draw_data(const VerifyCase& verify) {
  Random random(verify.seed);
  std::vector<SequenceData> data(verify.tokens.size());
  const std::int64_t width =
      static_cast<std::int64_t>(verify.shape.kv_heads) * verify.shape.head_dim;
  for (std::size_t s = 0; s < data.size(); ++s) {
    data[s].keys = draw_elements(random, verify.shape.element, verify.tokens[s] * width);
    data[s].values = draw_elements(random, verify.shape.element, verify.tokens[s] * width);
    fill_halves(random, data[s].queries, verify.group * width);
  }
  return data;
}

void poke_data(const VerifyCase& verify, const KvPools& pools,
               const std::vector<SequenceData>& data, StackPort& port) {
  const auto size = static_cast<std::size_t>(verify.shape.token_bytes());
  for (std::size_t s = 0; s < data.size(); ++s) {
    for (std::int64_t token = 0; token < verify.tokens[s]; ++token) {
      const auto block =
          verify.tables[s][static_cast<std::size_t>(token / verify.shape.block_tokens)];
      const auto in_block = static_cast<int>(token % verify.shape.block_tokens);
      const auto first = static_cast<std::size_t>(token) * size;
      const bool kept = port.poke(pools.address(0, KvTensor::kKey, block, in_block),
                                  {data[s].keys.data() + first, size}) &&
                        port.poke(pools.address(0, KvTensor::kValue, block, in_block),
                                  {data[s].values.data() + first, size});
      ensure(kept, "the stack of a verification keeps data");
    }
  }
}

namespace {

constexpr double kHalfUlp16 = 0x1p-11;         // relative, of an fp16 number
constexpr double kHalfStep16 = 0x1p-25;        // absolute, of a subnormal one
constexpr double kHalfUlp32 = 0x1p-24;         // relative, of an fp32 number
constexpr double kRoundingsOfScore = 2 * 24;   // sums of up to 128 products and the scale; of m too
constexpr double kRoundingsOfDrain = 2 * 128;  // banks, channels, l and the division

// One query of one head against `tokens` rows of K and V, `stride` numbers apart.
class ReferenceQuery {
 public:
  ReferenceQuery(const std::vector<double>& query, const double* keys, std::size_t stride,
                 std::size_t tokens, double scale)
      : stride_(stride), weights_(tokens) {
    double top = -std::numeric_limits<double>::infinity();
    for (std::size_t t = 0; t < tokens; ++t) {
      double sum = 0;
      double magnitude = 0;
      for (std::size_t d = 0; d < query.size(); ++d) {
        const double product = query[d] * keys[t * stride + d];
        sum += product;
        magnitude += std::abs(product);
      }
      weights_[t] = sum * scale;
      top = std::max(top, weights_[t]);
      magnitude_ = std::max(magnitude_, magnitude * scale);
    }
    for (auto& weight : weights_) {
      weight = std::exp(weight - top);
      total_ += weight;
    }
  }

  double output(const double* values) const {
    double sum = 0;
    for (std::size_t t = 0; t < weights_.size(); ++t) sum += weights_[t] * values[t * stride_];
    return sum / total_;
  }

  double bound(const double* values, double output) const {
    double spread = 0;     // sum of p |v - o|
    double far = 0;        // sum of |v - o|
    double magnitude = 0;  // sum of p |v|
    for (std::size_t t = 0; t < weights_.size(); ++t) {
      const double value = values[t * stride_];
      spread += weights_[t] * std::abs(value - output);
      far += std::abs(value - output);
      magnitude += weights_[t] * std::abs(value);
    }
    const double score = kRoundingsOfScore * kHalfUlp32 * magnitude_;
    const double sums = static_cast<double>(weights_.size()) + kRoundingsOfDrain;
    return ((kHalfUlp16 + score) * spread + kHalfStep16 * far + sums * kHalfUlp32 * magnitude) /
           total_;
  }

 private:
  std::size_t stride_;
  std::vector<double> weights_;
  double total_ = 0;
  double magnitude_ = 0;  // largest sum of |q k| x scale
};

}  // namespace

ReferenceOutput reference_output(const VerifyCase& verify, const SequenceData& data,
                                 std::int64_t tokens) {
  const auto dims = static_cast<std::size_t>(verify.shape.head_dim);
  const auto heads = static_cast<std::size_t>(verify.shape.kv_heads);
  const auto group = static_cast<std::size_t>(verify.group);
  const double scale = 1 / std::sqrt(static_cast<double>(dims));
  const auto keys = numbers_of(verify.shape.element, data.keys, verify.scales.key);
  const auto values = numbers_of(verify.shape.element, data.values, verify.scales.value);
  const auto queries = numbers_of(KvElement::kFp16, bytes_of(data.queries), 1);
  ReferenceOutput output;
  for (std::size_t row = 0; row < heads * group; ++row) {
    const auto first = queries.begin() + static_cast<std::ptrdiff_t>(row * dims);
    const std::size_t head = row / group;
    const ReferenceQuery query({first, first + static_cast<std::ptrdiff_t>(dims)},
                               keys.data() + head * dims, heads * dims,
                               static_cast<std::size_t>(tokens), scale);
    for (std::size_t d = 0; d < dims; ++d) {
      const double* column = values.data() + head * dims + d;
      output.values.push_back(query.output(column));
      output.bounds.push_back(query.bound(column, output.values.back()));
    }
  }
  return output;
}

}  // namespace lockstep
