// The formulas that more than one family needs: elementwise ops apply them to arrays, reduce and
// reduce-window recognise them as reducers. A formula is a callable over value types; what it can't
// be called with, the op does not allow.
#pragma once
#include <cmath>
#include <cstdint>

#include "interpreter/values.h"

namespace hlocc::interpreter {

// Integers wrap: the arithmetic is done in 64 unsigned bits and cut.
template <IntegerValue T>
constexpr uint64_t bits_of(T value) {
  return static_cast<uint64_t>(value);
}

struct Add {
  bool operator()(bool a, bool b) const { return a || b; }
  template <IntegerValue T>
  T operator()(T a, T b) const {
    return static_cast<T>(bits_of(a) + bits_of(b));
  }
  template <FloatValue T>
  T operator()(T a, T b) const {
    return a + b;
  }
  template <ComplexValue T>
  T operator()(T a, T b) const {
    return a + b;
  }
};

struct Subtract {
  template <IntegerValue T>
  T operator()(T a, T b) const {
    return static_cast<T>(bits_of(a) - bits_of(b));
  }
  template <FloatValue T>
  T operator()(T a, T b) const {
    return a - b;
  }
  template <ComplexValue T>
  T operator()(T a, T b) const {
    return a - b;
  }
};

struct Multiply {
  bool operator()(bool a, bool b) const { return a && b; }
  template <IntegerValue T>
  T operator()(T a, T b) const {
    return static_cast<T>(bits_of(a) * bits_of(b));
  }
  template <FloatValue T>
  T operator()(T a, T b) const {
    return a * b;
  }
  // By the schoolbook, as XLA does; std::complex repairs infinities.
  template <ComplexValue T>
  T operator()(T a, T b) const {
    return T(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
  }
};

// A NaN on either side wins, and +0 is greater than -0 (IEEE 754-2019 maximum and minimum).
struct Maximum {
  bool operator()(bool a, bool b) const { return a || b; }
  template <IntegerValue T>
  T operator()(T a, T b) const {
    return a > b ? a : b;
  }
  template <FloatValue T>
  T operator()(T a, T b) const {
    if (a != a) return a;
    if (b != b) return b;
    if (a == b) return std::signbit(a) ? b : a;
    return a > b ? a : b;
  }
  template <ComplexValue T>
  T operator()(T a, T b) const {
    return a.real() > b.real() || (a.real() == b.real() && a.imag() >= b.imag()) ? a : b;
  }
};

struct Minimum {
  bool operator()(bool a, bool b) const { return a && b; }
  template <IntegerValue T>
  T operator()(T a, T b) const {
    return a < b ? a : b;
  }
  template <FloatValue T>
  T operator()(T a, T b) const {
    if (a != a) return a;
    if (b != b) return b;
    if (a == b) return std::signbit(a) ? a : b;
    return a < b ? a : b;
  }
  template <ComplexValue T>
  T operator()(T a, T b) const {
    return a.real() < b.real() || (a.real() == b.real() && a.imag() <= b.imag()) ? a : b;
  }
};

struct And {
  bool operator()(bool a, bool b) const { return a && b; }
  template <IntegerValue T>
  T operator()(T a, T b) const {
    return static_cast<T>(a & b);
  }
};
struct Or {
  bool operator()(bool a, bool b) const { return a || b; }
  template <IntegerValue T>
  T operator()(T a, T b) const {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  bool operator()(bool a, bool b) const { return a != b; }
  template <IntegerValue T>
  T operator()(T a, T b) const {
    return static_cast<T>(a ^ b);
  }
};

}  // namespace hlocc::interpreter
