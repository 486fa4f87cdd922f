// See qr_iteration.h: the single-shift step of complex matrices, as zlahqr takes it. The
// subdiagonal is real where a step has passed.
#include "kernel/lapack/qr_iteration.h"

namespace hlocc::kernel::lapack {

// x / |x|, of absolute value 1 even where x is below the least normal number and has few digits.
Number QrIteration::phase_of(Number x) const {
  const Number near_one = x * (1.0 / max(widest(x), c.real(c.limits().tiny)));
  const Real whole = length(near_one.re, near_one.im);
  return {near_one.re / whole, near_one.im / whole};
}

// Wilkinson's: the eigenvalue of the last 2x2 block that is nearer to its last element.
Number QrIteration::choose_shift() const {
  const Affine last = place(kLast), before = last.plus(-1), first = place(kFirst);
  const Affine phase = place(kPhase);
  const Number corner = at(last, last), low = at(last, before), high = at(before, last);
  const Number half = (at(before, before) - corner) * c.real(0.5);
  const Real scale =
      max(max(widest(half), max(widest(low), widest(high))), c.real(c.limits().tiny));
  const Real down = 1.0 / scale;
  const Number x = half * down, product = (low * down) * (high * down);
  const Number root = sqrt(x * x + product);
  const Flag turned = x.re * root.re + x.im * root.im < 0.0;
  const Number sum = x + select(turned, -root, root);
  const Flag none = product.re == 0.0 && product.im == 0.0;
  const Number usual = corner - select(none, product, product / sum) * scale;
  // Now and then a shift of no meaning breaks a cycle.
  const Number odd_end = corner + c.of_real(abs(low.re) * 0.75);
  const Number odd_begin = at(first, first) + c.of_real(abs(at(first.plus(1), first).re) * 0.75);
  return select(c.equal(phase, {}), odd_end,
                select(c.equal(phase, Affine::constant(10)), odd_begin, usual));
}

// kStart := the lowest row at which the step may begin; `start` gets the first column of H - shift,
// scaled.
void QrIteration::find_start(Number shift) const {
  set(kStart, place(kLast));
  set(kFound, {});
  c.repeat_while([&] { return c.equal(place(kFound), {}); },
                 [&] {
                   const Affine m = place(kStart).plus(-1), next = m.plus(1);
                   set(kStart, m);
                   const Number h11 = at(m, m), rest = h11 - shift, low = at(next, m);
                   const Real down = 1.0 / (size(rest) + size(low));
                   c.put(start, {}, {}, rest * down);
                   c.put(start, {}, Affine::constant(1), low * down);
                   c.when(
                       c.equal(m, place(kFirst)), [&] { set(kFound, Affine::constant(1)); },
                       [&] {
                         const Real beside = size(h11) + size(at(next, next));
                         c.when(size(at(m, m.plus(-1))) * (size(low) * down) <=
                                    (size(rest) * down) * beside * ulp(),
                                [&] { set(kFound, Affine::constant(1)); });
                       });
                 });
}

void QrIteration::multiply(const Matrix& m, const Affine& row, const Affine& begin,
                           const Affine& end, Number x) const {
  c.loop(begin, end, [&](const Affine& j) { c.put(m, row, j, c.get(m, row, j) * x); });
}

// What couples rows m - 1 and m stays real where a step has begun at m, inside the block: unit
// factors for the rows and columns from m on, but for m + 1, take the phase away.
void QrIteration::restore_phases(Number tau) const {
  const Affine m = place(kStart), next = m.plus(1), last = place(kLast);
  const Number rest = c.constant(1) - tau;
  const Number turn = phase_of(rest), back = conj(turn);
  c.put(h, next, m, at(next, m) * back);
  c.when(c.less(next, last), [&] { c.put(h, m.plus(2), next, at(m.plus(2), next) * turn); });
  c.loop(m, last.plus(1), [&](const Affine& j) {
    c.when(!c.equal(j, next), [&] {
      multiply(h, j, j.plus(1), end(), turn);
      multiply(h.transposed(), j, top(), j, back);
      if (vectors) multiply(z.transposed(), j, {}, Affine::constant(n), back);
    });
  });
}

// Moves the bulge from row k one row on, by H = I - tau v v^H with v = (1, w). What is below the
// diagonal is real, so that tau w is.
void QrIteration::chase_one(const Affine& k) const {
  const Affine before = k.plus(-1), next = k.plus(1), one = Affine::constant(1);
  const Flag moves = c.less(place(kStart), k);
  c.when(moves, [&] {
    c.put(start, {}, {}, at(k, before));
    c.put(start, {}, one, at(next, before));
  });
  const Number x = c.get(start, {}, {});
  const Real y = c.get(start, {}, one).re;
  const Flag trivial = y == 0.0 && x.im == 0.0;
  const Real largest = max(max(widest(x), abs(y)), c.real(c.limits().tiny));
  const Number a = x * (1.0 / largest);
  const Real b = y * (1.0 / largest), beta = -sign(sqrt(norm(a) + b * b), a.re);
  const Number zero = c.constant(0);
  const Number tau = select(trivial, zero, {(beta - a.re) / beta, -a.im / beta});
  const Number w = select(trivial, zero, c.of_real(b) / (a - c.of_real(beta)));
  c.when(moves, [&] {
    c.put(h, k, before, select(trivial, x, c.of_real(beta * largest)));
    c.put(h, next, before, zero);
  });
  // From the left by H^H, from the right by H, which is the same on conjugate transposes.
  const Real u = (tau * w).re;
  const auto reflect = [&](const Matrix& m, const Affine& begin, const Affine& end, Number t,
                           Number v) {
    c.loop(begin, end, [&](const Affine& j) {
      const Number sum = t * c.get(m, k, j) + c.get(m, next, j) * u;
      c.put(m, k, j, c.get(m, k, j) - sum);
      c.put(m, next, j, c.get(m, next, j) - sum * v);
    });
  };
  const Affine last = place(kLast).plus(1), reach = k.plus(3);
  reflect(h, k, end(), conj(tau), w);
  reflect(h.transposed(), top(), c.index_of(c.less(reach, last), reach, last), tau, conj(w));
  if (vectors) reflect(z.transposed(), {}, Affine::constant(n), tau, conj(w));
  c.when(!moves && c.less(place(kFirst), k), [&] { restore_phases(tau); });
}

// A unit factor for the last row and column of the block makes what couples them real.
void QrIteration::make_last_real() const {
  const Affine last = place(kLast), before = last.plus(-1);
  const Number low = at(last, before);
  c.when(!(low.im == 0.0), [&] {
    const Number turn = phase_of(low);
    c.put(h, last, before, c.of_real(length(low.re, low.im)));
    multiply(h, last, last.plus(1), end(), conj(turn));
    multiply(h.transposed(), last, top(), last, turn);
    if (vectors) multiply(z.transposed(), last, {}, Affine::constant(n), turn);
  });
}

void QrIteration::single_shift_iteration() const {
  find_start(choose_shift());
  c.loop(place(kStart), place(kLast), [&](const Affine& k) { chase_one(k); });
  make_last_real();
}

}  // namespace hlocc::kernel::lapack
