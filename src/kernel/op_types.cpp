// See op_types.h.
#include "kernel/op_types.h"

#include "kernel/evaluate/scalar_math.h"
#include "support/text.h"

namespace hlocc::kernel {
namespace {

BrokenRule expect(bool holds, std::string_view rule) {
  return holds ? std::nullopt : BrokenRule(rule);
}

bool lane_of(const Op& op, Type vector) {
  const auto* lane = std::get_if<Lane>(&op.payload);
  return lane != nullptr && lane->index >= 0 && lane->index < vector.lanes;
}

BrokenRule constant_type(const Op& op, Type result) {
  const auto* held = std::get_if<Constant>(&op.payload);
  if (held == nullptr || (held->lanes.size() != 1 && held->lanes.size() != result.lanes))
    return "odd constant";
  for (const uint64_t bits : held->lanes)
    if (canonical_bits(result.scalar, bits) != bits) return "constant bits beyond the type";
  return std::nullopt;
}

BrokenRule shuffle_type(const Op& op, Type result, const std::vector<Type>& in) {
  const auto* held = std::get_if<Shuffle>(&op.payload);
  if (held == nullptr || held->lanes.size() != result.lanes) return "odd shuffle";
  for (const int lane : held->lanes)
    if (lane < -1 || lane >= 2 * in[0].lanes) return "a shuffle's lane out of range";
  return expect(in[0] == in[1] && in[0].scalar == result.scalar, "shuffle: two alike");
}

BrokenRule dot_type(Type result, const std::vector<Type>& in) {
  const int bits = scalar_bits(in[1].scalar);
  return expect(result == in[0] && result.scalar == Scalar::kS32 && in[1].lanes == in[2].lanes &&
                    in[1].lanes % result.lanes == 0 && (bits == 8 || bits == 16) &&
                    bits == scalar_bits(in[2].scalar) && is_integer(in[1].scalar) &&
                    is_integer(in[2].scalar),
                "dot_accumulate: s32 and two vectors of 8 or 16 bits");
}

BrokenRule spread_type(const Op& op, Type result, const std::vector<Type>& in) {
  const auto* word = std::get_if<Lane>(&op.payload);
  if (word == nullptr || word->index < 0 || 4 * (word->index + 1) > in[0].lanes)
    return "no word of the vector";
  return expect(is_integer(in[0].scalar) && scalar_bits(in[0].scalar) == 8 &&
                    is_integer(result.scalar) && scalar_bits(result.scalar) == 16 &&
                    result.lanes == 4,
                "spread_bytes: bytes, and four of 16 bits");
}

BrokenRule matrix_type(Type result, const std::vector<Type>& in) {
  const Scalar scalar = in[1].scalar;
  const int bits = scalar_bits(scalar);
  const bool whole =
      result.scalar == Scalar::kS32 && is_integer(scalar) && (bits == 8 || bits == 16);
  const bool real = result.scalar == Scalar::kF32 &&
                    (scalar == Scalar::kF16 || scalar == Scalar::kBF16 || scalar == Scalar::kF32);
  return expect(result == in[0] && in[1].scalar == in[2].scalar && (whole || real) &&
                    matrix_sizes(in[0], in[1], in[2]).has_value(),
                "matrix_accumulate: tiles of s32 and 8 or 16 bits, or of f32 and floats");
}

BrokenRule vector_type(const Op& op, Type result, const std::vector<Type>& in) {
  using enum OpKind;
  switch (op.kind) {
    case kConstant: return constant_type(op, result);
    case kSplat:
      return expect(in[0] == result.scalar_type(), "splat: a scalar of the result's kind");
    case kLaneIndex:
      return expect(!is_float(result.scalar) && result.scalar != Scalar::kPred,
                    "lane_index: integers");
    case kExtract:
      return expect(result == in[0].scalar_type() && lane_of(op, in[0]),
                    "extract: a lane of the vector");
    case kInsert:
      return expect(result == in[0] && in[1] == in[0].scalar_type() && lane_of(op, in[0]),
                    "insert: a lane of the vector");
    case kShuffle: return shuffle_type(op, result, in);
    case kDotAccumulate: return dot_type(result, in);
    case kSpreadBytes: return spread_type(op, result, in);
    case kMatrixAccumulate: return matrix_type(result, in);
    default:
      return expect(in[0].is_vector() && result == in[0].scalar_type(), "reduce: vector to scalar");
  }
}

BrokenRule rounded_shift_type(const Op& op, Type result, const std::vector<Type>& in) {
  constexpr int64_t kMostRounding = int64_t{1} << 61;
  const auto* by = std::get_if<RoundedShift>(&op.payload);
  if (by == nullptr || by->shift < 1 || by->shift > 63) return "no shift from 1 to 63";
  if (by->rounding < 0 || by->rounding > kMostRounding) return "a rounding beyond 2^61";
  return expect(result.scalar == Scalar::kS32 && in[0] == result && in[1] == result,
                "mul_shift_right: two s32 like the result");
}

BrokenRule saturate_type(const Op& op, Type result, const std::vector<Type>& in) {
  const auto* by = std::get_if<RoundedShift>(&op.payload);
  if (by == nullptr || by->rounding != 0 || by->shift < 0 || by->shift > kMostSaturatedShift)
    return "no shift from 0 to 24";
  return expect(result.scalar == Scalar::kS8 && in[0] == result.with(Scalar::kS32),
                "saturate: s8 of as many s32");
}

BrokenRule choice_type(const Op& op, Type result, const std::vector<Type>& in) {
  using enum OpKind;
  switch (op.kind) {
    case kCompare:
      if (!std::holds_alternative<Predicate>(op.payload)) return "no predicate";
      return expect(in[0] == in[1] && result == in[0].with(Scalar::kPred),
                    "compare: two alike, a pred");
    case kIsFinite:
      return expect(is_float(in[0].scalar) && result == in[0].with(Scalar::kPred),
                    "a float, a pred");
    case kSelect:
      return expect(in[0].scalar == Scalar::kPred &&
                        (in[0].lanes == 1 || in[0].lanes == result.lanes) && in[1] == result &&
                        in[2] == result,
                    "select: a pred and two like the result");
    case kMulShiftRight: return rounded_shift_type(op, result, in);
    case kSaturate: return saturate_type(op, result, in);
    case kConvert:
    case kNativeConvert: return expect(in[0].lanes == result.lanes, "lanes differ");
    case kBitcast:
      return expect(
          in[0].lanes == result.lanes && scalar_bits(in[0].scalar) == scalar_bits(result.scalar),
          "bitcast: width or lanes differ");
    default:
      if (!scalar_op(op.kind, result.scalar))
        return cat("not defined on ", scalar_name(result.scalar));
      return expect(in[0] == result && in[1] == result && in[2] == result,
                    "three operands like the result");
  }
}

}  // namespace

std::optional<MatrixSizes> matrix_sizes(Type acc, Type a, Type b) {
  for (int depth = 1; depth <= a.lanes && depth <= b.lanes; ++depth) {
    if (a.lanes % depth != 0 || b.lanes % depth != 0) continue;
    const MatrixSizes sizes{a.lanes / depth, b.lanes / depth, depth};
    if (sizes.rows * sizes.columns == acc.lanes) return sizes;
  }
  return std::nullopt;
}

BrokenRule type_error(const Op& op, Type result, const std::vector<Type>& in) {
  switch (op_group(op.kind)) {
    case OpGroup::kUnary:
    case OpGroup::kBinary:
      for (const Type type : in)
        if (type != result) return cat("operand ", to_string(type), ", result ", to_string(result));
      if (!scalar_op(op.kind, result.scalar))
        return cat("not defined on ", scalar_name(result.scalar));
      return std::nullopt;
    case OpGroup::kCompare: return choice_type(op, result, in);
    case OpGroup::kVector: return vector_type(op, result, in);
    default: return std::nullopt;
  }
}

}  // namespace hlocc::kernel
