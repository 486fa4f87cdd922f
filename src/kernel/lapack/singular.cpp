// Singular values of a bidiagonal matrix by implicit zero-shift QR steps (dbdsqr), largest first.
#include "kernel/lapack/singular.h"

#include <cmath>

#include "kernel/lapack/rotations.h"
#include "kernel/lapack/routines.h"

namespace hlocc::kernel::lapack {
namespace {

enum WholeCell { kLast, kFirst, kWay, kIterations, kFound, kOldFirst, kOldLast, kBest, kWholes };
enum RealCell {
  kThreshold,
  kMu,
  kSmallest,
  kShift,
  kF,
  kG,
  kC,
  kS,
  kOldC,
  kOldS,
  kLargest,
  kReals
};

}  // namespace

BidiagonalSvd::BidiagonalSvd(Code& c, int64_t n, bool with_vectors)
    : d(c.scratch_row("diagonal", n)),
      e(c.scratch_row("above", n)),
      left(c.scratch_matrix("left", with_vectors ? n : 1, n, true)),
      right(c.scratch_matrix("right", with_vectors ? n : 1, n, true)),
      c(c),
      n(n),
      with_vectors(with_vectors),
      wholes(c.scratch_wholes("places", kWholes)),
      cells(c.scratch_row("cells", kReals)) {}

void BidiagonalSvd::rotate(bool first_side, const Affine& near, const Affine& far, Real cosine,
                           Real sine) const {
  if (!with_vectors) return;
  // Going down, the first rotation of a pair is the right one; going up, the left one.
  const auto both = [&](const Matrix& m) { rotate_rows(c, m, near, far, n, cosine, sine); };
  c.when(
      c.less({}, place(kWay)), [&] { both(first_side ? right : left); },
      [&] { both(first_side ? left : right); });
}

Affine BidiagonalSvd::between(const Affine& i) const {
  return i.plus(c.index_of(c.less(place(kWay), {}), Affine::constant(-1), {}));
}

void BidiagonalSvd::make_upper() const {
  c.loop(0, n - 1, [&](const Affine& i) {
    const Rotation turn = make_rotation(c.get(d, i), c.get(e, i));
    const Real next = c.get(d, i.plus(1));
    c.set(d, i, turn.r);
    c.set(e, i, turn.s * next);
    c.set(d, i.plus(1), turn.c * next);
    if (with_vectors) rotate_rows(c, left, i, i.plus(1), n, turn.c, turn.s);
  });
}

void BidiagonalSvd::find_threshold() const {
  set_cell(kMu, abs(c.get(d, {})));
  set_cell(kSmallest, cell(kMu));
  c.loop(1, n, [&](const Affine& i) {
    set_cell(kMu, abs(c.get(d, i)) * (cell(kMu) / (cell(kMu) + abs(c.get(e, i.plus(-1))))));
    // A zero makes all that follows zero, or no number: the smallest is zero then.
    set_cell(kSmallest, select(cell(kMu) < cell(kSmallest) || !(cell(kMu) >= 0.0),
                               select(cell(kMu) >= 0.0, cell(kMu), c.real(0)), cell(kSmallest)));
  });
  const double root = std::sqrt(static_cast<double>(n));
  const double floor = 6.0 * static_cast<double>(n) * static_cast<double>(n) * c.limits().tiny;
  set_cell(kThreshold, max(cell(kSmallest) * (tolerance() / root), c.real(floor)));
}

double BidiagonalSvd::tolerance() const {
  const double eps = c.limits().eps;
  return std::max(10.0, std::min(100.0, std::pow(eps, -0.125))) * eps;
}

// Sets kFirst to the begin of the unreduced block that ends at kLast; kFound says that the last
// element came loose instead.
void BidiagonalSvd::find_block() const {
  set_place(kFound, Affine{});
  set_place(kFirst, place(kLast));
  set_cell(kLargest, abs(c.get(d, place(kLast))));
  c.repeat_while([&] { return c.equal(place(kFound), {}) && c.less({}, place(kFirst)); },
                 [&] {
                   const Affine above = place(kFirst).plus(-1);
                   const Real size = abs(c.get(d, above)), link = abs(c.get(e, above));
                   c.when(
                       link <= cell(kThreshold),
                       [&] {
                         c.set(e, above, c.real(0));
                         set_place(kFound, Affine::constant(1));
                       },
                       [&] {
                         set_cell(kLargest, max(cell(kLargest), max(size, link)));
                         set_place(kFirst, above);
                       });
                 });
}

// True in kFound if some coupling inside the block is negligible, which is then zero.
void BidiagonalSvd::find_loose() const {
  const double tol = tolerance();
  set_place(kFound, Affine{});
  const Affine way = place(kWay);
  const Flag down = c.less({}, way);
  const Affine begin = c.index_of(down, place(kFirst), place(kLast)),
               end = c.index_of(down, place(kLast), place(kFirst));
  const Affine last_link = between(end.plus(way.times(-1)));
  c.when(
      abs(c.get(e, last_link)) <= tol * abs(c.get(d, end)),
      [&] {
        c.set(e, last_link, c.real(0));
        set_place(kFound, Affine::constant(1));
      },
      [&] {
        set_cell(kMu, abs(c.get(d, begin)));
        set_cell(kSmallest, cell(kMu));
        c.loop(Affine{}, place(kLast).plus(place(kFirst).times(-1)), [&](const Affine& k) {
          c.when(c.equal(place(kFound), {}), [&] {
            const Affine here = begin.plus(c.product(way, k));
            const Real link = abs(c.get(e, between(here)));
            c.when(
                link <= tol * cell(kMu),
                [&] {
                  c.set(e, between(here), c.real(0));
                  set_place(kFound, Affine::constant(1));
                },
                [&] {
                  set_cell(kMu, abs(c.get(d, here.plus(way))) * (cell(kMu) / (cell(kMu) + link)));
                  set_cell(kSmallest, min(cell(kSmallest), cell(kMu)));
                });
          });
        });
      });
}

void BidiagonalSvd::choose_shift() const {
  const double tol = tolerance(), eps = c.limits().eps;
  const Affine way = place(kWay);
  const Flag down = c.less({}, way);
  const Affine first = place(kFirst), last = place(kLast);
  const Real begin = abs(c.get(d, c.index_of(down, first, last)));
  const Affine corner = c.index_of(down, last.plus(-1), first);
  const Real shift =
      smaller_singular_value(c.get(d, corner), c.get(e, corner), c.get(d, corner.plus(1)));
  const Flag ratio_small = cell(kSmallest) / cell(kLargest) * (static_cast<double>(n) * tol) <=
                           c.real(std::max(eps, 0.01 * tol));
  const Real part = shift / begin;
  set_cell(kShift, select(ratio_small || (begin > 0.0 && part * part < eps), c.real(0), shift));
}

void BidiagonalSvd::zero_shift_sweep(const Affine& begin, const Affine& end,
                                     const Affine& iterations) const {
  const Affine way = place(kWay);
  set_cell(kC, c.real(1));
  set_cell(kOldC, c.real(1));
  set_cell(kOldS, c.real(0));
  c.loop(Affine{}, iterations, [&](const Affine& k) {
    const Affine i = begin.plus(c.product(way, k)), next = i.plus(way);
    const Rotation one = make_rotation(c.get(d, i) * cell(kC), c.get(e, between(i)));
    c.when(
        c.equal(k, {}), [] {},
        [&] { c.set(e, between(i.plus(way.times(-1))), cell(kOldS) * one.r); });
    const Rotation two = make_rotation(cell(kOldC) * one.r, c.get(d, next) * one.s);
    c.set(d, i, two.r);
    set_cell(kC, one.c);
    set_cell(kOldC, two.c);
    set_cell(kOldS, two.s);
    rotate(true, i, next, one.c, one.s);
    rotate(false, i, next, two.c, two.s);
  });
  const Real h = c.get(d, end) * cell(kC);
  c.set(d, end, h * cell(kOldC));
  c.set(e, between(end.plus(way.times(-1))), h * cell(kOldS));
}

void BidiagonalSvd::shifted_sweep(const Affine& begin, const Affine& end,
                                  const Affine& iterations) const {
  const Affine way = place(kWay);
  const Real top = c.get(d, begin);
  set_cell(kF, (abs(top) - cell(kShift)) * (sign(c.real(1), top) + cell(kShift) / top));
  set_cell(kG, c.get(e, between(begin)));
  c.loop(Affine{}, iterations, [&](const Affine& k) {
    const Affine i = begin.plus(c.product(way, k)), next = i.plus(way), link = between(i);
    const Rotation one = make_rotation(cell(kF), cell(kG));
    c.when(
        c.equal(k, {}), [] {}, [&] { c.set(e, between(i.plus(way.times(-1))), one.r); });
    const Real di = c.get(d, i), ei = c.get(e, link), dn = c.get(d, next);
    const Real f = one.c * di + one.s * ei, e1 = one.c * ei - one.s * di;
    const Real d1 = one.c * dn;
    const Rotation two = make_rotation(f, one.s * dn);
    c.set(d, i, two.r);
    set_cell(kF, two.c * e1 + two.s * d1);
    c.set(d, next, two.c * d1 - two.s * e1);
    c.when(c.less(k, iterations.plus(-1)), [&] {
      const Real beyond = c.get(e, between(next));
      set_cell(kG, two.s * beyond);
      c.set(e, between(next), two.c * beyond);
    });
    rotate(true, i, next, one.c, one.s);
    rotate(false, i, next, two.c, two.s);
  });
  c.set(e, between(end.plus(way.times(-1))), cell(kF));
}

void BidiagonalSvd::sweep() const {
  const Flag down = c.less({}, place(kWay));
  const Affine begin = c.index_of(down, place(kFirst), place(kLast)),
               end = c.index_of(down, place(kLast), place(kFirst));
  const Affine iterations = place(kLast).plus(place(kFirst).times(-1));
  set_place(kIterations, place(kIterations).plus(iterations));
  c.when(
      cell(kShift) == 0.0, [&] { zero_shift_sweep(begin, end, iterations); },
      [&] { shifted_sweep(begin, end, iterations); });
  const Affine last_link = between(end.plus(place(kWay).times(-1)));
  c.when(abs(c.get(e, last_link)) <= cell(kThreshold), [&] { c.set(e, last_link, c.real(0)); });
}

void BidiagonalSvd::solve_pair() const {
  const Affine low = place(kFirst), high = place(kLast);
  const Singular2 pair = singular_values(c.get(d, low), c.get(e, low), c.get(d, high));
  c.set(d, low, pair.larger);
  c.set(e, low, c.real(0));
  c.set(d, high, pair.smaller);
  if (with_vectors) {
    rotate_rows(c, right, low, high, n, pair.cos_right, pair.sin_right);
    rotate_rows(c, left, low, high, n, pair.cos_left, pair.sin_left);
  }
  set_place(kLast, high.plus(-2));
}

void BidiagonalSvd::choose_way() const {
  c.when(c.less(place(kOldLast), place(kFirst)) || c.less(place(kLast), place(kOldFirst)), [&] {
    const Flag down = abs(c.get(d, place(kFirst))) >= abs(c.get(d, place(kLast)));
    set_place(kWay, c.index_of(down, Affine::constant(1), Affine::constant(-1)));
  });
}

void BidiagonalSvd::finish() const {
  c.loop(0, n, [&](const Affine& i) {
    c.when(c.get(d, i) < 0.0, [&] {
      c.set(d, i, -c.get(d, i));
      if (!with_vectors) return;
      c.loop(0, n, [&](const Affine& k) { c.put(right, i, k, -c.get(right, i, k)); });
    });
  });
  // The smallest of what is left goes to the end.
  c.loop_down(Affine::constant(1), Affine::constant(n), [&](const Affine& end) {
    set_place(kBest, Affine{});
    c.loop(Affine::constant(1), end.plus(1), [&](const Affine& k) {
      c.when(c.get(d, k) <= c.get(d, place(kBest)), [&] { set_place(kBest, k); });
    });
    const Affine best = place(kBest);
    c.when(
        c.equal(best, end), [] {},
        [&] {
          c.swap(d, best, end);
          if (!with_vectors) return;
          c.swap_rows(right, best, end, n);
          c.swap_rows(left, best, end, n);
        });
  });
}

void BidiagonalSvd::run(bool lower, Row info) const {
  c.set_whole(info, {}, Affine{});
  if (with_vectors) {
    set_identity(c, left, n, n);
    set_identity(c, right, n, n);
  }
  if (lower) make_upper();
  find_threshold();
  const Affine limit = Affine::constant(6 * n * n);
  set_place(kLast, Affine::constant(n - 1));
  set_place(kIterations, Affine{});
  set_place(kOldFirst, Affine::constant(-1));
  set_place(kOldLast, Affine::constant(-1));
  set_place(kWay, Affine::constant(1));
  const auto more = [&] { return c.less({}, place(kLast)) && !c.less(limit, place(kIterations)); };
  c.repeat_while(more, [&] {
    find_block();
    const Affine first = place(kFirst), last = place(kLast);
    c.when(
        c.equal(first, last), [&] { set_place(kLast, last.plus(-1)); },
        [&] {
          c.when(
              c.equal(first.plus(1), last), [&] { solve_pair(); },
              [&] {
                choose_way();
                find_loose();
                c.when(c.equal(place(kFound), {}), [&] {
                  set_place(kOldFirst, place(kFirst));
                  set_place(kOldLast, place(kLast));
                  choose_shift();
                  sweep();
                });
              });
        });
  });
  c.when(c.less(limit, place(kIterations)), [&] { c.set_whole(info, {}, Affine::constant(1)); });
  c.expect_finite(d, n, info);
  finish();
}

}  // namespace hlocc::kernel::lapack
