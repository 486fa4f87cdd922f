// Ops that only move elements: each is an affine map between the indices of result and operand.
#include <algorithm>
#include <bit>

#include "interpreter/families.h"
#include "interpreter/indices.h"
#include "interpreter/strided.h"
#include "interpreter/values.h"

namespace hlocc::interpreter {
namespace {

using hlo::Instruction;
using hlo::Op;
using hlo::Opcode;
using hlo::PrimitiveType;
using hlo::Shape;

// result[index] = operand[view(index)]
Literal read_strided(const Shape& shape, const Literal& operand, const StridedView& view) {
  Literal result = Literal::zeros(shape);
  strided_copy(shape.dimensions, hlo::storage_bytes(shape.element_type),
               result.mutable_bytes().data(), {0, hlo::row_major_strides(shape.dimensions)},
               operand.bytes().data(), view);
  return result;
}

// result[view(index)] = operand[index]
void write_strided(Literal& result, const StridedView& view, const Literal& operand) {
  const Dimensions& box = operand.shape().dimensions;
  strided_copy(box, hlo::storage_bytes(result.type()), result.mutable_bytes().data(), view,
               operand.bytes().data(), {0, hlo::row_major_strides(box)});
}

Literal reshaped(Literal operand, const Shape& shape) {
  operand.set_shape(shape);
  return operand;
}

}  // namespace

Result<Literal> evaluate(Op<Opcode::kCopy>, Context&, const Instruction& instruction,
                         Operands operands) {
  if (!instruction.shape.is_array()) return std::move(operands[0]);
  return reshaped(std::move(operands[0]), instruction.shape);
}

Result<Literal> evaluate(Op<Opcode::kReshape>, Context&, const Instruction& instruction,
                         Operands operands) {
  return reshaped(std::move(operands[0]), instruction.shape);
}

namespace {

Literal as_it_lies(const Literal& value) {
  const Shape& shape = value.shape();
  Literal memory = Literal::zeros(hlo::physical_shape(shape));
  strided_copy(memory.shape().dimensions, hlo::storage_bytes(shape.element_type),
               memory.mutable_bytes().data(),
               {0, hlo::row_major_strides(memory.shape().dimensions)}, value.bytes().data(),
               {0, pick(hlo::row_major_strides(shape.dimensions), hlo::physical_order(shape))});
  return memory;
}

Result<Literal> lying_as(const Shape& shape, const Literal& memory) {
  const Dimensions order = hlo::physical_order(shape),
                   strides = hlo::row_major_strides(pick(shape.dimensions, order));
  StridedView view{0, Dimensions(shape.dimensions.size())};
  for (size_t i = 0; i < order.size(); ++i) view.strides[order[i]] = strides[i];
  return read_strided(shape, memory, view);
}

}  // namespace

// The same bytes in memory under another shape, and maybe another type: layouts on both sides say
// which element is which.
Result<Literal> evaluate(Op<Opcode::kBitcast>, Context& context, const Instruction& instruction,
                         Operands operands) {
  const Shape& to = instruction.shape;
  Literal memory = as_it_lies(operands[0]);
  if (memory.type() != to.element_type) {
    const Instruction convert = hlo::make(Opcode::kBitcastConvert, hlo::physical_shape(to), {0});
    HLOCC_TRY_ASSIGN(
        memory, evaluate(Op<Opcode::kBitcastConvert>{}, context, convert, Operands(&memory, 1)));
  }
  return lying_as(to, memory);
}

// Bits of elements under another type; where widths differ, one minor dimension counts the parts,
// low part first.
Result<Literal> evaluate(Op<Opcode::kBitcastConvert>, Context&, const Instruction& instruction,
                         Operands operands) {
  const Literal& operand = operands[0];
  const Shape& shape = instruction.shape;
  // A pred is a whole byte where its bits are seen.
  const auto visible_bits = [](PrimitiveType type) {
    return hlo::is_pred(type) ? 8 : hlo::type_bits(type);
  };
  const int from_bits = visible_bits(operand.type()), to_bits = visible_bits(shape.element_type);
  const int from_bytes = hlo::storage_bytes(operand.type()),
            to_bytes = hlo::storage_bytes(shape.element_type);
  Literal result = Literal::zeros(shape);
  // As a stream of bits, whatever the byte order of this machine: the low bits of the first element
  // come first.
  const auto element_bit = [](const std::byte* element, int bytes, int bit) {
    const int byte = std::endian::native == std::endian::little ? bit / 8 : bytes - 1 - bit / 8;
    return std::pair(element + byte, bit % 8);
  };
  const std::byte* from = operand.bytes().data();
  std::byte* to = result.mutable_bytes().data();
  if (from_bits == to_bits && to_bits >= 8) {
    std::ranges::copy(operand.bytes(), to);
    return result;
  }
  const int64_t bits = shape.element_count() * to_bits;
  for (int64_t b = 0; b < bits; ++b) {
    const auto [source, source_bit] =
        element_bit(from + b / from_bits * from_bytes, from_bytes, b % from_bits);
    const auto [target, target_bit] =
        element_bit(to + b / to_bits * to_bytes, to_bytes, b % to_bits);
    if ((*source >> source_bit & std::byte{1}) != std::byte{0})
      const_cast<std::byte&>(*target) |= std::byte{1} << target_bit;
  }
  if (needs_settling(shape.element_type) && is_native(shape.element_type))
    settle(shape.element_type, to, shape.element_count());
  return result;
}

Result<Literal> evaluate(Op<Opcode::kBroadcast>, Context&, const Instruction& instruction,
                         Operands operands) {
  const Dimensions& mapping = instruction.get<hlo::DimensionsAttributes>().dimensions;
  const Dimensions strides = hlo::row_major_strides(operands[0].shape().dimensions);
  StridedView view{0, Dimensions(instruction.shape.dimensions.size(), 0)};
  for (size_t i = 0; i < mapping.size(); ++i) view.strides[mapping[i]] = strides[i];
  return read_strided(instruction.shape, operands[0], view);
}

Result<Literal> evaluate(Op<Opcode::kTranspose>, Context&, const Instruction& instruction,
                         Operands operands) {
  const Dimensions& permutation = instruction.get<hlo::DimensionsAttributes>().dimensions;
  return read_strided(
      instruction.shape, operands[0],
      {0, pick(hlo::row_major_strides(operands[0].shape().dimensions), permutation)});
}

Result<Literal> evaluate(Op<Opcode::kReverse>, Context&, const Instruction& instruction,
                         Operands operands) {
  const Dimensions& extents = operands[0].shape().dimensions;
  StridedView view{0, hlo::row_major_strides(extents)};
  for (int64_t d : instruction.get<hlo::DimensionsAttributes>().dimensions) {
    view.base += (extents[d] - 1) * view.strides[d];
    view.strides[d] = -view.strides[d];
  }
  return read_strided(instruction.shape, operands[0], view);
}

Result<Literal> evaluate(Op<Opcode::kSlice>, Context&, const Instruction& instruction,
                         Operands operands) {
  const auto& slice = instruction.get<hlo::SliceAttributes>();
  StridedView view{0, hlo::row_major_strides(operands[0].shape().dimensions)};
  view.base = dot(view.strides, slice.starts);
  for (size_t d = 0; d < view.strides.size(); ++d)
    view.strides[d] *= slice.strides.empty() ? 1 : slice.strides[d];
  return read_strided(instruction.shape, operands[0], view);
}

// Starts are clamped so that the slice lies inside.
Result<Literal> evaluate(Op<Opcode::kDynamicSlice>, Context&, const Instruction& instruction,
                         Operands operands) {
  const Dimensions& extents = operands[0].shape().dimensions;
  const Dimensions starts =
      clamped_starts(operands.subspan(1), extents, instruction.shape.dimensions);
  StridedView view{0, hlo::row_major_strides(extents)};
  view.base = dot(view.strides, starts);
  return read_strided(instruction.shape, operands[0], view);
}

Result<Literal> evaluate(Op<Opcode::kDynamicUpdateSlice>, Context&, const Instruction& instruction,
                         Operands operands) {
  const Dimensions& extents = operands[0].shape().dimensions;
  const Dimensions starts =
      clamped_starts(operands.subspan(2), extents, operands[1].shape().dimensions);
  StridedView view{0, hlo::row_major_strides(extents)};
  view.base = dot(view.strides, starts);
  Literal result = reshaped(std::move(operands[0]), instruction.shape);
  write_strided(result, view, operands[1]);
  return result;
}

Result<Literal> evaluate(Op<Opcode::kConcatenate>, Context&, const Instruction& instruction,
                         Operands operands) {
  const int64_t dimension = instruction.get<hlo::DimensionsAttributes>().dimensions[0];
  Literal result = Literal::zeros(instruction.shape);
  StridedView view{0, hlo::row_major_strides(instruction.shape.dimensions)};
  for (const Literal& operand : operands) {
    write_strided(result, view, operand);
    view.base += operand.shape().dimensions[dimension] * view.strides[dimension];
  }
  return result;
}

// Interior padding spreads the elements, then edges add or (negative) crop.
Result<Literal> evaluate(Op<Opcode::kPad>, Context&, const Instruction& instruction,
                         Operands operands) {
  const auto& padding = instruction.get<hlo::PadAttributes>().dimensions;
  const Shape& shape = instruction.shape;
  Literal result = read_strided(shape, operands[1], {0, Dimensions(shape.dimensions.size(), 0)});
  StridedView to{0, hlo::row_major_strides(shape.dimensions)};
  StridedView from{0, hlo::row_major_strides(operands[0].shape().dimensions)};
  Dimensions box = operands[0].shape().dimensions;
  for (size_t d = 0; d < box.size(); ++d) {
    // Element i lands at low + i * step; only first..last land inside.
    const int64_t low = padding[d].low, step = padding[d].interior + 1;
    const int64_t first = low < 0 ? (-low + step - 1) / step : 0;
    const int64_t room = shape.dimensions[d] - 1 - low;
    const int64_t last = room < 0 ? -1 : std::min(box[d] - 1, room / step);
    if (last < first) return result;
    to.base += (low + first * step) * to.strides[d];
    from.base += first * from.strides[d];
    to.strides[d] *= step;
    box[d] = last - first + 1;
  }
  strided_copy(box, hlo::storage_bytes(shape.element_type), result.mutable_bytes().data(), to,
               operands[0].bytes().data(), from);
  return result;
}

}  // namespace hlocc::interpreter
