// See hessenberg.h: Householder's reduction (Golub & Van Loan 7.4.2), column by column as dgehd2.
// Rows and columns that balancing isolated need no care: their reflectors are identities.
#include "kernel/lapack/hessenberg.h"

#include "kernel/lapack/reflectors.h"
#include "kernel/lapack/routines.h"

namespace hlocc::kernel::lapack {

void reduce_to_hessenberg(Code& c, const Matrix& a, int64_t n, const Matrix& tau) {
  c.loop(0, n - 1, [&](const Affine& i) {
    const Affine next = i.plus(1);
    const Number factor = make_scaled_reflector(c, a, n, next, i);
    c.put(tau, {}, i, factor);
    apply_from_right(
        c, [&](const Affine& k) { return c.get(a, k, i); }, next, n, factor, a, Affine{}, n);
    apply_reflector(c, a, n, next, i, conj(factor), a, next, n);
  });
}

// Results: H with the reflectors' vectors, factors.
Routine make_gehrd(Code& c, const Problem&) {
  return [&c](const Problem& p) {
    const int64_t n = p.operand_sizes[0].first;
    copy(c, p.operands[0], p.results[0], n, n);
    reduce_to_hessenberg(c, p.results[0], n, p.results[1]);
    c.set_whole(p.info, {}, Affine{});
  };
}

}  // namespace hlocc::kernel::lapack
