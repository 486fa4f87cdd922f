// See kiss_fft.h. All arrays are [outer, length]; a stage sees them as [outer, blocks, radix, m]
// and computes all butterflies at once. Sums wrap, as kernels' do.
#include "import/tflite/kiss_fft.h"

#include <cmath>
#include <numbers>

#include "import/build/numbers.h"

namespace hlocc::import::tflite {
namespace {

using enum PrimitiveType;
using Numbers = std::vector<int64_t>;

class FixedFft {
 public:
  FixedFft(Builder& b, PrimitiveType type, int64_t length, bool is_inverse)
      : b_(b),
        type_(type),
        wide_(type == kS16 ? kS32 : kS64),
        bits_(type == kS16 ? 15 : 31),
        length_(length),
        is_inverse_(is_inverse) {}

  // [outer, length] in the order of time.
  ComplexArrays transform(ComplexArrays x) {
    const std::vector<int64_t> radices = *fft_radices(length_);
    x = {reversed_digits(x.re, radices), reversed_digits(x.im, radices)};
    // From the innermost stage: blocks * radix * m is the length.
    int64_t m = 1;
    for (size_t i = radices.size(); i-- > 0;) {
      x = stage(x, radices[i], m);
      m *= radices[i];
    }
    return x;
  }

  InstructionId sum(InstructionId a, InstructionId b) { return b_.binary(Opcode::kAdd, a, b); }
  InstructionId less(InstructionId a, InstructionId b) {
    return b_.binary(Opcode::kSubtract, a, b);
  }
  ComplexArrays sum(ComplexArrays a, ComplexArrays b) { return {sum(a.re, b.re), sum(a.im, b.im)}; }
  ComplexArrays less(ComplexArrays a, ComplexArrays b) {
    return {less(a.re, b.re), less(a.im, b.im)};
  }
  // By a small number, as a product with what 1 is over it.
  ComplexArrays divided(ComplexArrays x, int64_t by) {
    const int64_t factor = ((int64_t{1} << bits_) - 1) / by;
    return {scaled(x.re, factor), scaled(x.im, factor)};
  }
  // Times complex numbers along the last dimension, given by their angles.
  ComplexArrays times(ComplexArrays x, const std::vector<double>& angles) {
    Numbers cosines, sines;
    for (const double angle : angles) {
      cosines.push_back(fixed(std::cos(angle)));
      sines.push_back(fixed(std::sin(angle)));
    }
    const InstructionId re = b_.convert(x.re, wide_), im = b_.convert(x.im, wide_);
    const auto along = [&](const Numbers& numbers, InstructionId of) {
      const Dimensions sizes = b_.sizes(of);
      return b_.binary(Opcode::kMultiply, of,
                       b_.along(numbers, wide_, sizes, static_cast<int64_t>(sizes.size()) - 1));
    };
    return {rounded(less(along(cosines, re), along(sines, im))),
            rounded(sum(along(sines, re), along(cosines, im)))};
  }
  InstructionId negative(InstructionId x) { return b_.unary(Opcode::kNegate, x); }

 private:
  int64_t fixed(double x) const {
    return static_cast<int64_t>(
        std::floor(.5 + static_cast<double>((int64_t{1} << bits_) - 1) * x));
  }
  // A product brought back to the type.
  InstructionId rounded(InstructionId wide) {
    const InstructionId up =
        b_.with(Opcode::kAdd, wide, static_cast<double>(int64_t{1} << (bits_ - 1)));
    return b_.convert(b_.with(Opcode::kShiftRightArithmetic, up, bits_), type_);
  }
  InstructionId scaled(InstructionId x, int64_t factor) {
    return rounded(b_.with(Opcode::kMultiply, b_.convert(x, wide_), static_cast<double>(factor)));
  }
  InstructionId half(InstructionId x) { return b_.with(Opcode::kShiftRightArithmetic, x, 1); }

  InstructionId reversed_digits(InstructionId x, const std::vector<int64_t>& radices) {
    const auto count = static_cast<int64_t>(radices.size());
    Dimensions sizes = {b_.size(x, 0)}, order = {0};
    for (int64_t i = count; i-- > 0;) sizes.push_back(radices[i]);
    for (int64_t i = count; i > 0; --i) order.push_back(i);
    return b_.reshape(b_.transpose(b_.reshape(x, sizes), order), {b_.size(x, 0), length_});
  }

  // The angle of the root of unity with a number.
  double angle(int64_t number) const {
    const double phase =
        -2 * std::numbers::pi * static_cast<double>(number) / static_cast<double>(length_);
    return is_inverse_ ? -phase : phase;
  }

