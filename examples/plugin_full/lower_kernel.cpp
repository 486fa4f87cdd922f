// One kernel becomes a function: a walk over its regions. Every value has a register; loops become
// jumps, and what they carry moves from register to register.
#include <map>

#include "lower.h"
#include "support/text.h"

namespace full {
namespace {

using namespace hlocc;
using namespace hlocc::kernel;

// The ops that the arithmetic unit has. What is missing here hlocc has rewritten into these.
const std::map<OpKind, Arithmetic>& arithmetic() {
  static const std::map<OpKind, Arithmetic> rows = {
      {OpKind::kAbs, Arithmetic::kAbs},          {OpKind::kNeg, Arithmetic::kNeg},
      {OpKind::kNot, Arithmetic::kNot},          {OpKind::kSqrt, Arithmetic::kSqrt},
      {OpKind::kAdd, Arithmetic::kAdd},          {OpKind::kSub, Arithmetic::kSub},
      {OpKind::kMul, Arithmetic::kMul},          {OpKind::kNativeDiv, Arithmetic::kDiv},
      {OpKind::kDiv, Arithmetic::kDiv},          {OpKind::kNativeRem, Arithmetic::kRem},
      {OpKind::kNativeMin, Arithmetic::kMin},    {OpKind::kNativeMax, Arithmetic::kMax},
      {OpKind::kAnd, Arithmetic::kAnd},          {OpKind::kOr, Arithmetic::kOr},
      {OpKind::kXor, Arithmetic::kXor},          {OpKind::kNativeShl, Arithmetic::kShl},
      {OpKind::kNativeShr, Arithmetic::kShr},    {OpKind::kMulAdd, Arithmetic::kMulAdd},
      {OpKind::kNativeFma, Arithmetic::kMulAdd}, {OpKind::kBitcast, Arithmetic::kAs}};
  return rows;
}

class KernelWalker {
 public:
  explicit KernelWalker(const Kernel& kernel) : kernel_(kernel) {}

  Result<Function> run() {
    for (const ValueId parameter : kernel_.parameters) value(parameter);
    // Scratch that the launch does not bind comes last.
    int next = kernel_.bound_buffers(), bound = 0;
    for (const Buffer& buffer : kernel_.buffers) {
      const bool own = buffer.direction == Direction::kScratch && buffer.space != Space::kArena;
      buffers_.push_back(own ? next++ : bound++);
      if (own) out_.scratch.push_back(buffer.elements * scalar_bytes(buffer.element));
    }
    HLOCC_TRY(region(kernel_.body));
    emit({Opcode::kEnd});
    out_.registers = registers_;
    return std::move(out_);
  }

 private:
  // --- registers ---
  int fresh() { return registers_++; }
  int value(ValueId id) {
    const auto [at, is_new] = value_.try_emplace(id, registers_);
    if (is_new) ++registers_;
    return at->second;
  }
  int constant(int64_t number) {
    const int to = fresh();
    emit({Opcode::kConstant, Scalar::kIndex, 0, to, 0, 0, 0, number});
    return to;
  }
  // offset + sum of scale * value.
  int affine(const Affine& at) {
    int sum = constant(at.offset);
    for (const Affine::Term& term : at.terms) {
      const int to = fresh();
      emit({Opcode::kScaleAdd, Scalar::kIndex, 0, to, sum, value(term.value), 0, term.scale});
      sum = to;
    }
    return sum;
  }
  // All at once: an iteration may swap what it carries.
  void move(const std::vector<ValueId>& to, const std::vector<ValueId>& from, size_t skip = 0) {
    std::vector<int> held;
    for (size_t i = 0; i < from.size(); ++i) {
      held.push_back(fresh());
      emit({Opcode::kMove, Scalar::kIndex, 0, held[i], value(from[i])});
    }
    for (size_t i = 0; i < from.size(); ++i)
      emit({Opcode::kMove, Scalar::kIndex, 0, value(to[i + skip]), held[i]});
  }

  // --- code ---
  size_t emit(Instruction one) {
    out_.code.push_back(one);
    return out_.code.size() - 1;
  }
  int64_t here() const { return static_cast<int64_t>(out_.code.size()); }
  void land(size_t jump) { out_.code[jump].k = here(); }

  Status region(const Region& region) {
    for (const Op& op : region.ops) HLOCC_TRY(walk(op));
    return {};
  }

  Status walk(const Op& op) {
    for (const ValueId result : op.results)
      if (kernel_.type(result).is_vector()) return lacks(op, "vectors");
    switch (op.kind) {
      case OpKind::kConstant:
        emit({Opcode::kConstant, Scalar::kIndex, 0, value(op.result()), 0, 0, 0,
              static_cast<int64_t>(std::get<Constant>(op.payload).lanes[0])});
        return {};
      case OpKind::kLaneIndex:
        emit({Opcode::kConstant, Scalar::kIndex, 0, value(op.result())});
        return {};
      case OpKind::kPrefetch: return {};
      case OpKind::kLoad: return load(op);
      case OpKind::kStore: return store(op);
      case OpKind::kLoop: return loop(op);
      case OpKind::kIf: return choice(op);
      case OpKind::kWhile: return while_loop(op);
      default: return compute(op);
    }
  }

