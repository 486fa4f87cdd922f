// Copies a kernel op by op and takes its integers out on the way. A constant that two ops share in
// one kernel may be two constants in another, so that each use gets its own.
#include "kernel/share/skeleton.h"

#include <algorithm>
#include <optional>

#include "kernel/program.h"

namespace hlocc::kernel {
namespace {

// A number there decides which instructions are emitted, and costs much where it is none.
bool wants_numbers(OpKind kind) {
  using enum OpKind;
  switch (kind) {
    case kDiv:
    case kRem:
    case kMulHi:
    case kMulShiftRight:
    case kShl:
    case kShrLogical:
    case kShrArithmetic:
    case kNativeDiv:
    case kNativeRem:
    case kNativeShl:
    case kNativeShr: return true;
    default: return false;
  }
}

class Stripper {
 public:
  Stripper(const Kernel& source, int word_bits, int crowding_sums)
      : source_(source),
        word_bits_(word_bits),
        crowding_sums_(crowding_sums),
        new_(source.types.size(), kNone),
        constant_(source.types.size(), nullptr),
        sum_(source.types.size()) {}

  Skeleton run() {
    Kernel& kernel = out_.kernel;
    kernel.name = source_.name;
    kernel.origin = source_.origin;
    kernel.choice = source_.choice;
    kernel.buffers = source_.buffers;
    for (Buffer& buffer : kernel.buffers)
      if (buffer.direction != Direction::kScratch || buffer.space == Space::kArena)
        buffer.elements = place(buffer.elements, Use::kSize);
    for (const ValueId parameter : source_.parameters)
      kernel.parameters.push_back(define(parameter));
    kernel.body = region(source_.body);
    out_.numbered.resize(kernel.types.size(), false);
    out_.key = code_key(kernel) + kept_;
    return std::move(out_);
  }

 private:
  int64_t place(int64_t integer, Use use) {
    if (crowded_ > 0) kept_ += " " + std::to_string(integer);
    out_.integers.push_back(integer);
    out_.uses.push_back(use);
    return static_cast<int64_t>(out_.integers.size()) - 1;
  }

  ValueId new_value(Type type) {
    out_.kernel.types.push_back(type);
    return static_cast<ValueId>(out_.kernel.types.size()) - 1;
  }
  ValueId define(ValueId old) { return new_[old] = new_value(source_.type(old)); }

  bool is_number(const Op& op) const {
    if (op.kind != OpKind::kConstant) return false;
    const Type type = source_.type(op.result());
    return !type.is_vector() &&
           (type.scalar == Scalar::kIndex || scalar_bits(type.scalar) == word_bits_);
  }

  // The new id of `old` for one use; constants are made for it in `ops`.
  ValueId use(ValueId old, bool as_number, std::vector<Op>& ops) {
    const Op* const constant = constant_[old];
    const Type type = source_.type(old);
    if (constant == nullptr) return type == index_ ? use_sum(old, ops) : new_[old];
    Op made = *constant;
    const ValueId value = new_value(type);
    made.results = {value};
    uint64_t& bits = std::get<Constant>(made.payload).lanes[0];
    if (!as_number) {
      const Use use = type.scalar == Scalar::kIndex ? Use::kNumber : Use::kBits;
      bits = static_cast<uint64_t>(place(static_cast<int64_t>(bits), use));
      out_.numbered.resize(value + 1, false);
      out_.numbered[value] = true;
    }
    ops.push_back(std::move(made));
    return value;
  }

  ValueId made_number(int64_t integer, std::vector<Op>& ops) {
    const ValueId value = new_value(index_);
    ops.push_back({.kind = OpKind::kConstant,
                   .results = {value},
                   .payload = Constant{{static_cast<uint64_t>(place(integer, Use::kNumber))}}});
    out_.numbered.resize(value + 1, false);
    out_.numbered[value] = true;
    return value;
  }
  ValueId made_op(OpKind kind, ValueId a, ValueId b, std::vector<Op>& ops) {
    const ValueId value = new_value(index_);
    ops.push_back({.kind = kind, .operands = {a, b}, .results = {value}});
    return value;
  }
  // A sum in full, with factors of 1 and an offset of 0: what a stride or a border of other size
  // would add must not make another skeleton.
  ValueId use_sum(ValueId old, std::vector<Op>& ops) {
    ValueId sum = kNone;
    for (const Affine::Term& term : affine_of(old).terms) {
      const ValueId factor = made_number(term.scale, ops);
      const ValueId product = made_op(OpKind::kMul, term.value, factor, ops);
      sum = sum == kNone ? product : made_op(OpKind::kAdd, sum, product, ops);
    }
    const ValueId offset = made_number(affine_of(old).offset, ops);
    return sum == kNone ? offset : made_op(OpKind::kAdd, sum, offset, ops);
  }

