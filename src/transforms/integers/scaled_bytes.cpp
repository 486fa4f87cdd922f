// The largest number of a slice is q * scale for some q up to 127, and each q leaves few scales to
// try; a wrong one fails at the first or second weight.
#include "transforms/integers/scaled_bytes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace hlocc::transforms {
namespace {

constexpr int kMostByte = 127;

// A slice along the dimension: runs of `inner` numbers, `stride` apart.
struct Slices {
  int64_t count = 1, inner = 1, stride = 1;

  template <typename Visit>
  bool all_of(int64_t slice, int64_t numbers, Visit visit) const {
    for (int64_t run = slice * inner; run < numbers; run += stride)
      for (int64_t n = run; n < run + inner; ++n)
        if (!visit(static_cast<size_t>(n))) return false;
    return true;
  }
};

bool is_product(float number, float scale) {
  const float byte = std::nearbyint(number / scale);
  return std::fabs(byte) <= kMostByte && byte * scale == number;
}

// None where no scale gives all numbers of the slice.
std::optional<float> scale_of(std::span<const float> numbers, const Slices& slices, int64_t slice) {
  const auto total = static_cast<int64_t>(numbers.size());
  float most = 0;
  const bool finite = slices.all_of(slice, total, [&](size_t n) {
    most = std::max(most, std::fabs(numbers[n]));
    return std::isfinite(numbers[n]);
  });
  if (!finite) return std::nullopt;
  if (most == 0) return 1.0f;
  for (int byte = kMostByte; byte > 0; --byte) {
    const float near = most / static_cast<float>(byte);
    if (near < std::numeric_limits<float>::min()) continue;
    for (const float scale : {near, std::nextafter(near, 0.0f), std::nextafter(near, 2 * near)})
      if (slices.all_of(slice, total, [&](size_t n) { return is_product(numbers[n], scale); }))
        return scale;
  }
  return std::nullopt;
}

}  // namespace

std::optional<ScaledBytes> scaled_bytes(const Literal& floats, std::optional<int64_t> dimension) {
  if (floats.type() != PrimitiveType::kF32 || floats.element_count() == 0) return std::nullopt;
  const std::span<const float> numbers = floats.data<float>();
  const Dimensions& sizes = floats.shape().dimensions;
  Slices slices{1, floats.element_count(), floats.element_count()};
  if (dimension) {
    slices.count = sizes[static_cast<size_t>(*dimension)];
    slices.inner = 1;
    for (size_t d = static_cast<size_t>(*dimension) + 1; d < sizes.size(); ++d)
      slices.inner *= sizes[d];
    slices.stride = slices.inner * slices.count;
  }
  ScaledBytes out{Literal::zeros(Shape::array(PrimitiveType::kS8, sizes)), {}};
  const std::span<int8_t> bytes = out.bytes.mutable_data<int8_t>();
  for (int64_t slice = 0; slice < slices.count; ++slice) {
    const std::optional<float> scale = scale_of(numbers, slices, slice);
    if (!scale) return std::nullopt;
    out.scales.push_back(*scale);
    slices.all_of(slice, floats.element_count(), [&](size_t n) {
      bytes[n] = static_cast<int8_t>(std::nearbyint(numbers[n] / *scale));
      return true;
    });
  }
  return out;
}

}  // namespace hlocc::transforms
