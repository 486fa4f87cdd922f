// Bitwise ops. Shift amounts are unsigned and saturate: at the width or beyond, left and logical
// right give 0, arithmetic right gives the sign. Sub-byte integers lie extended in a byte, so that
// right shifts and counts look at `width` bits.
#include <bit>

#include "interpreter/elementwise.h"
#include "interpreter/formulas.h"

namespace hlocc::interpreter {
namespace {

template <IntegerValue T>
uint64_t low_bits(T value, int width) {
  return width == 64 ? bits_of(value) : bits_of(value) & ((uint64_t{1} << width) - 1);
}

// The top bit is the sign, also of unsigned types.
template <IntegerValue T>
int64_t sign_extended(T value, int width) {
  return static_cast<int64_t>(bits_of(value) << (64 - width)) >> (64 - width);
}

struct Not {
  bool operator()(bool a) const { return !a; }
  template <IntegerValue T>
  T operator()(T a) const {
    return static_cast<T>(~a);
  }
};
struct ShiftLeft {
  template <IntegerValue T>
  T operator()(T a, T amount, int width) const {
    const uint64_t by = low_bits(amount, width);
    return by >= static_cast<uint64_t>(width) ? T{0} : static_cast<T>(bits_of(a) << by);
  }
};
struct ShiftRightLogical {
  template <IntegerValue T>
  T operator()(T a, T amount, int width) const {
    const uint64_t by = low_bits(amount, width);
    return by >= static_cast<uint64_t>(width) ? T{0} : static_cast<T>(low_bits(a, width) >> by);
  }
};
struct ShiftRightArithmetic {
  template <IntegerValue T>
  T operator()(T a, T amount, int width) const {
    const uint64_t by = low_bits(amount, width);
    const int64_t value = sign_extended(a, width);
    return static_cast<T>(value >> (by >= static_cast<uint64_t>(width) ? 63 : by));
  }
};
struct Popcnt {
  template <IntegerValue T>
  T operator()(T a, int width) const {
    return static_cast<T>(std::popcount(low_bits(a, width)));
  }
};
struct Clz {
  template <IntegerValue T>
  T operator()(T a, int width) const {
    return static_cast<T>(std::countl_zero(low_bits(a, width)) - (64 - width));
  }
};

}  // namespace

Kernel kernel(Op<Opcode::kNot>, const KernelRequest& r) { return unary<Not>(r); }
Kernel kernel(Op<Opcode::kAnd>, const KernelRequest& r) { return binary<And>(r); }
Kernel kernel(Op<Opcode::kOr>, const KernelRequest& r) { return binary<Or>(r); }
Kernel kernel(Op<Opcode::kXor>, const KernelRequest& r) { return binary<Xor>(r); }
Kernel kernel(Op<Opcode::kShiftLeft>, const KernelRequest& r) { return binary<ShiftLeft>(r); }
Kernel kernel(Op<Opcode::kShiftRightArithmetic>, const KernelRequest& r) {
  return binary<ShiftRightArithmetic>(r);
}
Kernel kernel(Op<Opcode::kShiftRightLogical>, const KernelRequest& r) {
  return binary<ShiftRightLogical>(r);
}
Kernel kernel(Op<Opcode::kPopcnt>, const KernelRequest& r) { return unary<Popcnt>(r); }
Kernel kernel(Op<Opcode::kClz>, const KernelRequest& r) { return unary<Clz>(r); }

}  // namespace hlocc::interpreter
