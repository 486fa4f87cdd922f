// compare and select.
#include <functional>

#include "interpreter/elementwise.h"
#include "interpreter/total_order.h"

namespace hlocc::interpreter {
namespace {

using hlo::ComparisonType;
using hlo::Direction;

// Plain IEEE comparison; complex numbers know only equality.
template <typename Relation>
struct Compare {
  template <typename T>
  requires(!is_complex_value<T>) bool operator()(T a, T b) const { return Relation{}(a, b); }
  template <ComplexValue T>
  requires(std::is_same_v<Relation, std::equal_to<>> ||
           std::is_same_v<Relation, std::not_equal_to<>>) bool
  operator()(T a, T b) const {
    return Relation{}(a, b);
  }
};

template <typename Relation>
struct CompareTotalOrder {
  template <FloatValue T>
  bool operator()(T a, T b) const {
    return Relation{}(total_order_key(a), total_order_key(b));
  }
  template <typename T>
  requires std::is_integral_v<T>
  bool operator()(T a, T b) const { return Relation{}(a, b); }
};

template <template <typename> class Formula>
Kernel compare(Direction direction, const KernelRequest& r) {
  switch (direction) {
    case Direction::kEq: return binary<Formula<std::equal_to<>>>(r);
    case Direction::kNe: return binary<Formula<std::not_equal_to<>>>(r);
    case Direction::kGe: return binary<Formula<std::greater_equal<>>>(r);
    case Direction::kGt: return binary<Formula<std::greater<>>>(r);
    case Direction::kLe: return binary<Formula<std::less_equal<>>>(r);
    case Direction::kLt: return binary<Formula<std::less<>>>(r);
  }
  return {};
}

template <typename V>
void select_lanes(const Kernel&, const Lanes& lanes) {
  const bool* which = static_cast<const bool*>(lanes.operands[0]);
  const V* on_true = static_cast<const V*>(lanes.operands[1]);
  const V* on_false = static_cast<const V*>(lanes.operands[2]);
  V* result = static_cast<V*>(lanes.result);
  const auto [sp, st, sf] = lanes.steps;
  for (int64_t i = 0; i < lanes.count; ++i)
    result[i] = which[i * sp] ? on_true[i * st] : on_false[i * sf];
}

}  // namespace

Kernel kernel(Op<Opcode::kCompare>, const KernelRequest& r) {
  const auto& attributes = r.instruction.get<hlo::CompareAttributes>();
  if (attributes.type == ComparisonType::kTotalOrder)
    return compare<CompareTotalOrder>(attributes.direction, r);
  return compare<Compare>(attributes.direction, r);
}

Kernel kernel(Op<Opcode::kSelect>, const KernelRequest& r) {
  return visit_value_type(
      r.from, [&]<typename V>(std::type_identity<V>) { return r.kernel(&select_lanes<V>); });
}

}  // namespace hlocc::interpreter
