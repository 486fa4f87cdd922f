// Builder::known: integers that follow from constants, such as the sizes that a model computes from
// a shape before it reshapes. Few elements and few steps: what a program computes is for the
// compiler's passes to fold.
#include <functional>

#include "import/build/builder.h"
#include "import/build/numbers.h"

namespace hlocc::import {
namespace {

constexpr int kMostSteps = 32;
constexpr int64_t kMostElements = 1024;

std::optional<int64_t> fold(Opcode opcode, int64_t a, int64_t b) {
  switch (opcode) {
    case Opcode::kAdd: return static_cast<int64_t>(static_cast<uint64_t>(a) + b);
    case Opcode::kSubtract: return static_cast<int64_t>(static_cast<uint64_t>(a) - b);
    case Opcode::kMultiply: return static_cast<int64_t>(static_cast<uint64_t>(a) * b);
    case Opcode::kMaximum: return std::max(a, b);
    case Opcode::kMinimum: return std::min(a, b);
    case Opcode::kDivide: return b == 0 || b == -1 ? std::nullopt : std::optional(a / b);
    case Opcode::kRemainder: return b == 0 || b == -1 ? std::nullopt : std::optional(a % b);
    default: return std::nullopt;
  }
}

// Elements of `from` at the multi-index of each place of `to`, changed by `place`.
std::vector<int64_t> gathered(const std::vector<int64_t>& from, const Dimensions& to,
                              const std::function<int64_t(const Dimensions&)>& place) {
  std::vector<int64_t> out;
  Dimensions index(to.size(), 0);
  const int64_t count = Shape::array(PrimitiveType::kS64, to).element_count();
  for (int64_t i = 0; i < count; ++i) {
    out.push_back(from[static_cast<size_t>(place(index))]);
    for (size_t d = to.size(); d-- > 0 && ++index[d] == to[d];) index[d] = 0;
  }
  return out;
}

int64_t flat(const Dimensions& index, const Dimensions& strides) {
  int64_t at = 0;
  for (size_t d = 0; d < index.size(); ++d) at += index[d] * strides[d];
  return at;
}

std::vector<int64_t> sliced(const std::vector<int64_t>& from, const Dimensions& sizes,
                            const hlo::SliceAttributes& slice, const Dimensions& to) {
  const Dimensions strides = hlo::row_major_strides(sizes);
  return gathered(from, to, [&](Dimensions index) {
    for (size_t d = 0; d < index.size(); ++d)
      index[d] = slice.starts[d] + index[d] * slice.strides[d];
    return flat(index, strides);
  });
}

std::vector<int64_t> repeated(const std::vector<int64_t>& from, const Dimensions& sizes,
                              const Dimensions& mapping, const Dimensions& to) {
  const Dimensions strides = hlo::row_major_strides(sizes);
  return gathered(from, to, [&](const Dimensions& index) {
    Dimensions own;
    for (const int64_t d : mapping) own.push_back(index[d]);
    return flat(own, strides);
  });
}

}  // namespace

std::optional<Literal> Builder::known(InstructionId id) const {
  return failure_ ? std::nullopt : known(id, 0);
}

std::optional<Literal> Builder::known(InstructionId id, int depth) const {
  const hlo::Instruction& i = open_.back()[id];
  if (i.opcode == Opcode::kConstant) return i.get<hlo::ConstantAttributes>().value;
  if (depth == kMostSteps || !hlo::is_integer(i.shape.element_type) ||
      hlo::type_bits(i.shape.element_type) < 8 || i.shape.element_count() > kMostElements)
    return std::nullopt;
  std::vector<std::vector<int64_t>> operands;
  for (const InstructionId operand : i.operands) {
    if (!hlo::is_integer(type(operand))) return std::nullopt;
    const std::optional<Literal> value = known(operand, depth + 1);
    if (!value || value->element_count() > kMostElements) return std::nullopt;
    operands.push_back(integers_of(*value));
  }
  const Dimensions& to = i.shape.dimensions;
  std::vector<int64_t> out;
  switch (i.opcode) {
    case Opcode::kReshape:
    case Opcode::kConvert: out = operands[0]; break;
    case Opcode::kSlice:
      out = sliced(operands[0], sizes(i.operands[0]), i.get<hlo::SliceAttributes>(), to);
      break;
    case Opcode::kBroadcast:
      out = repeated(operands[0], sizes(i.operands[0]),
                     i.get<hlo::DimensionsAttributes>().dimensions, to);
      break;
    case Opcode::kConcatenate:
      // Along the first dimension the parts lie one after the other.
      if (i.get<hlo::DimensionsAttributes>().dimensions[0] != 0) return std::nullopt;
      for (const auto& part : operands) out.insert(out.end(), part.begin(), part.end());
      break;
    default:
      if (operands.size() != 2 || operands[0].size() != operands[1].size()) return std::nullopt;
      for (size_t at = 0; at < operands[0].size(); ++at) {
        const auto value = fold(i.opcode, operands[0][at], operands[1][at]);
        if (!value) return std::nullopt;
        out.push_back(*value);
      }
  }
  if (static_cast<int64_t>(out.size()) != i.shape.element_count()) return std::nullopt;
  return literal_of(i.shape.element_type, out, to);
}

}  // namespace hlocc::import
