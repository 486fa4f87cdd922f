// Constants that hold integers of four bits, two to a byte, the first in the low half: to kernels
// they are bytes, and their name alone says what they hold, to reports.
#pragma once
#include "kernel/program.h"
#include "support/text.h"

namespace hlocc::kernel {

inline constexpr std::string_view kNibbles = "nibbles of ";

inline std::string nibbles_name(Scalar held) { return cat(kNibbles, scalar_name(held)); }

// The text of the type that a value's elements have for reports.
inline std::string_view held_type(const ProgramValue& value) {
  const std::string_view name = value.name;
  return name.starts_with(kNibbles) ? name.substr(kNibbles.size()) : scalar_name(value.element);
}

}  // namespace hlocc::kernel
