// Divisions, roots and everything that is a polynomial on most chips.
#include "ops/op_cost.h"

namespace hlocc::ops {

using hlo::Opcode;

bool is_expensive(const hlo::Instruction& i) {
  switch (i.opcode) {
    case Opcode::kDivide:
    case Opcode::kRemainder:
    case Opcode::kPower:
    case Opcode::kAtan2:
    case Opcode::kSqrt:
    case Opcode::kRsqrt:
    case Opcode::kCbrt:
    case Opcode::kMap: return true;
    default: return std::holds_alternative<hlo::ResultAccuracyAttributes>(i.attributes);
  }
}

int instructions_per_element(const hlo::Instruction& i) {
  constexpr int kPolynomial = 24;
  if (hlo::info(i.opcode).family != hlo::Family::kElementwise) return 0;
  switch (i.opcode) {
    case Opcode::kPower:
    case Opcode::kAtan2:
    case Opcode::kMap: return 2 * kPolynomial;
    case Opcode::kSqrt:
    case Opcode::kRsqrt: return 2;
    default:
      return std::holds_alternative<hlo::ResultAccuracyAttributes>(i.attributes) ? kPolynomial : 1;
  }
}

}  // namespace hlocc::ops
