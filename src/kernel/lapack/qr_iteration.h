// The QR algorithm: the Schur form of a Hessenberg matrix by implicitly shifted steps (Francis;
// Golub & Van Loan 7.5), two shifts a step for real matrices (dlahqr), one for complex ones
// (zlahqr).
#pragma once
#include "kernel/lapack/code.h"

namespace hlocc::kernel::lapack {

class QrIteration {
 public:
  // `form`: T itself is wanted, not just its eigenvalues; `vectors`: the unitary matrix, too.
  // Declares its scratch: before any loop opens.
  QrIteration(Code& c, int64_t n, bool form, bool vectors, int64_t iterations_a_row = 30);

  // H, zero below its subdiagonal, becomes T. One row and one column more than the problem has hold
  // zeros: reflectors of three rows may reach over the end.
  Matrix h;
  Matrix z;        // multiplied by the unitary matrix from the right; used with `vectors`
  Row iterations;  // where iterations are counted; not unless it has a buffer

  using PutValue = std::function<void(const Affine& at, Number value)>;
  // Eigenvalues in the order of the diagonal. `info` is 0, or k: those from row k on are found, and
  // others did not converge within LAPACK's bound.
  void run(const PutValue& put, const Row& info) const;

 private:
  enum Place { kFirst, kLast, kStart, kFound, kIterations, kPhase, kPlaces };
  enum Cell { kV1, kV2, kV3, kCells };
  struct Shifts {
    Real re1, re2, im;  // re1 + i im, re2 - i im
  };
  Affine place(Place at) const { return c.whole(places, at); }
  void set(Place at, const Affine& x) const { c.set_whole(places, Affine::constant(at), x); }
  Number at(const Affine& row, const Affine& column) const { return c.get(h, row, column); }
  double ulp() const { return c.limits().ulp(); }
  double negligible() const;
  // What a step changes: all of T, or the block that is worked on.
  Affine top() const { return form ? Affine{} : place(kFirst); }
  Affine end() const { return form ? Affine::constant(n) : place(kLast).plus(1); }

  void find_block() const;
  void test_coupling(const Affine& k) const;
  void deflate(const PutValue& put) const;
  void split_pair(const Affine& last, const PutValue& put) const;
  void begin_iteration() const;
  bool is_double() const { return !c.is_complex(); }

  void double_shift_iteration() const;
  Shifts choose_shifts() const;
  Shifts shifts_of(Real h11, Real h12, Real h21, Real h22) const;
  void find_start(const Shifts& shifts) const;
  void chase(const Affine& k) const;
  void reflect(const Matrix& m, const Affine& row, const Affine& begin, const Affine& end, Real tau,
               Real v2, Real v3) const;

  void single_shift_iteration() const;
  Number phase_of(Number x) const;
  Number choose_shift() const;
  void find_start(Number shift) const;
  void chase_one(const Affine& k) const;
  void restore_phases(Number tau) const;
  void make_last_real() const;
  void multiply(const Matrix& m, const Affine& row, const Affine& begin, const Affine& end,
                Number x) const;

  Code& c;
  int64_t n;
  bool form, vectors;
  int64_t bound;
  Row places, cells;
  Matrix start;  // the first column of a complex step
};

}  // namespace hlocc::kernel::lapack
