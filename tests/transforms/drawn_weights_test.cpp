// Weights that were bytes, drawn from seeds: what is found gives the numbers again, bit for bit but
// for the sign of zeros, and is found again (golden/fits.txt).
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>

#include "support/digests.h"
#include "support/drawing.h"
#include "support/product.h"
#include "support/text.h"
#include "transforms/integers/recovered_weights.h"

namespace hlocc::tests {
namespace {

using namespace transforms;

float drawn_scale(Drawing& draw) {
  const float mantissa = 1.0f + static_cast<float>(draw.below(1 << 23)) / (1 << 23);
  switch (draw.below(6)) {
    case 0: return std::ldexp(1.0f, static_cast<int>(draw.below(20)) - 10);
    case 1: return std::ldexp(mantissa, -126 + static_cast<int>(draw.below(3)) - 1);
    case 2: return std::ldexp(mantissa, 119 + static_cast<int>(draw.below(4)));
    default: return std::ldexp(mantissa, -8);
  }
}

// Whole numbers from -most to most, one more below now and then, each times the scale of its slice;
// sometimes one number is another.
template <typename Slice>
Literal drawn_weights(Drawing& draw, const Dimensions& sizes, int64_t slices, const Slice& slice) {
  std::vector<float> scales;
  for (int64_t n = 0; n < slices; ++n) scales.push_back(drawn_scale(draw));
  const int64_t most = draw.of({1, 6, 7, 63, 126, 127});
  const bool one_below = draw.one_in(3);
  std::vector<float> numbers;
  for (int64_t at = 0; at < product(sizes); ++at) {
    int64_t whole = draw.below(2 * most + 1) - most;
    if (one_below && whole == -most) --whole;
    numbers.push_back(static_cast<float>(whole) * scales[static_cast<size_t>(slice(at))]);
  }
  if (!numbers.empty() && draw.one_in(5)) {
    float& one = numbers[static_cast<size_t>(draw.below(std::ssize(numbers)))];
    one = draw.of({std::nextafter(one, 0.0f), one / 2, INFINITY, NAN, -0.0f, 1e-42f});
  }
  return Literal::array<float>(PrimitiveType::kF32, sizes, numbers);
}

int64_t whole_at(const Literal& whole, int64_t at) {
  return static_cast<int8_t>(whole.bytes()[static_cast<size_t>(at)]);
}

}  // namespace

TEST_CASE("bytes and scales of drawn weights", "[transforms]") {
  Drawing draw(5);
  std::string texts;
  size_t found = 0;
  for (int n = 0; n < 1500; ++n) {
    INFO("question " << n);
    Dimensions sizes;
    for (int64_t rank = draw.below(4); rank > 0; --rank) sizes.push_back(draw.of({0, 1, 2, 3, 5}));
    std::optional<int64_t> dimension;
    if (!sizes.empty() && draw.yes()) dimension = draw.below(std::ssize(sizes));
    int64_t inner = 1;
    for (size_t d = sizes.size(); dimension && d-- > static_cast<size_t>(*dimension) + 1;)
      inner *= sizes[d];
    const int64_t slices = dimension ? sizes[static_cast<size_t>(*dimension)] : 1;
    const auto slice = [&](int64_t at) { return dimension ? at / inner % slices : 0; };
    const Literal floats = drawn_weights(draw, sizes, slices, slice);
    const std::optional<RecoveredWeights> bytes = recovered_weights(floats, dimension);
    found += bytes.has_value();
    texts += bytes ? ":" : "none";
    if (bytes) {
      for (const double scale : bytes->scales)
        texts += cat(" ", std::bit_cast<int32_t>(static_cast<float>(scale)));
      bool equal = true;
      for (int64_t at = 0; at < floats.element_count(); ++at) {
        const auto scale = static_cast<float>(bytes->scales[static_cast<size_t>(slice(at))]);
        const int64_t whole = whole_at(bytes->bytes, at);
        texts += cat(" ", whole);
        equal = equal && static_cast<float>(whole) * scale == floats.data<float>()[at];
      }
      CHECK(equal);
    }
    texts += "\n";
  }
  add_digest("fits", found, texts);
}

TEST_CASE("the least scales of weights are normal numbers", "[transforms]") {
  constexpr float kLeast = 0x1p-126f;
  const auto scales = [](std::vector<float> numbers) {
    const Dimensions sizes{std::ssize(numbers)};
    const auto bytes =
        recovered_weights(Literal::array<float>(PrimitiveType::kF32, sizes, numbers), std::nullopt);
    return bytes ? bytes->scales : std::vector<double>{};
  };
  CHECK(scales({127 * kLeast, kLeast}) == std::vector<double>{kLeast});
  CHECK(scales({127 * kLeast, kLeast / 2}).empty());
  CHECK(scales({-128 * kLeast, 127 * kLeast}) == std::vector<double>{kLeast});
  CHECK(scales({-127, 127}) == std::vector<double>{1});
  CHECK(scales({-0.0f, 0}) == std::vector<double>{1});
}

TEST_CASE("groups are of floats", "[transforms]") {
  const std::vector<int32_t> bits(2, std::bit_cast<int32_t>(1.0f));
  CHECK(!scaled_groups(Literal::array<int32_t>(PrimitiveType::kS32, {2, 1}, bits), 8, 1));
  const std::vector<float> floats{1, 2};
  CHECK(scaled_groups(Literal::array<float>(PrimitiveType::kF32, {2, 1}, floats), 8, 1));
}

TEST_CASE("groups of drawn weights", "[transforms]") {
  Drawing draw(6);
  std::string texts;
  size_t found = 0;
  for (int n = 0; n < 1500; ++n) {
    INFO("question " << n);
    const int64_t group = draw.of({1, 2, 3, 8}), rows = draw.of({0, 1, 2, 4, 6, 8, 16}),
                  columns = draw.of({1, 2, 3});
    const int bits = draw.of({4, 8});
    const Dimensions sizes =
        draw.one_in(20) ? Dimensions{rows * columns} : Dimensions{rows, columns};
    const auto slice = [&](int64_t at) { return at / columns / group * columns + at % columns; };
    const Literal floats = drawn_weights(draw, sizes, (rows / group + 1) * columns, slice);
    const std::optional<ScaledGroups> groups = scaled_groups(floats, bits, group);
    found += groups.has_value();
    texts += groups ? ":" : "none";
    if (groups) {
      bool equal = true;
      for (int64_t at = 0; at < floats.element_count(); ++at) {
        const float scale = groups->scales.data<float>()[slice(at)];
        const int64_t whole = whole_at(groups->whole, at);
        texts += cat(" ", whole);
        equal = equal && static_cast<float>(whole) * scale == floats.data<float>()[at];
      }
      CHECK(equal);
    }
    texts += "\n";
  }
  add_digest("fits", found, texts);
}

}  // namespace hlocc::tests
