// Schur forms (gees) and eigenvalues with their vectors (geev) of general matrices: a matrix of
// extreme size is scaled, then balanced, reduced to Hessenberg form, and iterated upon.
#include <cmath>

#include "kernel/lapack/balance.h"
#include "kernel/lapack/eigenvectors.h"
#include "kernel/lapack/hessenberg.h"
#include "kernel/lapack/qr_iteration.h"
#include "kernel/lapack/reflectors.h"
#include "kernel/lapack/rotations.h"
#include "kernel/lapack/routines.h"

namespace hlocc::kernel::lapack {
namespace {

// Factors that bring a matrix to where squares of its elements are in range, and back again.
struct Scaling {
  Flag finite;  // no element is infinite or NaN
  Real there, back;
};
Scaling scaling_of(Code& c, const Matrix& a, int64_t n) {
  const Real largest = c.largest({}, Affine::constant(n), c.real(0), [&](const Affine& i) {
    return c.largest({}, Affine::constant(n), c.real(0),
                     [&](const Affine& j) { return widest(c.get(a, i, j)); });
  });
  const double low = std::sqrt(c.limits().tiny) / c.limits().ulp();
  const Real one = c.real(1), small = c.real(low), large = c.real(1 / low);
  const Flag tiny = largest < small && largest > 0.0, huge = largest > large;
  return {is_finite(largest), select(tiny, small / largest, select(huge, large / largest, one)),
          select(tiny, largest / small, select(huge, largest / large, one))};
}

// A = Q T Q^H, but for balancing.
struct GeneralSchur {
  Code& c;
  int64_t n;
  bool form, vectors;
  Matrix tau;
  Balance balance;
  QrIteration iteration;

  GeneralSchur(Code& c, int64_t n, bool form, bool vectors, bool scaled)
      : c(c),
        n(n),
        form(form),
        vectors(vectors),
        tau(c.scratch_matrix("tau", 1, n)),
        balance(c, n, scaled),
        iteration(c, n, form, vectors) {}

