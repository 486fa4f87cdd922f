// See known_arrays.h.
#include "transforms/integers/known_arrays.h"

#include <algorithm>

#include "interpreter/interpreter.h"

namespace hlocc::transforms {

using hlo::Instruction;
using hlo::InstructionId;
using hlo::Literal;
using hlo::Opcode;

namespace {

constexpr int kDeepestArithmetic = 16;

// What dequantisations are written in.
bool is_arithmetic(const Instruction& i) {
  switch (i.opcode) {
    case Opcode::kConvert:
    case Opcode::kMultiply:
    case Opcode::kDivide:
    case Opcode::kAdd:
    case Opcode::kSubtract:
    case Opcode::kBroadcast:
    case Opcode::kReshape:
    case Opcode::kTranspose: return true;
    default: return false;
  }
}

}  // namespace

bool KnownArrays::is_known(InstructionId id, int64_t& bytes, int depth) const {
  const Instruction& i = c_.instructions[id];
  if (i.opcode == Opcode::kConstant) {
    const bool halves = packs_ && hlo::type_bits(i.shape.element_type) == 4;
    bytes += i.shape.byte_size() / (halves ? 2 : 1);
    return true;
  }
  return is_arithmetic(i) && depth <= kDeepestArithmetic &&
         std::all_of(i.operands.begin(), i.operands.end(),
                     [&](InstructionId operand) { return is_known(operand, bytes, depth + 1); });
}

std::optional<Literal> KnownArrays::value(InstructionId id) const {
  std::map<InstructionId, Literal> done;
  return value(id, 0, done);
}

// Each array is computed once, however many read it.
std::optional<Literal> KnownArrays::value(InstructionId id, int depth,
                                          std::map<InstructionId, Literal>& done) const {
  if (const auto known = done.find(id); known != done.end()) return known->second;
  const Instruction& i = c_.instructions[id];
  if (i.opcode == Opcode::kConstant) return i.get<hlo::ConstantAttributes>().value;
  if (!is_arithmetic(i) || depth > kDeepestArithmetic ||
      i.shape.element_count() > kMostKnownElements)
    return std::nullopt;
  std::vector<Literal> operands;
  for (const InstructionId operand : i.operands) {
    std::optional<Literal> known = value(operand, depth + 1, done);
    if (!known) return std::nullopt;
    operands.push_back(std::move(*known));
  }
  interpreter::RunState state;
  Result<Literal> result = interpreter::evaluate_instruction(module_, i, operands, state);
  if (!result) return std::nullopt;
  return done.emplace(id, std::move(result).value()).first->second;
}

}  // namespace hlocc::transforms
