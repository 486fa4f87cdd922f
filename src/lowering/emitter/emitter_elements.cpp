// An instruction's element at an index: what a schedule has bound or kept, what the memo remembers,
// what lies in memory at a stride, or what its op makes of its operands' elements. And which of
// them come as vectors without being taken apart.
#include <algorithm>

#include "lowering/emitter/dispatch.h"
#include "lowering/emitter/emitter.h"

namespace hlocc::lowering {

using hlo::Instruction;
using hlo::InstructionId;
using hlo::Opcode;
using kernel::kNone;
using kernel::ValueId;

namespace {

// The lane of the vector at `vector` that the single element at `one` is.
std::optional<int> lane_of(const Index& vector, const Index& one) {
  for (int n = 0; vector.has_lanes() && n < vector.lanes; ++n)
    if (vector.lane(n) == one) return n;
  return std::nullopt;
}

}  // namespace

Element Emitter::element(InstructionId id, const Index& index) {
  if (const auto bound = bound_.find(id); bound != bound_.end())
    for (const auto& [at, value] : bound->second) {
      if (at == index) return value;
      if (const auto lane = lane_of(at, index)) return extract(value, *lane);
    }
  // Lanes that all see one element are computed once, as a scalar.
  if (!index.has_lanes() && index.lanes > 1) {
    Index one = index;
    one.lanes = 1;
    one.lane_dim = kNone;
    return splat(element(id, one), index.lanes);
  }
  std::vector<std::pair<Index, Element>>& known = memo_[id];
  for (const auto& [at, value] : known)
    if (at == index) return value;
  const Element value = compute(id, index);
  memo_[id].push_back({index, value});
  return value;
}

Element Emitter::compute(InstructionId id, const Index& index) {
  const Instruction& instruction = group_[id];
  if (const auto kept = kept_.find(id); kept != kept_.end()) {
    const auto& [buffer, shape] = kept->second;
    return index.has_lanes() && index.lane_dim != shape.rank() - 1 ? by_lanes(id, index)
                                                                   : load(buffer, shape, index);
  }
  if (group_.is_external(id)) {
    if (index.has_lanes() && !index.flat && index.lane_dim != instruction.shape.rank() - 1)
      return by_lanes(id, index);
    if (nibbles_.count(id)) {
      const Element value =
          load_input(id, position(instruction.shape, index), index.has_lanes() ? index.lanes : 1);
      return index.has_lanes() ? splat(value, index.lanes) : value;
    }
    return load(input_buffer(id), instruction.shape, index);
  }
  if (!index.flat && !vectorizable(id, index.lane_dim)) return by_lanes(id, index);
  if (const std::optional<StridedView>& seen = view(id); seen && !index.flat) {
    Affine at = Affine::constant(seen->offset);
    for (size_t d = 0; d < seen->strides.size(); ++d)
      if (seen->strides[d] != 0) at = at.plus(index.at[d].times(seen->strides[d]));
    const int lanes = index.has_lanes() ? index.lanes : 1;
    const bool is_backwards = lanes > 1 && seen->strides[index.lane_dim] == -1;
    if (!is_backwards) return load_input(seen->input, at, lanes);
    std::vector<int> backwards;
    for (int lane = lanes; lane-- > 0;) backwards.push_back(lane);
    const ValueId forwards = b.load({.buffer = input_buffer(seen->input),
                                     .at = at.plus(1 - lanes),
                                     .mask = mask_of(lanes, true)},
                                    lanes);
    return {b.shuffle(forwards, forwards, backwards)};
  }
  return dispatch_element(*this, instruction, index);
}

// The slow but always right way to make a vector: lane after lane.
Element Emitter::by_lanes(InstructionId id, const Index& index) {
  Element out;
  const int lanes = active_ > 0 && index.lanes == active_of_ ? active_ : index.lanes;
  for (int lane = 0; lane < lanes; ++lane) {
    const Element part = element(id, index.lane(lane));
    if (lane == 0) {
      out = splat(part, index.lanes);
      continue;
    }
    out.re = b.insert(out.re, part.re, lane);
    if (part.is_complex()) out.im = b.insert(out.im, part.im, lane);
  }
  return out;
}

void Emitter::bind(InstructionId id, Places places) {
  // Consumers that were computed from an older binding are stale.
  memo_.clear();
  views_.clear();
  vectorizable_.clear();
  bound_.insert_or_assign(id, std::move(places));
}

void Emitter::keep(InstructionId id, kernel::BufferId buffer, const hlo::Shape& shape) {
  forget(id);
  kept_.insert_or_assign(id, std::make_pair(buffer, shape));
}

void Emitter::forget(InstructionId id) {
  memo_.clear();
  views_.clear();
  vectorizable_.clear();
  kept_.erase(id);
}

// --- vectors ---

int Emitter::preferred_lanes(int64_t extent) const {
  if (target_.vector_bits == 0) return 1;
  int bits = 8;
  bool truth = false;
  for (InstructionId id : inner_instructions(group_)) {
    const hlo::PrimitiveType type = hlo::real_type(shape(id).element_type);
    truth |= type == hlo::PrimitiveType::kPred;
    // One op without vectors makes the whole group scalar.
    if (hlo::is_float(type) && type != hlo::PrimitiveType::kF64 && !target_.float_vectors) return 1;
    bits = std::max(bits, hlo::type_bits(type));
  }
  bits = std::max(bits, 32);
  int lanes = target_.lanes(bits);
  while (lanes > extent) lanes /= 2;
  // As costs::tile_lanes says of truth values.
  if (truth && target_.has(Isa::kHvx) && lanes < target_.lanes(bits)) return 1;
  return std::max(lanes, 1);
}

const std::optional<StridedView>& Emitter::view(InstructionId id) const {
  const auto known = views_.find(id);
  return known != views_.end() ? known->second : views_[id] = find_view(id);
}

std::optional<StridedView> Emitter::find_view(InstructionId id) const {
  if (bound_.count(id) || kept_.count(id)) return std::nullopt;
  const Instruction& instruction = group_[id];
  if (group_.is_external(id)) return whole_view(id, instruction.shape);
  switch (instruction.opcode) {
    case Opcode::kSlice:
    case Opcode::kReshape:
    case Opcode::kTranspose:
    case Opcode::kReverse: break;
    default: return std::nullopt;
  }
  const std::optional<StridedView>& operand = view(instruction.operands[0]);
  return operand ? view_through(instruction, shape(instruction.operands[0]), *operand)
                 : std::nullopt;
}

bool Emitter::vectorizable(InstructionId id, int lane_dim) const {
  if (lane_dim == kNone) return true;
  const Instruction& instruction = group_[id];
  if (group_.is_external(id) || kept_.count(id)) return lane_dim == instruction.shape.rank() - 1;
  // The hero's value is bound before anyone asks for it.
  if (hlo::info(instruction.opcode).lowering == hlo::Service::kLoopOp)
    return !hlo::is_complex(instruction.shape.element_type);
  // Remembered, because groups are graphs with many paths to one instruction.
  const auto key = std::make_pair(id, lane_dim);
  if (const auto known = vectorizable_.find(key); known != vectorizable_.end())
    return known->second;
  const std::optional<StridedView>& seen = view(id);
  const bool backwards = seen && seen->strides[lane_dim] == -1 &&
                         !hlo::is_complex(instruction.shape.element_type) &&
                         nibbles_.count(seen->input) == 0;
  const bool answer =
      seen ? seen->strides[lane_dim] == 1 || backwards : lanes_pass(*this, instruction, lane_dim);
  vectorizable_[key] = answer;
  return answer;
}

}  // namespace hlocc::lowering
