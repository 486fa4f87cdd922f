// Cholesky, LU, and the solving of triangular and tridiagonal systems.
#include "kernel/lapack/routines.h"

namespace hlocc::kernel::lapack {

void copy(Code& c, const Matrix& from, const Matrix& to, int64_t rows, int64_t columns) {
  c.loop(0, rows, [&](const Affine& i) {
    c.loop(0, columns, [&](const Affine& j) { c.put(to, i, j, c.get(from, i, j)); });
  });
}

void set_identity(Code& c, const Matrix& m, int64_t rows, int64_t columns) {
  const auto value = [&](double x) {
    Number n{c.real(x)};
    if (!m.is_real) n.im = c.real(0);
    return n;
  };
  c.loop(0, rows, [&](const Affine& i) {
    c.loop(0, columns, [&](const Affine& j) { c.put(m, i, j, value(0)); });
  });
  c.loop(0, std::min(rows, columns), [&](const Affine& i) { c.put(m, i, i, value(1)); });
}

Routine make_potrf(Code& c, const Problem&) {
  return [&c](const Problem& p) {
    const int64_t n = p.operand_sizes[0].first;
    copy(c, p.operands[0], p.results[0], n, n);
    // The upper factor is the conjugate transpose of the lower one.
    const bool lower = p.option("uplo", 'L') == 'L';
    const Matrix factor = lower ? p.results[0] : p.results[0].transposed();
    const auto get = [&](const Affine& i, const Affine& j) {
      const Number x = c.get(factor, i, j);
      return lower ? x : conj(x);
    };
    const auto put = [&](const Affine& i, const Affine& j, Number x) {
      c.put(factor, i, j, lower ? x : conj(x));
    };
    c.set_whole(p.info, {}, Affine{});
    c.loop(0, n, [&](const Affine& j) {
      c.when(c.equal(c.whole(p.info, 0), {}), [&] {
        const Real pivot =
            c.sum(Affine{}, j, get(j, j).re, [&](const Affine& k) { return -norm(get(j, k)); });
        c.when(
            pivot > 0.0,
            [&] {
              const Real root = sqrt(pivot);
              put(j, j, c.of_real(root));
              c.loop(j.plus(1), Affine::constant(n), [&](const Affine& i) {
                const Number x = c.sum(Affine{}, j, get(i, j), [&](const Affine& k) {
                  return -(get(i, k) * conj(get(j, k)));
                });
                put(i, j, x * (1.0 / root));
              });
            },
            [&] {
              put(j, j, c.of_real(pivot));
              c.set_whole(p.info, {}, j.plus(1));
            });
      });
    });
  };
}

Routine make_trsm(Code& c, const Problem&) {
  return [&c](const Problem& p) {
    const bool left = p.option("side", 'L') == 'L', lower = p.option("uplo", 'L') == 'L',
               unit = p.option("diag", 'N') == 'U';
    const char how = p.option("trans_x", 'N');
    // X op(A) = B is op(A)^T X^T = B^T.
    const bool swap = (how != 'N') == left;
    const Matrix a = swap ? p.operands[0].transposed() : p.operands[0];
    const Matrix right = left ? p.operands[1] : p.operands[1].transposed();
    const Matrix x = left ? p.results[0] : p.results[0].transposed();
    const auto [rows, columns] = p.operand_sizes[1];
    const int64_t n = left ? rows : columns, systems = left ? columns : rows;
    const auto get = [&](const Affine& i, const Affine& j) {
      const Number v = c.get(a, i, j);
      return how == 'C' ? conj(v) : v;
    };
    const bool forward = lower != swap;
    const auto row_of = [&](const Affine& step) {
      return forward ? step : step.times(-1).plus(n - 1);
    };
    c.loop(0, systems, [&](const Affine& s) {
      c.loop(0, n, [&](const Affine& step) {
        const Affine row = row_of(step);
        Number v = c.sum(Affine{}, step, c.get(right, row, s), [&](const Affine& k) {
          return -(get(row, row_of(k)) * c.get(x, row_of(k), s));
        });
        if (!unit) v = v / get(row, row);
        c.put(x, row, s, v);
      });
    });
  };
}

Routine make_getrf(Code& c, const Problem&) {
  const Row best = c.scratch_row("best", 1);
  const Row at = c.scratch_wholes("pivot", 1);
  return [&c, best, at](const Problem& p) {
    const auto [m, n] = p.operand_sizes[0];
    const Matrix a = p.results[0];
    const Row pivots{p.results[1].buffer, p.results[1].base};
    copy(c, p.operands[0], a, m, n);
    c.set_whole(p.info, {}, Affine{});
    const auto size = [&](const Affine& i, const Affine& j) {
      const Number x = c.get(a, i, j);
      return x.is_complex() ? abs(x.re) + abs(x.im) : abs(x.re);
    };
    c.loop(0, std::min(m, n), [&](const Affine& j) {
      c.set(best, {}, size(j, j));
      c.set_whole(at, {}, j);
      c.loop(j.plus(1), Affine::constant(m), [&](const Affine& i) {
        c.when(size(i, j) > c.get(best, {}), [&] {
          c.set(best, {}, size(i, j));
          c.set_whole(at, {}, i);
        });
      });
      const Affine pivot = c.whole(at, 0);
      c.set_whole(pivots, j, pivot.plus(1));
      c.when(
          c.get(best, {}) == 0.0,
          [&] {
            c.when(c.equal(c.whole(p.info, 0), {}), [&] { c.set_whole(p.info, {}, j.plus(1)); });
          },
          [&] {
            c.swap_rows(a, j, pivot, n);
            c.loop(j.plus(1), Affine::constant(m), [&](const Affine& i) {
              const Number factor = c.get(a, i, j) / c.get(a, j, j);
              c.put(a, i, j, factor);
              c.loop(j.plus(1), Affine::constant(n), [&](const Affine& k) {
                c.put(a, i, k, c.get(a, i, k) - factor * c.get(a, j, k));
              });
            });
          });
    });
  };
}

// x of the three upper diagonals that the elimination leaves, from the last unknown to the first.
void substitute_back(Code& c, const Problem& p, int64_t n, int64_t systems) {
  const Matrix &low = p.results[0], &d = p.results[1], &up = p.results[2], &x = p.results[3];
  const auto at = [&](const Matrix& m, const Affine& i) { return c.get(m, Affine{}, i); };
  c.loop(0, systems, [&](const Affine& s) {
    c.loop_down(Affine{}, Affine::constant(n), [&](const Affine& i) {
      c.put(x, i, s, c.get(x, i, s) / at(d, i));
      // What this unknown contributes to the two rows above.
      c.when(c.less({}, i), [&] {
        const Affine above = i.plus(-1);
        c.put(x, above, s, c.get(x, above, s) - at(up, above) * c.get(x, i, s));
      });
      c.when(c.less(Affine::constant(1), i), [&] {
        const Affine above = i.plus(-2);
        c.put(x, above, s, c.get(x, above, s) - at(low, i.plus(-1)) * c.get(x, i, s));
      });
    });
  });
}

// Operands and results: the diagonals below (its first entry idle), on and above (its last entry
// idle) the main one, and the right sides. The diagonals come back as LAPACK leaves them.
Routine make_gtsv(Code& c, const Problem&) {
  return [&c](const Problem& p) {
    const auto [n, systems] = p.operand_sizes[3];
    for (int k = 0; k < 3; ++k) copy(c, p.operands[k], p.results[k], 1, n);
    copy(c, p.operands[3], p.results[3], n, systems);
    const Matrix &low = p.results[0], &d = p.results[1], &up = p.results[2], &x = p.results[3];
    const Affine zero;
    const auto at = [&](const Matrix& m, const Affine& i) { return c.get(m, zero, i); };
    const auto size = [](Number v) { return v.is_complex() ? abs(v.re) + abs(v.im) : abs(v.re); };
    c.set_whole(p.info, {}, Affine{});
    const auto fail_at = [&](const Affine& i) {
      c.when(c.equal(c.whole(p.info, 0), {}), [&] { c.set_whole(p.info, {}, i.plus(1)); });
    };
    c.loop(0, n - 1, [&](const Affine& i) {
      const Affine next = i.plus(1);
      const Number l = at(low, next), pivot = at(d, i), u = at(up, i), below = at(d, next);
      c.when(
          size(pivot) >= size(l),
          [&] {
            c.when(
                size(pivot) == 0.0, [&] { fail_at(i); },
                [&] {
                  const Number f = l / pivot;
                  c.put(d, zero, next, below - f * u);
                  c.loop(0, systems, [&](const Affine& s) {
                    c.put(x, next, s, c.get(x, next, s) - f * c.get(x, i, s));
                  });
                });
            // The second superdiagonal, which only exchanged rows fill.
            c.put(low, zero, next, c.constant(0));
          },
          [&] {
            const Number f = pivot / l;
            c.put(d, zero, i, l);
            c.put(d, zero, next, u - f * below);
            const Number beyond = at(up, next);
            c.put(low, zero, next, beyond);
            c.put(up, zero, next, -(f * beyond));
            c.put(up, zero, i, below);
            c.loop(0, systems, [&](const Affine& s) {
              const Number top = c.get(x, i, s), bottom = c.get(x, next, s);
              c.put(x, i, s, bottom);
              c.put(x, next, s, top - f * bottom);
            });
          });
    });
    const Affine last = Affine::constant(n - 1);
    c.when(size(at(d, last)) == 0.0, [&] { fail_at(last); });
    substitute_back(c, p, n, systems);
  };
}

}  // namespace hlocc::kernel::lapack
