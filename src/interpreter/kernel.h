// An elementwise op as a function over lanes. The same kernel computes whole arrays and, one lane
// at a time, the scalar computations that reduce, sort and scatter call, so that an op has one
// formula.
#pragma once
#include <array>
#include <cstdint>
#include <type_traits>

#include "hlo/module.h"
#include "interpreter/values.h"

namespace hlocc::interpreter {

// Where the operands of `count` evaluations lie and where their results go, all in value types. A
// step of 0 gives every lane the same operand.
struct Lanes {
  std::array<const void*, 3> operands{};
  std::array<int64_t, 3> steps{1, 1, 1};
  void* result = nullptr;
  int64_t count = 0;
};

// `run` leaves results unsettled (see settle()). Null: the op has no meaning for the operand's
// type.
struct Kernel {
  void (*run)(const Kernel&, const Lanes&) = nullptr;
  // Logical bits of the operand's type.
  int width = 0;
  // reduce-precision, convert and stochastic-convert look at these.
  int exponent_bits = 0, mantissa_bits = 0;
  PrimitiveType from = PrimitiveType::kTuple, to = PrimitiveType::kTuple;
};

// What a kernel is chosen by: the instruction, its first operand's type (for select the second's)
// and its result's.
struct KernelRequest {
  const hlo::Instruction& instruction;
  PrimitiveType from, to;

  Kernel kernel(void (*run)(const Kernel&, const Lanes&)) const {
    Kernel kernel;
    kernel.run = run;
    kernel.width = hlo::type_bits(from);
    kernel.from = from;
    kernel.to = to;
    return kernel;
  }
};

template <typename Formula, typename V>
void unary_lanes(const Kernel& kernel, const Lanes& lanes) {
  const V* a = static_cast<const V*>(lanes.operands[0]);
  const auto apply = [&](V x) {
    if constexpr (std::is_invocable_v<Formula, V, int>) {
      return Formula{}(x, kernel.width);
    } else {
      return Formula{}(x);
    }
  };
  using R = decltype(apply(V{}));
  R* result = static_cast<R*>(lanes.result);
  for (int64_t i = 0; i < lanes.count; ++i) result[i] = apply(a[i * lanes.steps[0]]);
}

template <typename Formula, typename V>
void binary_lanes(const Kernel& kernel, const Lanes& lanes) {
  const V* a = static_cast<const V*>(lanes.operands[0]);
  const V* b = static_cast<const V*>(lanes.operands[1]);
  const auto apply = [&](V x, V y) {
    if constexpr (std::is_invocable_v<Formula, V, V, int>) {
      return Formula{}(x, y, kernel.width);
    } else {
      return Formula{}(x, y);
    }
  };
  using R = decltype(apply(V{}, V{}));
  R* result = static_cast<R*>(lanes.result);
  const int64_t sa = lanes.steps[0], sb = lanes.steps[1];
  if (sa == 1 && sb == 1) {
    for (int64_t i = 0; i < lanes.count; ++i) result[i] = apply(a[i], b[i]);
    return;
  }
  for (int64_t i = 0; i < lanes.count; ++i) result[i] = apply(a[i * sa], b[i * sb]);
}

// The kernel of a formula, a callable that takes the value types it has a meaning for (and, if it
// cares, the logical width of sub-byte integers after them).
template <typename Formula>
Kernel unary(const KernelRequest& request) {
  return visit_value_type(request.from, [&]<typename V>(std::type_identity<V>) -> Kernel {
    if constexpr (std::is_invocable_v<Formula, V> || std::is_invocable_v<Formula, V, int>) {
      return request.kernel(&unary_lanes<Formula, V>);
    } else {
      return {};
    }
  });
}
template <typename Formula>
Kernel binary(const KernelRequest& request) {
  return visit_value_type(request.from, [&]<typename V>(std::type_identity<V>) -> Kernel {
    if constexpr (std::is_invocable_v<Formula, V, V> || std::is_invocable_v<Formula, V, V, int>) {
      return request.kernel(&binary_lanes<Formula, V>);
    } else {
      return {};
    }
  });
}

}  // namespace hlocc::interpreter
