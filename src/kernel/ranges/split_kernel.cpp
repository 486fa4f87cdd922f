// See split_kernel.h. Iterations are dealt out evenly: with q = trips / ranges and r the rest,
// range n begins at iteration n * q + min(n, r). Loops may run past their old bound by less than a
// step: the iterations are the same.
#include "kernel/ranges/split_kernel.h"

#include <algorithm>
#include <map>

#include "kernel/mapped.h"
#include "kernel/program.h"
#include "support/rounding.h"

namespace hlocc::kernel {
namespace {

constexpr Type kIndexType{Scalar::kIndex, 1};
// Scratch of two ranges shares no line of a cache.
constexpr int64_t kSlotAlignment = 64;
constexpr size_t kDeepestSite = 3;

bool is_operand(const Kernel& kernel, BufferId buffer) {
  return kernel.buffers[buffer].direction != Direction::kScratch;
}

bool writes_operands(const Kernel& kernel, const Op& op) {
  if (op.kind == OpKind::kStore) return is_operand(kernel, op.access().buffer);
  return std::ranges::any_of(op.regions, [&](const Region& region) {
    return std::ranges::any_of(region.ops,
                               [&](const Op& inner) { return writes_operands(kernel, inner); });
  });
}

// 0: not known.
int64_t trips_of(const Loop& loop) {
  return loop.lower.is_constant() && loop.upper.is_constant() ? iterations_of(loop) : 0;
}

bool can_split(const Kernel& kernel, const Op& op) {
  return op.kind == OpKind::kLoop && op.operands.empty() && trips_of(op.loop()) >= 2 &&
         writes_operands(kernel, op);
}

int64_t size_of(const Region& region) {
  int64_t size = 0;
  for (const Op& op : region.ops) {
    ++size;
    for (const Region& inner : op.regions) size += size_of(inner);
  }
  return size;
}

// The largest loop without carried values; -1: none.
int way_inwards(const Kernel& kernel, const Region& region) {
  int best = -1;
  int64_t most = 0;
  for (size_t i = 0; i < region.ops.size(); ++i) {
    const Op& op = region.ops[i];
    if (op.kind != OpKind::kLoop || !op.operands.empty() || !writes_operands(kernel, op)) continue;
    const int64_t size = size_of(op.regions[0]);
    if (size <= most) continue;
    most = size;
    best = static_cast<int>(i);
  }
  return best;
}

class Splitter {
 public:
  Splitter(const Kernel& kernel, int ranges) : ranges_(ranges) {
    out_.kernel = kernel;
    out_.ranges = ranges;
    range_ = new_value(kIndexType);
    out_.kernel.parameters.insert(out_.kernel.parameters.begin(), range_);
  }

  std::optional<SplitKernel> run(const SplitSite& site) {
    Region* region = &out_.kernel.body;
    for (const int op : site) region = &region->ops[static_cast<size_t>(op)].regions[0];
    for (Op& op : region->ops) {
      if (can_split(out_.kernel, op)) {
        split(op);
      } else if (writes_operands(out_.kernel, op)) {
        if (!op.results.empty()) return std::nullopt;
        leave_to_first(op);
      }
    }
    repeat_scratch();
    std::vector<Op>& body = out_.kernel.body.ops;
    body.insert(body.begin(), head_.begin(), head_.end());
    return std::move(out_);
  }

