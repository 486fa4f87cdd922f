// The kernel verifier: one walk over the regions that keeps the set of visible values and asks each
// op for its types.
#include "kernel/verifier.h"

#include <bit>

#include "kernel/mapped.h"
#include "kernel/op_types.h"
#include "support/text.h"

namespace hlocc::kernel {
namespace {

class Verifier {
 public:
  explicit Verifier(const Kernel& kernel)
      : kernel_(kernel),
        defined_(kernel.types.size(), false),
        visible_(kernel.types.size(), false) {}

  Status run() {
    HLOCC_TRY(buffers());
    for (const ValueId parameter : kernel_.parameters) {
      HLOCC_TRY(define(parameter));
      if (kernel_.type(parameter) != index_) return fail("a parameter that is no index");
    }
    HLOCC_TRY(region(kernel_.body, {}));
    if (!kernel_.body.yields.empty()) return fail("the body yields values");
    return verify_mapping(kernel_);
  }

 private:
  Diagnostic fail(std::string_view what) const {
    return error(
        DiagnosticKind::kInternal,
        cat("kernel ", kernel_.name, ": ", what,
            op_ == nullptr ? "" : cat(" (op ", op_number_, ", ", op_name(op_->kind), ")")));
  }

  Status buffers() const {
    bool scratch = false;
    for (const Buffer& b : kernel_.buffers) {
      if (b.elements < 0) return fail("buffer " + b.name + " of negative size");
      if (b.alignment < 0 ||
          (b.alignment != 0 && !std::has_single_bit(static_cast<unsigned>(b.alignment))))
        return fail("buffer " + b.name + " with an alignment that is no power of two");
      const bool inside = b.direction == Direction::kScratch;
      if (scratch && !inside) return fail("operand " + b.name + " after scratch");
      const bool own = b.space == Space::kStack || b.space == Space::kShared;
      if (own && !inside) return fail("operand " + b.name + " in the kernel's own memory");
      if (b.space == Space::kConstant && b.direction != Direction::kIn)
        return fail("constant " + b.name + " is written");
      if (inside && !own && b.space != Space::kArena)
        return fail("scratch " + b.name + " in memory of the caller's");
      scratch |= inside;
    }
    return {};
  }

  Status define(ValueId value) {
    if (value < 0 || value >= static_cast<ValueId>(defined_.size()))
      return fail(cat("no such value ", value));
    if (defined_[value]) return fail(cat("value ", value, " is defined twice"));
    if (kernel_.type(value).lanes < 1) return fail(cat("value ", value, " has no lanes"));
    defined_[value] = visible_[value] = true;
    scope_.push_back(value);
    return {};
  }

  Status use(ValueId value) const {
    if (value < 0 || value >= static_cast<ValueId>(visible_.size()))
      return fail(cat("no such value ", value));
    if (!visible_[value]) return fail(cat("value ", value, " is used where it is not defined"));
    return {};
  }

  Status use(const Affine& affine) const {
    for (const Affine::Term& term : affine.terms) {
      HLOCC_TRY(use(term.value));
      if (kernel_.type(term.value) != index_)
        return fail("an address term that is no index scalar");
    }
    return {};
  }

  // arguments must have the types `wanted`; the region's own values are invisible afterwards.
  Status region(const Region& region, const std::vector<Type>& wanted) {
    const size_t mark = scope_.size();
    HLOCC_TRY(same_types(region.arguments, wanted, "region arguments", false));
    for (const ValueId argument : region.arguments) HLOCC_TRY(define(argument));
    for (const Op& each : region.ops) HLOCC_TRY(op(each));
    for (const ValueId value : region.yields) HLOCC_TRY(use(value));
    for (size_t i = mark; i < scope_.size(); ++i) visible_[scope_[i]] = false;
    scope_.resize(mark);
    return {};
  }

  std::vector<Type> types_of(const std::vector<ValueId>& values) const {
    std::vector<Type> types;
    for (const ValueId value : values) types.push_back(kernel_.type(value));
    return types;
  }

  Status same_types(const std::vector<ValueId>& got, const std::vector<Type>& wanted,
                    std::string_view what, bool must_be_visible = true) const {
    if (got.size() != wanted.size())
      return fail(cat(what, ": ", got.size(), " values for ", wanted.size()));
    for (size_t i = 0; i < got.size(); ++i) {
      if (must_be_visible) HLOCC_TRY(use(got[i]));
      if (got[i] < 0 || got[i] >= static_cast<ValueId>(kernel_.types.size()))
        return fail(cat("no such value ", got[i]));
      if (kernel_.type(got[i]) != wanted[i])
        return fail(
            cat(what, ": ", to_string(kernel_.type(got[i])), " for ", to_string(wanted[i])));
    }
    return {};
  }

  Status op(const Op& op) {
    const Op* const outer = op_;
    op_ = &op;
    ++op_number_;
    const int wanted = op_operands(op.kind);
    if (wanted >= 0 && static_cast<int>(op.operands.size()) != wanted)
      return fail(cat(op.operands.size(), " operands"));
    for (const ValueId operand : op.operands) HLOCC_TRY(use(operand));
    HLOCC_TRY(check(op));
    op_ = &op;
    const bool nothing =
        op.kind == OpKind::kStore || op.kind == OpKind::kPrefetch || op.kind == OpKind::kBarrier;
    const bool several = op_group(op.kind) == OpGroup::kControl && !nothing;
    const size_t results = nothing ? 0 : 1;
    if (!several && op.results.size() != results) return fail("wrong number of results");
    for (const ValueId result : op.results) HLOCC_TRY(define(result));
    if (!several && results == 1)
      if (const auto broken = type_error(op, kernel_.type(op.result()), types_of(op.operands)))
        return fail(*broken);
    op_ = outer;
    return {};
  }

