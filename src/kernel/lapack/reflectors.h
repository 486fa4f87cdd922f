// Householder reflectors H = I - tau v v^H, v beginning with 1.
#pragma once
#include "kernel/lapack/code.h"

namespace hlocc::kernel::lapack {

// The vector [m(row, column), m(row + 1, column), ...] of `m`, which has `rows` rows, becomes
// [beta, v_1, v_2, ...] with H^H x = beta e_0, beta real. Gives tau.
Number make_reflector(Code& c, const Matrix& m, int64_t rows, const Affine& row,
                      const Affine& column);
// The same, whose sums of squares neither overflow nor lose small numbers: the vector is measured
// by its largest element first, as dlarfg does with dnrm2.
Number make_scaled_reflector(Code& c, const Matrix& m, int64_t rows, const Affine& row,
                             const Affine& column);
// to := to - factor * v v^H to, for the rows from `row` and the columns [first, columns) of `to`;
// v is 1 and what lies below (row, column) in `m`.
void apply_reflector(Code& c, const Matrix& m, int64_t rows, const Affine& row,
                     const Affine& column, Number factor, const Matrix& to, const Affine& first,
                     int64_t columns);
// to := to - to u u^H * factor, for the rows from `row` to `rows`; u is 1 at `first`, then u(k) up
// to `columns`.
void apply_from_right(Code& c, const std::function<Number(const Affine&)>& u, const Affine& first,
                      int64_t columns, Number factor, const Matrix& to, const Affine& row,
                      int64_t rows);
// to := H_0 H_1 ... H_{count-1} to, or its adjoint's product, with vectors in the columns of `m`
// that begin `below` rows under the diagonal.
void multiply_by_reflectors(Code& c, const Matrix& m, int64_t rows, int64_t count, int64_t below,
                            const Matrix& tau, bool adjoint, const Matrix& to, int64_t columns);
// QR in place: R above, vectors below the diagonal.
void factor_qr(Code& c, const Matrix& m, int64_t rows, int64_t columns, const Matrix& tau);

}  // namespace hlocc::kernel::lapack
