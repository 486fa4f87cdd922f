// chlo.erfc as StableHLO expands it (after Cephes): 1 - x T(x^2) inside (-1, 1), outside e^(-x^2) / |x| times one of two
// polynomials in 1 / x^2. Each op stands in the order of the original; the coefficients are rounded to the type.
#include "transforms/library.h"

#include "transforms/build.h"

namespace hlocc::transforms {
namespace {

using hlo::Direction;

// c, for x of any type.
InstructionId like(Rewriter& r, InstructionId x, double value) { return constant(r, number(r.type(x), value)); }

// Horner, highest power first; as the expansion has it, the first step multiplies x by a constant.
InstructionId polynomial(Rewriter& r, InstructionId x, std::span<const double> coefficients) {
  InstructionId sum = like(r, x, coefficients[0]);
  for (size_t i = 1; i < coefficients.size(); ++i)
    sum = binary(r, Opcode::kAdd, binary(r, Opcode::kMultiply, sum, x), like(r, x, coefficients[i]));
  return sum;
}

InstructionId erfc_near(Rewriter& r, InstructionId x) {
  static constexpr double kT[] = {7.853861353153693e-5,  -8.010193625184903e-4, 5.188327685732524e-3, -2.685381193529856e-2,
                                  1.128358514861418e-1, -3.761262582423300e-1, 1.128379165726710e+0};
  const InstructionId t = polynomial(r, binary(r, Opcode::kMultiply, x, x), kT);
  return binary(r, Opcode::kSubtract, like(r, x, 1), binary(r, Opcode::kMultiply, x, t));
}

InstructionId erfc_far(Rewriter& r, InstructionId x) {
  static constexpr double kP[] = {2.326819970068386e-2,  -1.387039388740657e-1, 3.687424674597105e-1,
                                  -5.824733027278666e-1, 6.210004621745983e-1,  -4.944515323274145e-1,
                                  3.404879937665872e-1,  -2.741127028184656e-1, 5.638259427386472e-1};
  static constexpr double kR[] = {-1.047766399936249e+1, 1.297719955372516e+1, -7.495518717768503e+0, 2.921019019210786e+0,
                                  -1.015265279202700e+0, 4.218463358204948e-1, -2.820767439740514e-1, 5.641895067754075e-1};
  // Where e^(-x^2) would underflow.
  constexpr double kLeast = -88.7228391116729996;
  const InstructionId square = binary(r, Opcode::kMultiply, x, x), z = unary(r, Opcode::kNegate, square);
  const InstructionId magnitude = unary(r, Opcode::kAbs, x), one = like(r, x, 1), zero = like(r, x, 0);
  const InstructionId scale = binary(r, Opcode::kMultiply, math(r, Opcode::kExp, z), binary(r, Opcode::kDivide, one, magnitude));
  const InstructionId q = binary(r, Opcode::kDivide, one, square);
  const InstructionId p = select(r, compare(r, magnitude, like(r, x, 2), Direction::kLt), polynomial(r, q, kP), polynomial(r, q, kR));
  const InstructionId y = binary(r, Opcode::kMultiply, scale, p);
  const InstructionId tail = select(r, compare(r, z, like(r, x, kLeast), Direction::kLt), zero, y);
  const InstructionId reflected = binary(r, Opcode::kSubtract, like(r, x, 2), tail);
  return select(r, compare(r, x, zero, Direction::kLt), reflected, tail);
}

InstructionId erfc(Rewriter& r, InstructionId x) {
  const InstructionId is_near = compare(r, unary(r, Opcode::kAbs, x), like(r, x, 1), Direction::kLt);
  return select(r, is_near, erfc_near(r, x), erfc_far(r, x));
}

}  // namespace

std::span<const LibraryFunction> library() {
  static constexpr LibraryFunction functions[] = {{"erfc", PrimitiveType::kF32, erfc}};
  return functions;
}

}  // namespace hlocc::transforms
