// Arithmetic on unevaluated sums of two floats (Dekker, Knuth): twice the precision where one
// rounding would cost too much. Products are never written as mul_add here, as that may be fused or
// not.
#include "kernel/legalize/math/math.h"

namespace hlocc::kernel {
namespace {

// x = high + low, each of half the bits: products of halves are exact.
Pair halves(Expr x) {
  const Expr shifted = x * width_of(x).of(0x1p12 + 1, 0x1p27 + 1);
  const Expr high = shifted - (shifted - x);
  return {high, x - high};
}

}  // namespace

bool has_native_fma(const Target& target, Scalar scalar) {
  return target.fma && target.explicit_fma &&
         (scalar == Scalar::kF32 ? target.f32_unit : target.f64_unit && target.f64_fma);
}

Pair fast_two_sum(Expr a, Expr b) {
  const Expr sum = a + b;
  return {sum, b - (sum - a)};
}

Pair two_product(const Site& site, Expr a, Expr b) {
  const Expr product = a * b;
  if (has_native_fma(site.target, a.scalar())) {
    Builder& builder = a.builder();
    return {product,
            {builder, builder.op(OpKind::kNativeFma, a.type(), {a.id(), b.id(), (-product).id()})}};
  }
  const Pair x = halves(a), y = halves(b);
  const Expr error =
      ((x.high * y.high - product) + x.high * y.low + x.low * y.high) + x.low * y.low;
  return {product, error};
}

Pair multiply(const Site& site, Pair a, Pair b) {
  const Pair product = two_product(site, a.high, b.high);
  return {product.high, product.low + (a.high * b.low + a.low * b.high)};
}

}  // namespace hlocc::kernel
