// Loops and branches that keep the memo honest, and know their counters' ranges, so that index
// arithmetic divides without a division where it can.
#include <algorithm>
#include <utility>

#include "lowering/emitter/emitter.h"

namespace hlocc::lowering {

using kernel::Scalar;
using kernel::Type;
using kernel::ValueId;
using kernel::Values;

// Values that a region computes are dead outside it, so the memo goes back to what it was when a
// region closes; and so does the number of products.
class MemoScope {
 public:
  explicit MemoScope(Emitter& emitter)
      : emitter_(emitter), saved_(emitter.memo_), products_(std::exchange(emitter.products_, 0)) {}
  ~MemoScope() {
    emitter_.memo_ = std::move(saved_);
    emitter_.products_ = products_;
  }

 private:
  Emitter& emitter_;
  decltype(Emitter::memo_) saved_;
  int products_;
};

void Emitter::loop(int64_t count, const std::function<void(Affine)>& body, int64_t step,
                   kernel::Mapping mapping) {
  if (count <= 0) return;
  if (count <= step) return body(Affine::constant(0));
  kernel::Loop info;
  info.lower = Affine::constant(0);
  info.upper = Affine::constant(count);
  info.step = step;
  info.mapping = mapping;
  b.loop(info, [&](ValueId counter) {
    ranges_[counter] = {0, (count - 1) / step * step, step};
    MemoScope scope(*this);
    body(Affine::of(counter));
  });
}

Values Emitter::loop(int64_t lower, int64_t upper, int64_t step, Values carried,
                     const std::function<Values(Affine, std::span<const ValueId>)>& body, bool kept,
                     bool own_scratch) {
  if (upper <= lower && !kept) return carried;
  if (upper - lower <= step && !kept) return body(Affine::constant(lower), carried);
  kernel::Loop info;
  info.kept = kept;
  info.own_scratch = own_scratch;
  info.lower = Affine::constant(lower);
  info.upper = Affine::constant(upper);
  info.step = step;
  return b.loop(info, std::move(carried), [&](ValueId counter, std::span<const ValueId> values) {
    ranges_[counter] = {lower, lower + std::max<int64_t>(upper - 1 - lower, 0) / step * step, step};
    MemoScope scope(*this);
    return body(Affine::of(counter), values);
  });
}

Values Emitter::loop(const Affine& lower, const Affine& upper, Values carried,
                     const std::function<Values(Affine, std::span<const ValueId>)>& body) {
  if (lower.is_constant() && upper.is_constant())
    return loop(lower.offset, upper.offset, 1, std::move(carried), body);
  kernel::Loop info;
  info.lower = lower;
  info.upper = upper;
  return b.loop(info, std::move(carried), [&](ValueId counter, std::span<const ValueId> values) {
    MemoScope scope(*this);
    return body(Affine::of(counter), values);
  });
}

void Emitter::loop_over(const hlo::Dimensions& dimensions,
                        const std::function<void(const std::vector<Affine>&)>& body) {
  std::vector<Affine> at;
  const std::function<void()> next = [&] {
    if (at.size() == dimensions.size()) return body(at);
    loop(dimensions[at.size()], [&](Affine counter) {
      at.push_back(counter);
      next();
      at.pop_back();
    });
  };
  next();
}

Values Emitter::if_else(ValueId pred, const kernel::Builder::Branch& yes,
                        const kernel::Builder::Branch& no) {
  const auto scoped = [this](const kernel::Builder::Branch& branch) {
    return [this, &branch] {
      MemoScope scope(*this);
      return branch();
    };
  };
  return b.if_else(pred, scoped(yes), scoped(no));
}

std::optional<Emitter::Range> Emitter::range_of(const Affine& affine) const {
  Range range{affine.offset, affine.offset};
  for (const Affine::Term& term : affine.terms) {
    const auto known = ranges_.find(term.value);
    if (known == ranges_.end()) return std::nullopt;
    const int64_t a = known->second.low * term.scale, z = known->second.high * term.scale;
    range.low += std::min(a, z);
    range.high += std::max(a, z);
  }
  return range;
}

Affine Emitter::divide_steps(Affine& remainder, int64_t divisor) {
  Affine quotient, rest;
  rest.offset = remainder.offset;
  for (const Affine::Term& term : remainder.terms) {
    const Affine whole = Affine::of(term.value, term.scale);
    const auto known = ranges_.find(term.value);
    const bool divides = known != ranges_.end() && term.scale * known->second.low % divisor == 0 &&
                         term.scale * known->second.step % divisor == 0;
    if (!divides) {
      rest = rest.plus(whole);
      continue;
    }
    const ValueId part = b.op(kernel::OpKind::kNativeDiv, {Scalar::kIndex, 1},
                              {b.value_of(whole), b.index(divisor)});
    const auto range = range_of(whole);
    ranges_[part] = {range->low / divisor, range->high / divisor};
    quotient = quotient.plus(Affine::of(part));
  }
  remainder = rest;
  return quotient;
}

std::pair<Affine, Affine> Emitter::divmod(const Affine& value, int64_t divisor) {
  if (divisor == 1) return {value, Affine{}};
  Affine quotient, remainder;
  for (const Affine::Term& term : value.terms) {
    if (term.scale % divisor == 0) {
      quotient = quotient.plus(Affine::of(term.value, term.scale / divisor));
    } else {
      remainder = remainder.plus(Affine::of(term.value, term.scale));
    }
  }
  int64_t whole = value.offset / divisor, rest = value.offset % divisor;
  if (rest < 0) rest += divisor, whole -= 1;
  quotient.offset = whole;
  remainder.offset = rest;
  // What counts in steps leaves nothing over.
  Affine left = remainder;
  const Affine of_steps = divide_steps(left, divisor);
  if (const auto range = range_of(left); range && range->low >= 0 && range->high < divisor)
    return {quotient.plus(of_steps), left};
  // Counters don't split evenly: divide at run time.
  const ValueId whole_value = b.value_of(value);
  const ValueId by = b.index(divisor);
  const Type type{Scalar::kIndex, 1};
  const ValueId q = b.op(kernel::OpKind::kNativeDiv, type, {whole_value, by});
  const ValueId r = b.sub(whole_value, b.mul(q, by));
  ranges_[r] = {0, divisor - 1};
  if (const auto range = range_of(value))
    ranges_[q] = {range->low / divisor, range->high / divisor};
  return {Affine::of(q), Affine::of(r)};
}

}  // namespace hlocc::lowering
