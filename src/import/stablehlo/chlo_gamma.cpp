// The gamma function and what it brings along, as XLA expands them: Lanczos' approximation, with
// reflection below one half; Hurwitz' zeta function by Euler and Maclaurin.
#include "import/stablehlo/functions.h"
#include "import/stablehlo/ops.h"

namespace hlocc::import::stablehlo {
namespace {

constexpr double kPi = 3.14159265358979323846, kInfinity = std::numeric_limits<double>::infinity();
constexpr double kLanczosG = 7, kLanczosBase = 0.99999999999980993227684700473478;
constexpr double kLanczos[] = {
    676.520368121885098567009190444019, -1259.13921672240287047156078755283,
    771.3234287776530788486528258894,   -176.61502916214059906584551354,
    12.507343278686904814458936853,     -0.13857109526572011689554707,
    9.984369578019570859563e-6,         1.50563273514931155834e-7};
// (2k)! / B_2k
constexpr double kZetaTerms[] = {-7.1661652561756670113e18,
                                 1.8152105401943546773e17,
                                 -4.5979787224074726105e15,
                                 1.1646782814350067249e14,
                                 -2.950130727918164224e12,
                                 7.47242496e10,
                                 -1.8924375803183791606e9,
                                 47900160.0,
                                 -1209600.0,
                                 30240.0,
                                 -720.0,
                                 12.0};

// Terms of the sum that are added up as they stand.
constexpr int kZetaDirect = 10;

// What both functions take in place of x, and log(z + 7.5).
struct Lanczos {
  Where reflects;
  Real z, log_t;
};
Lanczos lanczos(Real x) {
  const Where reflects = x < 0.5;
  const Real z = select(reflects, -x, x - 1);
  const double shift = kLanczosG + 0.5;
  return {reflects, z, log1p(z / shift) + std::log(shift)};
}

// Operands of two, in f32 where they are narrower.
InstructionId function_of_two(const Op& op, Real (*function)(Real, Real)) {
  if (!op.has_inputs(2)) return 0;
  const PrimitiveType type = op.b.type(op.in(0));
  if (!hlo::is_float(type) || op.b.type(op.in(1)) != type) {
    op.fail(DiagnosticKind::kType, "takes floating-point numbers of one type");
    return 0;
  }
  const PrimitiveType wide = hlo::type_bits(type) < 32 ? PrimitiveType::kF32 : type;
  const Real x{&op.b, op.b.convert(op.in(0), wide)}, y{&op.b, op.b.convert(op.in(1), wide)};
  return op.b.convert(function(x, y).id, type);
}

// (-1)^(m + 1) m! zeta(m + 1, x); of order 0 the digamma function.
Real real_polygamma(Real m, Real x) {
  const Real next = m + 1;
  const Real sign = 2 * remainder(m, 2) - 1;
  const Real value = sign * exp(lgamma(next)) * zeta(next, x);
  const Real known = select(equal(m, 0), digamma(x), value);
  const Where is_wrong = m.b->binary(Opcode::kOr, differ(m, floor(m)), m < 0);
  return select(is_wrong, std::nan(""), known);
}

}  // namespace

Real lgamma(Real x) {
  const Lanczos of = lanczos(x);
  Real sum = x.like(kLanczosBase);
  for (int i = 0; const double c : kLanczos) sum = sum + c / (of.z + ++i);
  const Real t = of.z + (kLanczosG + 0.5);
  const Real direct = ((of.z + 0.5) - t / of.log_t) * of.log_t + 0.5 * std::log(2 * kPi) + log(sum);
  const Real size = abs(x), fraction = size - floor(size);
  const Real folded = select(fraction > 0.5, 1 - fraction, fraction);
  const Real log_sine = log(sin(folded * kPi));
  const Where is_finite = x.b->unary(Opcode::kIsFinite, log_sine.id);
  const Real reflected = select(is_finite, (std::log(kPi) - log_sine) - direct, -log_sine);
  return select(equal(abs(x), kInfinity), kInfinity, select(of.reflects, reflected, direct));
}

Real digamma(Real x) {
  const Lanczos of = lanczos(x);
  Real above = x.like(0), below = x.like(kLanczosBase);
  for (int i = 0; const double c : kLanczos) {
    const Real at = of.z + ++i;
    above = above - c / (at * at);
    below = below + c / at;
  }
  const Real t = of.z + (kLanczosG + 0.5);
  const Real direct = (of.log_t + above / below) - kLanczosG / t;
  const Real angle = (x + abs(floor(x + 0.5))) * kPi;
  const Real reflected = direct - cos(angle) * kPi / sin(angle);
  const Where is_pole = x.b->binary(Opcode::kAnd, x <= 0, equal(x, floor(x)));
  return select(is_pole, std::nan(""), select(of.reflects, reflected, direct));
}

Real zeta(Real x, Real q) {
  const double least = x.type() == PrimitiveType::kF64 ? std::numeric_limits<double>::denorm_min()
                                                       : std::numeric_limits<float>::denorm_min();
  const Real minus_x = -x;
  Real a = q, last = pow(a, minus_x), sum = last;
  for (int i = 1; i <= kZetaDirect; ++i) {
    a = a + 1;
    last = pow(a, minus_x);
    if (i < kZetaDirect) sum = sum + last;
  }
  const Real inverse_square = 1 / (a * a);
  Real series = x.like(0);
  for (int i = 0; i < 11; ++i) {
    const Real coefficient = x.like(1 / kZetaTerms[i]);
    const double n = 22 - 2 * i;
    const Real term =
        i == 0 ? inverse_square * coefficient : inverse_square * (series + coefficient);
    series = ((x + n) * (x + (n - 1))) * term;
  }
  const Real corrected =
      (sum + last * a / (x - 1)) + last * ((x / a) * (series + 1 / kZetaTerms[11]) + 0.5);
  Builder& b = *x.b;
  Real out = select(abs(last) < abs(sum) * least, sum, corrected);
  out = select(x < 1, std::nan(""), out);
  const Where at_most_zero = q <= 0;
  out = select(b.binary(Opcode::kAnd, at_most_zero, differ(x, floor(x))), std::nan(""), out);
  const Where is_even = b.binary(Opcode::kAnd, equal(x, floor(x)), equal(remainder(x, 2), 0));
  const Real at_pole = select(is_even, kInfinity, x.like(std::nan("")));
  out = select(b.binary(Opcode::kAnd, at_most_zero, equal(q, floor(q))), at_pole, out);
  return select(equal(x, 1), kInfinity, out);
}

namespace ops {

InstructionId lgamma(const Op& op) { return real_function(op, stablehlo::lgamma, true); }
InstructionId digamma(const Op& op) { return real_function(op, stablehlo::digamma, true); }
InstructionId zeta(const Op& op) { return function_of_two(op, stablehlo::zeta); }
InstructionId polygamma(const Op& op) { return function_of_two(op, real_polygamma); }

}  // namespace ops
}  // namespace hlocc::import::stablehlo
