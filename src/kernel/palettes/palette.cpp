// See palette.h.
#include "kernel/palettes/palette.h"

#include <cstring>
#include <unordered_map>

namespace hlocc::kernel {
namespace {

uint64_t element_code(const std::vector<std::byte>& data, int64_t at, int64_t width) {
  uint64_t bits = 0;
  std::memcpy(&bits, data.data() + at * width, static_cast<size_t>(width));
  return bits;
}

int index_bits(size_t different) {
  int bits = 1;
  while ((size_t{1} << bits) < different) ++bits;
  return bits;
}

std::vector<std::byte> packed_indices(const std::vector<uint8_t>& numbers, int bits) {
  const auto groups = static_cast<int64_t>(numbers.size() + kPaletteGroup - 1) / kPaletteGroup + 1;
  std::vector<std::byte> out(static_cast<size_t>(groups * bits));
  for (size_t n = 0; n < numbers.size(); ++n)
    for (int bit = 0; bit < bits; ++bit) {
      const size_t at = n * static_cast<size_t>(bits) + static_cast<size_t>(bit);
      if ((numbers[n] >> bit & 1) != 0) out[at / 8] |= std::byte{1} << (at % 8);
    }
  return out;
}

}  // namespace

std::optional<Palette> palette_of(const ProgramValue& value) {
  const int64_t width = scalar_bytes(value.element);
  std::unordered_map<uint64_t, uint8_t> known;
  std::vector<std::byte> elements;
  std::vector<uint8_t> numbers;
  for (int64_t n = 0; n < value.elements; ++n) {
    const auto next = static_cast<uint8_t>(known.size());
    const auto [found, is_new] = known.emplace(element_code(*value.data, n, width), next);
    numbers.push_back(found->second);
    if (!is_new) continue;
    if (known.size() > size_t{1} << kMostPaletteBits) return std::nullopt;
    const auto from = value.data->begin() + n * width;
    elements.insert(elements.end(), from, from + width);
  }
  if (numbers.empty()) return std::nullopt;
  const int bits = index_bits(known.size());
  return Palette{bits, std::make_shared<const std::vector<std::byte>>(std::move(elements)),
                 std::make_shared<const std::vector<std::byte>>(packed_indices(numbers, bits))};
}

}  // namespace hlocc::kernel
