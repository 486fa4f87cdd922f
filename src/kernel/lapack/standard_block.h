// The Schur form of a real 2x2 matrix (dlanv2): triangular, or with equal diagonal elements and
// off-diagonal ones of unlike signs, which hold a complex pair.
#pragma once
#include "kernel/lapack/code.h"

namespace hlocc::kernel::lapack {

// [cs sn; -sn cs] [a b; c d] [cs -sn; sn cs] of the matrix given; eigenvalues a + i imaginary and
// d - i imaginary.
struct StandardBlock {
  Real a, b, c, d, cs, sn, imaginary;
};
StandardBlock standardise(Real a, Real b, Real c, Real d);

}  // namespace hlocc::kernel::lapack
