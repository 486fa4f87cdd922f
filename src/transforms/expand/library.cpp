// chlo.erfc as StableHLO expands it (after Cephes). In f32: 1 - x T(x^2) inside (-1, 1), outside
// e^(-x^2) / |x| times one of two polynomials in 1 / x^2. In f64: 1 - x T(x^2) / U(x^2) inside,
// outside e^(-x^2) times one of two ratios in |x|. Each op stands in the order of the original, as
// simplify leaves it; the coefficients are rounded to the type.
#include "transforms/expand/library.h"

#include "transforms/build.h"

namespace hlocc::transforms {
namespace {

using hlo::Direction;

// c, for x of any type.
InstructionId like(Rewriter& r, InstructionId x, double value) {
  return constant(r, number(r.type(x), value));
}

// Horner, highest power first; as the expansion has it, the first step multiplies x by a constant.
InstructionId polynomial(Rewriter& r, InstructionId x, std::span<const double> coefficients) {
  InstructionId sum = like(r, x, coefficients[0]);
  for (size_t i = 1; i < coefficients.size(); ++i)
    sum =
        binary(r, Opcode::kAdd, binary(r, Opcode::kMultiply, sum, x), like(r, x, coefficients[i]));
  return sum;
}

// The same with a highest coefficient of 1, which is not in the list.
InstructionId monic(Rewriter& r, InstructionId x, std::span<const double> coefficients) {
  InstructionId sum = binary(r, Opcode::kAdd, x, like(r, x, coefficients[0]));
  for (const double coefficient : coefficients.subspan(1))
    sum = binary(r, Opcode::kAdd, binary(r, Opcode::kMultiply, sum, x), like(r, x, coefficient));
  return sum;
}

InstructionId erfc_near(Rewriter& r, InstructionId x) {
  static constexpr double kT[] = {
      7.853861353153693e-5, -8.010193625184903e-4, 5.188327685732524e-3, -2.685381193529856e-2,
      1.128358514861418e-1, -3.761262582423300e-1, 1.128379165726710e+0};
  const InstructionId t = polynomial(r, binary(r, Opcode::kMultiply, x, x), kT);
  return binary(r, Opcode::kSubtract, like(r, x, 1), binary(r, Opcode::kMultiply, x, t));
}

// What both types have around their approximation `y` of erfc(|x|): nothing where e^z, z = -x^2,
// would underflow, and the other half.
InstructionId reflected(Rewriter& r, InstructionId x, InstructionId z, double least,
                        InstructionId y) {
  const InstructionId zero = like(r, x, 0);
  const InstructionId tail = select(r, compare(r, z, like(r, x, least), Direction::kLt), zero, y);
  const InstructionId other = binary(r, Opcode::kSubtract, like(r, x, 2), tail);
  return select(r, compare(r, x, zero, Direction::kLt), other, tail);
}

InstructionId erfc_far(Rewriter& r, InstructionId x) {
  static constexpr double kP[] = {
      2.326819970068386e-2,  -1.387039388740657e-1, 3.687424674597105e-1,
      -5.824733027278666e-1, 6.210004621745983e-1,  -4.944515323274145e-1,
      3.404879937665872e-1,  -2.741127028184656e-1, 5.638259427386472e-1};
  static constexpr double kR[] = {
      -1.047766399936249e+1, 1.297719955372516e+1, -7.495518717768503e+0, 2.921019019210786e+0,
      -1.015265279202700e+0, 4.218463358204948e-1, -2.820767439740514e-1, 5.641895067754075e-1};
  constexpr double kLeast = -88.7228391116729996;
  const InstructionId square = binary(r, Opcode::kMultiply, x, x),
                      z = unary(r, Opcode::kNegate, square);
  const InstructionId magnitude = unary(r, Opcode::kAbs, x), one = like(r, x, 1);
  const InstructionId scale = binary(r, Opcode::kMultiply, math(r, Opcode::kExp, z),
                                     binary(r, Opcode::kDivide, one, magnitude));
  const InstructionId q = binary(r, Opcode::kDivide, one, square);
  const InstructionId p = select(r, compare(r, magnitude, like(r, x, 2), Direction::kLt),
                                 polynomial(r, q, kP), polynomial(r, q, kR));
  return reflected(r, x, z, kLeast, binary(r, Opcode::kMultiply, scale, p));
}

InstructionId erfc_near_double(Rewriter& r, InstructionId x) {
  static constexpr double kT[] = {9.604973739870516, 90.02601972038427, 2232.005345946843,
                                  7003.325141128051, 55592.30130103949};
  static constexpr double kU[] = {33.56171416475031, 521.3579497801527, 4594.323829709801,
                                  22629.000061389095, 49267.39426086359};
  const InstructionId square = binary(r, Opcode::kMultiply, x, x);
  const InstructionId t = binary(r, Opcode::kMultiply, x, polynomial(r, square, kT));
  return binary(r, Opcode::kSubtract, like(r, x, 1),
                binary(r, Opcode::kDivide, t, monic(r, square, kU)));
}

InstructionId erfc_far_double(Rewriter& r, InstructionId x) {
  static constexpr double kP[] = {2.461969814735305e-10, 0.5641895648310689, 7.463210564422699,
                                  48.63719709856814,     196.5208329560771,  526.4451949954773,
                                  934.5285271719576,     1027.5518868951572, 557.5353353693994};
  static constexpr double kQ[] = {13.228195115474499, 86.70721408859897,  354.9377788878199,
                                  975.7085017432055,  1823.9091668790973, 2246.3376081871097,
                                  1656.6630919416134, 557.5353408177277};
  static constexpr double kR[] = {0.5641895835477551, 1.275366707599781,  5.019050422511805,
                                  6.160210979930536,  7.4097426995044895, 2.9788666537210022};
  static constexpr double kS[] = {2.2605286322011726, 9.396035249380015, 12.048953980809666,
                                  17.08144507475659,  9.608968090632859, 3.369076451000815};
  constexpr double kLeast = -709.782712893384;
  const InstructionId z = unary(r, Opcode::kNegate, binary(r, Opcode::kMultiply, x, x)),
                      magnitude = unary(r, Opcode::kAbs, x);
  const InstructionId scale = math(r, Opcode::kExp, z);
  const auto ratio = [&](std::span<const double> above, std::span<const double> below) {
    const InstructionId scaled =
        binary(r, Opcode::kMultiply, scale, polynomial(r, magnitude, above));
    return binary(r, Opcode::kDivide, scaled, monic(r, magnitude, below));
  };
  const InstructionId is_middle = compare(r, magnitude, like(r, x, 8), Direction::kLt);
  return reflected(r, x, z, kLeast, select(r, is_middle, ratio(kP, kQ), ratio(kR, kS)));
}

InstructionId erfc(Rewriter& r, InstructionId x) {
  const bool is_double = r.type(x) == PrimitiveType::kF64;
  const InstructionId is_near =
      compare(r, unary(r, Opcode::kAbs, x), like(r, x, 1), Direction::kLt);
  const InstructionId near = is_double ? erfc_near_double(r, x) : erfc_near(r, x);
  return select(r, is_near, near, is_double ? erfc_far_double(r, x) : erfc_far(r, x));
}

}  // namespace

std::span<const LibraryFunction> library() {
  static constexpr LibraryFunction functions[] = {{"erfc", PrimitiveType::kF32, erfc},
                                                  {"erfc", PrimitiveType::kF64, erfc}};
  return functions;
}

}  // namespace hlocc::transforms
