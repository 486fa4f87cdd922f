// See crc32.h. One table of 256 remainders of the reversed polynomial.
#include "support/crc32.h"

#include <array>

namespace hlocc {
namespace {

constexpr uint32_t kPolynomial = 0xedb88320u;

constexpr std::array<uint32_t, 256> make_remainders() {
  std::array<uint32_t, 256> out{};
  for (uint32_t i = 0; i < out.size(); ++i) {
    uint32_t rest = i;
    for (int bit = 0; bit < 8; ++bit) rest = rest >> 1 ^ ((rest & 1) != 0 ? kPolynomial : 0);
    out[i] = rest;
  }
  return out;
}

constexpr std::array<uint32_t, 256> kRemainders = make_remainders();

}  // namespace

uint32_t crc32(const Pieces& bytes) {
  uint32_t rest = ~0u;
  for (const auto& piece : bytes.pieces())
    for (const std::byte byte : *piece)
      rest = rest >> 8 ^ kRemainders[(rest ^ static_cast<uint32_t>(byte)) & 255u];
  return ~rest;
}

}  // namespace hlocc
