// The resolved configuration as text, and its fingerprint.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "configs/node.h"

namespace lockstep {

// Canonical YAML: block style, two blanks a level, entries in the order of the tree, quotes only
// where YAML needs them. Reading it back gives the same tree, and dumping that the same text.
std::string dump(const ConfigNode& node);

// 16 hexadecimal digits: fnv1a_64 of the dump with the keys of each map in byte order. So it
// depends on keys and values only, and not on comments, layout, quotes, the order of keys, the
// names of files or whether a value came from `extends` or `--set`. Values count as written: `1 ns`
// is not `1000 ps`.
std::string config_hash(const ConfigNode& node);

// The 64-bit FNV-1a hash (RFC 9923).
constexpr std::uint64_t fnv1a_64(std::string_view bytes) {
  std::uint64_t hash = 0xCBF29CE484222325;
  for (const char c : bytes) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001B3;
  }
  return hash;
}

}  // namespace lockstep
