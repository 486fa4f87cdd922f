// Arguments and results of a model as a peer computed them: a file of bytes, one array after the
// other, and how many elements of a result differ from it.
#pragma once
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "hlo/literal.h"
#include "hlo/small_float.h"

namespace hlocc::tests {

using hlo::Literal;
using hlo::Shape;

// Values of a file, taken from its front.
class ValuesFile {
 public:
  explicit ValuesFile(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}
  bool at_end() const { return at_ == bytes_.size(); }
  Literal take(const Shape& shape) {
    const auto size = static_cast<size_t>(shape.byte_size());
    REQUIRE(at_ + size <= bytes_.size());
    const auto begin = bytes_.begin() + static_cast<std::ptrdiff_t>(at_);
    at_ += size;
    return Literal::from_bytes(shape, {begin, begin + static_cast<std::ptrdiff_t>(size)});
  }

 private:
  std::vector<std::byte> bytes_;
  size_t at_ = 0;
};

// Integers differ by any bit, floats by more than what the order of sums leaves open.
inline int64_t differences(const Literal& got, const Literal& expected) {
  REQUIRE(hlo::same_dimensions_and_type(got.shape(), expected.shape()));
  if (got.type() != hlo::PrimitiveType::kF32) {
    const size_t width = static_cast<size_t>(hlo::storage_bytes(got.type()));
    int64_t count = 0;
    for (size_t at = 0; at < got.bytes().size(); at += width)
      count += std::memcmp(&got.bytes()[at], &expected.bytes()[at], width) != 0;
    return count;
  }
  const auto x = got.data<float>(), y = expected.data<float>();
  float most = 0;
  for (const float value : y)
    if (std::isfinite(value)) most = std::max(most, std::abs(value));
  int64_t count = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const bool same = x[i] == y[i] || (std::isnan(x[i]) && std::isnan(y[i]));
    count += !same && !(std::abs(x[i] - y[i]) <= 1e-5f * std::abs(y[i]) + 1e-6f * most);
  }
  return count;
}

}  // namespace hlocc::tests
