// Eigenvalues and -vectors of Hermitian matrices: reduction to a tridiagonal matrix by reflectors,
// then implicit QL or QR steps (dsytd2, dsteqr), values in rising order.
#include "kernel/lapack/reflectors.h"
#include "kernel/lapack/rotations.h"
#include "kernel/lapack/routines.h"

namespace hlocc::kernel::lapack {
namespace {

// A = Q T Q^H from the lower triangle of `a`, which keeps the reflectors; T in d and e.
void reduce(Code& c, const Matrix& a, int64_t n, const Matrix& tau, const Matrix& work, Row d,
            Row e) {
  c.loop(0, n - 1, [&](const Affine& i) {
    const Affine next = i.plus(1), end = Affine::constant(n);
    const Number factor = make_reflector(c, a, n, next, i);
    c.put(tau, {}, i, factor);
    c.set(e, i, c.get(a, next, i).re);
    const auto v = [&](const Affine& k) {
      return select(c.equal(k, next), c.constant(1), c.get(a, k, i));
    };
    // The trailing part, of which the lower triangle is kept.
    const auto trailing = [&](const Affine& r, const Affine& k) {
      const Flag below = c.less(k, r);
      const Number x = c.get(a, c.index_of(below, r, k), c.index_of(below, k, r));
      return select(below, x, conj(x));
    };
    c.loop(next, end, [&](const Affine& r) {
      c.put(work, {}, r, factor * c.sum(next, end, c.constant(0), [&](const Affine& k) {
        // A diagonal is real, whatever its place holds.
        Number x = trailing(r, k);
        if (x.is_complex()) x.im = select(c.equal(r, k), c.real(0), x.im);
        return x * v(k);
      }));
    });
    const Number half = (factor * c.real(-0.5)) *
                        c.sum(next, end, c.constant(0),
                              [&](const Affine& k) { return conj(c.get(work, {}, k)) * v(k); });
    c.loop(next, end,
           [&](const Affine& r) { c.put(work, {}, r, c.get(work, {}, r) + half * v(r)); });
    c.loop(next, end, [&](const Affine& r) {
      c.loop(next, r.plus(1), [&](const Affine& k) {
        c.put(a, r, k,
              c.get(a, r, k) - v(r) * conj(c.get(work, {}, k)) - c.get(work, {}, r) * conj(v(k)));
      });
    });
  });
  c.loop(0, n, [&](const Affine& i) { c.set(d, i, c.get(a, i, i).re); });
}

// The iteration. Whole numbers that it changes: the block [first, last] that is worked on, in the
// direction of the work, which is from the end that is smaller.
struct Iteration {
  Code& c;
  int64_t n;
  Row d, e, cells, wholes;
  Matrix vectors;  // rows are vectors; unused without
  bool with_vectors;

  enum WholeCell { kStart, kL, kEnd, kM, kWay, kIterations, kStuck, kCount };
  enum RealCell { kS, kC, kP, kG, kReals };
  Affine w(WholeCell cell) const { return c.whole(wholes, cell); }
  void set(WholeCell cell, const Affine& x) const {
    c.set_whole(wholes, Affine::constant(cell), x);
  }
  Real r(RealCell cell) const { return c.get(cells, Affine::constant(cell)); }
  void set(RealCell cell, Real x) const { c.set(cells, Affine::constant(cell), x); }
  Real d_at(const Affine& i) const { return c.get(d, i); }
  // What couples i and i + way.
  Affine coupling(const Affine& i) const {
    return i.plus(c.index_of(c.less(w(kWay), {}), Affine::constant(-1), {}));
  }
  Real e_at(const Affine& i) const { return c.get(e, coupling(i)); }
  void set_e(const Affine& i, Real x) const { c.set(e, coupling(i), x); }
  Affine ahead(const Affine& i) const { return i.plus(w(kWay)); }

  void rotate(const Affine& near, const Affine& far, Real cosine, Real sine) const {
    if (with_vectors) rotate_rows(c, vectors, near, far, n, cosine, sine);
  }

