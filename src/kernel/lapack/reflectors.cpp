// QR by Householder reflectors, and products with the unitary matrix that they make.
#include "kernel/lapack/reflectors.h"

#include "kernel/lapack/routines.h"

namespace hlocc::kernel::lapack {

Number make_reflector(Code& c, const Matrix& m, int64_t rows, const Affine& row,
                      const Affine& column) {
  const Number alpha = c.get(m, row, column);
  const Real rest = c.sum(row.plus(1), Affine::constant(rows), c.real(0),
                          [&](const Affine& k) { return norm(c.get(m, k, column)); });
  const Flag trivial = alpha.is_complex() ? rest == 0.0 && alpha.im == 0.0 : rest == 0.0;
  const Real beta = -sign(sqrt(norm(alpha) + rest), alpha.re);
  Number tau{select(trivial, c.real(0), (beta - alpha.re) / beta)};
  if (alpha.is_complex()) tau.im = select(trivial, c.real(0), -alpha.im / beta);
  c.when(
      trivial, [] {},
      [&] {
        const Number scale = c.constant(1) / (alpha - c.of_real(beta));
        c.loop(row.plus(1), Affine::constant(rows),
               [&](const Affine& k) { c.put(m, k, column, c.get(m, k, column) * scale); });
        c.put(m, row, column, c.of_real(beta));
      });
  return tau;
}

Number make_scaled_reflector(Code& c, const Matrix& m, int64_t rows, const Affine& row,
                             const Affine& column) {
  const Affine next = row.plus(1), end = Affine::constant(rows);
  const Number alpha = c.get(m, row, column);
  const auto part = [&](const Affine& k) { return c.get(m, k, column); };
  const Real rest =
      c.largest(next, end, c.real(0), [&](const Affine& k) { return widest(part(k)); });
  const Flag trivial = alpha.is_complex() ? rest == 0.0 && alpha.im == 0.0 : rest == 0.0;
  const Real largest = max(max(rest, widest(alpha)), c.real(c.limits().tiny));
  const Real down = 1.0 / largest;
  const Number first = alpha * down;
  const Real square =
      c.sum(next, end, norm(first), [&](const Affine& k) { return norm(part(k) * down); });
  const Real beta = -sign(sqrt(square), first.re);
  Number tau{select(trivial, c.real(0), (beta - first.re) / beta)};
  if (alpha.is_complex()) tau.im = select(trivial, c.real(0), -first.im / beta);
  c.when(!trivial, [&] {
    const Number scale = c.constant(1) / (first - c.of_real(beta));
    c.loop(next, end, [&](const Affine& k) { c.put(m, k, column, part(k) * down * scale); });
    c.put(m, row, column, c.of_real(beta * largest));
  });
  return tau;
}

void apply_reflector(Code& c, const Matrix& m, int64_t rows, const Affine& row,
                     const Affine& column, Number factor, const Matrix& to, const Affine& first,
                     int64_t columns) {
  c.loop(first, Affine::constant(columns), [&](const Affine& j) {
    const Number product =
        c.sum(row.plus(1), Affine::constant(rows), c.get(to, row, j),
              [&](const Affine& k) { return conj(c.get(m, k, column)) * c.get(to, k, j); }) *
        factor;
    c.put(to, row, j, c.get(to, row, j) - product);
    c.loop(row.plus(1), Affine::constant(rows), [&](const Affine& k) {
      c.put(to, k, j, c.get(to, k, j) - c.get(m, k, column) * product);
    });
  });
}

void apply_from_right(Code& c, const std::function<Number(const Affine&)>& u, const Affine& first,
                      int64_t columns, Number factor, const Matrix& to, const Affine& row,
                      int64_t rows) {
  const Affine next = first.plus(1), end = Affine::constant(columns);
  c.loop(row, Affine::constant(rows), [&](const Affine& r) {
    const Number product = c.sum(next, end, c.get(to, r, first), [&](const Affine& k) {
      return c.get(to, r, k) * u(k);
    }) * factor;
    c.put(to, r, first, c.get(to, r, first) - product);
    c.loop(next, end,
           [&](const Affine& k) { c.put(to, r, k, c.get(to, r, k) - product * conj(u(k))); });
  });
}

void multiply_by_reflectors(Code& c, const Matrix& m, int64_t rows, int64_t count, int64_t below,
                            const Matrix& tau, bool adjoint, const Matrix& to, int64_t columns) {
  const auto apply = [&](const Affine& i) {
    const Number factor = c.get(tau, {}, i);
    apply_reflector(c, m, rows, i.plus(below), i, adjoint ? conj(factor) : factor, to, {}, columns);
  };
  if (adjoint)
    c.loop(0, count, apply);
  else
    c.loop_down(Affine{}, Affine::constant(count), apply);
}

void factor_qr(Code& c, const Matrix& m, int64_t rows, int64_t columns, const Matrix& tau) {
  c.loop(0, std::min(rows, columns), [&](const Affine& i) {
    const Number factor = make_reflector(c, m, rows, i, i);
    c.put(tau, {}, i, factor);
    apply_reflector(c, m, rows, i, i, conj(factor), m, i.plus(1), columns);
  });
}

Routine make_geqrf(Code& c, const Problem&) {
  return [&c](const Problem& p) {
    const auto [rows, columns] = p.operand_sizes[0];
    copy(c, p.operands[0], p.results[0], rows, columns);
    factor_qr(c, p.results[0], rows, columns, p.results[1]);
    c.set_whole(p.info, {}, Affine{});
  };
}

Routine make_orgqr(Code& c, const Problem&) {
  return [&c](const Problem& p) {
    const auto [rows, columns] = p.operand_sizes[0];
    const Matrix &vectors = p.operands[0], &q = p.results[0];
    set_identity(c, q, rows, columns);
    // Columns before its own are unit vectors that a reflector leaves alone.
    c.loop_down(Affine{}, Affine::constant(p.operand_sizes[1].second), [&](const Affine& i) {
      apply_reflector(c, vectors, rows, i, i, c.get(p.operands[1], {}, i), q, i, columns);
    });
    c.set_whole(p.info, {}, Affine{});
  };
}

Routine make_ormqr(Code& c, const Problem&) {
  return [&c](const Problem& p) {
    const auto [rows, columns] = p.operand_sizes[2];
    const int64_t count = p.operand_sizes[1].second;
    copy(c, p.operands[2], p.results[0], rows, columns);
    const bool left = p.option("left", 'T') == 'T', adjoint = p.option("transpose", 'F') == 'T';
    if (left) {
      multiply_by_reflectors(c, p.operands[0], rows, count, 0, p.operands[1], adjoint, p.results[0],
                             columns);
    } else {
      const auto apply = [&](const Affine& i) {
        const Number tau = c.get(p.operands[1], {}, i), factor = adjoint ? conj(tau) : tau;
        apply_from_right(
            c, [&](const Affine& k) { return c.get(p.operands[0], k, i); }, i, columns, factor,
            p.results[0], Affine{}, rows);
      };
      if (adjoint)
        c.loop_down(Affine{}, Affine::constant(count), apply);
      else
        c.loop(0, count, apply);
    }
    c.set_whole(p.info, {}, Affine{});
  };
}

}  // namespace hlocc::kernel::lapack
