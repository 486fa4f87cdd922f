// The singular value decomposition of a bidiagonal matrix, in scratch memory.
#pragma once
#include "kernel/lapack/code.h"

namespace hlocc::kernel::lapack {

// B = U S V^T with d the diagonal and e the couplings of B (n x n), above it or below. Afterwards d
// holds the values, largest first, row i of `left` the i-th column of U, row i of `right` that of
// V.
class BidiagonalSvd {
 public:
  // Declares its scratch: before any loop opens.
  BidiagonalSvd(Code& c, int64_t n, bool with_vectors);
  void run(bool lower, Row info) const;

  Row d, e;
  Matrix left, right;

 private:
  Affine place(int cell) const { return c.whole(wholes, cell); }
  void set_place(int cell, const Affine& x) const {
    c.set_whole(wholes, Affine::constant(cell), x);
  }
  Real cell(int cell) const { return c.get(cells, Affine::constant(cell)); }
  void set_cell(int cell, Real x) const { c.set(cells, Affine::constant(cell), x); }
  // Where the coupling of i and the next index on the way lies.
  Affine between(const Affine& i) const;
  double tolerance() const;

  void rotate(bool first_side, const Affine& near, const Affine& far, Real cosine, Real sine) const;
  void make_upper() const;
  void find_threshold() const;
  void find_block() const;
  void choose_way() const;
  void find_loose() const;
  void choose_shift() const;
  void sweep() const;
  void zero_shift_sweep(const Affine& begin, const Affine& end, const Affine& iterations) const;
  void shifted_sweep(const Affine& begin, const Affine& end, const Affine& iterations) const;
  void solve_pair() const;
  void finish() const;

  Code& c;
  int64_t n;
  bool with_vectors;
  Row wholes, cells;
};

}  // namespace hlocc::kernel::lapack
