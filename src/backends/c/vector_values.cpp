// See vector_values.h. Every op that could be is taken, until a use or an operand says otherwise.
#include "backends/c/vector_values.h"

#include <algorithm>

#include "backends/c/vector_functions.h"

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
bool is_four(Type type, bool (*of)(Scalar)) { return type.lanes == 4 && of(type.scalar); }

}  // namespace

bool is_byte(Scalar scalar) { return scalar == Scalar::kS8 || scalar == Scalar::kU8; }

VectorUnit vector_unit(const Target& target) {
  if (target.has(Isa::kMve)) return VectorUnit::kMve;
  // Rows that multiply by a lane are those with NEON; that of 32-bit cores has half the registers
  // and other rules for floats.
  const bool neon = target.multiply_by_lane && target.vector_registers >= 32 &&
                    target.byte_order == ByteOrder::kLittle && !target.constants_apart;
  return neon ? VectorUnit::kNeon : VectorUnit::kNone;
}

VectorValues::VectorValues(const Kernel& kernel, const std::vector<bool>& readable, VectorUnit unit)
    : kernel_(&kernel), readable_(readable), unit_(unit) {
  collect(kernel.body);
  for (const auto& [id, op] : made_by_)
    if (op->kind == OpKind::kNativeConvert) find_scaled(*op);
  for (size_t before = taken_.size() + 1; before != taken_.size();) {
    before = taken_.size();
    std::erase_if(taken_, [&](const Op* op) { return !stays(*op); });
  }
}

bool VectorValues::has_type(Type type) const {
  if (unit_ == VectorUnit::kNone) return false;
  if (type.lanes == 16) return is_byte(type.scalar) && unit_ == VectorUnit::kMve;
  return type.lanes == 4 && (is_word(type.scalar) || type.scalar == Scalar::kF32);
}

bool VectorValues::has_sums() const {
  return unit_ == VectorUnit::kMve && std::ranges::any_of(taken_, [](const Op* op) {
           return op->kind == OpKind::kDotAccumulate || op->kind == OpKind::kMulAdd;
         });
}

const ScaledProduct* VectorValues::scaled(const Op& op) const {
  const auto found = scaled_.find(&op);
  return found == scaled_.end() ? nullptr : &found->second;
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
    if (op.regions.empty() && may_take(op)) taken_.insert(&op);
  }
  yielded_.insert(region.yields.begin(), region.yields.end());
}

const Op* VectorValues::made(ValueId id, OpKind by) const {
  const auto found = made_by_.find(id);
  return found != made_by_.end() && found->second->kind == by ? found->second : nullptr;
}

const Op* VectorValues::only_use_of(ValueId id, OpKind by) const {
  const auto found = users_.find(id);
  const bool one = found != users_.end() && found->second.size() == 1 && !yielded_.contains(id);
  return one && found->second[0]->kind == by ? found->second[0] : nullptr;
}

bool VectorValues::is_plain(const kernel::Access& access, Type type) const {
  const auto buffer = static_cast<size_t>(access.buffer);
  return access.mask == kernel::kNone && access.lane_indices == kernel::kNone &&
         access.lane_stride == 1 && kernel_->buffers[buffer].element == type.scalar &&
         readable_[buffer];
}

// MVE's offsets have 16 bits.
bool VectorValues::spreads(const kernel::Access& access) const {
  constexpr int64_t kFarthest = 65535 / 7;
  const auto buffer = static_cast<size_t>(access.buffer);
  return unit_ == VectorUnit::kMve && access.mask == kernel::kNone &&
         access.lane_indices == kernel::kNone && access.lane_stride > 1 &&
         access.lane_stride <= kFarthest && readable_[buffer] &&
         kernel_->buffers[buffer].element == kernel_->type(access.stored).scalar;
}

// Between 32 bits; of bytes that memory holds.
bool VectorValues::may_convert(const Op& op) const {
  const Type from = kernel_->type(op.operands[0]), to = kernel_->type(op.result());
  if (has_type(from) && has_type(to))
    return from.scalar != to.scalar && from.lanes == 4 &&
           (from.scalar == Scalar::kF32 || to.scalar == Scalar::kF32);
  if (is_four(from, is_byte) && is_four(to, is_word))
    return kernel::is_signed(from.scalar) == kernel::is_signed(to.scalar) &&
           made(op.operands[0], OpKind::kLoad) != nullptr;
  return is_four(from, is_word) && is_four(to, is_byte);
}

