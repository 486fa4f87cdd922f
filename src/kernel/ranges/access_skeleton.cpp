// See access_skeleton.h. A value is known if it is calculated from constants, parameters and
// counters alone; known values stay, everything else goes, and an access that needs it ends the
// attempt.
#include "kernel/ranges/access_skeleton.h"

#include <algorithm>
#include <map>

namespace hlocc::kernel {
namespace {

class Pruner {
 public:
  Pruner(const Kernel& kernel, const SkeletonQuestions& questions)
      : questions_(questions), kernel_(kernel), known_(kernel.types.size(), false) {
    for (const ValueId parameter : kernel.parameters) known_[parameter] = true;
  }

  std::optional<Kernel> run() {
    Region body = prune(kernel_.body);
    if (hangs_on_data_) return std::nullopt;
    body.ops.insert(body.ops.begin(), head_.begin(), head_.end());
    kernel_.body = std::move(body);
    return std::move(kernel_);
  }

 private:
  bool is_known(ValueId value) const { return value == kNone || known_[value]; }
  bool is_known(const Affine& affine) const {
    return std::ranges::all_of(affine.terms,
                               [&](const Affine::Term& t) { return known_[t.value]; });
  }
  static bool accesses(const Region& region) {
    return std::ranges::any_of(region.ops, [](const Op& op) {
      return op.kind == OpKind::kLoad || op.kind == OpKind::kStore ||
             std::ranges::any_of(op.regions, [](const Region& inner) { return accesses(inner); });
    });
  }

  ValueId zero(Type type) {
    ValueId& value = zeros_.try_emplace({type.scalar, type.lanes}, kNone).first->second;
    if (value != kNone) return value;
    value = static_cast<ValueId>(kernel_.types.size());
    kernel_.types.push_back(type);
    known_.push_back(true);
    head_.push_back(
        {.kind = OpKind::kConstant, .results = {value}, .payload = Constant{{uint64_t{0}}}});
    return value;
  }

  Region prune(const Region& region) {
    Region out{.arguments = region.arguments};
    for (const Op& op : region.ops) add(op, out.ops);
    return out;
  }

  void add(const Op& op, std::vector<Op>& ops) {
    switch (op.kind) {
      case OpKind::kPrefetch: return;
      case OpKind::kLoad:
        if (questions_.reads(op.access().buffer)) add_access(op, ops);
        return;
      case OpKind::kStore:
        if (questions_.writes(op.access().buffer)) add_access(op, ops);
        return;
      case OpKind::kLoop: return add_loop(op, ops);
      case OpKind::kIf: return add_if(op, ops);
      case OpKind::kWhile: {
        for (const Region& inner : op.regions)
          if (accesses(prune(inner))) hangs_on_data_ = true;
        return;
      }
      default: break;
    }
    if (!std::ranges::all_of(op.operands, [&](ValueId v) { return known_[v]; })) return;
    for (const ValueId result : op.results) known_[result] = true;
    ops.push_back(op);
  }

  void add_access(const Op& op, std::vector<Op>& ops) {
    Op kept = op;
    Access& access = std::get<Access>(kept.payload);
    if (!is_known(access.at) || !is_known(access.lane_indices) || !is_known(access.mask)) {
      hangs_on_data_ = true;
      return;
    }
    access.otherwise = kNone;
    if (access.stored != kNone) access.stored = zero(kernel_.type(access.stored));
    kept.operands.clear();
    for (const ValueId value : {access.stored, access.lane_indices, access.mask})
      if (value != kNone) kept.operands.push_back(value);
    ops.push_back(std::move(kept));
  }

  void add_loop(const Op& op, std::vector<Op>& ops) {
    const ValueId counter = op.regions[0].arguments[0];
    const bool bounded = is_known(op.loop().lower) && is_known(op.loop().upper);
    known_[counter] = bounded;
    Region body = prune(op.regions[0]);
    if (!accesses(body)) return;
    hangs_on_data_ |= !bounded;
    body.arguments = {counter};
    if (std::optional<Op> mark = questions_.enter(counter))
      body.ops.insert(body.ops.begin(), std::move(*mark));
    ops.push_back({.kind = OpKind::kLoop, .payload = op.payload, .regions = {std::move(body)}});
    if (std::optional<Op> mark = questions_.leave(counter)) ops.push_back(std::move(*mark));
  }

  void add_if(const Op& op, std::vector<Op>& ops) {
    Region first = prune(op.regions[0]), second = prune(op.regions[1]);
    if (!accesses(first) && !accesses(second)) return;
    const ValueId condition = op.operands[0];
    hangs_on_data_ |= !known_[condition];
    if (std::optional<Op> mark = questions_.enter(condition))
      first.ops.insert(first.ops.begin(), std::move(*mark));
    ops.push_back({.kind = OpKind::kIf,
                   .operands = {condition},
                   .regions = {std::move(first), std::move(second)}});
    if (std::optional<Op> mark = questions_.leave(condition)) ops.push_back(std::move(*mark));
  }

  const SkeletonQuestions& questions_;
  Kernel kernel_;
  std::vector<bool> known_;  // by value
  std::vector<Op> head_;
  std::map<std::pair<Scalar, int>, ValueId> zeros_;
  bool hangs_on_data_ = false;
};

}  // namespace

std::optional<Kernel> access_skeleton(const Kernel& kernel, const SkeletonQuestions& questions) {
  return Pruner(kernel, questions).run();
}

}  // namespace hlocc::kernel
