// The rewriter: copies a kernel op by op into a new builder, expands what the table says, and
// starts again on the result until nothing is left to expand. The first round also turns small
// types into the ones they are held in.
#include "kernel/legalize/legalize.h"

#include <algorithm>
#include <unordered_map>

#include "kernel/builder.h"
#include "kernel/legalize/math_functions.h"
#include "kernel/legalize/small_floats.h"
#include "kernel/legalize/sub_byte.h"
#include "kernel/legalize/table.h"
#include "kernel/mapped.h"
#include "kernel/raise/raise.h"
#include "kernel/verifier.h"
#include "support/budget.h"
#include "support/text.h"

namespace hlocc::kernel {

Scalar held_scalar(Scalar s) {
  if (is_small_float(s)) return unsigned_of_width(8 * scalar_bytes(s));
  if (is_sub_byte(s)) return is_signed(s) ? Scalar::kS8 : Scalar::kU8;
  return s;
}

namespace {

class Rewriter {
 public:
  Rewriter(const Kernel& source, const Target& target, const MathFunctions& called)
      : source_(source), target_(target), called_(called), builder_(source.name) {}

  Kernel run() {
    new_.assign(source_.types.size(), kNone);
    for (Buffer buffer : source_.buffers) {
      buffer.element = held_scalar(buffer.element);
      builder_.buffer(std::move(buffer));
    }
    for (const ValueId parameter : source_.parameters) new_[parameter] = builder_.parameter();
    ops(source_.body);
    Kernel result = builder_.finish();
    result.origin = source_.origin;
    result.choice = source_.choice;
    return result;
  }

  bool expanded() const { return expanded_; }
  const std::string& gap() const { return gap_; }

 private:
  void ops(const Region& region) {
    for (const Op& op : region.ops) rewrite(op);
  }

  Values values(std::span<const ValueId> ids) const {
    Values mapped;
    for (const ValueId id : ids) mapped.push_back(new_[id]);
    return mapped;
  }

  Affine address(Affine affine) const {
    for (Affine::Term& term : affine.terms) term.value = new_[term.value];
    return affine;
  }

  void define(std::span<const ValueId> old, std::span<const ValueId> made) {
    for (size_t i = 0; i < old.size(); ++i) new_[old[i]] = made[i];
  }

  void rewrite(const Op& op) {
    const Type deciding = deciding_type(source_, op);
    const Type result = op.results.empty() ? deciding : source_.type(op.result());
    const auto function = math_function_for(op.kind, result, target_);
    if (function && called_.contains(*function)) return copy(op);
    const Values operands = values(op.operands);
    const Decision decision = decide(op.kind, deciding, result, target_, facts_of(operands));
    if (decision.keep) return copy(op);
    if (decision.expand == nullptr) {
      if (gap_.empty()) gap_ = cat(op_name(op.kind), " of ", to_string(deciding));
      return copy(op);
    }
    expanded_ = true;
    const size_t first = op.kind == OpKind::kMatrixAccumulate ? 1 : 0;
    const Type from = op.operands.empty() ? result : source_.type(op.operands[first]);
    const Site site{builder_, target_, op, result, from, operands};
    new_[op.result()] = decision.expand(site).id();
  }

  OperandFacts facts_of(const Values& operands) const {
    if (operands.empty()) return {};
    const auto number = [&](ValueId operand) { return builder_.constant_value(operand); };
    return {.constant = std::ranges::any_of(
                operands, [&](ValueId operand) { return number(operand).has_value(); }),
            .last = builder_.type(operands.back()),
            .is_ones = number(operands.back()) == uint64_t{1}};
  }

  void copy(const Op& op) {
    switch (op.kind) {
      case OpKind::kLoad: return copy_load(op);
      case OpKind::kStore: return builder_.store(access(op));
      case OpKind::kPrefetch: return builder_.prefetch(op.access().buffer, address(op.access().at));
      case OpKind::kBarrier: return builder_.barrier();
      case OpKind::kLoop: return copy_loop(op);
      case OpKind::kIf: return copy_if(op);
      case OpKind::kWhile: return copy_while(op);
      default: new_[op.result()] = copy_value(op);
    }
  }

