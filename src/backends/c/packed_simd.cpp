// See packed_simd.h. Everything that could be held is, until a use or an operand says otherwise.
#include "backends/c/packed_simd.h"

#include <algorithm>

#include "kernel/legalize/dot_instructions.h"
#include "kernel/legalize/packed_words.h"

namespace hlocc::backends {
namespace {

using kernel::Op;
using kernel::OpKind;
using kernel::Type;
using kernel::ValueId;

}  // namespace

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
  if (!kernel::fills_words(type)) return false;
  if (op.kind == OpKind::kLoad) return is_plain(op.access(), type);
  if (op.operands.empty() || !kernel::fills_words(kernel_->type(op.operands[0]))) return false;
  switch (op.kind) {
    case OpKind::kShuffle:
      return kernel::picked_word(kernel_->type(op.operands[0]),
                                 std::get<kernel::Shuffle>(op.payload).lanes) >= 0;
    case OpKind::kNativeConvert:
      return kernel::is_byte(kernel_->type(op.operands[0]).scalar) &&
             kernel::scalar_bits(type.scalar) == 16;
    default: return op.kind == OpKind::kSpreadBytes;
  }
}

// What it is made of is held in words too.
bool PackedSimd::makes(const Op& op) const {
  return op.kind == OpKind::kLoad || holds(op.operands[0]);
}

bool PackedSimd::is_used_as_words(ValueId id) const {
  const auto found = users_.find(id);
  if (found == users_.end() || yielded_.contains(id)) return false;
  return std::ranges::all_of(found->second, [&](const Op* user) { return takes(*user); });
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
