// See memory_image.h.
#include "devices/memory_image.h"

#include <algorithm>
#include <bit>

namespace hlocc::device {
namespace {

using hlo::Dimensions;
using hlo::Shape;

// For each element in memory order, its row-major index.
std::vector<int64_t> memory_order(const Shape& shape) {
  const Dimensions order = minor_to_major(shape),
                   strides = hlo::row_major_strides(shape.dimensions);
  std::vector<int64_t> indices = {0};
  indices.reserve(static_cast<size_t>(shape.element_count()));
  for (size_t i = 0; i < order.size(); ++i) {
    // What is there so far is the pattern of the faster dimensions; it repeats once for each place
    // of this one.
    const size_t pattern = indices.size();
    for (int64_t place = 1; place < shape.dimensions[order[i]]; ++place)
      for (size_t j = 0; j < pattern; ++j)
        indices.push_back(indices[j] + place * strides[order[i]]);
  }
  if (shape.element_count() == 0) indices.clear();
  return indices;
}

// The width of what is swapped: a complex number is two numbers.
int swap_width(hlo::PrimitiveType type) { return hlo::storage_bytes(hlo::real_type(type)); }

void swap_units(std::span<std::byte> bytes, int width) {
  for (size_t at = 0; at + width <= bytes.size(); at += width)
    std::reverse(bytes.begin() + at, bytes.begin() + at + width);
}

bool is_foreign(ByteOrder order) {
  return (order == ByteOrder::kLittle) != (std::endian::native == std::endian::little);
}

std::vector<std::byte> pack(std::span<const std::byte> units, int bits) {
  const size_t each = 8 / bits;
  std::vector<std::byte> out((units.size() + each - 1) / each);
  const std::byte mask{static_cast<unsigned char>((1 << bits) - 1)};
  for (size_t i = 0; i < units.size(); ++i) out[i / each] |= (units[i] & mask) << (i % each * bits);
  return out;
}

std::vector<std::byte> unpack(std::span<const std::byte> packed, size_t count, int bits,
                              bool is_signed) {
  const size_t each = 8 / bits;
  std::vector<std::byte> out(count);
  for (size_t i = 0; i < count; ++i) {
    int value = static_cast<int>(packed[i / each]) >> (i % each * bits) & ((1 << bits) - 1);
    if (is_signed && (value >> (bits - 1)) != 0) value -= 1 << bits;
    out[i] = static_cast<std::byte>(value);
  }
  return out;
}

int packed_bits(const Shape& shape) {
  return shape.layout.element_bits < 8 ? shape.layout.element_bits : 0;
}

}  // namespace

std::vector<std::byte> to_memory(const hlo::Literal& literal, const Shape& shape, ByteOrder order) {
  const size_t width = hlo::storage_bytes(shape.element_type);
  const std::span<const std::byte> from = literal.bytes();
  std::vector<std::byte> out(from.begin(), from.end());
  if (!is_row_major(shape)) {
    size_t at = 0;
    for (int64_t index : memory_order(shape)) {
      std::memcpy(out.data() + at, from.data() + index * width, width);
      at += width;
    }
  }
  if (packed_bits(shape) > 0) return pack(out, packed_bits(shape));
  if (is_foreign(order)) swap_units(out, swap_width(shape.element_type));
  return out;
}

hlo::Literal from_memory(std::span<const std::byte> bytes, const Shape& shape, ByteOrder order) {
  const size_t width = hlo::storage_bytes(shape.element_type);
  const size_t count = static_cast<size_t>(shape.element_count());
  std::vector<std::byte> units(bytes.begin(), bytes.end());
  if (packed_bits(shape) > 0) {
    units = unpack(bytes, count, packed_bits(shape), hlo::is_signed(shape.element_type));
  } else if (is_foreign(order)) {
    swap_units(units, swap_width(shape.element_type));
  }
  hlo::Literal out = hlo::Literal::zeros(with_default_layout(shape));
  if (count == 0) return out;
  const std::span<std::byte> to = out.mutable_bytes();
  if (is_row_major(shape)) {
    std::memcpy(to.data(), units.data(), to.size());
    return out;
  }
  size_t at = 0;
  for (int64_t index : memory_order(shape)) {
    std::memcpy(to.data() + index * width, units.data() + at, width);
    at += width;
  }
  return out;
}

}  // namespace hlocc::device
