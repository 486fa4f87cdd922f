// Compacting and expanding of values with run-time sizes, and the ops that read and set them.
#include "interpreter/dynamic.h"

#include <algorithm>

#include "interpreter/families.h"
#include "interpreter/indices.h"
#include "interpreter/strided.h"
#include "ops/infer.h"
#include "support/text.h"

namespace hlocc::interpreter {
namespace {

using hlo::Computation;
using hlo::Instruction;
using hlo::Op;
using hlo::Opcode;
using hlo::Shape;

Dimensions meant_sizes(const Literal& literal) {
  if (literal.dynamic_sizes.empty()) return literal.shape().dimensions;
  return {literal.dynamic_sizes.begin(), literal.dynamic_sizes.end()};
}

// Copies the common box of two arrays of one rank; the rest of the result is zeros.
Literal boxed(const Literal& literal, const Shape& shape) {
  Literal result = Literal::zeros(shape);
  Dimensions box = shape.dimensions;
  for (size_t d = 0; d < box.size(); ++d) box[d] = std::min(box[d], literal.shape().dimensions[d]);
  strided_copy(box, hlo::storage_bytes(shape.element_type), result.mutable_bytes().data(),
               {0, hlo::row_major_strides(shape.dimensions)}, literal.bytes().data(),
               {0, hlo::row_major_strides(literal.shape().dimensions)});
  return result;
}

Literal compact(const Literal& literal) {
  if (literal.dynamic_sizes.empty()) return literal;
  return boxed(literal, Shape::array(literal.type(), meant_sizes(literal)));
}

// The room of the bound around a compact value.
Literal expanded(const Literal& literal, const Shape& shape) {
  if (shape.is_tuple()) {
    std::vector<Literal> elements;
    for (size_t i = 0; i < shape.tuple.size(); ++i)
      elements.push_back(expanded(literal.elements()[i], shape.tuple[i]));
    return Literal::make_tuple(std::move(elements));
  }
  if (!shape.is_array() || !shape.has_dynamic_dimensions()) return literal;
  Literal result = boxed(literal, shape);
  result.dynamic_sizes.assign(literal.shape().dimensions.begin(), literal.shape().dimensions.end());
  return result;
}

// The declared shape with run-time sizes, for the ops whose result does not follow from their
// operands' shapes.
Shape open_shape(const Instruction& instruction, Operands operands) {
  Shape shape = instruction.shape;
  if (!shape.is_array()) return shape;
  const Dimensions& from = operands[0].shape().dimensions;
  if (instruction.opcode == Opcode::kBroadcast) {
    const Dimensions& mapping = instruction.get<hlo::DimensionsAttributes>().dimensions;
    for (size_t i = 0; i < mapping.size(); ++i) shape.dimensions[mapping[i]] = from[i];
  } else if (instruction.opcode == Opcode::kReshape) {
    // One dynamic dimension takes what the static ones leave.
    int64_t fixed = 1;
    for (int d = 0; d < shape.rank(); ++d)
      if (!shape.is_dynamic(d)) fixed *= shape.dimensions[d];
    for (int d = 0; d < shape.rank(); ++d)
      if (shape.is_dynamic(d)) shape.dimensions[d] = fixed == 0 ? 0 : product(from) / fixed;
  }
  shape.dynamic.clear();
  return shape;
}

// Slices that run to the bound run to the meant end, those of a whole dimension are what is meant
// of it.
void shorten_slice(Instruction& instruction, const Dimensions& bounds, const Dimensions& sizes) {
  const auto shorten = [&](Dimensions& lengths) {
    for (size_t d = 0; d < sizes.size(); ++d)
      if (lengths[d] == bounds[d]) lengths[d] = sizes[d];
  };
  if (auto* slice = std::get_if<hlo::DynamicSliceAttributes>(&instruction.attributes))
    shorten(slice->sizes);
  if (auto* gather = std::get_if<hlo::GatherAttributes>(&instruction.attributes))
    shorten(gather->slice_sizes);
  if (instruction.opcode != Opcode::kSlice) return;
  auto& slice = instruction.get<hlo::SliceAttributes>();
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (slice.limits[d] == bounds[d]) slice.limits[d] = sizes[d];
    slice.starts[d] = std::min(slice.starts[d], sizes[d]);
    slice.limits[d] = std::clamp(slice.limits[d], slice.starts[d], sizes[d]);
  }
}

// Elementwise ops compute on all elements, as compiled code does, and of operands of different
// sizes the smallest is what all of them mean: what lies behind the size is the op of what lay
// there.
Result<Literal> evaluate_bounds(Context& context, const Instruction& instruction,
                                Operands operands) {
  std::vector<int32_t> least;
  std::vector<Literal> plain;
  for (const Literal& operand : operands) {
    const Dimensions sizes = meant_sizes(operand);
    if (least.empty()) least.assign(sizes.begin(), sizes.end());
    for (size_t d = 0; d < sizes.size(); ++d)
      least[d] = std::min(least[d], static_cast<int32_t>(sizes[d]));
    Shape shape = operand.shape();
    shape.dynamic.clear();
    plain.push_back(operand);
    plain.back().set_shape(std::move(shape));
    plain.back().dynamic_sizes.clear();
  }
  Instruction inner = instruction;
  inner.shape.dynamic.clear();
  HLOCC_TRY_ASSIGN(Literal result, evaluate(context, inner, plain));
  result.set_shape(instruction.shape);
  if (instruction.shape.has_dynamic_dimensions()) result.dynamic_sizes = std::move(least);
  return result;
}

}  // namespace

