// Builder: arithmetic and vectors, folded where the result is known to the bit.
#include <algorithm>
#include <cmath>

#include "kernel/builder.h"
#include "support/check.h"
#include "support/text.h"

namespace hlocc::kernel {

// A constant lane by lane, if all operands are; else kNone.
ValueId Builder::fold(Type type, const ScalarOp& op, std::span<const ValueId> operands) {
  if (!op) return kNone;
  for (const ValueId operand : operands)
    if (constant_of(operand) == nullptr) return kNone;
  std::vector<uint64_t> lanes(type.lanes);
  for (int i = 0; i < type.lanes; ++i) {
    uint64_t in[3] = {};
    for (size_t k = 0; k < operands.size(); ++k) in[k] = constant_lane(operands[k], i);
    lanes[i] = op(in[0], in[1], in[2]);
  }
  return make_constant(type, std::move(lanes));
}

ValueId Builder::unary(OpKind kind, ValueId a) {
  HLOCC_CHECK(op_group(kind) == OpGroup::kUnary, "not a unary op");
  if (folds_exactly(kind)) {
    const ValueId folded = fold(type(a), scalar_op(kind, type(a).scalar), {{a}});
    if (folded != kNone) return folded;
  }
  return append({.kind = kind, .operands = {a}}, type(a));
}

ValueId Builder::broadcast_to(ValueId value, int lanes) {
  return type(value).lanes == lanes ? value : splat(value, lanes);
}

ValueId Builder::binary(OpKind kind, ValueId a, ValueId b) {
  HLOCC_CHECK(op_group(kind) == OpGroup::kBinary, "not a binary op");
  HLOCC_CHECK(type(a).scalar == type(b).scalar,
              cat(op_name(kind), " of ", to_string(type(a)), " and ", to_string(type(b))));
  const int lanes = std::max(type(a).lanes, type(b).lanes);
  a = broadcast_to(a, lanes);
  b = broadcast_to(b, lanes);
  if (folds_exactly(kind) || !is_float(type(a).scalar)) {
    const ValueId folded = fold(type(a), scalar_op(kind, type(a).scalar), {{a, b}});
    if (folded != kNone) return folded;
  }
  if (const auto same = identity(kind, a, b)) return *same;
  return append({.kind = kind, .operands = {a, b}}, type(a));
}

// What the op is when one side is a constant that leaves the other alone or decides the result.
std::optional<ValueId> Builder::identity(OpKind kind, ValueId a, ValueId b) {
  using enum OpKind;
  const Type t = type(a);
  const auto left = constant_value(a), right = constant_value(b);
  const bool real = is_float(t.scalar);
  const uint64_t one = bits_of_int(t.scalar, 1), ones = canonical_bits(t.scalar, ~uint64_t{0});
  // x + (-0) and x - (+0) are x for every x; with the other sign -0 would become +0.
  const auto is_neutral = [&](std::optional<uint64_t> bits, bool negative) {
    if (!bits || !real) return bits == 0;
    const double number = from_bits<double>(convert_op(kConvert, t.scalar, Scalar::kF64)(*bits));
    return number == 0 && std::signbit(number) == negative;
  };
  switch (kind) {
    case kAdd:
      if (is_neutral(right, true)) return a;
      if (is_neutral(left, true)) return b;
      break;
    case kSub:
      if (is_neutral(right, false)) return a;
      break;
    case kMul:
      if (right == one) return a;
      if (left == one) return b;
      if (!real && (right == 0 || left == 0)) return make_constant(t, {0});
      break;
    case kDiv:
    case kNativeDiv:
      if (right == one) return a;
      break;
    case kAnd:
      if (right == ones) return a;
      if (left == ones) return b;
      if (right == 0 || left == 0) return make_constant(t, {0});
      break;
    case kOr:
    case kXor:
      if (right == 0) return a;
      if (left == 0) return b;
      if (kind == kOr && (right == ones || left == ones)) return make_constant(t, {ones});
      break;
    case kShl:
    case kShrLogical:
    case kShrArithmetic:
    case kNativeShl:
    case kNativeShr:
      if (right == 0) return a;
      break;
    default: break;
  }
  return std::nullopt;
}

ValueId Builder::compare(Predicate predicate, ValueId a, ValueId b) {
  HLOCC_CHECK(type(a).scalar == type(b).scalar,
              cat("compare of ", to_string(type(a)), " and ", to_string(type(b))));
  const int lanes = std::max(type(a).lanes, type(b).lanes);
  a = broadcast_to(a, lanes);
  b = broadcast_to(b, lanes);
  const Type result = type(a).with(Scalar::kPred);
  const ValueId folded = fold(result, compare_op(predicate, type(a).scalar), {{a, b}});
  if (folded != kNone) return folded;
  return append({.kind = OpKind::kCompare, .operands = {a, b}, .payload = predicate}, result);
}

ValueId Builder::select(ValueId pred, ValueId a, ValueId b) {
  HLOCC_CHECK(type(pred).scalar == Scalar::kPred && type(a).scalar == type(b).scalar,
              "select of odd types");
  const int lanes = std::max({type(pred).lanes, type(a).lanes, type(b).lanes});
  a = broadcast_to(a, lanes);
  b = broadcast_to(b, lanes);
  if (const auto known = constant_value(pred)) return *known != 0 ? a : b;
  if (a == b) return a;
  return append({.kind = OpKind::kSelect, .operands = {pred, a, b}}, type(a));
}

ValueId Builder::convert(ValueId a, Scalar to) {
  if (type(a).scalar == to) return a;
  const ValueId folded =
      fold(type(a).with(to), convert_op(OpKind::kConvert, type(a).scalar, to), {{a}});
  if (folded != kNone) return folded;
  return append({.kind = OpKind::kConvert, .operands = {a}}, type(a).with(to));
}

ValueId Builder::bitcast(ValueId a, Scalar to) {
  if (type(a).scalar == to) return a;
  HLOCC_CHECK(scalar_bits(type(a).scalar) == scalar_bits(to), "bitcast to another width");
  if (const std::vector<uint64_t>* known = constant_of(a)) {
    std::vector<uint64_t> lanes = *known;
    for (uint64_t& lane : lanes) lane = canonical_bits(to, lane);
    return make_constant(type(a).with(to), std::move(lanes));
  }
  return append({.kind = OpKind::kBitcast, .operands = {a}}, type(a).with(to));
}

ValueId Builder::is_finite(ValueId a) {
  const Type result = type(a).with(Scalar::kPred);
  const ValueId folded = fold(result, scalar_op(OpKind::kIsFinite, type(a).scalar), {{a}});
  if (folded != kNone) return folded;
  return append({.kind = OpKind::kIsFinite, .operands = {a}}, result);
}

ValueId Builder::mul_add(ValueId a, ValueId b, ValueId c) {
  const int lanes = std::max({type(a).lanes, type(b).lanes, type(c).lanes});
  a = broadcast_to(a, lanes);
  b = broadcast_to(b, lanes);
  c = broadcast_to(c, lanes);
  HLOCC_CHECK(type(a) == type(b) && type(a) == type(c), "mul_add of odd types");
  // Integers wrap, so that the fold does not hang on how the target rounds.
  if (!is_float(type(a).scalar)) {
    const ValueId folded = fold(type(a), scalar_op(OpKind::kMulAdd, type(a).scalar), {{a, b, c}});
    if (folded != kNone) return folded;
  }
  return append({.kind = OpKind::kMulAdd, .operands = {a, b, c}}, type(a));
}

ValueId Builder::saturate(ValueId a, int shift) {
  return append(
      {.kind = OpKind::kSaturate, .operands = {a}, .payload = RoundedShift{.shift = shift}},
      type(a).with(Scalar::kS8));
}

ValueId Builder::mul_shift_right(ValueId a, ValueId b, RoundedShift by) {
  HLOCC_CHECK(type(a) == type(b), "mul_shift_right of odd types");
  return append({.kind = OpKind::kMulShiftRight, .operands = {a, b}, .payload = by}, type(a));
}

ValueId Builder::op(OpKind kind, Type result, Values operands) {
  return append({.kind = kind, .operands = std::move(operands)}, result);
}

// --- vectors ---

ValueId Builder::splat(ValueId scalar, int lanes) {
  if (type(scalar).lanes == lanes) return scalar;
  HLOCC_CHECK(type(scalar).lanes == 1,
              cat("splat of ", to_string(type(scalar)), " to ", lanes, " lanes"));
  const Type result{type(scalar).scalar, static_cast<uint16_t>(lanes)};
  if (const auto known = constant_value(scalar)) return make_constant(result, {*known});
  return append({.kind = OpKind::kSplat, .operands = {scalar}}, result);
}

ValueId Builder::lane_index(Type type) {
  if (type.lanes == 1) return zero(type);
  return append({.kind = OpKind::kLaneIndex}, type);
}

ValueId Builder::extract(ValueId vector, int lane) {
  if (type(vector).lanes == 1) return vector;
  const Type result = type(vector).scalar_type();
  if (constant_of(vector) != nullptr) return make_constant(result, {constant_lane(vector, lane)});
  return append({.kind = OpKind::kExtract, .operands = {vector}, .payload = Lane{lane}}, result);
}

ValueId Builder::insert(ValueId vector, ValueId scalar, int lane) {
  if (type(vector).lanes == 1) return scalar;
  return append({.kind = OpKind::kInsert, .operands = {vector, scalar}, .payload = Lane{lane}},
                type(vector));
}

ValueId Builder::shuffle(ValueId a, ValueId b, std::vector<int> lanes) {
  const Type result{type(a).scalar, static_cast<uint16_t>(lanes.size())};
  return append(
      {.kind = OpKind::kShuffle, .operands = {a, b}, .payload = Shuffle{std::move(lanes)}}, result);
}

ValueId Builder::reduce(OpKind kind, ValueId vector) {
  if (type(vector).lanes == 1) return vector;
  return append({.kind = kind, .operands = {vector}}, type(vector).scalar_type());
}

ValueId Builder::dot_accumulate(ValueId acc, ValueId a, ValueId b) {
  return append({.kind = OpKind::kDotAccumulate, .operands = {acc, a, b}}, type(acc));
}

ValueId Builder::spread_bytes(ValueId bytes, int word, Scalar to) {
  return append({.kind = OpKind::kSpreadBytes, .operands = {bytes}, .payload = Lane{word}},
                Type{to, 4});
}

ValueId Builder::matrix_accumulate(ValueId acc, ValueId a, ValueId b) {
  return append({.kind = OpKind::kMatrixAccumulate, .operands = {acc, a, b}}, type(acc));
}

}  // namespace hlocc::kernel
