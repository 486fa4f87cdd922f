// Singular values and vectors: a QR factorisation first where the matrix is tall, then reduction to
// a bidiagonal matrix by reflectors on both sides (dgebd2), then that matrix's own decomposition. A
// wide matrix is treated as its adjoint.
#include "kernel/lapack/reflectors.h"
#include "kernel/lapack/routines.h"
#include "kernel/lapack/singular.h"

namespace hlocc::kernel::lapack {
namespace {

Number conj_if(bool flip, Number x) { return flip ? conj(x) : x; }

// S = Q B P^H in place; reflectors of Q below the diagonal, those of P right of the coupling. B
// goes into d and e.
void bidiagonalize(Code& c, const Matrix& s, int64_t rows, int64_t n, const Matrix& tau_left,
                   const Matrix& tau_right, Row d, Row e) {
  // Reflectors on rows are found on the conjugate, and kept so.
  const Matrix flipped = s.transposed();
  c.loop(0, n, [&](const Affine& i) {
    const Number left = make_reflector(c, s, rows, i, i);
    c.put(tau_left, {}, i, left);
    c.set(d, i, c.get(s, i, i).re);
    apply_reflector(c, s, rows, i, i, conj(left), s, i.plus(1), n);
    c.when(c.less(i, Affine::constant(n - 1)), [&] {
      const Affine next = i.plus(1);
      if (c.is_complex())
        c.loop(next, Affine::constant(n),
               [&](const Affine& k) { c.put(s, i, k, conj(c.get(s, i, k))); });
      const Number right = make_reflector(c, flipped, n, next, i);
      c.put(tau_right, {}, i, right);
      c.set(e, i, c.get(s, i, next).re);
      const auto u = [&](const Affine& k) { return c.get(s, i, k); };
      apply_from_right(c, u, next, n, right, s, next, rows);
    });
  });
}

// The size from which on LAPACK factors a tall matrix first, by routine and type.
int64_t tall_from(const Code& c, bool divide_and_conquer, int64_t n) {
  if (!divide_and_conquer) return static_cast<int64_t>(static_cast<float>(n) * 1.6f);
  return c.is_complex() ? n * 17 / 9 : n * 11 / 6;
}

struct Svd {
  Code& c;
  int64_t rows, n;  // of the tall side
  bool wide, factors;
  Matrix tall, square, tau_first, tau_left, tau_right, vectors;
  BidiagonalSvd inner;

  Svd(Code& c, int64_t m, int64_t k, int64_t columns, bool with_vectors, bool divide_and_conquer)
      : c(c),
        rows(std::max(m, k)),
        n(std::min(m, k)),
        wide(m < k),
        factors(rows >= tall_from(c, divide_and_conquer, n)),
        tall(c.scratch_matrix("tall", rows, n)),
        square(factors ? c.scratch_matrix("square", n, n) : tall),
        tau_first(c.scratch_matrix("tau_first", 1, n)),
        tau_left(c.scratch_matrix("tau_left", 1, n)),
        tau_right(c.scratch_matrix("tau_right", 1, n)),
        vectors(c.scratch_matrix("vectors", with_vectors ? rows : 1, columns)),
        inner(c, n, with_vectors) {}

  // The bidiagonal matrix of a wide one that was not factored is the transpose of its adjoint's.
  bool flipped() const { return wide && !factors; }

  void reduce(const Matrix& a) const {
    c.loop(0, rows, [&](const Affine& i) {
      c.loop(0, n, [&](const Affine& j) {
        c.put(tall, i, j, wide ? conj(c.get(a, j, i)) : c.get(a, i, j));
      });
    });
    if (factors) {
      factor_qr(c, tall, rows, n, tau_first);
      c.loop(0, n, [&](const Affine& i) {
        c.loop(0, n, [&](const Affine& j) {
          const Number x = wide ? conj(c.get(tall, j, i)) : c.get(tall, i, j);
          const Flag zero = wide ? c.less(i, j) : c.less(j, i);
          c.put(square, i, j, select(zero, c.constant(0), x));
        });
      });
    }
    bidiagonalize(c, square, factors ? n : rows, n, tau_left, tau_right, inner.d, inner.e);
  }

  // The first `columns` columns of the vectors of one side go to `to`, which holds U, or the
  // adjoint of V.
  void expand(bool left_of_result, const Matrix& to, int64_t size, int64_t columns) const {
    // Which side of the square, and of the tall matrix, that is.
    const bool left_of_square = flipped() ? !left_of_result : left_of_result;
    const bool long_side = left_of_result != wide;
    const Matrix& from = left_of_result ? inner.left : inner.right;
    set_identity(c, vectors, size, columns);
    c.loop(0, n, [&](const Affine& i) {
      c.loop(0, n, [&](const Affine& j) {
        const Real x = c.get(from, j, i).re;
        c.put(vectors, i, j, c.of_real(x));
      });
    });
    if (left_of_square)
      multiply_by_reflectors(c, square, factors ? n : rows, n, 0, tau_left, false, vectors,
                             columns);
    else if (n > 1)
      multiply_by_reflectors(c, square.transposed(), n, n - 1, 1, tau_right, false, vectors,
                             columns);
    if (factors && long_side)
      multiply_by_reflectors(c, tall, rows, n, 0, tau_first, false, vectors, columns);
    c.loop(0, size, [&](const Affine& i) {
      c.loop(0, columns, [&](const Affine& j) {
        const Number x = c.get(vectors, i, j);
        if (left_of_result)
          c.put(to, i, j, x);
        else
          c.put(to, j, i, conj_if(true, x));
      });
    });
  }
};

// Results: LAPACK's workspace in the operand's place, values, U, the adjoint of V.
Routine make_svd(Code& c, const Problem& sizes, bool divide_and_conquer) {
  const auto [m, k] = sizes.operand_sizes[0];
  const char mode = sizes.option("mode", 'S');
  const int64_t columns = std::max(sizes.result_sizes[2].second, sizes.result_sizes[3].first);
  const Svd svd(c, m, k, columns, mode != 'N', divide_and_conquer);
  return [=, &c, m = m, k = k](const Problem& p) {
    copy(c, p.operands[0], p.results[0], m, k);
    svd.reduce(p.operands[0]);
    svd.inner.run(svd.flipped(), p.info);
    c.loop(0, svd.n, [&](const Affine& i) {
      c.set({p.results[1].buffer, p.results[1].base}, i, c.get(svd.inner.d, i));
    });
    if (mode == 'N') {
      for (const int side : {2, 3})
        set_identity(c, p.results[side], p.result_sizes[side].first, p.result_sizes[side].second);
      return;
    }
    svd.expand(true, p.results[2], m, p.result_sizes[2].second);
    svd.expand(false, p.results[3], k, p.result_sizes[3].first);
  };
}

}  // namespace

Routine make_gesdd(Code& c, const Problem& sizes) { return make_svd(c, sizes, true); }
Routine make_gesvd(Code& c, const Problem& sizes) { return make_svd(c, sizes, false); }

}  // namespace hlocc::kernel::lapack
