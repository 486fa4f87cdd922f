// See qr_iteration.h: what the two kinds of steps share. Blocks are found from the end: one that is
// worked on lies in rows and columns kFirst to kLast, and all behind it is done.
#include "kernel/lapack/qr_iteration.h"

#include <algorithm>

#include "kernel/lapack/rotations.h"
#include "kernel/lapack/standard_block.h"

namespace hlocc::kernel::lapack {

QrIteration::QrIteration(Code& c, int64_t n, bool form, bool vectors, int64_t iterations_a_row)
    : h(c.scratch_matrix("form", n + 1, n + 1)),
      z(vectors ? c.scratch_matrix("vectors", n, n + 1) : Matrix{}),
      c(c),
      n(n),
      form(form),
      vectors(vectors),
      bound(iterations_a_row * std::max<int64_t>(10, n)),
      places(c.scratch_wholes("places", kPlaces)),
      cells(c.scratch_row("cells", kCells)),
      start(c.scratch_matrix("start", 1, 2)) {}

double QrIteration::negligible() const {
  return c.limits().tiny * (static_cast<double>(n) / ulp());
}

// kFound := 1 if what couples k - 1 and k is negligible: beside its neighbours, and beside what the
// eigenvalues of their 2x2 block would lose (Ahues and Tisseur, LAPACK working note 122).
void QrIteration::test_coupling(const Affine& k) const {
  const Affine before = k.plus(-1);
  const Real low = size(at(k, before)), high = size(at(before, k));
  const Number d1 = at(before, before), d2 = at(k, k);
  const Real near = size(d1) + size(d2);
  // Where both are zero, their neighbours on the subdiagonal; in front of the first there is none,
  // and its own diagonal is zero.
  const Affine further = c.index_of(c.equal(before, {}), Affine{}, before.plus(-1));
  const Real around = size(at(before, further)) + size(at(k.plus(1), k));
  const Real beside = select(near == 0.0, around, near);
  c.when(
      low <= c.real(negligible()), [&] { set(kFound, Affine::constant(1)); },
      [&] {
        c.when(low <= beside * ulp(), [&] {
          const Real ab = max(low, high), ba = min(low, high), apart = size(d1 - d2);
          const Real aa = max(size(d2), apart), bb = min(size(d2), apart), s = aa + ab;
          c.when(ba * (ab / s) <= max(c.real(negligible()), bb * (aa / s) * ulp()),
                 [&] { set(kFound, Affine::constant(1)); });
        });
      });
}

void QrIteration::find_block() const {
  set(kFirst, place(kLast));
  set(kFound, {});
  c.repeat_while([&] { return c.equal(place(kFound), {}) && c.less({}, place(kFirst)); },
                 [&] {
                   const Affine k = place(kFirst);
                   test_coupling(k);
                   c.when(
                       c.equal(place(kFound), {}), [&] { set(kFirst, k.plus(-1)); },
                       [&] { c.put(h, k, k.plus(-1), c.constant(0)); });
                 });
}

void QrIteration::split_pair(const Affine& last, const PutValue& put) const {
  const Affine first = last.plus(-1);
  const StandardBlock block =
      standardise(at(first, first).re, at(first, last).re, at(last, first).re, at(last, last).re);
  if (form) {
    rotate_rows(c, h, first, last, last.plus(1), Affine::constant(n), block.cs, block.sn);
    rotate_rows(c, h.transposed(), first, last, {}, first, block.cs, block.sn);
  }
  if (vectors)
    rotate_rows(c, z.transposed(), first, last, {}, Affine::constant(n), block.cs, block.sn);
  c.put(h, first, first, {block.a});
  c.put(h, first, last, {block.b});
  c.put(h, last, first, {block.c});
  c.put(h, last, last, {block.d});
  put(first, {block.a, block.imaginary});
  put(last, {block.d, -block.imaginary});
}

void QrIteration::deflate(const PutValue& put) const {
  const Affine last = place(kLast);
  const auto single = [&] {
    Number value = at(last, last);
    if (!value.is_complex()) value.im = c.real(0);
    put(last, value);
  };
  if (c.is_complex())
    single();
  else
    c.when(c.equal(place(kFirst), last), single, [&] { split_pair(last, put); });
  set(kLast, place(kFirst).plus(-1));
  set(kIterations, {});
  set(kPhase, {});
}

void QrIteration::begin_iteration() const {
  set(kIterations, place(kIterations).plus(1));
  // Exceptional shifts come at the 10th and at the 20th of twenty iterations without a deflation.
  const Affine phase = place(kPhase).plus(1);
  set(kPhase, c.index_of(c.equal(phase, Affine::constant(20)), Affine{}, phase));
  if (iterations.buffer != kNone) c.set_whole(iterations, {}, c.whole(iterations, 0).plus(1));
}

void QrIteration::run(const PutValue& put, const Row& info) const {
  c.set_whole(info, {}, Affine{});
  set(kLast, Affine::constant(n - 1));
  set(kIterations, {});
  set(kPhase, {});
  c.repeat_while([&] { return !c.less(place(kLast), {}); },
                 [&] {
                   find_block();
                   // A single value, or a pair of a real matrix, is found when nothing couples it.
                   const Affine found = place(kLast).plus(is_double() ? -1 : 0);
                   const auto iteration = [&] {
                     begin_iteration();
                     if (is_double())
                       double_shift_iteration();
                     else
                       single_shift_iteration();
                   };
                   const auto give_up = [&] {
                     c.set_whole(info, {}, place(kLast).plus(1));
                     set(kLast, Affine::constant(-1));
                   };
                   c.when(
                       c.less(place(kFirst), found),
                       [&] {
                         c.when(c.less(place(kIterations), Affine::constant(bound)), iteration,
                                give_up);
                       },
                       [&] { deflate(put); });
                 });
}

}  // namespace hlocc::kernel::lapack
