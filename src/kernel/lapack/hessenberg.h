// Upper Hessenberg form: A = Q H Q^H with H zero below its first subdiagonal, Q of n - 1
// reflectors.
#pragma once
#include "kernel/lapack/code.h"

namespace hlocc::kernel::lapack {

// In place, n x n; vectors below the subdiagonal, factors in the row `tau`.
void reduce_to_hessenberg(Code& c, const Matrix& a, int64_t n, const Matrix& tau);

}  // namespace hlocc::kernel::lapack
