// The routines, each as the body of a kernel for one problem of the batch. Matrices and rows of the
// call are bound already; `info` is the problem's error code, 0 if all went well.
#pragma once
#include "kernel/lapack/code.h"

namespace hlocc::kernel::lapack {

// One problem of a call: its operands and results at the place in the batch.
struct Problem {
  std::vector<Matrix> operands, results;                                 // results without info
  std::vector<std::pair<int64_t, int64_t>> operand_sizes, result_sizes;  // rows, columns
  Row info;
  // An option by name, a letter; `otherwise` where the call does not say.
  std::function<char(std::string_view, char)> option;
};

// Scratch that must be declared before the batch's loop opens is made by the first call.
using Routine = std::function<void(const Problem&)>;
using MakeRoutine = Routine (*)(Code& c, const Problem& sizes);

Routine make_potrf(Code& c, const Problem& sizes);  // Cholesky
Routine make_trsm(Code& c, const Problem& sizes);   // triangular systems
Routine make_getrf(Code& c, const Problem& sizes);  // LU with row pivots
Routine make_gtsv(Code& c, const Problem& sizes);   // tridiagonal systems
Routine make_geqrf(Code& c, const Problem& sizes);  // QR, as reflectors
Routine make_orgqr(Code& c, const Problem& sizes);  // Q of reflectors
Routine make_ormqr(Code& c, const Problem& sizes);  // Q of reflectors times a matrix
Routine make_syevd(Code& c, const Problem& sizes);  // eigenvalues and -vectors, Hermitian
Routine make_sytrd(Code& c, const Problem& sizes);  // Hermitian to tridiagonal
Routine make_gehrd(Code& c, const Problem& sizes);  // to Hessenberg
Routine make_gesdd(Code& c, const Problem& sizes);  // singular values and vectors
Routine make_gesvd(Code& c, const Problem& sizes);  // the same, by LAPACK's other driver
Routine make_geqp3(Code& c, const Problem& sizes);  // QR with column pivots, as reflectors
Routine make_gees(Code& c, const Problem& sizes);   // Schur form and vectors
Routine make_geev(Code& c, const Problem& sizes);   // eigenvalues and -vectors

void copy(Code& c, const Matrix& from, const Matrix& to, int64_t rows, int64_t columns);
void set_identity(Code& c, const Matrix& m, int64_t rows, int64_t columns);
// The n x n matrix counted from its far corner.
Matrix reversed(Matrix m, int64_t n);

}  // namespace hlocc::kernel::lapack
