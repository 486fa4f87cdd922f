// See iterations.h. Values of type index are known as intervals. Bounds of one loop are subtracted
// term by term first, so that a share of a split loop counts as a share.
#include "backends/spirv/iterations.h"

#include <algorithm>
#include <map>

#include "support/rounding.h"

namespace hlocc::backends {
namespace {

using namespace kernel;

// Where sums of more iterations than this are as good as any.
constexpr int64_t kMany = int64_t{1} << 40;

struct Interval {
  int64_t least = 0, most = 0;
  Interval plus(Interval other) const { return {least + other.least, most + other.most}; }
  Interval times(int64_t factor) const {
    const int64_t a = least * factor, b = most * factor;
    return {std::min(a, b), std::max(a, b)};
  }
};

class IterationCounter {
 public:
  IterationCounter(const Kernel& kernel, int64_t invocations, std::span<const int64_t> integers)
      : kernel_(kernel) {
    const bool is_grid = invocations > 1;
    if (is_grid) known_[kernel.parameters[0]] = {0, invocations - 1};
    const size_t first = is_grid ? 1 : 0;
    for (size_t i = 0; i < integers.size() && i + first < kernel.parameters.size(); ++i)
      known_[kernel.parameters[i + first]] = {integers[i], integers[i]};
  }

  std::optional<int64_t> count(const Region& region) {
    int64_t all = 0;
    for (const Op& op : region.ops) {
      const std::optional<int64_t> more = count(op);
      if (!more) return std::nullopt;
      all = std::min(kMany, all + *more);
    }
    return all;
  }

 private:
  std::optional<int64_t> count(const Op& op) {
    switch (op.kind) {
      case OpKind::kLoop: return count_loop(op);
      case OpKind::kWhile: return std::nullopt;
      case OpKind::kIf: {
        const std::optional<int64_t> a = count(op.regions[0]), b = count(op.regions[1]);
        if (!a || !b) return std::nullopt;
        return std::max(*a, *b);
      }
      default: note(op); return 0;
    }
  }

  std::optional<int64_t> count_loop(const Op& op) {
    const Loop& loop = op.loop();
    const std::optional<Interval> lower = of(loop.lower), upper = of(loop.upper);
    if (!lower || !upper) return std::nullopt;
    const std::optional<Interval> length = of(loop.upper.plus(loop.lower.times(-1)));
    known_[op.regions[0].arguments[0]] = {lower->least, std::max(lower->least, upper->most)};
    const std::optional<int64_t> inside = count(op.regions[0]);
    // Of mapped loops an invocation has one iteration.
    if (!inside || loop.is_mapped()) return inside;
    const int64_t iterations = std::max<int64_t>(0, ceil_div(length->most, loop.step));
    return iterations > kMany / (1 + *inside) ? kMany : iterations * (1 + *inside);
  }

  std::optional<Interval> of(const Affine& affine) const {
    Interval sum{affine.offset, affine.offset};
    for (const Affine::Term& term : affine.terms) {
      const auto known = known_.find(term.value);
      if (known == known_.end()) return std::nullopt;
      sum = sum.plus(known->second.times(term.scale));
    }
    return sum;
  }

  const Interval* of(const Op& op, size_t operand) const {
    const auto known = known_.find(op.operands[operand]);
    return known == known_.end() ? nullptr : &known->second;
  }

  // What is reckoned with numbers of loops: what ranges/split_kernel.h writes, and grid.h.
  void note(const Op& op) {
    if (op.results.size() != 1 || kernel_.type(op.result()).scalar != Scalar::kIndex) return;
    if (op.kind == OpKind::kConstant) {
      const auto n = static_cast<int64_t>(std::get<Constant>(op.payload).lanes[0]);
      known_[op.result()] = {n, n};
      return;
    }
    const bool selects = op.kind == OpKind::kSelect;
    if (op.operands.size() != (selects ? 3 : 2)) return;
    const Interval *a = of(op, selects ? 1 : 0), *b = of(op, selects ? 2 : 1);
    if (a == nullptr || b == nullptr) return;
    const bool divides = a->least >= 0 && b->least == b->most && b->least > 0;
    switch (op.kind) {
      case OpKind::kAdd: known_[op.result()] = a->plus(*b); break;
      case OpKind::kSub: known_[op.result()] = a->plus(b->times(-1)); break;
      case OpKind::kNativeMin:
        known_[op.result()] = {std::min(a->least, b->least), std::min(a->most, b->most)};
        break;
      case OpKind::kNativeMax:
        known_[op.result()] = {std::max(a->least, b->least), std::max(a->most, b->most)};
        break;
      case OpKind::kNativeDiv:
        if (divides) known_[op.result()] = {a->least / b->least, a->most / b->least};
        break;
      case OpKind::kNativeRem:
        if (divides) known_[op.result()] = {0, std::min(a->most, b->least - 1)};
        break;
      case OpKind::kSelect:
        known_[op.result()] = {std::min(a->least, b->least), std::max(a->most, b->most)};
        break;
      default: break;
    }
  }

  const Kernel& kernel_;
  std::map<ValueId, Interval> known_;
};

}  // namespace

std::optional<int64_t> most_iterations(const Kernel& kernel, int64_t invocations,
                                       std::span<const int64_t> integers) {
  return IterationCounter(kernel, invocations, integers).count(kernel.body);
}

}  // namespace hlocc::backends
