// Little-endian machine code that rows of tests give as numbers.
#pragma once
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace hlocc::driver {

inline std::string bytes_of_halves(const std::vector<unsigned>& halves) {
  std::string out;
  for (const unsigned half : halves) {
    out += static_cast<char>(half & 0xFF);
    out += static_cast<char>(half >> 8 & 0xFF);
  }
  return out;
}

// RISC-V's: words whose last two bits are set are long instructions, all others short ones.
inline std::string bytes_of_riscv(const std::vector<uint32_t>& words) {
  std::vector<unsigned> halves;
  for (const uint32_t word : words) {
    halves.push_back(word & 0xFFFF);
    if ((word & 3) == 3) halves.push_back(word >> 16);
  }
  return bytes_of_halves(halves);
}

inline std::string hex_of(uint64_t number) {
  char text[24];
  std::snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(number));
  return text;
}

}  // namespace hlocc::driver