  ComplexArrays stage(ComplexArrays x, int64_t radix, int64_t m) {
    const int64_t outer = b_.size(x.re, 0), blocks = length_ / (radix * m);
    const Dimensions sizes = {outer, blocks, radix, m}, part = {outer, blocks, m};
    std::vector<ComplexArrays> parts;
    const auto cut = [&](InstructionId id, int64_t i) {
      return b_.reshape(b_.slice(b_.reshape(id, sizes), 2, i, i + 1), part);
    };
    for (int64_t i = 0; i < radix; ++i) {
      parts.push_back(divided({cut(x.re, i), cut(x.im, i)}, radix));
      std::vector<double> angles;
      for (int64_t u = 0; u < m; ++u) angles.push_back(angle(blocks * u * i));
      if (i > 0) parts.back() = times(parts.back(), angles);
    }
    const std::vector<ComplexArrays> out = radix == 2   ? butterflies_2(parts)
                                           : radix == 3 ? butterflies_3(parts, blocks * m)
                                           : radix == 4 ? butterflies_4(parts)
                                                        : butterflies_5(parts, blocks * m);
    std::vector<InstructionId> re, im;
    for (const ComplexArrays& one : out) {
      re.push_back(b_.reshape(one.re, {outer, blocks, 1, m}));
      im.push_back(b_.reshape(one.im, {outer, blocks, 1, m}));
    }
    return {b_.reshape(b_.concatenate(re, 2), {outer, length_}),
            b_.reshape(b_.concatenate(im, 2), {outer, length_})};
  }

  std::vector<ComplexArrays> butterflies_2(const std::vector<ComplexArrays>& x) {
    return {sum(x[0], x[1]), less(x[0], x[1])};
  }

  // x turned by a quarter, forwards or backwards.
  ComplexArrays quarter(ComplexArrays x, bool forwards) {
    return forwards ? ComplexArrays{negative(x.im), x.re} : ComplexArrays{x.im, negative(x.re)};
  }

  std::vector<ComplexArrays> butterflies_3(const std::vector<ComplexArrays>& x, int64_t third) {
    const ComplexArrays both = sum(x[1], x[2]), apart = less(x[1], x[2]);
    const ComplexArrays base = less(x[0], {half(both.re), half(both.im)});
    const int64_t sine = fixed(std::sin(angle(third)));
    const ComplexArrays turned = quarter({scaled(apart.re, sine), scaled(apart.im, sine)}, true);
    return {sum(x[0], both), sum(base, turned), less(base, turned)};
  }

  std::vector<ComplexArrays> butterflies_4(const std::vector<ComplexArrays>& x) {
    const ComplexArrays apart = less(x[0], x[2]), both = sum(x[0], x[2]);
    const ComplexArrays odd = sum(x[1], x[3]);
    const ComplexArrays turned = quarter(less(x[1], x[3]), is_inverse_);
    return {sum(both, odd), sum(apart, turned), less(both, odd), less(apart, turned)};
  }

  std::vector<ComplexArrays> butterflies_5(const std::vector<ComplexArrays>& x, int64_t fifth) {
    const int64_t cosine[] = {fixed(std::cos(angle(fifth))), fixed(std::cos(angle(2 * fifth)))};
    const int64_t sine[] = {fixed(std::sin(angle(fifth))), fixed(std::sin(angle(2 * fifth)))};
    const ComplexArrays outer = sum(x[1], x[4]), outer_apart = less(x[1], x[4]);
    const ComplexArrays inner = sum(x[2], x[3]), inner_apart = less(x[2], x[3]);
    const auto weighted = [&](InstructionId base, InstructionId a, int64_t by_a, InstructionId c,
                              int64_t by_c) {
      return sum(sum(base, scaled(a, by_a)), scaled(c, by_c));
    };
    const ComplexArrays first = {weighted(x[0].re, outer.re, cosine[0], inner.re, cosine[1]),
                                 weighted(x[0].im, outer.im, cosine[0], inner.im, cosine[1])};
    const ComplexArrays second = {weighted(x[0].re, outer.re, cosine[1], inner.re, cosine[0]),
                                  weighted(x[0].im, outer.im, cosine[1], inner.im, cosine[0])};
    // Products are rounded before their sign is taken.
    const ComplexArrays one = {
        sum(scaled(outer_apart.im, sine[0]), scaled(inner_apart.im, sine[1])),
        less(negative(scaled(outer_apart.re, sine[0])), scaled(inner_apart.re, sine[1]))};
    const ComplexArrays two = {
        less(scaled(inner_apart.im, sine[0]), scaled(outer_apart.im, sine[1])),
        less(scaled(outer_apart.re, sine[1]), scaled(inner_apart.re, sine[0]))};
    return {sum(x[0], sum(outer, inner)), less(first, one), sum(second, two), less(second, two),
            sum(first, one)};
  }

