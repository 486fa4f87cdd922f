// Complex numbers as pairs of real arrays, for expand_fft: real arithmetic vectorises, and what is
// known to be zero or a quarter turn costs nothing.
#pragma once
#include "transforms/rewriter.h"

namespace hlocc::transforms {

// Two real arrays of one shape; kNone stands for zeros.
struct Signal {
  InstructionId re = kNone, im = kNone;
};

class SignalMath {
 public:
  SignalMath(Rewriter& r, PrimitiveType type) : r_(r), type_(type) {}

  Signal plus(Signal a, Signal b);
  Signal minus(Signal a, Signal b);
  Signal scaled(Signal a, long double factor);
  // a * i^quarters
  Signal turned(Signal a, int64_t quarters);
  Signal times(Signal a, Signal b);
  // a * e^(2 pi i k / n)
  Signal rotated(Signal a, int64_t k, int64_t n);

  // A constant from its values along `dimension` of an array of these dimensions.
  Signal along(const std::vector<long double>& re, const std::vector<long double>& im,
               const Dimensions& dimensions, int64_t dimension);
  // e^(2 pi i k / n) for every k.
  Signal roots(const std::vector<int64_t>& k, int64_t n, const Dimensions& dimensions,
               int64_t dimension);

  Signal reshaped(Signal a, const Dimensions& dimensions);
  Signal sliced(Signal a, int64_t dimension, int64_t start, int64_t limit);
  Signal reversed(Signal a, int64_t dimension);
  // The parts one after the other, as a pair and as complex numbers. All parts of a pair are
  // written by one kernel.
  Signal joined(const std::vector<Signal>& parts, int64_t dimension);
  InstructionId joined_complex(const std::vector<Signal>& parts, int64_t dimension);
  InstructionId complex(Signal a);

  Rewriter& rewriter() { return r_; }
  PrimitiveType type() const { return type_; }
  const Dimensions& dimensions(Signal a) const {
    return r_.shape(a.re != kNone ? a.re : a.im).dimensions;
  }

 private:
  template <typename Change>
  Signal both(Signal a, Change change) {
    return {a.re == kNone ? kNone : change(a.re), a.im == kNone ? kNone : change(a.im)};
  }
  InstructionId plus(InstructionId a, InstructionId b);
  InstructionId minus(InstructionId a, InstructionId b);
  InstructionId times(InstructionId a, InstructionId b);
  // With zeros written out.
  Signal whole(Signal a);

  Rewriter& r_;
  PrimitiveType type_;
};

// Real and imaginary part of e^(2 pi i k / n).
std::pair<long double, long double> root_of_unity(int64_t k, int64_t n);

}  // namespace hlocc::transforms
