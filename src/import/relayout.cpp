// All jobs are one strided walk: the innermost dimension is a loop, the outer ones an odometer.
#include "import/relayout.h"

#include <algorithm>
#include <cstring>

#include "support/product.h"

namespace hlocc::import {
namespace {
using hlo::Dimensions;

template <int kWidth>
void copy_row(const std::byte* from, int64_t from_step, std::byte* to, int64_t to_step,
              int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(to + i * to_step * kWidth, from + i * from_step * kWidth, kWidth);
}

using CopyRow = void (*)(const std::byte*, int64_t, std::byte*, int64_t, int64_t);
CopyRow copy_row_of_width(int width) {
  switch (width) {
    case 1: return copy_row<1>;
    case 2: return copy_row<2>;
    case 4: return copy_row<4>;
    case 8: return copy_row<8>;
    default: return copy_row<16>;
  }
}

// Copies the block of size `sizes`; strides count elements.
void copy_block(const std::byte* from, const Dimensions& from_strides, std::byte* to,
                const Dimensions& to_strides, const Dimensions& sizes, int width) {
  if (product(sizes) == 0) return;
  const CopyRow row = copy_row_of_width(width);
  const size_t rank = sizes.size();
  if (rank == 0) return row(from, 1, to, 1, 1);
  Dimensions index(rank, 0);
  int64_t from_at = 0, to_at = 0;
  while (true) {
    row(from + from_at * width, from_strides[rank - 1], to + to_at * width, to_strides[rank - 1],
        sizes[rank - 1]);
    size_t d = rank - 1;
    while (d > 0) {
      --d;
      from_at += from_strides[d], to_at += to_strides[d];
      if (++index[d] < sizes[d]) break;
      from_at -= index[d] * from_strides[d], to_at -= index[d] * to_strides[d];
      index[d] = 0;
      if (d == 0) return;
    }
    if (rank == 1) return;
  }
}
Dimensions layout_strides(const Dimensions& dimensions, const Dimensions& minor_to_major) {
  Dimensions strides(dimensions.size());
  int64_t stride = 1;
  for (int64_t d : minor_to_major) strides[d] = stride, stride *= dimensions[d];
  return strides;
}
}  // namespace

std::vector<std::byte> to_row_major(std::span<const std::byte> elements,
                                    const Dimensions& dimensions, const Dimensions& minor_to_major,
                                    int width) {
  std::vector<std::byte> out(elements.size());
  copy_block(elements.data(), layout_strides(dimensions, minor_to_major), out.data(),
             hlo::row_major_strides(dimensions), dimensions, width);
  return out;
}

std::vector<std::byte> from_row_major(std::span<const std::byte> elements,
                                      const Dimensions& dimensions,
                                      const Dimensions& minor_to_major, int width) {
  std::vector<std::byte> out(elements.size());
  copy_block(elements.data(), hlo::row_major_strides(dimensions), out.data(),
             layout_strides(dimensions, minor_to_major), dimensions, width);
  return out;
}

std::vector<std::byte> embed(std::span<const std::byte> elements, const Dimensions& inner,
                             const Dimensions& outer, int width) {
  std::vector<std::byte> out(static_cast<size_t>(product(outer) * width));
  copy_block(elements.data(), hlo::row_major_strides(inner), out.data(),
             hlo::row_major_strides(outer), inner, width);
  return out;
}

std::vector<std::byte> extract(std::span<const std::byte> elements, const Dimensions& inner,
                               const Dimensions& outer, int width) {
  std::vector<std::byte> out(static_cast<size_t>(product(inner) * width));
  copy_block(elements.data(), hlo::row_major_strides(outer), out.data(),
             hlo::row_major_strides(inner), inner, width);
  return out;
}

}  // namespace hlocc::import
