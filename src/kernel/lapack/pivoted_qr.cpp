// QR with column pivots (dgeqp3 with dlaqp2): A P = Q R, each step taking the column whose rest is
// longest. Lengths are carried from step to step by Pythagoras (Golub & Van Loan 5.4.2) and
// computed anew where cancellation has left too few digits: the safeguard of LAPACK working note
// 176.
#include <cmath>

#include "kernel/lapack/reflectors.h"
#include "kernel/lapack/routines.h"

namespace hlocc::kernel::lapack {
namespace {

struct PivotedQr {
  Code& c;
  int64_t rows, columns;
  Row left,
      exact;  // lengths of columns below the row that is next: carried, and when computed last
  Row places;
  Matrix a, tau;
  Row pivots;  // counted from 1

  enum Place { kFixed, kBest, kPlaces };
  Affine place(Place at) const { return c.whole(places, at); }
  void set(Place at, const Affine& x) const { c.set_whole(places, Affine::constant(at), x); }

  void swap_columns(const Affine& x, const Affine& y) const {
    c.swap_rows(a.transposed(), x, y, rows);
    const Affine p = c.whole(pivots, x), q = c.whole(pivots, y);
    c.set_whole(pivots, x, q);
    c.set_whole(pivots, y, p);
  }

  // Columns that the caller marks come first, in their order, and are not exchanged afterwards.
  void move_marked_columns(const Row& marks) const {
    set(kFixed, {});
    c.loop(0, columns, [&](const Affine& j) {
      c.set_whole(pivots, j, j.plus(1));
      c.when(!c.equal(c.whole(marks, j), {}), [&] {
        const Affine fixed = place(kFixed);
        swap_columns(j, fixed);
        set(kFixed, fixed.plus(1));
      });
    });
  }

  void measure(const Affine& column, const Affine& row) const {
    const Affine end = Affine::constant(rows);
    const auto part = [&](const Affine& k) { return c.get(a, k, column); };
    const Real largest = c.largest(row, end, c.real(c.limits().tiny),
                                   [&](const Affine& k) { return widest(part(k)); });
    const Real down = 1.0 / largest;
    const Real square =
        c.sum(row, end, c.real(0), [&](const Affine& k) { return norm(part(k) * down); });
    const Real length = largest * sqrt(square);
    c.set(left, column, length);
    c.set(exact, column, length);
  }

  void choose(const Affine& i) const {
    set(kBest, i);
    c.loop(i.plus(1), Affine::constant(columns), [&](const Affine& j) {
      c.when(c.get(left, j) > c.get(left, place(kBest)), [&] { set(kBest, j); });
    });
    const Affine best = place(kBest);
    c.when(!c.equal(best, i), [&] {
      swap_columns(i, best);
      c.set(left, best, c.get(left, i));
      c.set(exact, best, c.get(exact, i));
    });
  }

  // Takes the element of row `i` off the length of column `j`.
  void shorten(const Affine& i, const Affine& j) const {
    const Real length = c.get(left, j);
    c.when(!(length == 0.0), [&] {
      const Number x = c.get(a, i, j);
      const Real gone = (x.is_complex() ? lapack::length(x.re, x.im) : abs(x.re)) / length;
      const Real rest = max(1.0 - gone * gone, c.real(0)), since = length / c.get(exact, j);
      c.when(
          rest * (since * since) <= c.real(std::sqrt(c.limits().eps)),
          [&] { measure(j, i.plus(1)); }, [&] { c.set(left, j, length * sqrt(rest)); });
    });
  }

  void run(const Row& marks) const {
    const Affine end = Affine::constant(columns);
    move_marked_columns(marks);
    c.loop(0, std::min(rows, columns), [&](const Affine& i) {
      const Affine fixed = place(kFixed), next = i.plus(1);
      c.when(c.equal(i, fixed), [&] { c.loop(i, end, [&](const Affine& j) { measure(j, i); }); });
      c.when(!c.less(i, fixed), [&] { choose(i); });
      const Number factor = make_scaled_reflector(c, a, rows, i, i);
      c.put(tau, {}, i, factor);
      apply_reflector(c, a, rows, i, i, conj(factor), a, next, columns);
      c.when(!c.less(i, fixed),
             [&] { c.loop(next, end, [&](const Affine& j) { shorten(i, j); }); });
    });
  }
};

}  // namespace

// Operands: A, marks. Results: R with the reflectors' vectors, pivots, factors.
Routine make_geqp3(Code& c, const Problem& sizes) {
  const auto [rows, columns] = sizes.operand_sizes[0];
  PivotedQr qr{c,
               rows,
               columns,
               c.scratch_row("left", columns),
               c.scratch_row("exact", columns),
               c.scratch_wholes("places", PivotedQr::kPlaces)};
  return [=, &c](const Problem& p) mutable {
    copy(c, p.operands[0], p.results[0], qr.rows, qr.columns);
    qr.a = p.results[0];
    qr.tau = p.results[2];
    qr.pivots = {p.results[1].buffer, p.results[1].base};
    qr.run({p.operands[1].buffer, p.operands[1].base});
  };
}

}  // namespace hlocc::kernel::lapack
