// See raise.h. One walk that copies ops and puts what an idiom becomes in the place of its last op;
// then those of its parts that nothing reads any more are dropped.
#include "kernel/raise/raise.h"

#include <algorithm>

#include "kernel/raise/idioms.h"

namespace hlocc::kernel {
namespace {

// By the last op of the idiom.
struct IdiomRow {
  OpKind kind;
  Raise raise;
};
constexpr IdiomRow kIdioms[] = {{OpKind::kConvert, raise_high_product}};

template <typename Use>
void for_each_read(const Op& op, const Use& use) {
  const auto address = [&](const Affine& affine) {
    for (const Affine::Term& term : affine.terms) use(term.value);
  };
  for (const ValueId value : op.operands) use(value);
  if (const auto* access = std::get_if<Access>(&op.payload)) address(access->at);
  if (const auto* loop = std::get_if<Loop>(&op.payload)) {
    address(loop->lower);
    address(loop->upper);
  }
}

class RaisingWalk {
 public:
  RaisingWalk(const Kernel& source, const Target& target)
      : target_(target), definitions_(source), out_(source) {}

  Kernel run(const Region& body) {
    Region raised = copied(body);
    if (bypassed_.empty()) return std::move(out_);
    out_.body = std::move(raised);
    readers_.resize(out_.types.size(), 0);
    is_idle_.resize(out_.types.size(), false);
    for (const ValueId value : bypassed_) is_idle_[value] = true;
    count(out_.body);
    drop_idle(out_.body);
    return std::move(out_);
  }

 private:
  Region copied(const Region& region) {
    Region out{.arguments = region.arguments, .yields = region.yields};
    out.ops.reserve(region.ops.size());
    for (const Op& op : region.ops) {
      if (is_raised(op, out.ops)) continue;
      Op copy = op;
      for (Region& inner : copy.regions) inner = copied(inner);
      out.ops.push_back(std::move(copy));
    }
    return out;
  }

  bool is_raised(const Op& op, std::vector<Op>& ops) {
    return std::ranges::any_of(kIdioms, [&](const IdiomRow& row) {
      if (row.kind != op.kind) return false;
      RaiseSite site{definitions_, target_, op, out_.types, ops, bypassed_};
      return row.raise(site);
    });
  }

  void count(const Region& region) {
    for (const Op& op : region.ops) {
      for_each_read(op, [&](ValueId value) { ++readers_[value]; });
      for (const Region& inner : op.regions) count(inner);
    }
    for (const ValueId value : region.yields) ++readers_[value];
  }

  // From the end, so that what only an idle op reads is idle, too.
  void drop_idle(Region& region) {
    std::vector<Op> kept;
    for (auto op = region.ops.rbegin(); op != region.ops.rend(); ++op) {
      for (Region& inner : op->regions) drop_idle(inner);
      const bool idle =
          op->results.size() == 1 && is_idle_[op->result()] && readers_[op->result()] == 0;
      if (!idle) {
        kept.push_back(std::move(*op));
        continue;
      }
      for_each_read(*op, [&](ValueId value) {
        --readers_[value];
        is_idle_[value] = true;
      });
    }
    std::ranges::reverse(kept);
    region.ops = std::move(kept);
  }

  const Target& target_;
  const Definitions definitions_;
  Kernel out_;
  std::vector<ValueId> bypassed_;
  std::vector<int> readers_;   // by ValueId
  std::vector<bool> is_idle_;  // goes, once nothing reads it
};

// All idioms end in vectors of 32 bits that were made of wider ones.
bool may_hold_idioms(const Kernel& kernel) {
  return std::ranges::any_of(
      kernel.types, [](Type type) { return type.is_vector() && type.scalar == Scalar::kS64; });
}

}  // namespace

Definitions::Definitions(const Kernel& kernel)
    : makers_(kernel.types.size(), nullptr), readers_(kernel.types.size(), 0) {
  visit(kernel.body);
}

void Definitions::visit(const Region& region) {
  for (const Op& op : region.ops) {
    for (const ValueId result : op.results) makers_[result] = &op;
    for_each_read(op, [&](ValueId value) { ++readers_[value]; });
    for (const Region& inner : op.regions) visit(inner);
  }
  for (const ValueId value : region.yields) ++readers_[value];
}

const Op* Definitions::made(ValueId value, OpKind by) const {
  const Op* const op = makers_[value];
  return op != nullptr && op->kind == by ? op : nullptr;
}

std::optional<int64_t> RaiseSite::number(ValueId value) const {
  const Op* const constant = made(value, OpKind::kConstant);
  if (constant == nullptr) return std::nullopt;
  const std::vector<uint64_t>& lanes = std::get<Constant>(constant->payload).lanes;
  if (lanes.size() != 1) return std::nullopt;
  return static_cast<int64_t>(lanes[0]);
}

ValueId RaiseSite::append(Op made, Type type) {
  const auto value = static_cast<ValueId>(types.size());
  types.push_back(type);
  made.results = {value};
  ops.push_back(std::move(made));
  return value;
}

ValueId RaiseSite::constant(Type type, std::vector<uint64_t> lanes) {
  return append({.kind = OpKind::kConstant, .payload = Constant{std::move(lanes)}}, type);
}

void RaiseSite::finish(Op made) {
  made.results = op.results;
  ops.push_back(std::move(made));
}

Kernel raise(const Kernel& kernel, const Target& target) {
  if (!may_hold_idioms(kernel)) return kernel;
  return RaisingWalk(kernel, target).run(kernel.body);
}

}  // namespace hlocc::kernel