  // In new values.
  Affine affine_of(ValueId old) const {
    if (const Op* const constant = constant_[old])
      return Affine::constant(static_cast<int64_t>(std::get<Constant>(constant->payload).lanes[0]));
    return sum_[old] ? *sum_[old] : Affine::of(new_[old]);
  }
  // What an op on indices computes, if that is affine in others.
  std::optional<Affine> sum_of(const Op& op) const {
    if (op.results.size() != 1 || source_.type(op.result()) != index_) return std::nullopt;
    if (op.kind != OpKind::kAdd && op.kind != OpKind::kSub && op.kind != OpKind::kMul)
      return std::nullopt;
    const Affine a = affine_of(op.operands[0]), b = affine_of(op.operands[1]);
    if (op.kind == OpKind::kAdd) return a.plus(b);
    if (op.kind == OpKind::kSub) return a.plus(b.times(-1));
    if (b.is_constant()) return a.times(b.offset);
    if (a.is_constant()) return b.times(a.offset);
    return std::nullopt;
  }

  Affine address(const Affine& affine) {
    Affine out = Affine::constant(affine.offset);
    for (const Affine::Term& term : affine.terms)
      out = out.plus(affine_of(term.value).times(term.scale));
    for (Affine::Term& term : out.terms) term.scale = place(term.scale, Use::kScale);
    out.offset = place(out.offset, Use::kNumber);
    return out;
  }

  void strip_access(Access& access, const std::vector<ValueId>& operands) {
    access.at = address(access.at);
    size_t next = 0;
    for (ValueId* const value :
         {&access.stored, &access.lane_indices, &access.mask, &access.otherwise})
      if (*value != kNone) *value = operands[next++];
  }

  void strip_loop(Loop& loop) {
    loop.lower = address(loop.lower);
    loop.upper = address(loop.upper);
  }

  // A loop whose sums fill the registers. Sums that leave a branch (the taps of a depthwise filter)
  // are spelled out before it, and cost a tenth of the time.
  bool is_crowded(const Op& op) const {
    return op.kind == OpKind::kLoop && std::ranges::count_if(op.results, [&](ValueId value) {
                                         return source_.type(value).scalar == Scalar::kS32;
                                       }) >= crowding_sums_;
  }

  void copy(const Op& op, std::vector<Op>& ops) {
    if (is_number(op)) {
      constant_[op.result()] = &op;
      return;
    }
    if (std::optional<Affine> sum = sum_of(op)) {
      sum_[op.result()] = std::move(sum);
      return;
    }
    Op made{.kind = op.kind, .payload = op.payload};
    for (const ValueId operand : op.operands)
      made.operands.push_back(use(operand, wants_numbers(op.kind), ops));
    if (auto* const access = std::get_if<Access>(&made.payload))
      strip_access(*access, made.operands);
    const bool crowds = is_crowded(op);
    out_.crowded |= crowds;
    crowded_ += crowds;
    if (auto* const loop = std::get_if<Loop>(&made.payload)) strip_loop(*loop);
    for (const Region& inner : op.regions) made.regions.push_back(region(inner));
    crowded_ -= crowds;
    for (const ValueId result : op.results) made.results.push_back(define(result));
    ops.push_back(std::move(made));
  }

  Region region(const Region& source) {
    Region out;
    for (const ValueId argument : source.arguments) out.arguments.push_back(define(argument));
    for (const Op& op : source.ops) copy(op, out.ops);
    for (const ValueId value : source.yields) out.yields.push_back(use(value, false, out.ops));
    return out;
  }

  static constexpr Type index_{Scalar::kIndex, 1};
  const Kernel& source_;
  const int word_bits_, crowding_sums_;
  int crowded_ = 0;                         // loops around that are
  std::string kept_;                        // numbers within them
  std::vector<ValueId> new_;                // by value of the source
  std::vector<const Op*> constant_;         // the same: the scalar constant that it is
  std::vector<std::optional<Affine>> sum_;  // the same, in new values: what it is the sum of
  Skeleton out_;
};

}  // namespace

Skeleton skeleton_of(const Kernel& kernel, int word_bits, int crowding_sums) {
  return Stripper(kernel, word_bits, crowding_sums).run();
}

}  // namespace hlocc::kernel
