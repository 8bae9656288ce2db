#include "firmware/dsa/npy.h"

#include <charconv>
#include <cstring>
#include <limits>
#include <numeric>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "tlm/contract/errors.h"
#include "tlm/contract/fp16.h"

namespace lockstep {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kPreamble = 10;  // magic, two bytes of version, two of header length
constexpr std::int64_t kMostValues = std::int64_t{1} << 32;

[[noreturn]] void refuse(const std::string& file, const std::string& what) {
  throw InputError(file + ": " + what);
}

// Walks the header: a Python dictionary of `descr`, `fortran_order` and `shape`.
class HeaderCursor {
 public:
  HeaderCursor(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  bool accept(std::string_view token) {
    while (!text_.empty() && (text_.front() == ' ' || text_.front() == '\n'))
      text_.remove_prefix(1);
    if (text_.substr(0, token.size()) != token) return false;
    text_.remove_prefix(token.size());
    return true;
  }
  void expect(std::string_view token) {
    if (!accept(token)) fail();
  }
  std::string_view quoted() {
    expect("'");
    const auto end = text_.find('\'');
    if (end == std::string_view::npos) fail();
    const auto inside = text_.substr(0, end);
    text_.remove_prefix(end + 1);
    return inside;
  }
  std::int64_t integer() {
    accept("");
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    if (error != std::errc() || value < 0) fail();
    text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    return value;
  }
  bool at_end() {
    accept("");
    return text_.empty();
  }
  [[noreturn]] void fail() const {
    refuse(file_, fmt::format("unreadable .npy header at `{}`", text_.substr(0, 20)));
  }

 private:
  std::string_view text_;
  const std::string& file_;
};

NpyType type_of(std::string_view descr, const std::string& file) {
  std::string known;
  for (const auto& row : kNpyTypes) {
    if (row.descr == descr) return row.type;
    known += (known.empty() ? "" : ", ") + std::string(row.descr);
  }
  refuse(file, fmt::format("element type `{}`; known: {}", descr, known));
}

NpyArray parse_header(std::string_view text, const std::string& file) {
  NpyArray array;
  HeaderCursor cursor(text, file);
  int keys = 0;
  cursor.expect("{");
  while (!cursor.accept("}")) {
    const auto key = cursor.quoted();
    cursor.expect(":");
    ++keys;
    if (key == "descr") {
      array.type = type_of(cursor.quoted(), file);
    } else if (key == "fortran_order") {
      if (cursor.accept("True")) refuse(file, "Fortran order; C order is needed");
      cursor.expect("False");
    } else if (key == "shape") {
      cursor.expect("(");
      while (!cursor.accept(")")) {
        array.shape.push_back(cursor.integer());
        cursor.accept(",");
      }
    } else {
      refuse(file, fmt::format("unknown .npy header key `{}`", key));
    }
    cursor.accept(",");
  }
  if (keys != 3 || !cursor.at_end()) refuse(file, "unreadable .npy header: expected three keys");
  return array;
}

std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) {
    value = (value << 8U) | static_cast<unsigned char>(bytes[i]);
  }
  return value;
}

template <typename To, typename From>
To same_bits(From from) {
  To to{};
  static_assert(sizeof to == sizeof from);
  std::memcpy(&to, &from, sizeof to);
  return to;
}

double decode(NpyType type, std::uint64_t bits) {
  switch (type) {
    case NpyType::kFloat16:
      return static_cast<double>(fp16_to_float(static_cast<std::uint16_t>(bits)));
    case NpyType::kFloat32:
      return static_cast<double>(same_bits<float>(static_cast<std::uint32_t>(bits)));
    case NpyType::kFloat64:
      return same_bits<double>(bits);
    case NpyType::kInt32:
      return same_bits<std::int32_t>(static_cast<std::uint32_t>(bits));
    case NpyType::kUint8:
      return static_cast<double>(bits);
  }
  throw InternalError("an element type without a decoder");
}

std::uint64_t encode(NpyType type, double value) {
  switch (type) {
    case NpyType::kFloat16:
      return fp16_from_double(value);
    case NpyType::kFloat32:
      return same_bits<std::uint32_t>(static_cast<float>(value));
    case NpyType::kFloat64:
      return same_bits<std::uint64_t>(value);
    case NpyType::kInt32:
      return same_bits<std::uint32_t>(static_cast<std::int32_t>(value));
    case NpyType::kUint8:
      return static_cast<std::uint8_t>(value);
  }
  throw InternalError("an element type without an encoder");
}

std::int64_t values_of(const NpyArray& array, const std::string& file) {
  std::int64_t count = 1;
  for (const std::int64_t extent : array.shape) {
    if (extent > 0 && count > kMostValues / extent) refuse(file, "more than 2^32 elements");
    count *= extent;
  }
  return count;
}

}  // namespace

const NpyTypeInfo& npy_type_info(NpyType type) {
  const NpyTypeInfo& info = kNpyTypes[static_cast<std::size_t>(type)];
  ensure(info.type == type, "the rows of kNpyTypes are not in the order of NpyType");
  return info;
}

NpyArray parse_npy(std::string_view bytes, const std::string& file) {
  if (bytes.substr(0, kMagic.size()) != kMagic || bytes.size() < kPreamble) {
    refuse(file, "not a .npy file: it does not begin with \\x93NUMPY and a version");
  }
  const int major = static_cast<unsigned char>(bytes[6]);
  const int minor = static_cast<unsigned char>(bytes[7]);
  if (major != 1 || minor != 0) {
    refuse(file, fmt::format(".npy version {}.{}; only 1.0 is read", major, minor));
  }
  const std::size_t header = little_endian(bytes.substr(8, 2));
  if (bytes.size() < kPreamble + header) refuse(file, "the file ends within the .npy header");
  NpyArray array = parse_header(bytes.substr(kPreamble, header), file);
  const std::string_view data = bytes.substr(kPreamble + header);
  const std::size_t width = npy_type_info(array.type).bytes;
  const auto count = static_cast<std::size_t>(values_of(array, file));
  if (data.size() != count * width) {
    refuse(file, fmt::format("{} bytes of data, but shape ({}) of {} needs {}", data.size(),
                             fmt::join(array.shape, ", "), npy_type_info(array.type).descr,
                             count * width));
  }
  array.values.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    array.values.push_back(decode(array.type, little_endian(data.substr(i * width, width))));
  }
  return array;
}

std::string npy_bytes(const NpyArray& array) {
  constexpr std::size_t kAlignment = 64;
  const auto& info = npy_type_info(array.type);
  std::string shape;
  for (const std::int64_t extent : array.shape) shape += fmt::format("{}, ", extent);
  if (array.shape.size() > 1) shape.resize(shape.size() - 2);
  if (array.shape.size() == 1) shape.resize(shape.size() - 1);  // Python's (4,)
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", info.descr, shape);
  while ((kPreamble + header.size() + 1) % kAlignment != 0) header += ' ';
  header += '\n';
  std::string bytes(kMagic);
  bytes += '\x01';
  bytes += '\0';
  bytes += static_cast<char>(header.size() & 0xFFU);
  bytes += static_cast<char>(header.size() >> 8U);
  bytes += header;
  for (const double value : array.values) {
    const std::uint64_t bits = encode(array.type, value);
    for (std::size_t i = 0; i < info.bytes; ++i) bytes += static_cast<char>(bits >> (8 * i));
  }
  return bytes;
}

}  // namespace lockstep
