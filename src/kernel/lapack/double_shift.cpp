// See qr_iteration.h: the double-shift step of real matrices, as dlahqr takes it. Two shifts that
// are conjugate, or one real one twice, keep it in real numbers.
#include "kernel/lapack/qr_iteration.h"

namespace hlocc::kernel::lapack {

// The eigenvalues of [h11 h12; h21 h22]; if they are real, twice the one that is nearer to h22.
QrIteration::Shifts QrIteration::shifts_of(Real h11, Real h12, Real h21, Real h22) const {
  const Real zero = c.real(0), whole = abs(h11) + abs(h12) + abs(h21) + abs(h22);
  const Real s = select(whole == 0.0, c.real(1), whole);
  const Real a = h11 / s, b = h12 / s, d = h21 / s, e = h22 / s;
  const Real middle = (a + e) * 0.5;
  const Real det = (a - middle) * (e - middle) - b * d, root = sqrt(abs(det));
  const Flag pair = det >= 0.0;
  const Real up = middle + root, down = middle - root;
  const Real nearer = select(abs(up - e) <= abs(down - e), up, down);
  const Real re = select(pair, middle, nearer) * s;
  return {re, re, select(pair, root * s, zero)};
}

QrIteration::Shifts QrIteration::choose_shifts() const {
  const Affine last = place(kLast), before = last.plus(-1), first = place(kFirst);
  const Affine second = first.plus(1), phase = place(kPhase);
  // Now and then shifts of no meaning break a cycle: by the end of the block, or by its begin.
  const Flag at_end = c.equal(phase, {}), at_begin = c.equal(phase, Affine::constant(10));
  const Flag odd = at_end || at_begin;
  const Real low = at(last, before).re;
  const Real s = select(at_end, abs(low) + abs(at(before, last.plus(-2)).re),
                        abs(at(second, first).re) + abs(at(second.plus(1), second).re));
  const Real d = s * 0.75 + select(at_end, at(last, last).re, at(first, first).re);
  return shifts_of(select(odd, d, at(before, before).re),
                   select(odd, s * -0.4375, at(before, last).re), select(odd, s, low),
                   select(odd, d, at(last, last).re));
}

// kStart := the lowest row at which the step may begin, since two small elements follow one another
// on the subdiagonal there; the cells get the first column of (H - s1)(H - s2), scaled.
void QrIteration::find_start(const Shifts& shifts) const {
  set(kStart, place(kLast).plus(-1));
  set(kFound, {});
  c.repeat_while(
      [&] { return c.equal(place(kFound), {}); },
      [&] {
        const Affine m = place(kStart).plus(-1), next = m.plus(1);
        set(kStart, m);
        const Real h11 = at(m, m).re, h22 = at(next, next).re, h21 = at(next, m).re;
        const Real scale = abs(h11 - shifts.re2) + abs(shifts.im) + abs(h21), low = h21 / scale;
        const Real v1 = low * at(m, next).re + (h11 - shifts.re1) * ((h11 - shifts.re2) / scale) +
                        shifts.im * (shifts.im / scale);
        const Real v2 = low * (h11 + h22 - shifts.re1 - shifts.re2);
        const Real v3 = low * at(m.plus(2), next).re, all = abs(v1) + abs(v2) + abs(v3);
        c.set(cells, Affine::constant(kV1), v1 / all);
        c.set(cells, Affine::constant(kV2), v2 / all);
        c.set(cells, Affine::constant(kV3), v3 / all);
        c.when(
            c.equal(m, place(kFirst)), [&] { set(kFound, Affine::constant(1)); },
            [&] {
              const Affine before = m.plus(-1);
              const Real beside = abs(at(before, before).re) + abs(h11) + abs(h22);
              c.when(abs(at(m, before).re) * ((abs(v2) + abs(v3)) / all) <=
                         (abs(v1) / all) * ulp() * beside,
                     [&] { set(kFound, Affine::constant(1)); });
            });
      });
}

// Rows `row` to `row` + 2 of `m` := (I - tau v v^T) times them, v = (1, v2, v3), in some columns.
void QrIteration::reflect(const Matrix& m, const Affine& row, const Affine& begin,
                          const Affine& end, Real tau, Real v2, Real v3) const {
  const Real t2 = tau * v2, t3 = tau * v3;
  const Affine second = row.plus(1), third = row.plus(2);
  c.loop(begin, end, [&](const Affine& j) {
    const Real x = c.get(m, row, j).re, y = c.get(m, second, j).re, w = c.get(m, third, j).re;
    const Real sum = x + v2 * y + v3 * w;
    c.put(m, row, j, {x - sum * tau});
    c.put(m, second, j, {y - sum * t2});
    c.put(m, third, j, {w - sum * t3});
  });
}

// Moves the bulge from row k one row on. At the end of the block a reflector has two rows: its
// third element is zero then, and changes nothing.
void QrIteration::chase(const Affine& k) const {
  const Affine before = k.plus(-1), begin = place(kStart);
  const Flag moves = c.less(begin, k);
  const auto load = [&](Cell cell, const Affine& row) {
    c.set(cells, Affine::constant(cell), at(row, before).re);
  };
  c.when(moves, [&] {
    load(kV1, k);
    load(kV2, k.plus(1));
    load(kV3, k.plus(2));
  });
  const auto cell = [&](Cell cell) { return c.get(cells, Affine::constant(cell)); };
  const Real x = cell(kV1), y = cell(kV2), w = cell(kV3), zero = c.real(0);
  const Flag trivial = y == 0.0 && w == 0.0;
  const Real widest = max(max(abs(x), max(abs(y), abs(w))), c.real(c.limits().tiny));
  const Real down = 1.0 / widest, a = x * down, b = y * down, d = w * down;
  const Real beta = -sign(sqrt(a * a + b * b + d * d), a), inverse = 1.0 / (a - beta);
  const Real tau = select(trivial, zero, (beta - a) / beta);
  const Real v2 = select(trivial, zero, b * inverse), v3 = select(trivial, zero, d * inverse);
  c.when(
      moves,
      [&] {
        c.put(h, k, before, {select(trivial, x, beta * widest)});
        c.put(h, k.plus(1), before, {zero});
        c.put(h, k.plus(2), before, {zero});
      },
      [&] {
        c.when(c.less(place(kFirst), k),
               [&] { c.put(h, k, before, {at(k, before).re * (1.0 - tau)}); });
      });
  const Affine last = place(kLast).plus(1), reach = k.plus(4);
  reflect(h, k, k, end(), tau, v2, v3);
  reflect(h.transposed(), k, top(), c.index_of(c.less(reach, last), reach, last), tau, v2, v3);
  if (vectors) reflect(z.transposed(), k, {}, Affine::constant(n), tau, v2, v3);
}

void QrIteration::double_shift_iteration() const {
  find_start(choose_shifts());
  c.loop(place(kStart), place(kLast), [&](const Affine& k) { chase(k); });
}

}  // namespace hlocc::kernel::lapack
