#include "firmware/dsa/sha256.h"

#include <array>
#include <cstdint>

#include <fmt/core.h>

namespace lockstep {
namespace {

// clang-format off
constexpr std::array<std::uint32_t, 64> kRoundConstants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
// clang-format on

constexpr std::size_t kChunk = 64;

std::uint32_t rotated(std::uint32_t x, unsigned n) {
  return (x >> n) | (x << (32 - n));
}

std::array<std::uint32_t, 64> schedule(std::string_view chunk) {
  std::array<std::uint32_t, 64> w{};
  for (std::size_t i = 0; i < kChunk; ++i) {
    w[i / 4] = (w[i / 4] << 8U) | static_cast<unsigned char>(chunk[i]);
  }
  for (std::size_t i = 16; i < w.size(); ++i) {
    const auto s0 = rotated(w[i - 15], 7) ^ rotated(w[i - 15], 18) ^ (w[i - 15] >> 3U);
    const auto s1 = rotated(w[i - 2], 17) ^ rotated(w[i - 2], 19) ^ (w[i - 2] >> 10U);
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  return w;
}

void absorb(std::array<std::uint32_t, 8>& hash, std::string_view chunk) {
  const auto w = schedule(chunk);
  auto [a, b, c, d, e, f, g, h] = hash;
  for (std::size_t i = 0; i < w.size(); ++i) {
    const auto s1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const auto first = h + s1 + ((e & f) ^ (~e & g)) + kRoundConstants[i] + w[i];
    const auto s0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    const auto second = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + second;
  }
  const std::array<std::uint32_t, 8> sum = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < hash.size(); ++i) hash[i] += sum[i];
}

}  // namespace

std::string sha256(std::string_view bytes) {
  std::array<std::uint32_t, 8> hash = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                       0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::size_t at = 0;
  for (; at + kChunk <= bytes.size(); at += kChunk) absorb(hash, bytes.substr(at, kChunk));
  std::string tail(bytes.substr(at));
  tail += '\x80';
  while (tail.size() % kChunk != kChunk - 8) tail += '\0';
  const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
  for (unsigned shift = 64; shift > 0; shift -= 8) tail += static_cast<char>(bits >> (shift - 8));
  for (at = 0; at < tail.size(); at += kChunk) {
    absorb(hash, std::string_view(tail).substr(at, kChunk));
  }
  std::string text;
  for (const std::uint32_t word : hash) text += fmt::format("{:08x}", word);
  return text;
}

}  // namespace lockstep
