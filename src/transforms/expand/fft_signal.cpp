// Bodies of SignalMath; see fft_signal.h.
#include "transforms/expand/fft_signal.h"

#include <cmath>
#include <numbers>

#include "transforms/build.h"

namespace hlocc::transforms {
namespace {

Literal real_array(PrimitiveType type, const Dimensions& dimensions,
                   const std::vector<long double>& values) {
  if (type == PrimitiveType::kF64)
    return Literal::array<double>(type, dimensions,
                                  std::vector<double>(values.begin(), values.end()));
  return Literal::array<float>(type, dimensions, std::vector<float>(values.begin(), values.end()));
}

}  // namespace

std::pair<long double, long double> root_of_unity(int64_t k, int64_t n) {
  k = (k % n + n) % n;
  const long double angle = 2 * std::numbers::pi_v<long double> * static_cast<long double>(k) /
                            static_cast<long double>(n);
  return {std::cos(angle), std::sin(angle)};
}

InstructionId SignalMath::plus(InstructionId a, InstructionId b) {
  if (a == kNone || b == kNone) return a == kNone ? b : a;
  return binary(r_, Opcode::kAdd, a, b);
}
InstructionId SignalMath::minus(InstructionId a, InstructionId b) {
  if (b == kNone) return a;
  return a == kNone ? unary(r_, Opcode::kNegate, b) : binary(r_, Opcode::kSubtract, a, b);
}
InstructionId SignalMath::times(InstructionId a, InstructionId b) {
  return a == kNone ? kNone : binary(r_, Opcode::kMultiply, a, b);
}

Signal SignalMath::plus(Signal a, Signal b) { return {plus(a.re, b.re), plus(a.im, b.im)}; }
Signal SignalMath::minus(Signal a, Signal b) { return {minus(a.re, b.re), minus(a.im, b.im)}; }
Signal SignalMath::times(Signal a, Signal b) {
  return {minus(times(a.re, b.re), times(a.im, b.im)), plus(times(a.re, b.im), times(a.im, b.re))};
}
Signal SignalMath::scaled(Signal a, long double factor) {
  if (factor == 1) return a;
  const InstructionId number =
      splat(r_, real_array(type_, {}, {factor}), Dimensions(dimensions(a)));
  return both(a, [&](InstructionId x) { return times(x, number); });
}
Signal SignalMath::turned(Signal a, int64_t quarters) {
  for (quarters = (quarters % 4 + 4) % 4; quarters > 0; --quarters)
    a = {a.im == kNone ? kNone : unary(r_, Opcode::kNegate, a.im), a.re};
  return a;
}
Signal SignalMath::rotated(Signal a, int64_t k, int64_t n) {
  if (4 * k % n == 0) return turned(a, 4 * k / n);
  const auto [re, im] = root_of_unity(k, n);
  const Dimensions like = dimensions(a);
  return times(a, {splat(r_, real_array(type_, {}, {re}), like),
                   splat(r_, real_array(type_, {}, {im}), like)});
}

Signal SignalMath::along(const std::vector<long double>& re, const std::vector<long double>& im,
                         const Dimensions& dimensions, int64_t dimension) {
  const auto spread = [&](const std::vector<long double>& values) {
    const InstructionId line =
        constant(r_, real_array(type_, {static_cast<int64_t>(values.size())}, values));
    return broadcast(r_, line, dimensions, {dimension});
  };
  return {spread(re), spread(im)};
}
Signal SignalMath::roots(const std::vector<int64_t>& k, int64_t n, const Dimensions& dimensions,
                         int64_t dimension) {
  std::vector<long double> re, im;
  for (int64_t each : k) {
    const auto [cosine, sine] = root_of_unity(each, n);
    re.push_back(cosine);
    im.push_back(sine);
  }
  return along(re, im, dimensions, dimension);
}

Signal SignalMath::reshaped(Signal a, const Dimensions& dimensions) {
  return both(a, [&](InstructionId x) { return reshape(r_, x, dimensions); });
}
Signal SignalMath::sliced(Signal a, int64_t dimension, int64_t start, int64_t limit) {
  return both(a, [&](InstructionId x) { return slice(r_, x, dimension, start, limit); });
}
Signal SignalMath::reversed(Signal a, int64_t dimension) {
  return both(a, [&](InstructionId x) { return reverse(r_, x, {dimension}); });
}

Signal SignalMath::whole(Signal a) {
  const Dimensions like = dimensions(a);
  if (a.re == kNone) a.re = zeros(r_, type_, like);
  if (a.im == kNone) a.im = zeros(r_, type_, like);
  return a;
}
Signal SignalMath::joined(const std::vector<Signal>& parts, int64_t dimension) {
  std::vector<InstructionId> all;
  for (const Signal& part : parts) all.push_back(whole(part).re);
  for (const Signal& part : parts) all.push_back(whole(part).im);
  const InstructionId array = concatenate(r_, std::move(all), dimension);
  const int64_t half = r_.shape(array).dimensions[dimension] / 2;
  return {slice(r_, array, dimension, 0, half), slice(r_, array, dimension, half, 2 * half)};
}
InstructionId SignalMath::joined_complex(const std::vector<Signal>& parts, int64_t dimension) {
  std::vector<InstructionId> all;
  for (const Signal& part : parts) all.push_back(complex(part));
  return concatenate(r_, std::move(all), dimension);
}
InstructionId SignalMath::complex(Signal a) {
  a = whole(a);
  return binary(r_, Opcode::kComplex, a.re, a.im);
}

}  // namespace hlocc::transforms
