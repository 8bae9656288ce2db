// Writes the vectors of tests/data/mac with GNU MPFR, and with none of the model's code, so that
// the reference has an oracle of its own:  mpfr_vectors DIRECTORY SEED
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mpfr.h>
#include <random>
#include <string>
#include <vector>

namespace {

constexpr int kLanes = 16;

// A number in a binary format: precision, and exponents of mpfr, whose significand is in [0.5, 1).
struct Format {
  mpfr_prec_t precision;
  mpfr_exp_t least_exponent;  // of the smallest subnormal number
  mpfr_exp_t greatest_exponent;
};
constexpr Format kHalf{11, -23, 16};
constexpr Format kSingle{24, -148, 128};

class Number {
 public:
  explicit Number(mpfr_prec_t precision = 64) { mpfr_init2(value_, precision); }
  ~Number() { mpfr_clear(value_); }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
  mpfr_ptr get() { return value_; }

 private:
  mpfr_t value_;
};

// Rounds once: `ternary` is what mpfr returned for the operation that made `value`.
void fit(mpfr_ptr value, int ternary, const Format& format) {
  mpfr_set_emin(format.least_exponent);
  mpfr_set_emax(format.greatest_exponent);
  ternary = mpfr_check_range(value, ternary, MPFR_RNDN);
  mpfr_subnormalize(value, ternary, MPFR_RNDN);
  mpfr_set_emin(mpfr_get_emin_min());
  mpfr_set_emax(mpfr_get_emax_max());
}

void set_half(mpfr_ptr value, unsigned bits) {
  const unsigned exponent = bits >> 10 & 31;
  const unsigned fraction = bits & 1023;
  if (exponent == 31 && fraction != 0) return mpfr_set_nan(value);
  if (exponent == 31) {
    mpfr_set_inf(value, 1);
  } else if (exponent == 0) {
    mpfr_set_ui_2exp(value, fraction, -24, MPFR_RNDN);
  } else {
    mpfr_set_ui_2exp(value, fraction + 1024, static_cast<mpfr_exp_t>(exponent) - 25, MPFR_RNDN);
  }
  mpfr_setsign(value, value, bits >> 15 & 1, MPFR_RNDN);
}

void set_single(mpfr_ptr value, std::uint32_t bits) {
  float number;
  std::memcpy(&number, &bits, sizeof number);
  mpfr_set_flt(value, number, MPFR_RNDN);
}

std::uint32_t single_bits(mpfr_ptr value) {
  if (mpfr_nan_p(value)) return 0x7FC00000;
  const float number = mpfr_get_flt(value, MPFR_RNDN);
  std::uint32_t bits;
  std::memcpy(&bits, &number, sizeof bits);
  return bits;
}

std::uint32_t product(unsigned a, unsigned b) {
  Number x, y, z(kSingle.precision);
  set_half(x.get(), a);
  set_half(y.get(), b);
  fit(z.get(), mpfr_mul(z.get(), x.get(), y.get(), MPFR_RNDN), kSingle);
  return single_bits(z.get());
}

std::uint32_t sum(std::uint32_t a, std::uint32_t b) {
  Number x, y, z(kSingle.precision);
  set_single(x.get(), a);
  set_single(y.get(), b);
  fit(z.get(), mpfr_add(z.get(), x.get(), y.get(), MPFR_RNDN), kSingle);
  return single_bits(z.get());
}

unsigned half_of_double(std::uint64_t bits) {
  double number;
  std::memcpy(&number, &bits, sizeof number);
  Number x, z(kHalf.precision);
  mpfr_set_d(x.get(), number, MPFR_RNDN);
  fit(z.get(), mpfr_set(z.get(), x.get(), MPFR_RNDN), kHalf);
  if (mpfr_nan_p(z.get())) return 0x7E00;
  const unsigned sign = mpfr_signbit(z.get()) ? 0x8000 : 0;
  if (mpfr_inf_p(z.get())) return sign | 0x7C00;
  const double rounded = std::fabs(mpfr_get_d(z.get(), MPFR_RNDN));
  if (rounded < 0x1p-14) return sign | static_cast<unsigned>(rounded * 0x1p24);
  int exponent;
  const double significand = std::frexp(rounded, &exponent);
  return sign | static_cast<unsigned>(exponent + 14) << 10 |
         (static_cast<unsigned>(significand * 2048) & 1023);
}

std::mt19937_64 random_bits;

unsigned any_half() {
  constexpr unsigned kCorners[] = {0x0000, 0x8000, 0x0001, 0x8001, 0x03FF, 0x0400, 0x3C00,
                                   0xBC00, 0x7BFF, 0xFBFF, 0x7C00, 0xFC00, 0x7E00, 0xFD01};
  const std::uint64_t bits = random_bits();
  switch (bits >> 60) {
    case 0:
      return kCorners[(bits >> 20) % 14];
    case 1:
      return bits & 0x83FF;  // subnormal
    case 2:
      return bits & 0xFFFF;
    default:
      return (bits & 0x83FF) | static_cast<unsigned>(5 + (bits >> 20) % 20) << 10;
  }
}

std::uint32_t any_single() {
  constexpr std::uint32_t kCorners[] = {0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007FFFFF,
                                        0x00800000, 0x3F800000, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000,
                                        0xFF800000, 0x7FC00000, 0x7F800001, 0x34000000, 0x33800000};
  const std::uint64_t bits = random_bits();
  const auto word = static_cast<std::uint32_t>(bits);
  switch (bits >> 60) {
    case 0:
      return kCorners[(bits >> 40) % 15];
    case 1:
      return word & 0x807FFFFF;  // subnormal
    case 2:
      return word;
    default:
      return (word & 0x807FFFFF) | static_cast<std::uint32_t>(112 + (bits >> 40) % 32) << 23;
  }
}

FILE* open(const std::string& directory, const char* name) {
  FILE* file = std::fopen((directory + "/" + name).c_str(), "w");
  if (file == nullptr) std::exit(2);
  return file;
}

void write_numbers(const std::string& directory) {
  FILE* products = open(directory, "product.txt");
  FILE* sums = open(directory, "sum.txt");
  FILE* halves = open(directory, "half.txt");
  for (int line = 0; line < 2000; ++line) {
    const unsigned a = any_half();
    const unsigned b = any_half();
    std::fprintf(products, "%04x %04x %08x\n", a, b, product(a, b));
    const std::uint32_t x = any_single();
    // A third of the sums cancel, but for the last place.
    const std::uint32_t y = line % 3 == 0 ? (x ^ 0x80000000) + line % 5 : any_single();
    std::fprintf(sums, "%08x %08x %08x\n", x, y, sum(x, y));
    // A third of the numbers lie on a tie of fp16, or one place of double beside it.
    std::uint64_t bits = random_bits() & 0x800FFFFFFFFFFFFF;
    bits |= static_cast<std::uint64_t>(1023 - 28 + random_bits() % 46) << 52;
    if (line % 3 == 0) {
      bits = (bits & 0xFFFFFC0000000000) | 0x0000020000000000;
      bits += random_bits() % 3;
      bits -= 1;
    }
    std::fprintf(halves, "%016llx %04x\n", static_cast<unsigned long long>(bits),
                 half_of_double(bits));
  }
  std::fclose(products);
  std::fclose(sums);
  std::fclose(halves);
}

// One line: column, operand, accumulator before, after; lane 0 first.
void write_dots(const std::string& directory) {
  FILE* file = open(directory, "dot.txt");
  for (int line = 0; line < 400; ++line) {
    std::vector<unsigned> column, operand;
    std::vector<std::uint32_t> terms;
    for (int lane = 0; lane < kLanes; ++lane) {
      // Few lines hold infinities and NaN: one of them decides the whole sum.
      const auto draw = [line] {
        unsigned half = any_half();
        while (line % 8 != 0 && (half & 0x7C00) == 0x7C00) half = any_half();
        return half;
      };
      column.push_back(draw());
      operand.push_back(draw());
      terms.push_back(product(column.back(), operand.back()));
    }
    for (std::size_t count = kLanes / 2; count > 0; count /= 2) {
      for (std::size_t i = 0; i < count; ++i) terms[i] = sum(terms[2 * i], terms[2 * i + 1]);
    }
    const std::uint32_t before = (random_bits() & 1) == 0 ? 0 : any_single();
    for (const unsigned half : column) std::fprintf(file, "%04x ", half);
    for (const unsigned half : operand) std::fprintf(file, "%04x ", half);
    std::fprintf(file, "%08x %08x\n", before, sum(before, terms[0]));
  }
  std::fclose(file);
}

// One line: scalar, column, lanes before, lanes after.
void write_axpys(const std::string& directory) {
  FILE* file = open(directory, "axpy.txt");
  for (int line = 0; line < 200; ++line) {
    const unsigned scalar = any_half();
    std::vector<unsigned> column;
    std::vector<std::uint32_t> before;
    for (int lane = 0; lane < kLanes; ++lane) {
      column.push_back(any_half());
      before.push_back(any_single());
    }
    std::fprintf(file, "%04x", scalar);
    for (const unsigned half : column) std::fprintf(file, " %04x", half);
    for (const std::uint32_t word : before) std::fprintf(file, " %08x", word);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      std::fprintf(file, " %08x", sum(before[lane], product(scalar, column[lane])));
    }
    std::fprintf(file, "\n");
  }
  std::fclose(file);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  random_bits.seed(std::stoull(argv[2]));
  write_numbers(argv[1]);
  write_dots(argv[1]);
  write_axpys(argv[1]);
  return 0;
}
