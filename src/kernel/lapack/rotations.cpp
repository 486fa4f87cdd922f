// See rotations.h. Divisions by zero on a way that is not taken are left to the selects.
#include "kernel/lapack/rotations.h"

namespace hlocc::kernel::lapack {

Rotation make_rotation(Real f, Real g) {
  const Real zero = number(f, 0), one = number(f, 1);
  const Real d = sqrt(f * f + g * g), r = sign(d, f);
  const Flag no_g = g == 0.0, no_f = f == 0.0;
  return {select(no_g, one, select(no_f, zero, abs(f) / d)),
          select(no_g, zero, select(no_f, sign(one, g), g / r)),
          select(no_g, f, select(no_f, abs(g), r))};
}

Eigen2 eigen_of_symmetric(Real a, Real b, Real c) {
  const Real one = number(a, 1), zero = number(a, 0);
  const Real sum = a + c, difference = a - c, twice = b + b;
  const Flag a_wins = abs(a) > abs(c);
  const Real large = select(a_wins, a, c), small = select(a_wins, c, a);
  const Real wide = max(abs(difference), abs(twice)), narrow = min(abs(difference), abs(twice));
  const Real ratio = narrow / wide;
  const Real root = select(wide == 0.0, zero, wide * sqrt(1.0 + ratio * ratio));
  const Flag negative = sum < 0.0, balanced = sum == 0.0;
  const Real half = number(a, 0.5);
  const Real first = select(balanced, half * root, half * select(negative, sum - root, sum + root));
  const Real second = select(balanced, -(half * root), (large / first) * small - (b / first) * b);
  const Flag up = difference >= 0.0;
  const Real cs = select(up, difference + root, difference - root);
  const Real ct = -twice / cs, sn_a = 1.0 / sqrt(1.0 + ct * ct), cs_a = ct * sn_a;
  const Real tn = -cs / twice, cs_b = 1.0 / sqrt(1.0 + tn * tn), sn_b = tn * cs_b;
  const Flag steep = abs(cs) > abs(twice), no_b = twice == 0.0;
  const Real c1 = select(steep, cs_a, select(no_b, one, cs_b));
  const Real s1 = select(steep, sn_a, select(no_b, zero, sn_b));
  // The two signs agree: the vector found is the other one's.
  const Flag turn = (negative && !up) || (!negative && up);
  return {first, second, select(turn, -s1, c1), select(turn, c1, s1)};
}

Real smaller_singular_value(Real f, Real g, Real h) {
  const Real zero = number(f, 0);
  const Real low = min(abs(f), abs(h)), high = max(abs(f), abs(h)), ga = abs(g);
  const Real as = 1.0 + low / high, at = (high - low) / high;
  const Real au = ga / high, square = au * au;
  const Real flat = low * (2.0 / (sqrt(as * as + square) + sqrt(at * at + square)));
  const Real av = high / ga, x = as * av, y = at * av;
  const Real tall = 2.0 * ((low * (1.0 / (sqrt(1.0 + x * x) + sqrt(1.0 + y * y)))) * av);
  return select(low == 0.0, zero,
                select(ga < high, flat, select(av == 0.0, (low * high) / ga, tall)));
}

Singular2 singular_values(Real f, Real g, Real h) {
  const Real one = number(f, 1), zero = number(f, 0), two = number(f, 2);
  const Flag swap = abs(h) > abs(f);
  const Real ft = select(swap, h, f), ht = select(swap, f, h), fa = abs(ft), ha = abs(ht);
  const Real ga = abs(g);
  const Flag diagonal = ga == 0.0;
  const double eps = f.b->type(f.id).scalar == Scalar::kF64 ? 0x1p-53 : 0x1p-24;
  const Flag g_wins = ga > fa, huge = g_wins && fa / ga < eps;
  // The usual way.
  const Real d = fa - ha, l = select(d == fa, one, d / fa), m = g / ft, t0 = 2.0 - l;
  const Real mm = m * m, s = sqrt(t0 * t0 + mm);
  const Real r = select(l == 0.0, abs(m), sqrt(l * l + mm)), a = 0.5 * (s + r);
  const Real t_flat = select(l == 0.0, sign(two, ft) * sign(one, g), g / sign(d, ft) + m / t0);
  const Real t = select(mm == 0.0, t_flat, (m / (s + t0) + m / (r + l)) * (1.0 + a));
  const Real length = sqrt(t * t + 4.0);
  const Real crt = 2.0 / length, srt = t / length, clt = (crt + srt * m) / a;
  const Real slt = (ht / ft) * srt / a;
  const auto pick = [&](Real usual, Real of_huge, Real of_diagonal) {
    return select(diagonal, of_diagonal, select(huge, of_huge, usual));
  };
  const Real small = pick(ha / a, select(ha > 1.0, fa / (ga / ha), (fa / ga) * ha), ha);
  const Real large = pick(fa * a, ga, fa);
  const Real cl = pick(clt, one, one), sl = pick(slt, ht / g, zero);
  const Real cr = pick(crt, ft / g, one), sr = pick(srt, one, zero);
  const Real csl = select(swap, sr, cl), snl = select(swap, cr, sl);
  const Real csr = select(swap, sl, cr), snr = select(swap, cl, sr);
  const Flag by_g = g_wins && !diagonal;
  const Real sign_of = select(by_g, sign(one, snr) * sign(one, csl) * sign(one, g),
                              select(swap, sign(one, snr) * sign(one, snl) * sign(one, h),
                                     sign(one, csr) * sign(one, csl) * sign(one, f)));
  return {
      sign(small, sign_of * sign(one, f) * sign(one, h)), sign(large, sign_of), snr, csr, snl, csl};
}

void rotate_rows(Code& c, const Matrix& m, const Affine& near, const Affine& far, int64_t columns,
                 Real cosine, Real sine) {
  rotate_rows(c, m, near, far, {}, Affine::constant(columns), cosine, sine);
}

void rotate_rows(Code& c, const Matrix& m, const Affine& near, const Affine& far,
                 const Affine& begin, const Affine& end, Real cosine, Real sine) {
  c.loop(begin, end, [&](const Affine& k) {
    const Number x = c.get(m, near, k), y = c.get(m, far, k);
    c.put(m, far, k, y * cosine - x * sine);
    c.put(m, near, k, x * cosine + y * sine);
  });
}

}  // namespace hlocc::kernel::lapack
