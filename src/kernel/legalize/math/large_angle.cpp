// Payne and Hanek's reduction: for x = m 2^e only a window of 2/pi's bits matters, as higher ones
// give whole turns. Three words of it are multiplied with the integer m; what stands behind the
// point is the angle in quarter turns, exact to two words. The words are f32's 32 bits or f64's 64,
// so that both widths share the code.
#include <bit>

#include "kernel/legalize/expansions.h"
#include "kernel/legalize/math/math.h"

namespace hlocc::kernel {
namespace {

// 2/pi behind the point.
constexpr uint64_t kTwoOverPiBits[] = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
    0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
    0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab};

uint64_t word_of_two_over_pi(int bits, int index) {
  if (bits == 64) return kTwoOverPiBits[index];
  return kTwoOverPiBits[index / 2] >> (index % 2 == 0 ? 32 : 0) & 0xffffffff;
}

Expr high_product(Expr a, Expr b) { return a.binary(OpKind::kMulHi, b); }

// Words `index` to `index + 3` of the table, which has a word of zeros in front: halving steps
// instead of a look-up, so that vectors need no gather and the kernel no constant in memory.
std::vector<Expr> four_words(Expr index, int steps) {
  const int bits = index.bits();
  std::vector<Expr> words = {index.like(0)};
  for (int i = 0; i < (1 << steps) + 3; ++i)
    words.push_back(index.like_bits(word_of_two_over_pi(bits, i)));
  for (int step = steps; step >= 0; --step) {
    const int distance = 1 << step;
    const Expr far = (index & distance) != 0;
    // The highest index is a power of two: no bit below it is set, and no word behind the table is
    // asked for.
    for (size_t i = 0; i + distance < words.size(); ++i)
      words[i] = select(far, words[i + distance], words[i]);
    words.resize(3 + distance, words[0]);
  }
  return words;
}

// 192 (96) bits that start at bit `offset` of the table.
std::vector<Expr> window(Expr offset) {
  const int bits = offset.bits();
  const std::vector<Expr> words =
      four_words(offset >> std::countr_zero(static_cast<unsigned>(bits)), bits == 32 ? 2 : 4);
  const Expr shift = offset & (bits - 1);
  std::vector<Expr> aligned;
  for (int i = 0; i < 3; ++i)
    aligned.push_back(words[i] << shift | words[i + 1] >> 1 >> (bits - 1 - shift));
  return aligned;
}

// v = (high : low) as a signed fixed-point number below one half, as a sum of two floats. Half
// words are exact floats.
Pair to_floats(Expr high, Expr low) {
  const Scalar real = high.bits() == 32 ? Scalar::kF32 : Scalar::kF64;
  const int half = high.bits() / 2;
  const double unit = high.bits() == 32 ? 0x1p-16 : 0x1p-32;
  const auto part = [&](Expr bits, double scale) { return bits.native_convert(real) * scale; };
  const uint64_t mask = (uint64_t{1} << half) - 1;
  const Expr first = part(high.as_signed() >> half, unit);
  const Expr second = part((high & high.like_bits(mask)).as_signed(), unit * unit);
  const Expr third = part((low >> half).as_signed(), unit * unit * unit);
  const Expr fourth = part((low & low.like_bits(mask)).as_signed(), unit * unit * unit * unit);
  const Pair front = fast_two_sum(first, second);
  return fast_two_sum(front.high, front.low + (third + fourth));
}

}  // namespace

Reduced reduce_large_angle(const Site& site, Expr x) {
  const Width& w = width_of(x);
  const Expr bits = x.as_unsigned();
  const Expr significand =
      (bits & bits.like_bits(w.mantissa_mask())) | bits.like_bits(uint64_t{1} << w.mantissa_bits);
  const Expr field = (bits & bits.like_bits(w.infinity())) >> w.mantissa_bits;
  // Bits of weight four and more, times m 2^e, are whole turns.
  const Expr offset = field - (w.bias + w.mantissa_bits) + (w.bits - 2);
  const std::vector<Expr> words = window(offset);
  const Expr rest = high_product(significand, words[2]);
  const Expr low = significand * words[1] + rest;
  const Expr carry = select(low < rest, low.like(1), 0);
  const Expr high = significand * words[0] + high_product(significand, words[1]) + carry;
  // The two top bits are the quadrant, rounded; what is left is signed.
  const Expr quadrant = (high + high.like_bits(uint64_t{1} << (w.bits - 3))) >> (w.bits - 2);
  const Pair quarters = to_floats(high << 2 | low >> (w.bits - 2), low << 2);
  const Pair half_pi = {x.like(w.of(0x1.921fb6p+0, 0x1.921fb54442d18p+0)),
                        x.like(w.of(-0x1.777a5cp-25, 0x1.1a62633145c07p-54))};
  const Pair product = multiply(site, quarters, half_pi);
  const Pair angle = fast_two_sum(product.high, product.low);
  const Expr sign = sign_bits(x);
  const auto odd = [&](Expr value) { return (value.as_unsigned() ^ sign).as_float(); };
  return {{odd(angle.high), odd(angle.low)}, select(sign != 0, 0 - quadrant, quadrant)};
}

}  // namespace hlocc::kernel
