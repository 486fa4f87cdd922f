// Halfwords and words of little-endian code, for what reads instructions.
#pragma once
#include <cstdint>
#include <string>

namespace hlocc::driver {

// Two bytes and four from `at` on; they must be there.
inline uint32_t half_at(const std::string& bytes, size_t at) {
  return static_cast<unsigned char>(bytes[at]) | static_cast<unsigned char>(bytes[at + 1]) << 8;
}
inline uint32_t word_at(const std::string& bytes, size_t at) {
  return half_at(bytes, at) | half_at(bytes, at + 2) << 16;
}

}  // namespace hlocc::driver
