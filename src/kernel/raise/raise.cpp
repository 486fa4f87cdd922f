// See raise.h. One walk that copies ops and puts what an idiom becomes in the place of its last op;
// then those of its parts that nothing reads any more are dropped.
#include "kernel/raise/raise.h"

#include <algorithm>

#include "kernel/raise/idioms.h"

namespace hlocc::kernel {
namespace {

bool is_wide_vector(Type type) { return type.is_vector() && type.scalar == Scalar::kS64; }
bool is_four_bytes(Type type) {
  return type.lanes == 4 && (type.scalar == Scalar::kS8 || type.scalar == Scalar::kU8);
}

// By the last op of the idiom, and by a type that some value in it has.
struct IdiomRow {
  OpKind kind;
  bool (*holds)(Type type);
  Raise raise;
};
constexpr IdiomRow kIdioms[] = {{OpKind::kConvert, is_wide_vector, raise_high_product},
                                {OpKind::kConvert, is_four_bytes, raise_spread_bytes},
                                {OpKind::kStore, is_four_bytes, raise_saturate}};

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
  RaisingWalk(const Kernel& source, const Target& target, const IdiomRow& row)
      : target_(target), row_(row), definitions_(source), out_(source) {}

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
    if (row_.kind != op.kind) return false;
    RaiseSite site{definitions_, target_, op, out_.types, ops, bypassed_};
    return row_.raise(site);
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
  const IdiomRow& row_;
  const Definitions definitions_;
  Kernel out_;
  std::vector<ValueId> bypassed_;
  std::vector<int> readers_;   // by ValueId
  std::vector<bool> is_idle_;  // goes, once nothing reads it
};

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
  Kernel raised = kernel;
  for (const IdiomRow& row : kIdioms)
    if (std::ranges::any_of(raised.types, row.holds))
      raised = RaisingWalk(raised, target, row).run(raised.body);
  return raised;
}

}  // namespace hlocc::kernel