  Builder& b_;
  PrimitiveType type_, wide_;
  int bits_;
  int64_t length_;
  bool is_inverse_;
};

// Elements [start, limit) of rows, last first.
InstructionId backwards(Builder& b, InstructionId x, int64_t start, int64_t limit) {
  return b.reverse(b.slice(x, 1, start, limit), {1});
}

// What turns the halves of a real transform into the whole, for places 1 to count.
std::vector<double> super_angles(int64_t length, int64_t count, bool is_inverse) {
  std::vector<double> out;
  for (int64_t i = 1; i <= count; ++i) {
    const double phase =
        -std::numbers::pi * (static_cast<double>(i) / static_cast<double>(length) + .5);
    out.push_back(is_inverse ? -phase : phase);
  }
  return out;
}

// The places [1, count] of x, and those that mirror them, conjugated; both halved.
struct Mirrored {
  ComplexArrays here, there;
};
Mirrored mirrored(Builder& b, FixedFft& fft, ComplexArrays x, int64_t length, int64_t count) {
  const ComplexArrays here = {b.slice(x.re, 1, 1, count + 1), b.slice(x.im, 1, 1, count + 1)};
  const ComplexArrays there = {backwards(b, x.re, length - count, length),
                               fft.negative(backwards(b, x.im, length - count, length))};
  return {fft.divided(here, 2), fft.divided(there, 2)};
}

}  // namespace

std::optional<std::vector<int64_t>> fft_radices(int64_t length) {
  std::vector<int64_t> out;
  for (const int64_t radix : {4, 2, 3, 5})
    for (; length % radix == 0 && length > 1; length /= radix) out.push_back(radix);
  if (length != 1) return std::nullopt;
  return out;
}

ComplexArrays fixed_rfft(Builder& b, InstructionId rows, int64_t length) {
  const int64_t half = length / 2, outer = b.size(rows, 0), middle = half / 2;
  const PrimitiveType type = b.type(rows);
  FixedFft fft(b, type, half, false);
  const InstructionId pairs = b.reshape(rows, {outer, half, 2});
  const auto every = [&](int64_t i) {
    return b.reshape(b.slice(pairs, 2, i, i + 1), {outer, half});
  };
  const ComplexArrays x = fft.transform({every(0), every(1)});
  const ComplexArrays ends = fft.divided({b.slice(x.re, 1, 0, 1), b.slice(x.im, 1, 0, 1)}, 2);
  const InstructionId zero = b.number(type, 0, {outer, 1});
  std::vector<InstructionId> re = {fft.sum(ends.re, ends.im)}, im = {zero};
  if (middle > 0) {
    const Mirrored both = mirrored(b, fft, x, half, middle);
    const ComplexArrays even = fft.sum(both.here, both.there);
    const ComplexArrays odd =
        fft.times(fft.less(both.here, both.there), super_angles(half, middle, false));
    const auto halved = [&](Opcode how, InstructionId a, InstructionId c) {
      const InstructionId wide = b.binary(how, b.convert(a, kS32), b.convert(c, kS32));
      return b.convert(b.with(Opcode::kShiftRightArithmetic, wide, 1), type);
    };
    // The middle of an even half is both; kernels write its mirror last.
    const int64_t below = half % 2 == 0 ? middle - 1 : middle;
    re.push_back(b.slice(halved(Opcode::kAdd, even.re, odd.re), 1, 0, below));
    im.push_back(b.slice(halved(Opcode::kAdd, even.im, odd.im), 1, 0, below));
    re.push_back(b.reverse(halved(Opcode::kSubtract, even.re, odd.re), {1}));
    im.push_back(b.reverse(halved(Opcode::kSubtract, odd.im, even.im), {1}));
  }
  re.push_back(fft.less(ends.re, ends.im));
  im.push_back(zero);
  return {b.concatenate(re, 1), b.concatenate(im, 1)};
}

InstructionId fixed_irfft(Builder& b, ComplexArrays spectra, int64_t length) {
  const int64_t half = length / 2, outer = b.size(spectra.re, 0), middle = half / 2;
  FixedFft fft(b, b.type(spectra.re), half, true);
  const InstructionId low = b.slice(spectra.re, 1, 0, 1);
  const InstructionId high = b.slice(spectra.re, 1, half, half + 1);
  const ComplexArrays ends = fft.divided({fft.sum(low, high), fft.less(low, high)}, 2);
  std::vector<InstructionId> re = {ends.re}, im = {ends.im};
  if (middle > 0) {
    const Mirrored both = mirrored(b, fft, spectra, half, middle);
    const ComplexArrays even = fft.sum(both.here, both.there);
    const ComplexArrays odd =
        fft.times(fft.less(both.here, both.there), super_angles(half, middle, true));
    const int64_t below = half % 2 == 0 ? middle - 1 : middle;
    const ComplexArrays first = fft.sum(even, odd), mirror = fft.less(even, odd);
    re.push_back(b.slice(first.re, 1, 0, below));
    im.push_back(b.slice(first.im, 1, 0, below));
    re.push_back(b.reverse(mirror.re, {1}));
    im.push_back(fft.negative(b.reverse(mirror.im, {1})));
  }
  const ComplexArrays x = fft.transform({b.concatenate(re, 1), b.concatenate(im, 1)});
  return b.reshape(
      b.concatenate({b.reshape(x.re, {outer, half, 1}), b.reshape(x.im, {outer, half, 1})}, 2),
      {outer, length});
}

}  // namespace hlocc::import::tflite
