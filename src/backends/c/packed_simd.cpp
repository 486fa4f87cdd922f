// See packed_simd.h. Everything that could be held is, until a use or an operand says otherwise.
#include "backends/c/packed_simd.h"

#include <algorithm>

#include "kernel/legalize/dot_instructions.h"

namespace hlocc::backends {
namespace {

using kernel::Op;
using kernel::OpKind;
using kernel::Scalar;
using kernel::Type;
using kernel::ValueId;

bool has_bytes(Type type) { return kernel::is_byte(type.scalar); }

}  // namespace

bool has_words(const Target& target) {
  return target.has(Isa::kDsp) && target.vector_bits == 0 && !target.has(Isa::kMve);
}

PickedWord picked_word(const kernel::Kernel& kernel, const Op& op) {
  const std::vector<int>& lanes = std::get<kernel::Shuffle>(op.payload).lanes;
  const Type from = kernel.type(op.operands[0]);
  const int in_word = 32 / kernel::scalar_bits(from.scalar), first = lanes[0];
  if (static_cast<int>(lanes.size()) != in_word || first < 0 || first % in_word != 0 ||
      first + in_word > from.lanes)
    return {};
  const auto is_order = [&](const std::vector<int>& order) {
    for (int n = 0; n < in_word; ++n)
      if (lanes[static_cast<size_t>(n)] != first + order[static_cast<size_t>(n)]) return false;
    return true;
  };
  if (is_order({0, 1, 2, 3})) return {first / in_word};
  if (in_word == 4 && is_order({0, 2, 1, 3})) return {first / in_word, true};
  return {};
}

bool PackedSimd::fills_words(Type type) const {
  const int bits = kernel::scalar_bits(type.scalar);
  if (!type.is_vector() || !kernel::is_integer(type.scalar)) return false;
  return (bits == 8 || bits == 16) && type.lanes * bits % 32 == 0;
}

PackedSimd::PackedSimd(const kernel::Kernel& kernel, const std::vector<bool>& readable,
                       const Target& target)
    : kernel_(&kernel), target_(&target), readable_(readable) {
  collect(kernel.body);
  for (size_t before = held_.size() + 1; before != held_.size();) {
    before = held_.size();
    std::erase_if(held_,
                  [&](ValueId id) { return !makes(*made_by_.at(id)) || !is_used_as_words(id); });
  }
}

void PackedSimd::collect(const kernel::Region& region) {
  for (const Op& op : region.ops) {
    for (const ValueId id : op.operands) users_[id].push_back(&op);
    if (op.results.size() == 1 && may_hold(op)) {
      held_.insert(op.result());
      made_by_[op.result()] = &op;
    }
    for (const kernel::Region& inner : op.regions) collect(inner);
  }
  yielded_.insert(region.yields.begin(), region.yields.end());
}

bool PackedSimd::is_plain(const kernel::Access& access, Type type) const {
  const auto buffer = static_cast<size_t>(access.buffer);
  return access.mask == kernel::kNone && access.lane_indices == kernel::kNone &&
         access.lane_stride == 1 && kernel_->buffers[buffer].element == type.scalar &&
         readable_[buffer];
}

bool PackedSimd::may_hold(const Op& op) const {
  const Type type = kernel_->type(op.result());
  if (!fills_words(type)) return false;
  switch (op.kind) {
    case OpKind::kLoad: return is_plain(op.access(), type);
    case OpKind::kShuffle:
      return fills_words(kernel_->type(op.operands[0])) && picked_word(*kernel_, op).word >= 0;
    case OpKind::kNativeConvert:
      return fills_words(kernel_->type(op.operands[0])) &&
             has_bytes(kernel_->type(op.operands[0])) && kernel::scalar_bits(type.scalar) == 16;
    default: return false;
  }
}

// What it is made of is held in words too.
bool PackedSimd::makes(const Op& op) const {
  return op.kind == OpKind::kLoad || holds(op.operands[0]);
}

bool PackedSimd::is_used_as_words(ValueId id) const {
  const auto found = users_.find(id);
  if (found == users_.end() || yielded_.contains(id)) return false;
  const Op& maker = *made_by_.at(id);
  const bool interleaved =
      maker.kind == OpKind::kShuffle && picked_word(*kernel_, maker).interleaved;
  return std::all_of(found->second.begin(), found->second.end(), [&](const Op* user) {
    if (interleaved && user->kind != OpKind::kNativeConvert) return false;
    return takes(*user);
  });
}

bool PackedSimd::takes(const Op& op) const {
  if (kernel_ == nullptr || !op.regions.empty()) return false;
  if (op.kind == OpKind::kStore)
    return holds(op.access().stored) &&
           kernel::scalar_bits(kernel_->type(op.access().stored).scalar) == 16 &&
           is_plain(op.access(), kernel_->type(op.access().stored));
  if (op.kind == OpKind::kDotAccumulate)
    return holds(op.operands[1]) && holds(op.operands[2]) &&
           dot_instruction(dot_form(*kernel_, op), *target_) == kernel::DotInstruction::kDspPairs;
  return op.results.size() == 1 && holds(op.result());
}

}  // namespace hlocc::backends
