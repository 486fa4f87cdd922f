// See balance.h: dgebal, with lengths that include the diagonal (James, Langou and Lowery, On
// matrix balancing and eigenvector computation, 2014). Powers of two make no rounding errors.
#include "kernel/lapack/balance.h"

namespace hlocc::kernel::lapack {

Balance::Balance(Code& c, int64_t n, bool scaled)
    : c(c),
      n(n),
      scaled(scaled),
      places(c.scratch_wholes("balance", kPlaces)),
      cells(c.scratch_row("balance", scaled ? kCells : 1)),
      partner(c.scratch_wholes("partner", n)),
      factor(c.scratch_row("factor", scaled ? n : 1)) {}

void Balance::exchange(const Matrix& a, const Affine& x, const Affine& y) const {
  c.set_whole(partner, y, x);
  c.when(!c.equal(x, y), [&] {
    c.swap_rows(a, x, y, n);
    c.swap_rows(a.transposed(), x, y, n);
  });
}

// Rows whose other elements in columns before kHigh are zero go to the end, one by one; then
// columns that are so in rows from kLow on go to the front.
void Balance::isolate(const Matrix& a, bool rows) const {
  const Matrix lines = rows ? a : a.transposed();
  set(kFound, Affine::constant(1));
  const auto open = [&] { return c.less(place(kLow).plus(1), place(kHigh)); };
  c.repeat_while([&] { return !c.equal(place(kFound), {}) && open(); },
                 [&] {
                   const Affine low = place(kLow), high = place(kHigh);
                   set(kFound, {});
                   set(kAt, rows ? high : low.plus(-1));
                   const auto more = [&] {
                     return rows ? c.less(low, place(kAt)) : c.less(place(kAt).plus(1), high);
                   };
                   c.repeat_while(
                       [&] { return c.equal(place(kFound), {}) && more(); },
                       [&] {
                         const Affine j = place(kAt).plus(rows ? -1 : 1);
                         set(kAt, j);
                         const Real others = c.largest(low, high, c.real(0), [&](const Affine& i) {
                           return select(c.equal(i, j), c.real(0), widest(c.get(lines, j, i)));
                         });
                         c.when(others == 0.0, [&] { set(kFound, Affine::constant(1)); });
                       });
                   c.when(!c.equal(place(kFound), {}), [&] {
                     exchange(a, place(kAt), rows ? high.plus(-1) : low);
                     if (rows)
                       set(kHigh, high.plus(-1));
                     else
                       set(kLow, low.plus(1));
                   });
                 });
}

// The power of two that brings column and row nearest to one length, no element out of range.
void Balance::find_factor() const {
  const double smallest = c.limits().tiny / c.limits().ulp(), low = 2 * smallest, high = 1 / low;
  set(kFactor, c.real(1));
  const auto step = [&](double up) {
    set(kFactor, cell(kFactor) * up);
    set(kColumn, cell(kColumn) * up);
    set(kWidestColumn, cell(kWidestColumn) * up);
    set(kRow, cell(kRow) * (1 / up));
    set(kWidestRow, cell(kWidestRow) * (1 / up));
  };
  const auto grows = [&](Cell small, Cell large, Cell widest_small, Cell widest_large) {
    return max(max(cell(kFactor), 1.0 / cell(kFactor)), max(cell(small), cell(widest_small))) <
               high &&
           min(cell(large) * 0.5, cell(widest_large)) > low && cell(small) < cell(large) * 0.5;
  };
  c.repeat_while([&] { return grows(kColumn, kRow, kWidestColumn, kWidestRow); }, [&] { step(2); });
  c.repeat_while([&] { return grows(kRow, kColumn, kWidestRow, kWidestColumn); },
                 [&] { step(0.5); });
}

void Balance::scale_index(const Matrix& a, const Affine& i) const {
  const Affine low = place(kLow), high = place(kHigh);
  const auto length = [&](const Matrix& m, const Affine& begin, const Affine& end, Cell widest_cell,
                          Cell length_cell) {
    const auto at = [&](const Affine& k) { return c.get(m, k, i); };
    const Real largest = c.largest(begin, end, c.real(c.limits().tiny),
                                   [&](const Affine& k) { return widest(at(k)); });
    const Real down = 1.0 / largest;
    const Real square =
        c.sum(low, high, c.real(0), [&](const Affine& k) { return norm(at(k) * down); });
    set(widest_cell, largest);
    set(length_cell, largest * sqrt(square));
  };
  length(a, {}, high, kWidestColumn, kColumn);
  length(a.transposed(), low, Affine::constant(n), kWidestRow, kRow);
  c.when(cell(kColumn) > 0.0 && cell(kRow) > 0.0, [&] {
    const Real before = cell(kColumn) + cell(kRow);
    find_factor();
    const Real f = cell(kFactor), whole = c.get(factor, i) * f;
    const double smallest = c.limits().tiny / c.limits().ulp();
    c.when(cell(kColumn) + cell(kRow) < before * 0.95 && whole > smallest &&
               whole < c.real(1 / smallest),
           [&] {
             c.set(factor, i, whole);
             set(kFound, Affine::constant(1));
             const Real back = 1.0 / f;
             c.loop(low, Affine::constant(n),
                    [&](const Affine& k) { c.put(a, i, k, c.get(a, i, k) * back); });
             c.loop({}, high, [&](const Affine& k) { c.put(a, k, i, c.get(a, k, i) * f); });
           });
  });
}

void Balance::apply(const Matrix& a) const {
  set(kLow, {});
  set(kHigh, Affine::constant(n));
  isolate(a, true);
  isolate(a, false);
  if (!scaled) return;
  c.loop(0, n, [&](const Affine& i) { c.set(factor, i, c.real(1)); });
  set(kFound, Affine::constant(1));
  c.repeat_while([&] { return !c.equal(place(kFound), {}); },
                 [&] {
                   set(kFound, {});
                   c.loop(place(kLow), place(kHigh), [&](const Affine& i) { scale_index(a, i); });
                 });
}

void Balance::undo(const Matrix& v, bool left) const {
  if (scaled)
    c.loop(0, n, [&](const Affine& i) {
      const Real f = left ? 1.0 / c.get(factor, i) : c.get(factor, i);
      c.loop(0, n, [&](const Affine& j) { c.put(v, i, j, c.get(v, i, j) * f); });
    });
  const auto back = [&](const Affine& i) { c.swap_rows(v, i, c.whole(partner, i), n); };
  c.loop_down({}, place(kLow), back);
  c.loop(place(kHigh), Affine::constant(n), back);
}

}  // namespace hlocc::kernel::lapack
