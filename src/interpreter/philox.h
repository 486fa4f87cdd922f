// The counter-based generators behind rng-bit-generator and rng: Philox-4x32-10 and
// ThreeFry-2x32-20.
#pragma once
#include <array>
#include <cstdint>

namespace hlocc::interpreter {

struct Counter128 {
  uint64_t low = 0, high = 0;
  Counter128 plus(uint64_t n) const { return {low + n, high + (low + n < low ? 1 : 0)}; }
};

// Four words of a block.
inline std::array<uint32_t, 4> philox(uint64_t key, Counter128 counter) {
  uint32_t k0 = static_cast<uint32_t>(key), k1 = static_cast<uint32_t>(key >> 32);
  std::array<uint32_t, 4> x = {
      static_cast<uint32_t>(counter.low), static_cast<uint32_t>(counter.low >> 32),
      static_cast<uint32_t>(counter.high), static_cast<uint32_t>(counter.high >> 32)};
  for (int round = 0; round < 10; ++round) {
    const uint64_t a = uint64_t{0xD2511F53} * x[0], b = uint64_t{0xCD9E8D57} * x[2];
    x = {static_cast<uint32_t>(b >> 32) ^ x[1] ^ k0, static_cast<uint32_t>(b),
         static_cast<uint32_t>(a >> 32) ^ x[3] ^ k1, static_cast<uint32_t>(a)};
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  return x;
}

// Two words of a block; key and counter as (low, high) words.
inline std::array<uint32_t, 2> threefry(uint64_t key, uint64_t counter) {
  constexpr int rotations[8] = {13, 15, 26, 6, 17, 29, 16, 24};
  const uint32_t k0 = static_cast<uint32_t>(key), k1 = static_cast<uint32_t>(key >> 32);
  const uint32_t keys[3] = {k0, k1, k0 ^ k1 ^ 0x1BD11BDA};
  uint32_t x0 = static_cast<uint32_t>(counter) + k0, x1 = static_cast<uint32_t>(counter >> 32) + k1;
  for (int group = 0; group < 5; ++group) {
    for (int i = 0; i < 4; ++i) {
      const int r = rotations[group % 2 * 4 + i];
      x0 += x1;
      x1 = (x1 << r | x1 >> (32 - r)) ^ x0;
    }
    x0 += keys[(group + 1) % 3];
    x1 += keys[(group + 2) % 3] + static_cast<uint32_t>(group + 1);
  }
  return {x0, x1};
}

}  // namespace hlocc::interpreter
