// Palettes: a constant of few different elements as those, once each, and an index of some bits for
// each element. Exact: elements are told apart by their bits, so that zeros keep their signs and
// NaNs theirs. Eight indices take as many bytes as they have bits, the first the lowest.
//
//   {0.5, -1, -1, 0.5, 0.5, 0.5, -1, -1, ...}   ->   {0.5, -1} and the bytes 0b11000110, ...
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "kernel/program.h"

namespace hlocc::kernel {

inline constexpr int kMostPaletteBits = 6;
// Indices that bytes hold without a rest.
inline constexpr int64_t kPaletteGroup = 8;

struct Palette {
  int bits = 0;  // of an index, 1 to kMostPaletteBits
  // The different elements in the order in which they come, in this machine's byte order.
  std::shared_ptr<const std::vector<std::byte>> elements;
  // A group more than there are elements: whoever unpacks whole groups reads no further.
  std::shared_ptr<const std::vector<std::byte>> indices;

  int64_t bytes() const { return static_cast<int64_t>(elements->size() + indices->size()); }
};

// None where the value has more different elements than indices have room for, or no elements.
std::optional<Palette> palette_of(const ProgramValue& value);

}  // namespace hlocc::kernel