bool VectorValues::may_take(const Op& op) const {
  if (unit_ == VectorUnit::kNone) return false;
  if (op.kind == OpKind::kStore) {
    const Type type = kernel_->type(op.access().stored);
    if (is_eight(type)) return spreads(op.access());
    return (has_type(type) || is_four(type, is_byte)) && is_plain(op.access(), type);
  }
  if (op.results.size() != 1) return false;
  const Type type = kernel_->type(op.result());
  switch (op.kind) {
    case OpKind::kLoad:
      return (has_type(type) || is_four(type, is_byte) ||
              (is_eight(type) && unit_ == VectorUnit::kMve)) &&
             is_plain(op.access(), type);
    case OpKind::kNativeConvert: return may_convert(op);
    case OpKind::kConvert:
    case OpKind::kRoundEven:
      return unit_ == VectorUnit::kMve && has_type(type) &&
             kernel_->type(op.operands[0]) == Type{Scalar::kF32, 4};
    case OpKind::kInsert: return has_type(type);
    case OpKind::kExtract: return has_type(kernel_->type(op.operands[0]));
    case OpKind::kDotAccumulate: {
      const Type left = kernel_->type(op.operands[1]);
      return unit_ == VectorUnit::kMve && !type.is_vector() && left.lanes == 16 &&
             left == kernel_->type(op.operands[2]) && has_type(left);
    }
    case OpKind::kNativeShl:
    case OpKind::kNativeShr:
      return has_type(type) && is_word(type.scalar) && splat_of(op.operands[1]).has_value();
    default: break;
  }
  const Type of = kernel_->type(op.operands.empty() ? op.result() : op.operands.back());
  return (has_type(type) || is_four(type, [](Scalar s) { return s == Scalar::kPred; })) &&
         has_type(of) && has_vector_function(op.kind, type, of);
}

// Multiplied in 64 bits, rounded by a constant where NEON does it, shifted by one.
void VectorValues::find_scaled(const Op& op) {
  if (kernel_->type(op.result()) != Type{Scalar::kS32, 4} || unit_ == VectorUnit::kNone) return;
  const Op* shift = made(op.operands[0], OpKind::kNativeShr);
  if (shift == nullptr || kernel_->type(shift->result()) != Type{Scalar::kS64, 4}) return;
  std::vector<const Op*> inside{shift};
  const Op* product = made(shift->operands[0], OpKind::kMul);
  ScaledProduct row{};
  if (const Op* sum = made(shift->operands[0], OpKind::kAdd); sum != nullptr) {
    inside.push_back(sum);
    product = made(sum->operands[0], OpKind::kMul);
    const auto rounding = splat_of(sum->operands[1]);
    if (!rounding) return;
    row.rounding = *rounding;
  }
  const auto by = splat_of(shift->operands[1]);
  if (product == nullptr || !by) return;
  row.shift = *by;
  const bool is_high = row.shift >= 32 && row.rounding == 0;
  if (unit_ == VectorUnit::kMve && !is_high) return;
  inside.push_back(product);
  std::vector<const Op*> wide;
  for (const ValueId id : product->operands) {
    const Op* from = made(id, OpKind::kNativeConvert);
    if (from == nullptr || kernel_->type(from->operands[0]) != Type{Scalar::kS32, 4}) return;
    (wide.empty() ? row.left : row.right) = from->operands[0];
    wide.push_back(from);
  }
  // What nobody else sees is never written.
  for (const Op* one : inside)
    if (users_[one->result()].size() != 1 || yielded_.contains(one->result())) return;
  for (const Op* one : inside) taken_.insert(one);
  for (const Op* one : wide) taken_.insert(one);
  taken_.insert(&op);
  scaled_[&op] = row;
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
    return has_type(kernel_->type(stored)) || is_eight(kernel_->type(stored)) ||
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