  Status check(const Op& op) {
    switch (op.kind) {
      case OpKind::kLoad:
      case OpKind::kStore: return memory(op);
      case OpKind::kPrefetch: return address(op);
      case OpKind::kLoop: return loop(op);
      case OpKind::kIf: return branch(op);
      case OpKind::kWhile: return while_loop(op);
      default: return {};
    }
  }

  Status expect(bool holds, std::string_view rule) const { return holds ? Status() : fail(rule); }

  // --- memory ---
  Status address(const Op& op) const {
    const auto* access = std::get_if<Access>(&op.payload);
    if (access == nullptr) return fail("no access");
    if (access->buffer < 0 || access->buffer >= static_cast<BufferId>(kernel_.buffers.size()))
      return fail("no such buffer");
    return use(access->at);
  }

  Status memory(const Op& op) const {
    HLOCC_TRY(address(op));
    const Access& access = op.access();
    const Buffer& buffer = kernel_.buffers[access.buffer];
    const bool store = op.kind == OpKind::kStore;
    if (store && buffer.direction == Direction::kIn)
      return fail("writes buffer " + buffer.name + ", which it only reads");
    if (store != (access.stored != kNone) || (store && access.otherwise != kNone))
      return fail("odd access");
    std::vector<ValueId> listed;
    for (const ValueId value : {access.stored, access.lane_indices, access.mask, access.otherwise})
      if (value != kNone) listed.push_back(value);
    if (listed != op.operands) return fail("operands are not those of the access");
    if (!store && op.results.size() != 1) return fail("wrong number of results");
    const ValueId moved = store ? access.stored : op.result();
    if (moved < 0 || moved >= static_cast<ValueId>(kernel_.types.size()))
      return fail("no such value");
    return lanes(access, buffer, kernel_.type(moved));
  }

  Status lanes(const Access& access, const Buffer& buffer, Type moved) const {
    if (moved.scalar != buffer.element)
      return fail(cat(to_string(moved), " in a buffer of ", scalar_name(buffer.element)));
    if (access.lane_indices != kNone) {
      const Type type = kernel_.type(access.lane_indices);
      HLOCC_TRY(expect(type.lanes == moved.lanes &&
                           (type.scalar == Scalar::kIndex || type.scalar == Scalar::kS32),
                       "lane indices are index or s32, one a lane"));
    }
    if (access.mask != kNone) {
      const Type type = kernel_.type(access.mask);
      HLOCC_TRY(
          expect(type.scalar == Scalar::kPred && (type.lanes == 1 || type.lanes == moved.lanes),
                 "mask: pred"));
    }
    if (access.otherwise != kNone)
      HLOCC_TRY(expect(access.mask != kNone && kernel_.type(access.otherwise) == moved,
                       "otherwise: like the result"));
    return {};
  }

  // --- control ---
  Status loop(const Op& op) {
    const auto* held = std::get_if<Loop>(&op.payload);
    if (held == nullptr || op.regions.size() != 1 || held->step <= 0) return fail("odd loop");
    HLOCC_TRY(use(held->lower));
    HLOCC_TRY(use(held->upper));
    const std::vector<Type> carried = types_of(op.operands);
    std::vector<Type> arguments = {index_};
    arguments.insert(arguments.end(), carried.begin(), carried.end());
    HLOCC_TRY(yielding(op.regions[0], arguments, carried));
    return same_types(op.results, carried, "results", false);
  }

  Status branch(const Op& op) {
    if (op.regions.size() != 2 || kernel_.type(op.operands[0]) != Type{Scalar::kPred, 1})
      return fail("odd if");
    for (const ValueId result : op.results)
      if (result < 0 || result >= static_cast<ValueId>(kernel_.types.size()))
        return fail("no such value");
    for (const Region& each : op.regions) HLOCC_TRY(yielding(each, {}, types_of(op.results)));
    return {};
  }

  Status while_loop(const Op& op) {
    if (op.regions.size() != 2) return fail("odd while");
    const std::vector<Type> carried = types_of(op.operands);
    HLOCC_TRY(yielding(op.regions[0], carried, {{Scalar::kPred, 1}}));
    HLOCC_TRY(yielding(op.regions[1], carried, carried));
    return same_types(op.results, carried, "results", false);
  }

  Status yielding(const Region& each, const std::vector<Type>& arguments,
                  const std::vector<Type>& yields) {
    HLOCC_TRY(region(each, arguments));
    return same_types(each.yields, yields, "yields", false);
  }

  static constexpr Type index_{Scalar::kIndex, 1};
  const Kernel& kernel_;
  std::vector<bool> defined_, visible_;
  std::vector<ValueId> scope_;  // visible values in the order of definition
  const Op* op_ = nullptr;
  int op_number_ = -1;
};

}  // namespace

Status verify(const Kernel& kernel) { return Verifier(kernel).run(); }

}  // namespace hlocc::kernel