 private:
  ValueId new_value(Type type) {
    out_.kernel.types.push_back(type);
    return static_cast<ValueId>(out_.kernel.types.size()) - 1;
  }
  ValueId at_head(OpKind kind, Type type, std::vector<ValueId> operands) {
    const ValueId value = new_value(type);
    head_.push_back({.kind = kind, .operands = std::move(operands), .results = {value}});
    return value;
  }
  ValueId number(int64_t n) {
    if (const auto known = numbers_.find(n); known != numbers_.end()) return known->second;
    const ValueId value = at_head(OpKind::kConstant, kIndexType, {});
    head_.back().payload = Constant{{static_cast<uint64_t>(n)}};
    return numbers_[n] = value;
  }
  ValueId next_range() {
    if (next_range_ == kNone) next_range_ = at_head(OpKind::kAdd, kIndexType, {range_, number(1)});
    return next_range_;
  }
  // The lesser of a range's number and `rest`.
  ValueId at_most(ValueId range, int64_t rest) {
    ValueId& value = least_.try_emplace({range, rest}, kNone).first->second;
    if (value == kNone) {
      const ValueId limit = number(rest);
      value = at_head(OpKind::kNativeMin, kIndexType, {range, limit});
    }
    return value;
  }

  void split(Op& op) {
    Loop& loop = std::get<Loop>(op.payload);
    const int64_t trips = trips_of(loop), each = trips / ranges_, rest = trips % ranges_;
    const Affine begin = loop.lower.plus(Affine::of(range_, loop.step * each));
    loop.lower = begin;
    loop.upper = begin.plus(loop.step * each);
    if (rest != 0) {
      loop.lower = loop.lower.plus(Affine::of(at_most(range_, rest), loop.step));
      loop.upper = loop.upper.plus(Affine::of(at_most(next_range(), rest), loop.step));
    }
    out_.own_scratch &= loop.own_scratch;
    out_.counters.push_back(op.regions[0].arguments[0]);
  }

  void leave_to_first(Op& op) {
    if (out_.first == kNone) {
      const ValueId zero = number(0);
      out_.first = at_head(OpKind::kCompare, {Scalar::kPred, 1}, {range_, zero});
      head_.back().payload = Predicate::kEq;
    }
    Op branch{.kind = OpKind::kIf, .operands = {out_.first}};
    branch.regions.resize(2);
    branch.regions[0].ops.push_back(std::move(op));
    op = std::move(branch);
  }

  void repeat_scratch() {
    for (Buffer& buffer : out_.kernel.buffers) {
      out_.slots.push_back(0);
      if (buffer.direction != Direction::kScratch || buffer.space != Space::kArena) continue;
      const int64_t bytes = scalar_bytes(buffer.element);
      const int64_t alignment = std::max<int64_t>(buffer.alignment, kSlotAlignment);
      out_.slots.back() = round_up(buffer.elements * bytes, alignment) / bytes;
      buffer.elements = out_.slots.back() * ranges_;
    }
    move_scratch(out_.kernel.body);
  }
  void move_scratch(Region& region) {
    for (Op& op : region.ops) {
      if (auto* const access = std::get_if<Access>(&op.payload))
        access->at = access->at.plus(Affine::of(range_, out_.slots[access->buffer]));
      for (Region& inner : op.regions) move_scratch(inner);
    }
  }

  int ranges_;
  SplitKernel out_;
  ValueId range_ = kNone, next_range_ = kNone;
  std::vector<Op> head_;  // what the kernel begins with
  std::map<int64_t, ValueId> numbers_;
  std::map<std::pair<ValueId, int64_t>, ValueId> least_;
};

}  // namespace

std::vector<SplitSite> split_sites(const Kernel& kernel) {
  std::vector<SplitSite> sites;
  const Region* region = &kernel.body;
  for (SplitSite site; site.size() < kDeepestSite;) {
    if (std::ranges::any_of(region->ops, [&](const Op& op) { return can_split(kernel, op); }))
      sites.push_back(site);
    const int inwards = way_inwards(kernel, *region);
    if (inwards < 0) break;
    site.push_back(inwards);
    region = &region->ops[static_cast<size_t>(inwards)].regions[0];
  }
  return sites;
}

std::optional<SplitKernel> split_kernel(const Kernel& kernel, const SplitSite& site, int ranges) {
  return Splitter(kernel, ranges).run(site);
}

}  // namespace hlocc::kernel
