// See vector_values.h. Every op that could be is taken, until a use or an operand says otherwise.
#include "backends/c/vector_values.h"

#include <algorithm>
#include <bit>

#include "backends/c/lane_runs.h"
#include "backends/c/vector_functions.h"
#include "kernel/legalize/byte_stores.h"
#include "kernel/legalize/dot_instructions.h"

namespace hlocc::backends {
namespace {

using kernel::Op;
using kernel::OpKind;
using kernel::Scalar;
using kernel::Type;
using kernel::ValueId;

bool is_word(Scalar scalar) { return scalar == Scalar::kS32 || scalar == Scalar::kU32; }
// Eight bytes that are spread in memory.
bool is_eight(Type type) { return type.lanes == 8 && is_byte(type.scalar); }

// x86's widest vectors multiply bytes; shorter ones do then too.
bool has_fours(const Target& target) {
  const Type sum{Scalar::kS32, static_cast<uint16_t>(target.vector_bits / 32)};
  const Type bytes{Scalar::kU8, static_cast<uint16_t>(target.vector_bits / 8)};
  return kernel::dot_instruction({sum, bytes, bytes.with(Scalar::kS8)}, target) ==
         kernel::DotInstruction::kX86Fours;
}

}  // namespace

Scalar wide_of(Scalar byte) { return kernel::is_signed(byte) ? Scalar::kS32 : Scalar::kU32; }

VectorUnit vector_unit(const Target& target) {
  if (target.has(Isa::kMve)) return VectorUnit::kMve;
  // AVX alone has no integers of 256 bits.
  if (target.has(Isa::kSse2) && target.vector_bits >= 128 &&
      (target.vector_bits == 128 || target.has(Isa::kAvx2)))
    return VectorUnit::kX86;
  // Rows that multiply by a lane are those with NEON; that of 32-bit cores has half the registers
  // and other rules for floats.
  const bool neon = target.multiply_by_lane && target.vector_registers >= 32 &&
                    target.byte_order == ByteOrder::kLittle && !target.constants_apart;
  return neon ? VectorUnit::kNeon : VectorUnit::kNone;
}

VectorValues::VectorValues(const Kernel& kernel, const std::vector<bool>& readable,
                           const Target& target)
    : kernel_(&kernel),
      target_(&target),
      readable_(readable),
      unit_(vector_unit(target)),
      bits_(unit_ == VectorUnit::kX86 ? target.vector_bits : 128),
      has_fours_(unit_ == VectorUnit::kX86 && has_fours(target)) {
  collect(kernel.body);
  take(kernel.body);
  for (size_t before = taken_.size() + 1; before != taken_.size();) {
    before = taken_.size();
    std::erase_if(taken_, [&](const Op* op) { return !stays(*op); });
  }
  // Where more than every third op works on lanes, arrays between them and vectors cost more than
  // vectors save.
  if (unit_ == VectorUnit::kX86 &&
      2 * count_lanes(kernel.body) > static_cast<int64_t>(taken_.size()))
    *this = {};
}

int64_t VectorValues::count_lanes(const kernel::Region& region) const {
  int64_t count = 0;
  for (const Op& op : region.ops) {
    for (const kernel::Region& inner : op.regions) count += count_lanes(inner);
    const auto is_vector = [&](ValueId id) { return kernel_->type(id).is_vector(); };
    const bool works = op.regions.empty() && !is_free(*kernel_, op) &&
                       (std::ranges::any_of(op.operands, is_vector) ||
                        std::ranges::any_of(op.results, is_vector) ||
                        (op.kind == OpKind::kStore && is_vector(op.access().stored)));
    if (!works || taken_.contains(&op)) continue;
    // What is computed in halves or doubles is changed from one to the other with every number.
    const Type type = kernel_->type(op.results.empty() ? op.access().stored : op.result());
    constexpr int64_t kForeign = 32;
    const int bits = kernel::scalar_bits(type.scalar);
    const bool is_foreign = bits == 64 || type.scalar == Scalar::kU16;
    count += is_foreign ? kForeign : 1;
  }
  return count;
}

bool VectorValues::has_type(Type type) const {
  if (unit_ == VectorUnit::kNone) return false;
  const int bits = type.lanes * kernel::scalar_bits(type.scalar);
  if (bits < 128 || bits > bits_ || !std::has_single_bit(type.lanes)) return false;
  if (is_word(type.scalar) || type.scalar == Scalar::kF32) return true;
  if (unit_ == VectorUnit::kMve) return is_byte(type.scalar);
  // Sixteen bytes are a quarter of the widest.
  if (unit_ == VectorUnit::kX86 && is_byte(type.scalar)) return has_fours_ && !is_quarter(type);
  return unit_ == VectorUnit::kX86 && type.scalar == Scalar::kS16;
}

bool VectorValues::is_quarter(Type type) const {
  return is_byte(type.scalar) && has_type(type.with(Scalar::kS32));
}

// One that has no type of its own, and all lanes of a product know.
bool VectorValues::repeats_unit(const Op& shuffle) const {
  const Type unit = kernel_->type(shuffle.operands[0]), type = kernel_->type(shuffle.result());
  if (unit.lanes * kernel::scalar_bits(unit.scalar) != 32 || unit.lanes == 1 || !has_type(type))
    return false;
  const std::vector<int>& lanes = std::get<kernel::Shuffle>(shuffle.payload).lanes;
  for (size_t l = 0; l < lanes.size(); ++l)
    if (lanes[l] != static_cast<int>(l) % unit.lanes) return false;
  return true;
}

bool VectorValues::is_unit(const Op& load) const {
  const auto found = users_.find(load.result());
  return unit_ == VectorUnit::kX86 && found != users_.end() && !yielded_.contains(load.result()) &&
         std::ranges::all_of(found->second, [&](const Op* user) {
           return user->kind == OpKind::kShuffle && user->operands[0] == load.result() &&
                  repeats_unit(*user);
         });
}

bool VectorValues::widens_again(const Op& narrowed) const {
  const auto found = users_.find(narrowed.result());
  return found != users_.end() && std::ranges::any_of(found->second, [](const Op* user) {
           return user->kind == OpKind::kNativeConvert;
         });
}

bool VectorValues::has_sums() const {
  return unit_ == VectorUnit::kMve && std::ranges::any_of(taken_, [](const Op* op) {
           return op->kind == OpKind::kDotAccumulate || op->kind == OpKind::kMulAdd;
         });
}

std::optional<int64_t> VectorValues::splat_of(ValueId id) const {
  const Op* constant = made(id, OpKind::kConstant);
  if (constant == nullptr) return {};
  const std::vector<uint64_t>& lanes = std::get<kernel::Constant>(constant->payload).lanes;
  if (lanes.size() != 1) return {};
  return static_cast<int64_t>(lanes[0]);
}

void VectorValues::collect(const kernel::Region& region) {
  for (const Op& op : region.ops) {
    for (const ValueId id : op.operands) users_[id].push_back(&op);
    if (op.results.size() == 1) made_by_[op.result()] = &op;
    for (const kernel::Region& inner : op.regions) collect(inner);
  }
  yielded_.insert(region.yields.begin(), region.yields.end());
}

void VectorValues::take(const kernel::Region& region) {
  for (const Op& op : region.ops) {
    for (const kernel::Region& inner : op.regions) take(inner);
    if (op.regions.empty() && may_take(op)) taken_.insert(&op);
  }
}

const Op* VectorValues::made(ValueId id, OpKind by) const {
  const auto found = made_by_.find(id);
  return found != made_by_.end() && found->second->kind == by ? found->second : nullptr;
}

bool VectorValues::is_plain(const kernel::Access& access, Type type) const {
  const auto buffer = static_cast<size_t>(access.buffer);
  return access.mask == kernel::kNone && access.lane_indices == kernel::kNone &&
         access.lane_stride == 1 && kernel_->buffers[buffer].element == type.scalar &&
         readable_[buffer];
}

bool VectorValues::scatters(const kernel::Access& access) const {
  const auto buffer = static_cast<size_t>(access.buffer);
  const Type type = kernel_->type(access.stored);
  return readable_[buffer] && kernel_->buffers[buffer].element == type.scalar &&
         kernel::scatters_bytes(access, type, *target_);
}

// Between 32 bits; of bytes that memory holds, or that were just made of as many bits as they get.
bool VectorValues::may_convert(const Op& op) const {
  const Type from = kernel_->type(op.operands[0]), to = kernel_->type(op.result());
  if (has_type(from) && has_type(to))
    return from.scalar != to.scalar && from.lanes == to.lanes &&
           (from.scalar == Scalar::kF32 || to.scalar == Scalar::kF32);
  if (is_quarter(from) && has_type(to)) {
    const Op* narrowed = made(op.operands[0], OpKind::kNativeConvert);
    return (to.scalar == Scalar::kF32 || to.scalar == wide_of(from.scalar)) &&
           (made(op.operands[0], OpKind::kLoad) != nullptr ||
            (narrowed != nullptr &&
             kernel_->type(narrowed->operands[0]).scalar == wide_of(from.scalar)));
  }
  return has_type(from) && is_word(from.scalar) && is_quarter(to);
}

bool VectorValues::may_multiply(const Op& op) const {
  const kernel::DotForm form = dot_form(*kernel_, op);
  if (!has_type(form.left) || !has_type(form.right)) return false;
  switch (dot_instruction(form, *target_)) {
    case kernel::DotInstruction::kMveVectors:
    case kernel::DotInstruction::kX86Fours: return true;
    // No bytes are widened, no units are cut here.
    case kernel::DotInstruction::kX86Pairs: return form.both(Scalar::kS16) && form.group() == 2;
    default: return false;
  }
}

bool VectorValues::may_take(const Op& op) const {
  if (unit_ == VectorUnit::kNone) return false;
  if (op.kind == OpKind::kStore) {
    const Type type = kernel_->type(op.access().stored);
    if (unit_ == VectorUnit::kMve && (is_eight(type) || op.access().lane_stride != 1))
      return (is_eight(type) || is_quarter(type)) && scatters(op.access());
    return ((has_type(type) && type.scalar != Scalar::kS16) || is_quarter(type)) &&
           is_plain(op.access(), type);
  }
  if (op.results.size() != 1) return false;
  const Type type = kernel_->type(op.result());
  switch (op.kind) {
    case OpKind::kLoad:
      return (has_type(type) || is_quarter(type) || is_unit(op) ||
              (is_eight(type) && unit_ == VectorUnit::kMve)) &&
             is_plain(op.access(), type);
    case OpKind::kNativeConvert: return may_convert(op);
    case OpKind::kConvert:
    case OpKind::kRoundEven:
      return has_type(type) && kernel_->type(op.operands[0]).scalar == Scalar::kF32;
    case OpKind::kMulShiftRight:
      return has_type(type) &&
             (unit_ != VectorUnit::kX86 || std::get<kernel::RoundedShift>(op.payload).shift >= 32);
    case OpKind::kInsert: return has_type(type);
    case OpKind::kExtract: return has_type(kernel_->type(op.operands[0]));
    case OpKind::kDotAccumulate: return may_multiply(op);
    case OpKind::kShuffle: {
      const Op* load = made(op.operands[0], OpKind::kLoad);
      return load != nullptr && is_unit(*load);
    }
    // A condition of all lanes is no vector.
    case OpKind::kSelect:
      if (!kernel_->type(op.operands[0]).is_vector()) return false;
      break;
    case OpKind::kNativeShl:
    case OpKind::kNativeShr:
      return has_type(type) && is_word(type.scalar) && splat_of(op.operands[1]).has_value();
    default: break;
  }
  const Type of = kernel_->type(op.operands.empty() ? op.result() : op.operands.back());
  return (has_type(type) || type.scalar == Scalar::kPred) && has_type(of) &&
         has_vector_function(op.kind, type, of);
}

// Values without a type of their own are made and used by ops that are taken, all or none.
bool VectorValues::stays(const Op& op) const {
  const auto is_known = [&](ValueId id) {
    const Type type = kernel_->type(id);
    if (!type.is_vector() || has_type(type) || splat_of(id)) return true;
    const auto maker = made_by_.find(id);
    return maker != made_by_.end() && taken_.contains(maker->second);
  };
  if (!std::ranges::all_of(op.operands, is_known)) return false;
  if (op.kind == OpKind::kStore) {
    const ValueId stored = op.access().stored;
    const Type type = kernel_->type(stored);
    return has_type(type) || (is_eight(type) && unit_ == VectorUnit::kMve) ||
           made(stored, OpKind::kNativeConvert) != nullptr;
  }
  const ValueId id = op.result();
  if (!kernel_->type(id).is_vector()) return true;
  const auto found = users_.find(id);
  if (found == users_.end()) return has_type(kernel_->type(id));
  const auto takes_it = [&](const Op* user) { return taken_.contains(user); };
  if (!has_type(kernel_->type(id)))
    return !yielded_.contains(id) && std::ranges::all_of(found->second, takes_it);
  // What loops over lanes alone read they may as well read where it lies.
  return op.kind != OpKind::kLoad || yielded_.contains(id) ||
         std::ranges::any_of(found->second, [&](const Op* user) {
           return taken_.contains(user) || !user->regions.empty();
         });
}

}  // namespace hlocc::backends
