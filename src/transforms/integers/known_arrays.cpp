// See known_arrays.h.
#include "transforms/integers/known_arrays.h"

#include <algorithm>

#include "transforms/integers/element_function.h"

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

std::optional<int64_t> KnownArrays::bytes(InstructionId id, int depth) const {
  const Instruction& i = c_.instructions[id];
  if (i.opcode == Opcode::kConstant) {
    const bool halves = packs_ && hlo::type_bits(i.shape.element_type) == 4;
    return i.shape.byte_size() / (halves ? 2 : 1);
  }
  if (!is_arithmetic(i) || depth > kDeepestArithmetic) return std::nullopt;
  int64_t sum = 0;
  for (const InstructionId operand : i.operands) {
    const std::optional<int64_t> part = bytes(operand, depth + 1);
    if (!part) return std::nullopt;
    sum += *part;
  }
  return sum;
}

std::optional<Literal> KnownArrays::value(InstructionId id) const {
  if (!bytes(id) || c_.instructions[id].shape.element_count() > kMostKnownElements)
    return std::nullopt;
  std::map<InstructionId, Literal> done;
  return computed(id, done);
}

// Each array is computed once, however many read it; none is larger than what is made of it.
Literal KnownArrays::computed(InstructionId id, std::map<InstructionId, Literal>& done) const {
  if (const auto known = done.find(id); known != done.end()) return known->second;
  const Instruction& i = c_.instructions[id];
  if (i.opcode == Opcode::kConstant) return i.get<hlo::ConstantAttributes>().value;
  std::vector<Literal> operands;
  for (const InstructionId operand : i.operands) operands.push_back(computed(operand, done));
  return done.emplace(id, evaluated(module_, i, operands, i.shape.dimensions)).first->second;
}

}  // namespace hlocc::transforms
