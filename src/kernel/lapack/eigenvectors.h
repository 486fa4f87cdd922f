// Eigenvectors of a matrix from its Schur form A = Q T Q^H (dtrevc, ztrevc): back substitution in
// T x = lambda x, and Q x.
#pragma once
#include "kernel/lapack/code.h"

namespace hlocc::kernel::lapack {

class Eigenvectors {
 public:
  // Declares its scratch: before any loop opens.
  Eigenvectors(Code& c, int64_t n);
  // The columns of `to`, which is complex, become eigenvectors: those of T, or with `left` those of
  // T^H, whose conjugates are T's from the left.
  void run(const Matrix& t, const Matrix& q, const Matrix& to, bool left) const;
  // Columns of length 1 whose largest elements are real, as geev gives them: positive ones for a
  // complex matrix; those of a real one keep their sign.
  void normalise(const Matrix& v) const;

 private:
  enum Place { kColumn, kRow, kBest, kPlaces };
  // T, or T^H counted from its far corner, which is upper triangular as well. A pair of a real
  // matrix is two rows, whose block has the eigenvalue's imaginary part in the cell.
  struct System {
    Matrix t;
    bool left;
    Affine last;
    Number value;
  };
  struct Factors {
    Real first, second;
  };
  Affine place(Place at) const { return c.whole(places, at); }
  void set(Place at, const Affine& x) const { c.set_whole(places, Affine::constant(at), x); }
  Number x_at(const Affine& k) const { return c.get(x, {}, k); }
  void set_x(const Affine& k, Number value) const { c.put(x, {}, k, value); }
  Number imaginary(Real y) const { return {c.real(0), y}; }
  Number element(const System& s, const Affine& i, const Affine& j) const;
  Number times(Number of_matrix, Number of_vector) const;
  Flag is_pair(const Matrix& t, const Affine& last) const;
  Number right_side(const System& s, const Affine& row, const Affine& from) const;
  Number away_from_zero(const System& s, Number pivot) const;
  void begin_pair(const Matrix& t, bool left, const Affine& last) const;
  Factors make_room(const System& s, const Affine& solved, Real right, Real pivot) const;
  void solve_single(const System& s, const Affine& row) const;
  void solve_pair(const System& s, const Affine& row) const;
  void substitute(const System& s) const;
  void solve_column(const Matrix& t, const Matrix& q, const Matrix& to, bool left) const;
  void normalise_column(const Matrix& v, const Affine& j) const;

  Code& c;
  int64_t n;
  Row places, cell;
  Matrix x;
};

}  // namespace hlocc::kernel::lapack