  void run(const Matrix& a, const Scaling& scaling, const QrIteration::PutValue& put,
           const Row& info) const {
    const Matrix &h = iteration.h, &z = iteration.z;
    c.fill(h, n + 1, n + 1, 0);
    c.loop(0, n, [&](const Affine& i) {
      c.loop(0, n, [&](const Affine& j) { c.put(h, i, j, c.get(a, i, j) * scaling.there); });
    });
    balance.apply(h);
    reduce_to_hessenberg(c, h, n, tau);
    if (vectors) {
      set_identity(c, z, n, n + 1);
      multiply_by_reflectors(c, h, n, n - 1, 1, tau, false, z, n);
    }
    c.loop(0, n - 1, [&](const Affine& j) {
      c.loop(j.plus(2), Affine::constant(n),
             [&](const Affine& i) { c.put(h, i, j, c.constant(0)); });
    });
    iteration.run([&](const Affine& k, Number value) { put(k, value * scaling.back); }, info);
  }
};

// Eigenvalues as results: one complex row, or two of real and imaginary parts.
struct EigenvalueRows {
  Code& c;
  const Problem& p;
  size_t first;
  size_t count() const { return c.is_complex() ? 1 : 2; }
  void put(const Affine& k, Number value) const {
    if (c.is_complex()) return c.put(p.results[first], {}, k, value);
    c.put(p.results[first], {}, k, {value.re});
    c.put(p.results[first + 1], {}, k, {value.im});
  }
  void fill(int64_t n, double value) const {
    for (size_t k = 0; k < count(); ++k) c.fill(p.results[first + k], 1, n, value);
  }
};

// Scaling back may have made an element of a pair's block zero, which is two equal real eigenvalues
// then (dgees): their block must be upper triangular. `q` is null where no vectors are wanted.
void settle_pairs(Code& c, const Matrix& t, const Matrix* q, int64_t n,
                  const EigenvalueRows& values) {
  c.loop(0, n - 1, [&](const Affine& i) {
    const Affine next = i.plus(1);
    const Real low = c.get(t, next, i).re, high = c.get(t, i, next).re;
    c.when(low == 0.0 || high == 0.0, [&] {
      c.when(!(low == 0.0), [&] {
        const auto exchange = [&](const Matrix& m, const Affine& begin, const Affine& end) {
          rotate_rows(c, m, i, next, begin, end, c.real(0), c.real(1));
        };
        exchange(t.transposed(), {}, i);
        exchange(t, i.plus(2), Affine::constant(n));
        if (q != nullptr) exchange(q->transposed(), {}, Affine::constant(n));
        c.put(t, i, next, {-low});
        c.put(t, next, i, {c.real(0)});
      });
    });
  });
  // What no block couples any more is real.
  const auto coupled = [&](Flag inside, const Affine& row, const Affine& column) {
    const Affine r = c.index_of(inside, row, {}), k = c.index_of(inside, column, {});
    return inside && !(c.get(t, r, k).re == 0.0);
  };
  c.loop(0, n, [&](const Affine& i) {
    const Affine next = i.plus(1);
    const Flag paired = coupled(c.less(next, Affine::constant(n)), next, i) ||
                        coupled(c.less({}, i), i, i.plus(-1));
    c.when(!paired, [&] { values.put(i, {c.get(t, i, i).re, c.real(0)}); });
  });
}

}  // namespace

// Results: T, Q, eigenvalues, how many were selected.
Routine make_gees(Code& c, const Problem& sizes) {
  const int64_t n = sizes.operand_sizes[0].first;
  const bool vectors = sizes.option("mode", 'V') == 'V';
  const GeneralSchur schur(c, n, true, vectors, false);
  return [=, &c](const Problem& p) {
    const Matrix &a = p.operands[0], &t = p.results[0], &q = p.results[1];
    const Matrix &h = schur.iteration.h, &z = schur.iteration.z;
    const EigenvalueRows values{c, p, 2};
    const Row selected{p.results.back().buffer, p.results.back().base};
    c.set_whole(selected, {}, Affine{});
    c.set_whole(p.info, {}, Affine::constant(n));
    c.fill(t, n, n, std::nan(""));
    c.fill(q, n, n, vectors ? std::nan("") : 0);
    values.fill(n, std::nan(""));
    const Scaling scaling = scaling_of(c, a, n);
    c.when(scaling.finite, [&] {
      schur.run(
          a, scaling, [&](const Affine& k, Number x) { values.put(k, x); }, p.info);
      c.loop(0, n, [&](const Affine& i) {
        c.loop(0, n, [&](const Affine& j) { c.put(t, i, j, c.get(h, i, j) * scaling.back); });
      });
      if (vectors) {
        schur.balance.undo(z, false);
        copy(c, z, q, n, n);
      }
      if (!c.is_complex())
        c.when(scaling.back < 1.0, [&] { settle_pairs(c, t, vectors ? &q : nullptr, n, values); });
    });
  };
}

// Results: eigenvalues, vectors from the left and from the right.
Routine make_geev(Code& c, const Problem& sizes) {
  const int64_t n = sizes.operand_sizes[0].first;
  const bool sides[] = {sizes.option("compute_left", 'V') == 'V',
                        sizes.option("compute_right", 'V') == 'V'};
  const bool vectors = sides[0] || sides[1];
  const GeneralSchur schur(c, n, vectors, vectors, true);
  const Eigenvectors solver(c, n);
  return [=, &c](const Problem& p) {
    const EigenvalueRows values{c, p, 0};
    const Matrix* const to[] = {&p.results[values.count()], &p.results[values.count() + 1]};
    for (const int side : {0, 1}) c.fill(*to[side], n, n, sides[side] ? std::nan("") : 0);
    values.fill(n, std::nan(""));
    const Scaling scaling = scaling_of(c, p.operands[0], n);
    // XLA's own code for a matrix that is not finite, which LAPACK is not asked about.
    c.set_whole(p.info, {}, Affine::constant(-4));
    c.when(scaling.finite, [&] {
      schur.run(
          p.operands[0], scaling, [&](const Affine& k, Number x) { values.put(k, x); }, p.info);
      if (!vectors) return;
      c.when(c.equal(c.whole(p.info, 0), {}), [&] {
        for (const int side : {0, 1}) {
          if (!sides[side]) continue;
          solver.run(schur.iteration.h, schur.iteration.z, *to[side], side == 0);
          schur.balance.undo(*to[side], side == 0);
          solver.normalise(*to[side]);
        }
      });
    });
  };
}

}  // namespace hlocc::kernel::lapack