  Status compute(const Op& op) {
    const Type type = kernel_.type(op.result()), from = kernel_.type(op.operands[0]);
    std::vector<int> in;
    for (const ValueId operand : op.operands) in.push_back(value(operand));
    in.resize(3);
    Instruction one{Opcode::kArithmetic, type.scalar, 0, value(op.result()), in[0], in[1], in[2]};
    if (op.kind == OpKind::kSelect) {
      one.op = Opcode::kSelect;
    } else if (op.kind == OpKind::kCompare) {
      one.op = Opcode::kCompare;
      one.type = from.scalar;
      one.detail = static_cast<uint8_t>(std::get<Predicate>(op.payload));
    } else if (op.kind == OpKind::kNativeConvert) {
      one.op = Opcode::kConvert;
      one.detail = static_cast<uint8_t>(from.scalar);
    } else if (const auto row = arithmetic().find(op.kind); row != arithmetic().end()) {
      one.detail = static_cast<uint8_t>(row->second);
    } else {
      return lacks(op, "this operation");
    }
    if (one.op != Opcode::kSelect && find_alu(one) == nullptr)
      return lacks(op, "this operation on this type");
    emit(one);
    return {};
  }

  // --- memory ---
  int address(const Access& access) {
    const int at = affine(access.at);
    if (access.lane_indices == kernel::kNone) return at;
    const int to = fresh();
    emit({Opcode::kScaleAdd, Scalar::kIndex, 0, to, at, value(access.lane_indices), 0, 1});
    return to;
  }
  Status load(const Op& op) {
    const Access& access = op.access();
    const int to = value(op.result());
    size_t jump = 0;
    if (access.mask != kernel::kNone) {
      if (access.otherwise == kernel::kNone)
        emit({Opcode::kConstant, Scalar::kIndex, 0, to});
      else
        emit({Opcode::kMove, Scalar::kIndex, 0, to, value(access.otherwise)});
      jump = emit({Opcode::kJumpIfZero, Scalar::kPred, 0, 0, value(access.mask)});
    }
    emit({Opcode::kLoad, element(access), 0, to, buffers_[access.buffer], address(access)});
    if (access.mask != kernel::kNone) land(jump);
    return {};
  }
  Status store(const Op& op) {
    const Access& access = op.access();
    size_t jump = 0;
    if (access.mask != kernel::kNone)
      jump = emit({Opcode::kJumpIfZero, Scalar::kPred, 0, 0, value(access.mask)});
    emit({Opcode::kStore, element(access), 0, 0, buffers_[access.buffer], address(access),
          value(access.stored)});
    if (access.mask != kernel::kNone) land(jump);
    return {};
  }
  Scalar element(const Access& access) const { return kernel_.buffers[access.buffer].element; }

  // --- control ---
  Status loop(const Op& op) {
    const Region& body = op.regions[0];
    const int counter = value(body.arguments[0]);
    emit({Opcode::kMove, Scalar::kIndex, 0, counter, affine(op.loop().lower)});
    const int upper = affine(op.loop().upper), step = constant(op.loop().step);
    move(body.arguments, op.operands, 1);
    const int64_t head = here();
    const size_t leave = emit({Opcode::kJumpUnless, Scalar::kIndex, 0, 0, counter, upper});
    HLOCC_TRY(region(body));
    move(body.arguments, body.yields, 1);
    emit({Opcode::kScaleAdd, Scalar::kIndex, 0, counter, counter, step, 0, 1});
    emit({Opcode::kJump, Scalar::kIndex, 0, 0, 0, 0, 0, head});
    land(leave);
    move(op.results, {body.arguments.begin() + 1, body.arguments.end()});
    return {};
  }
  Status choice(const Op& op) {
    const size_t jump = emit({Opcode::kJumpIfZero, Scalar::kPred, 0, 0, value(op.operands[0])});
    HLOCC_TRY(region(op.regions[0]));
    move(op.results, op.regions[0].yields);
    const size_t leave = emit({Opcode::kJump});
    land(jump);
    HLOCC_TRY(region(op.regions[1]));
    move(op.results, op.regions[1].yields);
    land(leave);
    return {};
  }
  Status while_loop(const Op& op) {
    const Region &condition = op.regions[0], &body = op.regions[1];
    move(condition.arguments, op.operands);
    const int64_t head = here();
    HLOCC_TRY(region(condition));
    const size_t leave =
        emit({Opcode::kJumpIfZero, Scalar::kPred, 0, 0, value(condition.yields[0])});
    move(body.arguments, condition.arguments);
    HLOCC_TRY(region(body));
    move(condition.arguments, body.yields);
    emit({Opcode::kJump, Scalar::kIndex, 0, 0, 0, 0, 0, head});
    land(leave);
    move(op.results, condition.arguments);
    return {};
  }

  Status lacks(const Op& op, const char* what) const {
    return error(DiagnosticKind::kUnsupported,
                 cat("the device has no ", what, ": ", op_name(op.kind), " of ",
                     op.results.empty() ? "nothing" : to_string(kernel_.type(op.result()))))
        .note(cat("in ", join(kernel_.origin, ", ")));
  }

  const Kernel& kernel_;
  Function out_;
  int registers_ = 0;
  std::map<ValueId, int> value_;
  std::vector<int> buffers_;  // by the kernel's buffers: the function's
};

}  // namespace

Result<Function> lower_kernel(const Kernel& kernel) { return KernelWalker(kernel).run(); }

}  // namespace full
