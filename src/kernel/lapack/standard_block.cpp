// See standard_block.h. Ways that are not taken are left to the selects, divisions by zero too.
#include "kernel/lapack/standard_block.h"

namespace hlocc::kernel::lapack {
namespace {

StandardBlock choose(Flag p, const StandardBlock& x, const StandardBlock& y) {
  return {select(p, x.a, y.a),
          select(p, x.b, y.b),
          select(p, x.c, y.c),
          select(p, x.d, y.d),
          select(p, x.cs, y.cs),
          select(p, x.sn, y.sn),
          {}};
}

// Real eigenvalues well apart.
StandardBlock with_real_values(Real a, Real b, Real c, Real d, Real half, Real root) {
  const Real most = max(abs(b), abs(c));
  const Real least = sign(min(abs(b), abs(c)), b) * sign(number(c, 1), c);
  const Real z = half + sign(root, half), whole = length(c, z);
  return {d + z, b - c, number(a, 0), d - (most / z) * least, z / whole, c / whole, {}};
}

// A complex pair, or eigenvalues nearly equal: the rotation that makes the diagonal's elements
// equal, and one more if what is left off the diagonal has equal signs.
StandardBlock with_equal_diagonal(Real a, Real b, Real c, Real d) {
  const Real zero = number(a, 0), difference = a - d, sum = b + c, whole = length(sum, difference);
  const Real cs = sqrt(0.5 * (1.0 + abs(sum) / whole));
  const Real sn = -((0.5 * difference) / (whole * cs)) * sign(number(a, 1), sum);
  const Real aa = a * cs + b * sn, bb = b * cs - a * sn, cc = c * cs + d * sn, dd = d * cs - c * sn;
  const Real high = bb * cs + dd * sn, low = cc * cs - aa * sn;
  const Real middle = 0.5 * ((aa * cs + cc * sn) + (dd * cs - bb * sn));
  const StandardBlock equal{middle, high, low, middle, cs, sn, {}};
  const StandardBlock swapped{middle, -low, zero, middle, -sn, cs, {}};
  // Real after all.
  const Real root_high = sqrt(abs(high)), root_low = sqrt(abs(low));
  const Real apart = sign(root_high * root_low, low), scale = 1.0 / sqrt(abs(high + low));
  const Real cs1 = root_high * scale, sn1 = root_low * scale;
  const StandardBlock split{middle + apart,      high - low,          zero, middle - apart,
                            cs * cs1 - sn * sn1, cs * sn1 + sn * cs1, {}};
  const Flag alike = (high < 0.0) == (low < 0.0);
  return choose(low == 0.0, equal, choose(high == 0.0, swapped, choose(alike, split, equal)));
}

}  // namespace

StandardBlock standardise(Real a, Real b, Real c, Real d) {
  const Real zero = number(a, 0), one = number(a, 1);
  const double ulp = a.b->type(a.id).scalar == Scalar::kF64 ? 0x1p-52 : 0x1p-23;
  const Real difference = a - d, half = 0.5 * difference;
  const Real most = max(abs(b), abs(c));
  const Real least = sign(min(abs(b), abs(c)), b) * sign(one, c);
  const Real scale = max(abs(half), most);
  const Real z = (half / scale) * half + (most / scale) * least;
  const Real root = sqrt(scale) * sqrt(abs(z));
  const StandardBlock as_it_is{a, b, c, d, one, zero, {}}, swapped{d, -c, zero, a, zero, one, {}};
  const Flag unlike = (b < 0.0) != (c < 0.0);
  StandardBlock out = choose(c == 0.0 || (!(b == 0.0) && difference == 0.0 && unlike), as_it_is,
                             choose(b == 0.0, swapped,
                                    choose(z >= 4 * ulp, with_real_values(a, b, c, d, half, root),
                                           with_equal_diagonal(a, b, c, d))));
  out.imaginary = select(out.c == 0.0, zero, sqrt(abs(out.b)) * sqrt(abs(out.c)));
  return out;
}

}  // namespace hlocc::kernel::lapack