  ValueId copy_value(const Op& op) {
    using enum OpKind;
    const Values in = values(op.operands);
    const Type type = held_type(source_.type(op.result()));
    switch (op.kind) {
      case kConstant: return builder_.constant_lanes(type, std::get<Constant>(op.payload).lanes);
      case kCompare: return builder_.compare(std::get<Predicate>(op.payload), in[0], in[1]);
      case kSelect: return builder_.select(in[0], in[1], in[2]);
      case kBitcast: return builder_.bitcast(in[0], type.scalar);
      case kConvert: return builder_.convert(in[0], type.scalar);
      case kMulAdd: return builder_.mul_add(in[0], in[1], in[2]);
      case kMulShiftRight:
        return builder_.mul_shift_right(in[0], in[1], std::get<RoundedShift>(op.payload));
      case kSaturate: return builder_.saturate(in[0], std::get<RoundedShift>(op.payload).shift);
      case kSpreadBytes:
        return builder_.spread_bytes(in[0], std::get<Lane>(op.payload).index, type.scalar);
      case kLaneIndex: return lane_numbers(source_.type(op.result()));
      case kSplat: return builder_.splat(in[0], type.lanes);
      case kExtract: return builder_.extract(in[0], std::get<Lane>(op.payload).index);
      case kInsert: return builder_.insert(in[0], in[1], std::get<Lane>(op.payload).index);
      case kShuffle: return builder_.shuffle(in[0], in[1], std::get<Shuffle>(op.payload).lanes);
      default: break;
    }
    if (op_group(op.kind) == OpGroup::kUnary) return builder_.unary(op.kind, in[0]);
    if (op_group(op.kind) == OpGroup::kBinary) return builder_.binary(op.kind, in[0], in[1]);
    return builder_.op(op.kind, type, in);
  }

  ValueId lane_numbers(Type type) {
    const Expr lanes(builder_, builder_.lane_index(held_type(type)));
    return is_sub_byte(type.scalar) ? wrap_sub_byte(lanes, type.scalar).id() : lanes.id();
  }

  Access access(const Op& op) const {
    Access access = op.access();
    access.at = address(access.at);
    for (ValueId* const value :
         {&access.stored, &access.lane_indices, &access.mask, &access.otherwise})
      if (*value != kNone) *value = new_[*value];
    return access;
  }

  // A sub-byte integer in memory is a byte of which only the low bits are said to count.
  void copy_load(const Op& op) {
    const Type type = source_.type(op.result());
    const Expr loaded(builder_, builder_.load(access(op), type.lanes));
    new_[op.result()] =
        is_sub_byte(type.scalar) ? wrap_sub_byte(loaded, type.scalar).id() : loaded.id();
  }

  void copy_loop(const Op& op) {
    Loop loop = op.loop();
    loop.lower = address(loop.lower);
    loop.upper = address(loop.upper);
    const Region& body = op.regions[0];
    define(op.results, builder_.loop(loop, values(op.operands),
                                     [&](ValueId counter, std::span<const ValueId> carried) {
                                       new_[body.arguments[0]] = counter;
                                       define(std::span(body.arguments).subspan(1), carried);
                                       ops(body);
                                       return values(body.yields);
                                     }));
  }

  void copy_if(const Op& op) {
    const auto branch = [&](const Region& region) {
      ops(region);
      return values(region.yields);
    };
    define(op.results, builder_.if_else(
                           new_[op.operands[0]], [&] { return branch(op.regions[0]); },
                           [&] { return branch(op.regions[1]); }));
  }

  void copy_while(const Op& op) {
    const Region &condition = op.regions[0], &body = op.regions[1];
    define(op.results, builder_.while_loop(
                           values(op.operands),
                           [&](std::span<const ValueId> now) {
                             define(condition.arguments, now);
                             ops(condition);
                             return new_[condition.yields[0]];
                           },
                           [&](std::span<const ValueId> now) {
                             define(body.arguments, now);
                             ops(body);
                             return values(body.yields);
                           }));
  }