bool needs_compact_operands(const Instruction& instruction, Operands operands) {
  const hlo::Family family = hlo::info(instruction.opcode).family;
  if (family == hlo::Family::kDynamic || family == hlo::Family::kStructure) return false;
  if (family == hlo::Family::kControlFlow || family == hlo::Family::kCollective) return false;
  return std::any_of(operands.begin(), operands.end(),
                     [](const Literal& operand) { return !operand.dynamic_sizes.empty(); });
}

Result<Literal> evaluate_compact(Context& context, const Instruction& instruction,
                                 Operands operands) {
  if (hlo::info(instruction.opcode).family == hlo::Family::kElementwise)
    return evaluate_bounds(context, instruction, operands);
  Computation computation;
  Instruction inner = instruction;
  shorten_slice(inner, operands[0].shape().dimensions, meant_sizes(operands[0]));
  inner.operands.clear();
  std::vector<Literal> compacted;
  for (const Literal& operand : operands) compacted.push_back(compact(operand));
  for (const Literal& operand : compacted)
    inner.operands.push_back(
        computation.add(hlo::make_parameter(static_cast<int64_t>(inner.operands.size()),
                                            hlo::with_default_layout(operand.shape()), "")));
  inner.shape = open_shape(instruction, compacted);
  HLOCC_TRY_ASSIGN(inner.shape, ops::infer_shape(context.module, computation, inner));
  HLOCC_TRY_ASSIGN(const Literal result, evaluate(context, inner, compacted));
  return expanded(result, instruction.shape);
}

Result<Literal> evaluate(Op<Opcode::kGetDimensionSize>, Context&, const Instruction& instruction,
                         Operands operands) {
  const int64_t dimension = instruction.get<hlo::DimensionsAttributes>().dimensions[0];
  return Literal::scalar<int32_t>(PrimitiveType::kS32,
                                  static_cast<int32_t>(meant_sizes(operands[0])[dimension]));
}

Result<Literal> evaluate(Op<Opcode::kSetDimensionSize>, Context&, const Instruction& instruction,
                         Operands operands) {
  const int64_t dimension = instruction.get<hlo::DimensionsAttributes>().dimensions[0];
  Dimensions sizes = meant_sizes(operands[0]);
  sizes[dimension] =
      clamp_index(index_at(operands[1], 0), operands[0].shape().dimensions[dimension]);
  Literal result = std::move(operands[0]);
  result.set_shape(instruction.shape);
  result.dynamic_sizes.clear();
  if (instruction.shape.has_dynamic_dimensions())
    result.dynamic_sizes.assign(sizes.begin(), sizes.end());
  return result;
}

// The meant elements in row-major order under the new sizes; a static dimension has its own.
Result<Literal> evaluate(Op<Opcode::kDynamicReshape>, Context&, const Instruction& instruction,
                         Operands operands) {
  Dimensions sizes;
  for (size_t d = 0; d + 1 < operands.size(); ++d) {
    const int64_t bound = instruction.shape.dimensions[d];
    sizes.push_back(instruction.shape.is_dynamic(static_cast<int>(d))
                        ? clamp_index(index_at(operands[d + 1], 0), bound)
                        : bound);
  }
  const Literal meant = compact(operands[0]);
  Literal result = Literal::zeros(Shape::array(instruction.shape.element_type, sizes));
  const size_t bytes = std::min(result.bytes().size(), meant.bytes().size());
  std::ranges::copy(meant.bytes().first(bytes), result.mutable_bytes().begin());
  return expanded(result, instruction.shape);
}

}  // namespace hlocc::interpreter
