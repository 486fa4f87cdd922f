// See eigenvectors.h. Vectors are complex whatever the matrix is: a real eigenvalue's imaginary
// parts stay zero. Numbers that would grow out of range shrink the whole vector, as dlaln2 and
// dlatrs do; a pivot that is nearly zero, of an eigenvalue that comes more than once, is made
// larger than that.
#include "kernel/lapack/eigenvectors.h"

#include "kernel/lapack/routines.h"

namespace hlocc::kernel::lapack {

Eigenvectors::Eigenvectors(Code& c, int64_t n)
    : c(c),
      n(n),
      places(c.scratch_wholes("places", kPlaces)),
      cell(c.scratch_row("cell", 1)),
      x(c.scratch_complex("x", 1, n)) {}

Number Eigenvectors::element(const System& s, const Affine& i, const Affine& j) const {
  const Number t = c.get(s.t, i, j);
  return s.left ? conj(t) : t;
}

Number Eigenvectors::times(Number of_matrix, Number of_vector) const {
  return of_matrix.is_complex() ? of_matrix * of_vector : of_vector * of_matrix.re;
}

Flag Eigenvectors::is_pair(const Matrix& t, const Affine& last) const {
  const Flag inside = c.less({}, last);
  const Affine before = c.index_of(inside, last.plus(-1), {});
  return inside && !(c.get(t, last, before).re == 0.0);
}

Number Eigenvectors::right_side(const System& s, const Affine& row, const Affine& from) const {
  return -c.sum(from, s.last.plus(1), {c.real(0), c.real(0)},
                [&](const Affine& k) { return times(element(s, row, k), x_at(k)); });
}

Number Eigenvectors::away_from_zero(const System& s, Number pivot) const {
  const double floor = c.limits().tiny * (static_cast<double>(n) / c.limits().ulp());
  const Real least = max(size(s.value) * c.limits().ulp(), c.real(floor));
  return select(size(pivot) < least, {least, c.real(0)}, pivot);
}

// Multiplies what is solved by two factors, which it gives, so that |right / pivot| is at most the
// largest that T can be multiplied by within the type's range.
Eigenvectors::Factors Eigenvectors::make_room(const System& s, const Affine& solved, Real right,
                                              Real pivot) const {
  const Real limit = pivot * (c.real_type() == Scalar::kF64 ? 0x1p480 : 0x1p60), one = c.real(1);
  const Flag over = right > limit;
  const Factors f{select(over, 1.0 / right, one), select(over, min(limit, one), one)};
  c.when(over, [&] {
    c.loop(solved, s.last.plus(1),
           [&](const Affine& k) { set_x(k, x_at(k) * f.first * f.second); });
  });
  return f;
}

void Eigenvectors::solve_single(const System& s, const Affine& row) const {
  const Number right = right_side(s, row, row.plus(1));
  Number pivot = element(s, row, row);
  if (!pivot.is_complex()) pivot.im = c.real(0);
  pivot = away_from_zero(s, pivot - s.value);
  const Factors f = make_room(s, row.plus(1), size(right), size(pivot));
  set_x(row, right * f.first * f.second / pivot);
}

// Rows `row` - 1 and `row`, [p b; d p] x = r, with the larger element of the first column as pivot.
void Eigenvectors::solve_pair(const System& s, const Affine& row) const {
  const Affine before = row.plus(-1);
  const Number r1 = right_side(s, before, row.plus(1)), r2 = right_side(s, row, row.plus(1));
  const auto real = [&](const Affine& i, const Affine& j) {
    return Number{c.get(s.t, i, j).re, c.real(0)};
  };
  const Number p = real(row, row) - s.value, b = real(before, row), d = real(row, before);
  const Flag straight = size(p) >= size(d);
  const Number top = select(straight, p, d), beside = select(straight, b, p);
  const Number factor = select(straight, d, p) / top;
  const Number low = away_from_zero(s, select(straight, p, b) - factor * beside);
  // The smallest pivot, as the second unknown passes it on to the first.
  const Real slope = size(top) / max(size(top), size(beside));
  const Real least = min(size(low) * slope, size(top)) * 0.25;
  const Factors f = make_room(s, row.plus(1), max(size(r1), size(r2)), least);
  const Number q1 = select(straight, r1, r2) * f.first * f.second;
  const Number q2 = select(straight, r2, r1) * f.first * f.second;
  const Number second = (q2 - factor * q1) / low;
  set_x(row, second);
  set_x(before, (q1 - beside * second) / top);
}

// From kRow up.
void Eigenvectors::substitute(const System& s) const {
  c.repeat_while([&] { return !c.less(place(kRow), {}); },
                 [&] {
                   const Affine row = place(kRow);
                   const auto single = [&] {
                     solve_single(s, row);
                     set(kRow, row.plus(-1));
                   };
                   const auto pair = [&] {
                     solve_pair(s, row);
                     set(kRow, row.plus(-2));
                   };
                   if (c.is_complex())
                     single();
                   else
                     c.when(is_pair(s.t, row), pair, single);
                 });
}

// The last two elements of a pair's vector, to LAPACK's phase.
void Eigenvectors::begin_pair(const Matrix& t, bool left, const Affine& last) const {
  const Affine first = last.plus(-1);
  const Real high = c.get(t, first, last).re, low = c.get(t, last, first).re;
  const Real whole = sqrt(abs(high)) * sqrt(abs(low)), one = c.real(1);
  const Flag by_high = abs(high) >= abs(low);
  const Real up = whole / high, down = whole / low;
  c.set(cell, {}, whole);
  if (left) {
    set_x(first, imaginary(select(by_high, -one, down)));
    set_x(last, {select(by_high, up, one), c.real(0)});
  } else {
    set_x(first, {select(by_high, one, -down), c.real(0)});
    set_x(last, imaginary(select(by_high, up, one)));
  }
  set(kRow, last.plus(-2));
}

void Eigenvectors::solve_column(const Matrix& t, const Matrix& q, const Matrix& to,
                                bool left) const {
  const Affine last = place(kColumn);
  const auto single = [&] {
    set_x(last, {c.real(1), c.real(0)});
    c.set(cell, {}, c.real(0));
    set(kRow, last.plus(-1));
  };
  if (c.is_complex())
    single();
  else
    c.when(
        is_pair(t, last), [&] { begin_pair(t, left, last); }, single);
  const Affine first = place(kRow).plus(1);  // of the pair, or the only one
  System s{t, left, last, {}};
  s.value = element(s, last, last);
  if (!c.is_complex()) s.value.im = c.get(cell, {});
  substitute(s);
  const Affine end = last.plus(1);
  const Real scale =
      1.0 / c.largest({}, end, c.real(0), [&](const Affine& k) { return widest(x_at(k)); });
  c.loop(0, n, [&](const Affine& i) {
    const Number v = c.sum({}, end, {c.real(0), c.real(0)},
                           [&](const Affine& k) { return times(c.get(q, i, k), x_at(k)); });
    c.put(to, i, last, conj(v * scale));
    c.put(to, i, first, v * scale);
  });
  set(kColumn, first.plus(-1));
}

void Eigenvectors::run(const Matrix& t, const Matrix& q, const Matrix& to, bool left) const {
  const auto seen = [&](Matrix m) {
    m.base = m.base.plus((n - 1) * m.along);
    m.along = -m.along;
    return m;
  };
  set(kColumn, Affine::constant(n - 1));
  c.repeat_while([&] { return !c.less(place(kColumn), {}); },
                 [&] {
                   if (left)
                     solve_column(reversed(t.transposed(), n), seen(q), seen(to), true);
                   else
                     solve_column(t, q, to, false);
                 });
}

void Eigenvectors::normalise_column(const Matrix& v, const Affine& j) const {
  const Affine end = Affine::constant(n);
  const auto at = [&](const Affine& i) { return c.get(v, i, j); };
  const Real largest =
      c.largest({}, end, c.real(0), [&](const Affine& i) { return widest(at(i)); });
  const Real down = 1.0 / max(largest, c.real(c.limits().tiny));
  set(kBest, {});
  c.set(cell, {}, c.real(-1));
  const Real square = c.sum({}, end, c.real(0), [&](const Affine& i) {
    const Real one = norm(at(i) * down);
    c.when(one > c.get(cell, {}), [&] {
      c.set(cell, {}, one);
      set(kBest, i);
    });
    return one;
  });
  const Number best = at(place(kBest)) * down;
  const Real whole = length(best.re, best.im);
  // A real vector stays as it is.
  const Flag kept = c.is_complex() ? best.im == 0.0 && best.re > 0.0 : best.im == 0.0;
  const Real signed_whole = c.is_complex() ? whole : sign(whole, best.re);
  const Real scale = 1.0 / sqrt(square);
  const Number factor =
      select(kept, {scale, c.real(0)}, (conj(best) * (1.0 / signed_whole)) * scale);
  c.loop(0, n, [&](const Affine& i) { c.put(v, i, j, at(i) * down * factor); });
  Number real = at(place(kBest));
  real.im = c.real(0);
  c.put(v, place(kBest), j, real);
}

void Eigenvectors::normalise(const Matrix& v) const {
  c.loop(0, n, [&](const Affine& j) { normalise_column(v, j); });
}

}  // namespace hlocc::kernel::lapack
