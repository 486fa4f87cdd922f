// Plane rotations and 2x2 problems, as LAPACK computes them (dlartg, dlaev2, dlas2, dlasv2): the
// signs that they choose are the signs of the vectors that callers see.
#pragma once
#include "kernel/lapack/code.h"

namespace hlocc::kernel::lapack {

// [c s; -s c] [f; g] = [r; 0].
struct Rotation {
  Real c, s, r;
};
Rotation make_rotation(Real f, Real g);

// Eigenvalues of [a b; b c], the larger by size first, and its unit vector (cs, sn).
struct Eigen2 {
  Real first, second, cs, sn;
};
Eigen2 eigen_of_symmetric(Real a, Real b, Real c);

// The smaller singular value of [f g; 0 h].
Real smaller_singular_value(Real f, Real g, Real h);
struct Singular2 {
  Real smaller, larger, sin_right, cos_right, sin_left, cos_left;
};
Singular2 singular_values(Real f, Real g, Real h);

// far := c far - s near, near := c near + s far, on rows of `m`: all their columns, or some.
void rotate_rows(Code& c, const Matrix& m, const Affine& near, const Affine& far, int64_t columns,
                 Real cosine, Real sine);
void rotate_rows(Code& c, const Matrix& m, const Affine& near, const Affine& far,
                 const Affine& begin, const Affine& end, Real cosine, Real sine);

}  // namespace hlocc::kernel::lapack