  // Finds the next block from kStart that falls apart no further.
  void find_block() const {
    set(kL, w(kStart));
    set(kM, w(kStart));
    set(kStuck, {});
    c.repeat_while([&] { return c.equal(w(kStuck), {}) && c.less(w(kM), Affine::constant(n - 1)); },
                   [&] {
                     const Affine m = w(kM);
                     const Real size = abs(c.get(e, m));
                     const Real limit =
                         sqrt(abs(d_at(m))) * sqrt(abs(d_at(m.plus(1)))) * c.limits().eps;
                     c.when(
                         size <= limit,
                         [&] {
                           c.set(e, m, c.real(0));
                           set(kStuck, Affine::constant(1));
                         },
                         [&] { set(kM, m.plus(1)); });
                   });
    set(kEnd, w(kM));
    set(kStart, w(kM).plus(1));
    set(kWay, Affine::constant(1));
    c.when(abs(d_at(w(kEnd))) < abs(d_at(w(kL))), [&] {
      const Affine l = w(kL);
      set(kL, w(kEnd));
      set(kEnd, l);
      set(kWay, Affine::constant(-1));
    });
  }

  // kM := the first place from kL on where nothing couples it to the next.
  void find_gap() const {
    set(kM, w(kL));
    set(kStuck, {});
    c.repeat_while([&] { return c.equal(w(kStuck), {}) && !c.equal(w(kM), w(kEnd)); },
                   [&] {
                     const Affine m = w(kM);
                     const Real x = e_at(m), eps = c.real(c.limits().eps);
                     const Real limit =
                         (eps * eps * abs(d_at(m))) * abs(d_at(ahead(m))) + c.limits().tiny;
                     c.when(
                         x * x <= limit,
                         [&] {
                           set_e(m, c.real(0));
                           set(kStuck, Affine::constant(1));
                         },
                         [&] { set(kM, ahead(m)); });
                   });
  }

  void solve_pair() const {
    const Affine l = w(kL), m = w(kM);
    const Flag down = c.less(m, l);
    const Affine low = c.index_of(down, m, l), high = low.plus(1);
    const Eigen2 pair = eigen_of_symmetric(d_at(low), c.get(e, low), d_at(high));
    rotate(low, high, pair.cs, pair.sn);
    c.set(d, low, pair.first);
    c.set(d, high, pair.second);
    c.set(e, low, c.real(0));
    set(kL, ahead(m));
  }

  void step() const {
    const Affine l = w(kL), m = w(kM);
    const Real p = d_at(l), x = e_at(l);
    const Real g = (d_at(ahead(l)) - p) / (2.0 * x), r0 = sqrt(g * g + 1.0);
    set(kG, d_at(m) - p + x / (g + sign(r0, g)));
    set(kS, c.real(1));
    set(kC, c.real(1));
    set(kP, c.real(0));
    // From m back to l.
    const Affine way = w(kWay), iterations = c.product(way, m.plus(l.times(-1)));
    c.loop(Affine{}, iterations, [&](const Affine& k) {
      const Affine far = m.plus(c.product(way, k).times(-1)), near = far.plus(way.times(-1));
      const Real f = r(kS) * e_at(near), b = r(kC) * e_at(near);
      const Rotation turn = make_rotation(r(kG), f);
      c.when(
          c.equal(k, {}), [] {}, [&] { set_e(far, turn.r); });
      const Real base = d_at(far) - r(kP);
      const Real q = (d_at(near) - base) * turn.s + 2.0 * turn.c * b;
      const Real next_p = turn.s * q;
      c.set(d, far, base + next_p);
      set(kP, next_p);
      set(kG, turn.c * q - b);
      set(kS, turn.s);
      set(kC, turn.c);
      rotate(near, far, turn.c, -turn.s);
    });
    c.set(d, l, d_at(l) - r(kP));
    set_e(l, r(kG));
  }

  // Works on a block until all of it is found.
  void finish_block() const {
    const auto inside = [&] {
      const Affine way = w(kWay);
      return !c.less(c.product(way, w(kEnd).plus(w(kL).times(-1))), {}) &&
             c.less(w(kIterations), Affine::constant(30 * n));
    };
    c.repeat_while(inside, [&] {
      find_gap();
      const Affine l = w(kL), m = w(kM);
      c.when(
          c.equal(l, m), [&] { set(kL, ahead(l)); },
          [&] {
            c.when(
                c.equal(ahead(l), m), [&] { solve_pair(); },
                [&] {
                  set(kIterations, w(kIterations).plus(1));
                  step();
                });
          });
    });
  }

