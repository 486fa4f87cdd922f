// Bookkeeping of run-time sizes, masks, and the reshape of arrays whose elements do not lie
// together.
#include "transforms/dynamic/dynamic_sizes.h"

#include <algorithm>

#include "transforms/build.h"

namespace hlocc::transforms {

using enum PrimitiveType;

InstructionId SizeMap::of(InstructionId id, int64_t dimension) const {
  const auto found = sizes_.find(id);
  return found == sizes_.end() ? kNone : found->second[dimension];
}

InstructionId SizeMap::value_of(InstructionId id, int64_t dimension) {
  const InstructionId size = of(id, dimension);
  return size != kNone ? size : s32(r_.shape(id).dimensions[dimension]);
}

InstructionId SizeMap::note(InstructionId id, Sizes sizes) {
  const bool any =
      std::any_of(sizes.begin(), sizes.end(), [](InstructionId size) { return size != kNone; });
  if (any) sizes_[id] = std::move(sizes);
  return id;
}

Sizes SizeMap::all(InstructionId id) const {
  const auto found = sizes_.find(id);
  return found != sizes_.end() ? found->second : Sizes(r_.shape(id).dimensions.size(), kNone);
}

InstructionId SizeMap::masked(InstructionId id, InstructionId value, const Dimensions& dimensions) {
  const Dimensions box = r_.shape(id).dimensions;
  InstructionId result = id;
  for (int64_t d : dimensions) {
    const InstructionId size = of(id, d);
    if (size == kNone) continue;
    const InstructionId counts =
        compare(r_, iota(r_, kS32, box, d), broadcast(r_, size, box), hlo::Direction::kLt);
    result = select(r_, counts, result, broadcast(r_, value, box));
  }
  return result;
}

InstructionId SizeMap::s32(int64_t value) {
  return constant(r_, Literal::scalar(kS32, static_cast<int32_t>(value)));
}

InstructionId SizeMap::arithmetic(Opcode opcode, InstructionId a, InstructionId b) {
  return binary(r_, opcode, a, b);
}

// Element i of the result is the i-th that counts in row-major order: its index there, taken apart
// by the operand's sizes, says where it lies in the operand's bounds.
InstructionId dynamic_reshape(Rewriter& r, SizeMap& sizes, InstructionId x,
                              const Dimensions& bounds, Sizes new_sizes) {
  const Dimensions from = r.shape(x).dimensions;
  if (product(from) == 0) return sizes.note(zeros(r, r.type(x), bounds), std::move(new_sizes));
  const auto spread = [&](InstructionId scalar) { return broadcast(r, scalar, bounds); };
  const auto add = [&](InstructionId a, InstructionId b) { return binary(r, Opcode::kAdd, a, b); };
  const auto multiply = [&](InstructionId a, InstructionId b) {
    return binary(r, Opcode::kMultiply, a, b);
  };
  InstructionId place = zeros(r, kS32, bounds), stride = sizes.s32(1);
  for (int64_t d = static_cast<int64_t>(bounds.size()) - 1; d >= 0; --d) {
    place = add(place, multiply(iota(r, kS32, bounds, d), spread(stride)));
    stride = sizes.multiply(stride, new_sizes[d] != kNone ? new_sizes[d] : sizes.s32(bounds[d]));
  }
  const Dimensions strides = hlo::row_major_strides(from);
  InstructionId lies = zeros(r, kS32, bounds), rest = place;
  for (int64_t d = static_cast<int64_t>(from.size()) - 1; d >= 0; --d) {
    const InstructionId size = spread(sizes.value_of(x, d));
    const InstructionId index = binary(r, Opcode::kRemainder, rest, size);
    rest = binary(r, Opcode::kDivide, rest, size);
    lies = add(lies, multiply(index, spread(sizes.s32(strides[d]))));
  }
  // Places behind the last element are anything within bounds: gather clamps.
  const int64_t count = product(bounds);
  const InstructionId indices = reshape(r, lies, {count, 1});
  const InstructionId row = reshape(r, x, {product(from)});
  hlo::GatherAttributes gather;
  gather.collapsed_slice_dims = gather.start_index_map = {0};
  gather.index_vector_dim = 1;
  gather.slice_sizes = {1};
  return sizes.note(reshape(r, r.add(Opcode::kGather, {row, indices}, gather), bounds),
                    std::move(new_sizes));
}

Shape static_shape(Shape shape) {
  shape.dynamic.clear();
  for (Shape& part : shape.tuple) part = static_shape(std::move(part));
  return shape;
}

}  // namespace hlocc::transforms