  const Kernel& source_;
  const Target& target_;
  const MathFunctions& called_;
  Builder builder_;
  std::vector<ValueId> new_;  // by value of the source
  bool expanded_ = false;
  std::string gap_;  // the first op without a row
};

bool holds_small_types(const Kernel& kernel) {
  return std::ranges::any_of(kernel.types, [](Type t) { return held_type(t) != t; }) ||
         std::ranges::any_of(kernel.buffers,
                             [](const Buffer& b) { return held_scalar(b.element) != b.element; });
}

Diagnostic gap_in(const Kernel& kernel, std::string_view what, const Target& target) {
  return error(DiagnosticKind::kInternal,
               cat("kernel ", kernel.name, ": no legal form of ", what, " on ", target.name));
}

Status check_region(const Kernel& kernel, const Region& region, const Target& target) {
  for (const Op& op : region.ops) {
    const Type deciding = deciding_type(kernel, op);
    const Type result = op.results.empty() ? deciding : kernel.type(op.result());
    const bool called = math_function_for(op.kind, result, target).has_value();
    // A vector of ones may be made in another region: what is kept for ones is not asked for them.
    const OperandFacts operands{
        .last = op.operands.empty() ? result : kernel.type(op.operands.back()), .is_ones = true};
    if (!called && !decide(op.kind, deciding, result, target, operands).keep)
      return gap_in(kernel, cat(op_name(op.kind), " of ", to_string(deciding)), target);
    for (const Region& inner : op.regions) HLOCC_TRY(check_region(kernel, inner, target));
  }
  return {};
}

// For each value of a kernel, about: its rounds of rewriting, and the result.
constexpr int64_t kLegalizeWork = 1000, kLegalizeBytes = 256;

void merge_same_kernels(Program& program) {
  std::vector<Kernel> kept;
  std::vector<KernelId> renamed;
  std::unordered_map<std::string, KernelId> by_code;
  for (Kernel& kernel : program.kernels) {
    const auto [same, is_new] =
        by_code.emplace(code_key(kernel), static_cast<KernelId>(kept.size()));
    renamed.push_back(same->second);
    if (is_new) kept.push_back(std::move(kernel));
  }
  program.kernels = std::move(kept);
  // Launches of kernels that became one name the first of them.
  for_each_launch(program.steps, [&](Launch& launch) { launch.kernel = renamed[launch.kernel]; });
}

Result<Kernel> legalize_with(const Kernel& kernel, const Target& target,
                             const MathFunctions& called) {
  Kernel current = raise(kernel, target);
  // Each round expands one level; the deepest chain (a small float's inverse hyperbolic function)
  // has about six.
  for (int round = 0; round < 16; ++round) {
    Rewriter rewriter(current, target, called);
    Kernel next = rewriter.run();
    if (!rewriter.gap().empty()) return gap_in(kernel, rewriter.gap(), target);
    current = std::move(next);
    if (!rewriter.expanded()) return current;
  }
  return gap_in(kernel, "an op that expands into itself", target);
}

}  // namespace

Result<Kernel> legalize(const Kernel& kernel, const Target& target) {
  return legalize_with(kernel, target, {});
}

Status legalize(Program& program, const Target& target) {
  // Before, because the work is that of the different ones; after, because different ones may have
  // become equal.
  merge_same_kernels(program);
  const MathFunctions called = called_functions(program, target);
  for (Kernel& kernel : program.kernels) {
    const auto what = [&] { return cat("kernel ", kernel.name, " in legal operations"); };
    const auto values = static_cast<int64_t>(kernel.types.size());
    HLOCC_TRY(charge_work(kLegalizeWork * values, what));
    HLOCC_TRY(charge_memory(kLegalizeBytes * values, what));
    HLOCC_TRY_ASSIGN(Kernel legal, legalize_with(kernel, target, called));
    kernel = std::move(legal);
  }
  // A value's bytes stay the same; its element is what the kernels now call it.
  for (ProgramValue& value : program.values) value.element = held_scalar(value.element);
  merge_same_kernels(program);
  return {};
}

Status verify_legal(const Kernel& kernel, const Target& target) {
  HLOCC_TRY(verify(kernel));
  HLOCC_TRY(verify_mapping_on(kernel, target));
  if (holds_small_types(kernel)) return gap_in(kernel, "a type narrower than its memory", target);
  return check_region(kernel, kernel.body, target);
}

}  // namespace hlocc::kernel
