// Every accumulator of a range, in several channels, that a program scales to bytes.
#pragma once
#include <cstdio>

#include "support/text.h"
#include "transforms/support.h"

namespace hlocc::tests {

inline constexpr int kNumbers = 1 << 16;

inline Module requantized(const std::string& text, const Target& target) {
  Module module = module_from(text);
  REQUIRE(transforms::requantize(module, {target}));
  return module;
}
inline Module requantized(const std::string& text, std::string_view chip) {
  return requantized(text, *preset(chip));
}

inline bool computes_in(const Module& module, hlo::PrimitiveType type) {
  for (const hlo::Instruction& i : module.entry_computation().instructions)
    if (i.opcode != Opcode::kConstant && i.shape.element_type == type) return true;
  return false;
}

inline std::string numbers_as_text(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.9g", value);
    text += cat(text.empty() ? "" : ", ", digits);
  }
  return text;
}

// Every number from -2^15 to 2^15 in each channel, or one more; the argument keeps them from being
// constants.
inline std::string numbers(size_t channels) {
  const std::string shape = cat("[", kNumbers, ",", channels, "]");
  return cat(
      " a = s32[] parameter(0)\n one = s32[] constant(1)\n none = s32[] constant(0)\n bit = s32[] "
      "clamp(none, a, one)\n bits = s32",
      shape, " broadcast(bit), dimensions={}\n i = s32", shape,
      " iota(), iota_dimension=0\n half = s32[] constant(", kNumbers / 2, ")\n halves = s32", shape,
      " broadcast(half), dimensions={}\n centred = s32", shape, " subtract(i, halves)\n acc = s32",
      shape, " add(centred, bits)\n");
}

inline void check_every_number(const std::string& text, const Module& after) {
  check_same_meaning(module_from(text), after);
}

}  // namespace hlocc::tests
