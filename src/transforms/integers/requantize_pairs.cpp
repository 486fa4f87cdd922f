// The sum of two arrays of 8-bit integers with a scale each, as quantised networks add a shortcut:
// ((x - zx) * sx + (y - zy) * sy), rounded, clamped. Whatever the spelling, all pairs are known at
// compile time, and two 32-bit multiplications that agree at each of them replace it. A function of
// one such array (tanh, logistic between two scales) is a table of its 256 values.
#include "transforms/integers/requantize_pairs.h"

#include "costs/requantize.h"
#include "transforms/build.h"
#include "transforms/integers/affine_fit.h"
#include "transforms/integers/byte_function.h"

namespace hlocc::transforms {
namespace {

using enum PrimitiveType;

bool replacement_pays(const ByteFunction& function, const Target& target) {
  return costs::byte_function_pays(target, {.of_two = function.second != kNone,
                                            .in_floats = function.computes_in_floats,
                                            .in_64_bits = function.computes_in_64_bits});
}

class AffineBuilder {
 public:
  AffineBuilder(Rewriter& r, const ByteFunction& function, const AffineFit& fit)
      : r_(r), function_(function), fit_(fit), dimensions_(r.shape(function.first).dimensions) {}

  InstructionId build(PrimitiveType type) {
    InstructionId sum =
        binary(r_, Opcode::kAdd, product(function_.first, fit_.first_factor), offset());
    sum = binary(r_, Opcode::kAdd, sum, product(function_.second, fit_.second_factor));
    sum = rounded_shift(r_, sum, fit_.shift, fit_.ties);
    sum = binary(r_, Opcode::kMaximum, sum, every(fit_.low));
    sum = binary(r_, Opcode::kMinimum, sum, every(fit_.high));
    return convert(r_, sum, type);
  }

 private:
  InstructionId every(int64_t value) {
    return splat(r_, Literal::scalar(kS32, static_cast<int32_t>(value)), dimensions_);
  }
  InstructionId product(InstructionId x, int64_t factor) {
    return binary(r_, Opcode::kMultiply, convert(r_, x, kS32), every(factor));
  }
  InstructionId offset() {
    InstructionId offset = every(fit_.offset);
    for (const AffineFit::Exception& e : fit_.exceptions) {
      const InstructionId number =
          convert(r_, e.of_first ? function_.first : function_.second, kS32);
      const InstructionId holds = compare(r_, number, every(e.number), hlo::Direction::kEq);
      offset = select(r_, holds, every(e.offset), offset);
    }
    return offset;
  }

  Rewriter& r_;
  const ByteFunction& function_;
  const AffineFit& fit_;
  const Dimensions dimensions_;
};

// The value of each byte, read where the byte says as an unsigned number.
InstructionId looked_up(Rewriter& r, InstructionId x, Literal values) {
  const Dimensions dimensions = r.shape(x).dimensions;
  const InstructionId place =
      r.type(x) == kU8 ? x : bitcast_convert(r, x, Shape::array(kU8, dimensions));
  hlo::GatherAttributes gather;
  gather.collapsed_slice_dims = gather.start_index_map = {0};
  gather.index_vector_dim = static_cast<int64_t>(dimensions.size());
  gather.slice_sizes = {1};
  return r.add(Opcode::kGather, {constant(r, std::move(values)), place}, std::move(gather));
}

// Functions that are computed in many instructions.
bool takes_long(const Instruction& i) {
  switch (i.opcode) {
    case Opcode::kLogistic:
    case Opcode::kTanh:
    case Opcode::kExp:
    case Opcode::kExpm1:
    case Opcode::kLog:
    case Opcode::kLog1p:
    case Opcode::kErf:
    case Opcode::kRsqrt:
    case Opcode::kCbrt:
    case Opcode::kPower:
    case Opcode::kSin:
    case Opcode::kCos:
    case Opcode::kTan: return true;
    default: return false;
  }
}

bool is_short(PrimitiveType type) {
  return is_integer(type) && (hlo::type_bits(type) == 8 || type == kS16);
}

}  // namespace

InstructionId requantized_pair(Rewriter& r, const Instruction& last, IntegerRanges& ranges,
                               const Target& target) {
  if (!is_short(last.shape.element_type)) return kNone;
  const std::optional<ByteFunction> function = byte_function(r, last);
  if (!function || !replacement_pays(*function, target)) return kNone;
  if (function->second == kNone)
    return looked_up(r, function->first, evaluate_bytes(r, *function, last));
  const ByteTable table = evaluate(r, *function, last, ranges);
  const std::optional<AffineFit> fit = fit_affine(table, costs::most_exceptions(target));
  return fit ? AffineBuilder(r, *function, *fit).build(last.shape.element_type) : kNone;
}

InstructionId dear_function_of_bytes(Rewriter& r, const Instruction& last, const Target& target) {
  if (!takes_long(last) || last.shape.element_type != kF32 ||
      !costs::float_table_pays(target, last.shape.element_count()))
    return kNone;
  const std::optional<ByteFunction> function = byte_function(r, last);
  if (!function || function->second != kNone || !replacement_pays(*function, target)) return kNone;
  return looked_up(r, function->first, evaluate_bytes(r, *function, last));
}

}  // namespace hlocc::transforms