  void sort() const {
    c.loop(0, n - 1, [&](const Affine& i) {
      set(kM, i);
      c.loop(i.plus(1), Affine::constant(n),
             [&](const Affine& k) { c.when(d_at(k) < d_at(w(kM)), [&] { set(kM, k); }); });
      const Affine best = w(kM);
      c.when(
          c.equal(best, i), [] {},
          [&] {
            c.swap(d, i, best);
            if (with_vectors) c.swap_rows(vectors, i, best, n);
          });
    });
  }

  void run(Row info) const {
    c.set_whole(info, {}, Affine{});
    set(kStart, {});
    set(kIterations, {});
    c.repeat_while([&] { return c.less(w(kStart), Affine::constant(n)); },
                   [&] {
                     find_block();
                     finish_block();
                   });
    c.when(
        c.less(w(kIterations), Affine::constant(30 * n)), [] {},
        [&] { c.set_whole(info, {}, Affine::constant(1)); });
    c.expect_finite(d, n, info);
    sort();
  }
};

void reverse(Code& c, const Row& row, int64_t count) {
  c.loop(0, count / 2, [&](const Affine& i) { c.swap(row, i, i.times(-1).plus(count - 1)); });
}

}  // namespace

Matrix reversed(Matrix m, int64_t n) {
  m.base = m.base.plus((n - 1) * (m.down + m.along));
  m.down = -m.down;
  m.along = -m.along;
  return m;
}

// Results: the reflectors, diagonal, couplings, factors.
Routine make_sytrd(Code& c, const Problem& sizes) {
  const int64_t n = sizes.operand_sizes[0].first;
  const Matrix work = c.scratch_matrix("work", 1, n);
  return [=, &c](const Problem& p) {
    const bool lower = p.option("uplo", 'L') == 'L';
    const Matrix a = lower ? p.results[0] : reversed(p.results[0], n);
    Matrix tau = p.results[3];
    const Row d{p.results[1].buffer, p.results[1].base}, e{p.results[2].buffer, p.results[2].base};
    copy(c, p.operands[0], p.results[0], n, n);
    if (!lower) {
      tau.base = tau.base.plus(n - 2);
      tau.along = -1;
    }
    reduce(c, a, n, tau, work, d, e);
    if (!lower) {
      reverse(c, d, n);
      reverse(c, e, n - 1);
    }
    c.set_whole(p.info, {}, Affine{});
  };
}

Routine make_syevd(Code& c, const Problem& sizes) {
  const int64_t n = sizes.operand_sizes[0].first;
  const Matrix a = c.scratch_matrix("reduced", n, n), tau = c.scratch_matrix("tau", 1, n),
               work = c.scratch_matrix("work", 1, n);
  const Row e = c.scratch_row("coupling", n), cells = c.scratch_row("cells", Iteration::kReals),
            wholes = c.scratch_wholes("places", Iteration::kCount);
  return [=, &c](const Problem& p) {
    const bool lower = p.option("uplo", 'L') == 'L', vectors = p.option("mode", 'V') == 'V';
    // From the far corner an upper triangle is a lower one, and its reduction the same.
    const auto seen = [&](const Matrix& m) { return lower ? m : reversed(m, n); };
    copy(c, seen(p.operands[0]), a, n, n);
    const Row d{p.results[1].buffer, p.results[1].base};
    reduce(c, a, n, tau, work, d, e);
    if (!lower) {
      reverse(c, d, n);
      reverse(c, e, n - 1);
    }
    if (vectors) {
      set_identity(c, p.results[0], n, n);
      multiply_by_reflectors(c, a, n, n - 1, 1, tau, false, seen(p.results[0]), n);
    } else {
      copy(c, p.operands[0], p.results[0], n, n);
    }
    Iteration{c, n, d, e, cells, wholes, p.results[0].transposed(), vectors}.run(p.info);
  };
}

}  // namespace hlocc::kernel::lapack
