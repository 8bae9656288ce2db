// A small strict reader and writer of NumPy's .npy files, version 1.0, C order.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

enum class NpyType { kFloat16, kFloat32, kFloat64, kInt32, kUint8 };

struct NpyTypeInfo {
  NpyType type;
  std::string_view descr;
  std::size_t bytes;
};

constexpr std::array<NpyTypeInfo, 5> kNpyTypes = {{
    {NpyType::kFloat16, "<f2", 2},
    {NpyType::kFloat32, "<f4", 4},
    {NpyType::kFloat64, "<f8", 8},
    {NpyType::kInt32, "<i4", 4},
    {NpyType::kUint8, "|u1", 1},
}};

const NpyTypeInfo& npy_type_info(NpyType type);

struct NpyArray {
  NpyType type = NpyType::kFloat64;
  std::vector<std::int64_t> shape;
  std::vector<double> values;  // C order; every type above is exact in a double
};

// `bytes` is the whole file; `file` is used in messages. Throws InputError that says what is wrong.
NpyArray parse_npy(std::string_view bytes, const std::string& file);

// The file of an array. Values are rounded to the type.
std::string npy_bytes(const NpyArray& array);

}  // namespace lockstep
