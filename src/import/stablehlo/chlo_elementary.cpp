// Operations of chlo, JAX's library of functions, as XLA expands them: inverse and hyperbolic
// functions. Numbers of fewer than 32 bits keep their type but where the formula says f32; complex
// ones are HLO's own operations.
#include "import/stablehlo/functions.h"
#include "import/stablehlo/ops.h"

namespace hlocc::import::stablehlo {
namespace {

// Half of the largest number, and the square root of the largest, of the type.
double half_of_largest(PrimitiveType type) { return largest_number(type) / 2; }

Real real_asin(Real x) {
  const Real half = atan2(x, sqrt((1 - x) * (x + 1)) + 1);
  return half + half;
}

Real real_acos(Real x) { return atan2(sqrt((1 - x) * (x + 1)), x); }

Real real_atan(Real x) { return atan2(x, x.like(1)); }

Real real_sinh(Real x) {
  const double minus_log2 = -std::log(2.0);
  const Real small = expm1(x);
  return select(abs(x) < 1, (small + small / (small + 1)) * 0.5,
                exp(x + minus_log2) - exp(minus_log2 - x));
}

Real real_cosh(Real x) {
  const double minus_log2 = -std::log(2.0);
  return exp(x + minus_log2) + exp(minus_log2 - x);
}

// log(|x| + sqrt(x^2 + 1)), without the cancellation near 0 and the overflow far away.
Real real_asinh(Real x) {
  const Real magnitude = abs(x), square = magnitude * magnitude;
  const Real large = log(magnitude) + std::log(2.0);
  const Real other = log1p(magnitude + square / (sqrt(square + 1) + 1));
  return sign(x) * select(magnitude >= std::sqrt(largest_number(x.type())), large, other);
}

Real real_acosh(Real x) {
  const Real below = sqrt(x - 1), above = sqrt(x + 1);
  return select(x >= half_of_largest(x.type()), log(x) + std::log(2.0),
                log1p(below * (above + below)));
}

Real real_atanh(Real x) { return select(abs(x) > 1, std::nan(""), (log1p(x) - log1p(-x)) * 0.5); }

// So many operands of floating-point numbers.
void check_floats(const Op& op, int count) {
  if (!op.has_inputs(count)) return;
  for (int i = 0; i < count && !op.b.failure(); ++i)
    if (!hlo::is_float(op.b.type(op.in(i))))
      op.fail(DiagnosticKind::kType, "takes floating-point numbers");
}

}  // namespace

double largest_number(PrimitiveType type) {
  if (type == PrimitiveType::kF64) return std::numeric_limits<double>::max();
  if (type == PrimitiveType::kF32) return std::numeric_limits<float>::max();
  const hlo::FloatFormat* format = hlo::small_float_format(type);
  return format == nullptr ? 0 : hlo::small_to_float(*format, format->max_finite());
}

InstructionId real_function(const Op& op, Real (*function)(Real), bool in_f32, Opcode of_complex) {
  if (!op.has_inputs(1)) return 0;
  const Real x{&op.b, op.in(0)};
  const PrimitiveType type = x.type();
  if (hlo::is_complex(type) && of_complex != Opcode::kTuple) return op.b.math(of_complex, x.id);
  check_floats(op, 1);
  if (!in_f32 || hlo::type_bits(type) >= 32) return function(x).id;
  const Real wide{&op.b, op.b.convert(x.id, PrimitiveType::kF32)};
  return op.b.convert(function(wide).id, type);
}

namespace ops {

InstructionId asin(const Op& op) { return real_function(op, real_asin, false, Opcode::kAsin); }
InstructionId acos(const Op& op) { return real_function(op, real_acos, false, Opcode::kAcos); }
InstructionId atan(const Op& op) { return real_function(op, real_atan, false, Opcode::kAtan); }
InstructionId sinh(const Op& op) { return real_function(op, real_sinh, true, Opcode::kSinh); }
InstructionId cosh(const Op& op) { return real_function(op, real_cosh, true, Opcode::kCosh); }
InstructionId asinh(const Op& op) { return real_function(op, real_asinh, false, Opcode::kAsinh); }
InstructionId acosh(const Op& op) { return real_function(op, real_acosh, false, Opcode::kAcosh); }
InstructionId atanh(const Op& op) { return real_function(op, real_atanh, false, Opcode::kAtanh); }

InstructionId square(const Op& op) {
  return op.has_inputs(1) ? op.b.binary(Opcode::kMultiply, op.in(0), op.in(0)) : 0;
}

InstructionId conj(const Op& op) {
  if (!op.has_inputs(1) || !hlo::is_complex(op.b.type(op.in(0)))) return op.in(0);
  const InstructionId x = op.in(0);
  return op.b.binary(Opcode::kComplex, op.b.unary(Opcode::kReal, x),
                     op.b.unary(Opcode::kNegate, op.b.unary(Opcode::kImag, x)));
}

// |x| = infinity, of either sign or of the one that is asked for.
InstructionId is_inf(const Op& op) {
  check_floats(op, 1);
  const Real x{&op.b, op.in(0)};
  return equal(abs(x), std::numeric_limits<double>::infinity());
}
InstructionId is_pos_inf(const Op& op) {
  check_floats(op, 1);
  return equal(Real{&op.b, op.in(0)}, std::numeric_limits<double>::infinity());
}
InstructionId is_neg_inf(const Op& op) {
  check_floats(op, 1);
  return equal(Real{&op.b, op.in(0)}, -std::numeric_limits<double>::infinity());
}

// The neighbour of x towards y: the integer of its bits, one more or less.
InstructionId next_after(const Op& op) {
  check_floats(op, 2);
  Builder& b = op.b;
  const Real x{&b, op.in(0)}, y{&b, op.in(1)};
  const int bits = hlo::type_bits(x.type());
  const PrimitiveType type = bits == 64   ? PrimitiveType::kS64
                             : bits == 32 ? PrimitiveType::kS32
                             : bits == 16 ? PrimitiveType::kS16
                                          : PrimitiveType::kS8;
  const auto all = [&](int64_t value) {
    return b.broadcast(b.constant(literal_of(type, {value}, {})), b.sizes(x.id), {});
  };
  const auto bits_of = [&](Real value) { return b.bitcast(value.id, type); };
  const auto both = [&](InstructionId p, InstructionId q) { return b.binary(Opcode::kAnd, p, q); };
  const auto either = [&](InstructionId p, InstructionId q) { return b.binary(Opcode::kOr, p, q); };
  const int64_t sign_bit = INT64_MIN >> (64 - hlo::type_bits(type));
  const InstructionId from = bits_of(x), to = bits_of(y), zero = all(0), one = all(1);
  const InstructionId from_size = both(from, all(~sign_bit)), to_size = both(to, all(~sign_bit));
  const InstructionId from_sign = both(from, all(sign_bit)), to_sign = both(to, all(sign_bit));
  const InstructionId of_zero =
      b.select(b.compare(to_size, zero, hlo::Direction::kEq), to, either(to_sign, one));
  const InstructionId towards_zero = either(b.compare(from_size, to_size, hlo::Direction::kGt),
                                            b.compare(from_sign, to_sign, hlo::Direction::kNe));
  const InstructionId stepped = b.binary(Opcode::kAdd, from, b.select(towards_zero, all(-1), one));
  const InstructionId moved =
      b.select(b.compare(from_size, zero, hlo::Direction::kEq), of_zero, stepped);
  const InstructionId unless_equal = b.select(equal(x, y), to, moved);
  const InstructionId nan = bits_of(x.like(std::nan("")));
  return b.bitcast(b.select(either(differ(x, x), differ(y, y)), nan, unless_equal), x.type());
}

// HLO has it along the last dimension.
InstructionId top_k(const Op& op) {
  const int64_t k = op.attributes.integer("k");
  return op.b.add(Opcode::kTopK, op.ins(), hlo::TopKAttributes{k, true});
}

}  // namespace ops
}  // namespace hlocc::import::stablehlo
