// Copies a kernel op by op and takes its integers out on the way. A constant that two ops share in
// one kernel may be two constants in another, so that each use gets its own.
#include "kernel/share/skeleton.h"

#include <algorithm>

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
  Stripper(const Kernel& source, int word_bits)
      : source_(source),
        word_bits_(word_bits),
        new_(source.types.size(), kNone),
        constant_(source.types.size(), nullptr) {}

  Skeleton run() {
    Kernel& kernel = out_.kernel;
    kernel.name = source_.name;
    kernel.origin = source_.origin;
    kernel.buffers = source_.buffers;
    for (Buffer& buffer : kernel.buffers)
      if (buffer.direction != Direction::kScratch) buffer.elements = place(buffer.elements);
    for (const ValueId parameter : source_.parameters)
      kernel.parameters.push_back(define(parameter));
    kernel.body = region(source_.body);
    out_.numbered.resize(kernel.types.size(), false);
    out_.text = code_text(kernel);
    return std::move(out_);
  }

 private:
  int64_t place(int64_t integer, bool bits = false) {
    out_.integers.push_back(integer);
    out_.bits.push_back(bits);
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
           (type.scalar == Scalar::kIndex ||
            (type.scalar != Scalar::kPred && scalar_bits(type.scalar) == word_bits_));
  }

  // The new id of `old` for one use; constants are made for it in `ops`.
  ValueId use(ValueId old, bool as_number, std::vector<Op>& ops) {
    const Op* const constant = constant_[old];
    if (constant == nullptr) return new_[old];
    Op made = *constant;
    const Type type = source_.type(old);
    const ValueId value = new_value(type);
    made.results = {value};
    uint64_t& bits = std::get<Constant>(made.payload).lanes[0];
    if (!as_number) {
      bits = static_cast<uint64_t>(place(static_cast<int64_t>(bits), type.scalar != Scalar::kIndex));
      out_.numbered.resize(value + 1, false);
      out_.numbered[value] = true;
    }
    ops.push_back(std::move(made));
    return value;
  }

  Affine address(const Affine& affine, bool as_numbers = false) {
    Affine out = Affine::constant(affine.offset);
    for (const Affine::Term& term : affine.terms) {
      if (constant_[term.value] == nullptr)
        out.terms.push_back({new_[term.value], term.scale});
      else
        out.offset += term.scale * static_cast<int64_t>(
                                       std::get<Constant>(constant_[term.value]->payload).lanes[0]);
    }
    std::ranges::sort(out.terms, {}, &Affine::Term::value);
    if (as_numbers) return out;
    for (Affine::Term& term : out.terms) term.scale = place(term.scale);
    out.offset = place(out.offset);
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
    const bool launched = loop.kind != LoopKind::kSerial && loop.kind != LoopKind::kParallel;
    loop.lower = address(loop.lower, launched);
    loop.upper = address(loop.upper, launched);
  }

  void copy(const Op& op, std::vector<Op>& ops) {
    if (is_number(op)) {
      constant_[op.result()] = &op;
      return;
    }
    Op made{.kind = op.kind, .payload = op.payload};
    for (const ValueId operand : op.operands)
      made.operands.push_back(use(operand, wants_numbers(op.kind), ops));
    if (auto* const access = std::get_if<Access>(&made.payload))
      strip_access(*access, made.operands);
    if (auto* const loop = std::get_if<Loop>(&made.payload)) strip_loop(*loop);
    for (const Region& inner : op.regions) made.regions.push_back(region(inner));
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

  const Kernel& source_;
  const int word_bits_;
  std::vector<ValueId> new_;         // by value of the source
  std::vector<const Op*> constant_;  // the same: the scalar constant that it is
  Skeleton out_;
};

}  // namespace

Skeleton skeleton_of(const Kernel& kernel, int word_bits) {
  return Stripper(kernel, word_bits).run();
}

}  // namespace hlocc::kernel
