// Balancing: a permutation that isolates eigenvalues, and a diagonal similarity by powers of two
// that brings rows and columns to one length, which makes computed eigenvalues more accurate.
#pragma once
#include "kernel/lapack/code.h"

namespace hlocc::kernel::lapack {

class Balance {
 public:
  // Declares its scratch: before any loop opens.
  Balance(Code& c, int64_t n, bool scaled);
  // `a` := D^-1 P^T A P D, n x n.
  void apply(const Matrix& a) const;
  // Vectors of the balanced matrix, columns of `v`, become those of A: right ones, or left ones.
  void undo(const Matrix& v, bool left) const;

 private:
  enum Place { kLow, kHigh, kFound, kAt, kPlaces };
  enum Cell { kFactor, kColumn, kRow, kWidestColumn, kWidestRow, kCells };
  Affine place(Place at) const { return c.whole(places, at); }
  void set(Place at, const Affine& x) const { c.set_whole(places, Affine::constant(at), x); }
  Real cell(Cell at) const { return c.get(cells, Affine::constant(at)); }
  void set(Cell at, Real x) const { c.set(cells, Affine::constant(at), x); }

  void isolate(const Matrix& a, bool rows) const;
  void exchange(const Matrix& a, const Affine& x, const Affine& y) const;
  void scale_index(const Matrix& a, const Affine& i) const;
  void find_factor() const;

  Code& c;
  int64_t n;
  bool scaled;
  Row places, cells;
  Row partner;  // of isolated indices: where they were
  Row factor;   // D
};

}  // namespace hlocc::kernel::lapack
