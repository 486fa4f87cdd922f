// The largest number of a slice is q * scale for some q up to 127, and each q leaves few scales to
// try; a wrong one fails at the first or second weight.
#include "transforms/integers/recovered_weights.h"

#include <cmath>
#include <limits>

#include "hlo/along.h"

namespace hlocc::transforms {
namespace {

// The integers that weights may be.
struct Whole {
  int low, high;
};

// Slices of an array: runs of `inner` numbers, `stride` apart, `runs` of them. Slice after slice
// lies side by side, `across` of them before those of the next rows.
struct Slices {
  int64_t count = 1, inner = 1, stride = 1, runs = 1, across = 1;

  template <typename Visit>
  bool all_of(int64_t slice, Visit visit) const {
    int64_t run = slice / across * runs * stride + slice % across * inner;
    for (int64_t left = runs; left > 0; --left, run += stride)
      for (int64_t n = run; n < run + inner; ++n)
        if (!visit(static_cast<size_t>(n))) return false;
    return true;
  }
};

// The scale is that of the largest number, which is as low as any other.
bool is_product(float number, float scale, const Whole& whole) {
  const float byte = std::nearbyint(number / scale);
  return byte <= static_cast<float>(whole.high) && byte * scale == number;
}

// None where no scale gives all numbers of the slice.
std::optional<float> scale_of(std::span<const float> numbers, const Slices& slices, int64_t slice,
                              const Whole& whole) {
  float most = 0;
  const bool finite = slices.all_of(slice, [&](size_t n) {
    if (std::fabs(numbers[n]) > std::fabs(most)) most = numbers[n];
    return std::isfinite(numbers[n]);
  });
  if (!finite) return std::nullopt;
  if (most == 0) return 1.0f;
  for (int byte = std::signbit(most) ? -whole.low : whole.high; byte > 0; --byte) {
    const float near = std::fabs(most) / static_cast<float>(byte);
    if (near < std::numeric_limits<float>::min()) continue;
    for (const float scale : {near, std::nextafter(near, 0.0f), std::nextafter(near, 2 * near)})
      if (slices.all_of(slice, [&](size_t n) { return is_product(numbers[n], scale, whole); }))
        return scale;
  }
  return std::nullopt;
}

// The scale of every slice, and the integers.
std::optional<std::vector<float>> scales_of(std::span<const float> numbers, const Slices& slices,
                                            const Whole& whole, std::span<std::byte> integers) {
  std::vector<float> scales;
  for (int64_t slice = 0; slice < slices.count; ++slice) {
    const std::optional<float> scale = scale_of(numbers, slices, slice, whole);
    if (!scale) return std::nullopt;
    scales.push_back(*scale);
    slices.all_of(slice, [&](size_t n) {
      integers[n] = static_cast<std::byte>(static_cast<int>(std::nearbyint(numbers[n] / *scale)));
      return true;
    });
  }
  return scales;
}

}  // namespace

std::optional<RecoveredWeights> recovered_weights(const Literal& floats,
                                                  std::optional<int64_t> dimension) {
  if (floats.type() != PrimitiveType::kF32 || floats.element_count() == 0) return std::nullopt;
  const Dimensions& sizes = floats.shape().dimensions;
  Slices slices{1, floats.element_count(), floats.element_count()};
  if (dimension) {
    const hlo::Along places(sizes, *dimension);
    slices.count = slices.across = places.places;
    slices.inner = places.run;
    slices.stride = slices.inner * slices.count;
    slices.runs = floats.element_count() / slices.stride;
  }
  RecoveredWeights out{Literal::zeros(Shape::array(PrimitiveType::kS8, sizes)), {}};
  const auto scales =
      scales_of(floats.data<float>(), slices, {-128, 127}, out.bytes.mutable_bytes());
  if (!scales) return std::nullopt;
  out.scales.assign(scales->begin(), scales->end());
  return out;
}

std::optional<ScaledGroups> scaled_groups(const Literal& floats, int bits, int64_t group) {
  const Dimensions& sizes = floats.shape().dimensions;
  if (floats.type() != PrimitiveType::kF32 || floats.element_count() == 0 || sizes.size() != 2 ||
      sizes[0] % group != 0)
    return std::nullopt;
  const int64_t groups = sizes[0] / group, columns = sizes[1];
  const Slices slices{groups * columns, 1, columns, group, columns};
  const PrimitiveType type = bits == 4 ? PrimitiveType::kS4 : PrimitiveType::kS8;
  Literal whole = Literal::zeros(Shape::array(type, sizes));
  const int most = 1 << (bits - 1);
  const auto scales =
      scales_of(floats.data<float>(), slices, {-most, most - 1}, whole.mutable_bytes());
  if (!scales) return std::nullopt;
  return ScaledGroups{std::move(whole),
                      Literal::array<float>(PrimitiveType::kF32, {groups, columns}, *scales)};
}

}  // namespace hlocc::transforms
