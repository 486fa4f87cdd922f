// Rounding to whole numbers and to fewer bits.
#include <bit>
#include <cmath>

#include "interpreter/elementwise.h"

namespace hlocc::interpreter {
namespace {

struct Ceil {
  template <FloatValue T>
  T operator()(T a) const {
    return std::ceil(a);
  }
};
struct Floor {
  template <FloatValue T>
  T operator()(T a) const {
    return std::floor(a);
  }
};
struct RoundNearestAfz {
  template <FloatValue T>
  T operator()(T a) const {
    return std::round(a);
  }
};
struct RoundNearestEven {
  template <FloatValue T>
  T operator()(T a) const {
    return std::nearbyint(a);
  }
};
struct IsFinite {
  template <FloatValue T>
  bool operator()(T a) const {
    return std::isfinite(a);
  }
};

struct Precision {
  int exponent_bits, mantissa_bits;
};

// On the code of the source format: round the mantissa to nearest even, then send what leaves the
// narrower exponent range to infinity or to a signed zero. NaNs stay.
template <typename Code>
Code reduce_code(Code code, Precision from, Precision to) {
  const Code one = 1;
  const Code sign = code & static_cast<Code>(one << (from.exponent_bits + from.mantissa_bits));
  Code magnitude = code ^ sign;
  const Code infinity = static_cast<Code>(((one << from.exponent_bits) - 1) << from.mantissa_bits);
  if (magnitude > infinity) return code;
  if (to.mantissa_bits < from.mantissa_bits) {
    const int drop = from.mantissa_bits - to.mantissa_bits;
    const Code last = (magnitude >> drop) & 1;
    magnitude = static_cast<Code>(magnitude + (one << (drop - 1)) - 1 + last);
    magnitude = static_cast<Code>(magnitude >> drop << drop);
  }
  if (to.exponent_bits < from.exponent_bits) {
    const int64_t bias = (int64_t{1} << (from.exponent_bits - 1)) - 1,
                  reach = (int64_t{1} << (to.exponent_bits - 1)) - 1;
    const int64_t exponent = static_cast<int64_t>(magnitude >> from.mantissa_bits);
    if (exponent > bias + reach) magnitude = infinity;
    if (exponent <= bias - reach) magnitude = 0;
  }
  return sign | magnitude;
}

template <typename V>
void reduce_precision_lanes(const Kernel& kernel, const Lanes& lanes) {
  const V* a = static_cast<const V*>(lanes.operands[0]);
  V* result = static_cast<V*>(lanes.result);
  const Precision to{kernel.exponent_bits, kernel.mantissa_bits};
  const hlo::FloatFormat* small = hlo::small_float_format(kernel.from);
  for (int64_t i = 0; i < lanes.count; ++i) {
    const V x = a[i * lanes.steps[0]];
    if constexpr (std::is_same_v<V, double>) {
      result[i] = std::bit_cast<double>(reduce_code(std::bit_cast<uint64_t>(x), {11, 52}, to));
    } else if (small == nullptr || small->bits() < 16) {
      // What is narrower than f16 is rounded as f32, whose exponents reach further.
      result[i] = std::bit_cast<float>(reduce_code(std::bit_cast<uint32_t>(x), {8, 23}, to));
    } else {
      const Precision from{small->exponent_bits, small->mantissa_bits};
      result[i] =
          hlo::small_to_float(*small, reduce_code(hlo::float_to_small(*small, x), from, to));
    }
  }
}

}  // namespace

Kernel kernel(Op<Opcode::kCeil>, const KernelRequest& r) { return unary<Ceil>(r); }
Kernel kernel(Op<Opcode::kFloor>, const KernelRequest& r) { return unary<Floor>(r); }
Kernel kernel(Op<Opcode::kRoundNearestAfz>, const KernelRequest& r) {
  return unary<RoundNearestAfz>(r);
}
Kernel kernel(Op<Opcode::kRoundNearestEven>, const KernelRequest& r) {
  return unary<RoundNearestEven>(r);
}
Kernel kernel(Op<Opcode::kIsFinite>, const KernelRequest& r) { return unary<IsFinite>(r); }
Kernel kernel(Op<Opcode::kReducePrecision>, const KernelRequest& r) {
  if (!hlo::is_float(r.from)) return {};
  Kernel kernel = r.kernel(r.from == PrimitiveType::kF64 ? &reduce_precision_lanes<double>
                                                         : &reduce_precision_lanes<float>);
  const auto& precision = r.instruction.get<hlo::ReducePrecisionAttributes>();
  kernel.exponent_bits = precision.exponent_bits;
  kernel.mantissa_bits = precision.mantissa_bits;
  return kernel;
}

}  // namespace hlocc::interpreter
