// fold_constants: what does not depend on any argument is computed now, by the interpreter, so that
// transposed weights, scales of batch norms, masks and window functions are bytes in flash instead
// of work at every run. Nothing becomes a constant that only grows: a broadcast or iota is cheaper
// to compute than to store. A value is stored if it takes no more bytes than the constants that it
// comes from, or if it is small, or if it is moderate and dear to compute (sines of an iota). No
// result is larger than 1 MiB, and the work of the whole pass is bounded: a file must not make the
// compiler hang.
#include <algorithm>
#include <map>

#include "interpreter/interpreter.h"
#include "support/budget.h"
#include "transforms/build.h"
#include "transforms/pass.h"

namespace hlocc::transforms {
namespace {

constexpr int64_t kMaxResultBytes = 1 << 20;
// What passes through on the way to a smaller result.
constexpr int64_t kMaxIntermediateBytes = 16 << 20;
constexpr int64_t kSmallBytes = 64;
constexpr int64_t kDearBytes = 16 << 10;
// In elements visited: for one instruction, and for the module.
constexpr int64_t kMaxWork = int64_t{1} << 25, kMaxTotalWork = int64_t{1} << 28;

// Transcendentals carry a result accuracy.
bool is_dear(const Instruction& instruction) {
  if (std::holds_alternative<hlo::ResultAccuracyAttributes>(instruction.attributes)) return true;
  switch (instruction.opcode) {
    case Opcode::kDivide:
    case Opcode::kRemainder:
    case Opcode::kPower:
    case Opcode::kAtan2:
    case Opcode::kSort:
    case Opcode::kGather:
    case Opcode::kScatter:
    case Opcode::kDot:
    case Opcode::kConvolution:
    case Opcode::kReduce:
    case Opcode::kReduceWindow:
    case Opcode::kFft:
    case Opcode::kCholesky:
    case Opcode::kTriangularSolve: return true;
    default: return false;
  }
}

// Loops may never end, random numbers and calls into foreign code are no constants.
bool may_be_known(const Module& module, const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kParameter:
    case Opcode::kWhile:
    case Opcode::kConditional:
    case Opcode::kCall:
    case Opcode::kFusion:
    case Opcode::kCustomCall:
    case Opcode::kScan:
    case Opcode::kAfterAll: return false;
    default: return !hlo::has_side_effect(module, instruction);
  }
}

int64_t leaf_bytes(const Shape& shape) { return shape.is_token() ? 0 : shape.byte_size(); }

class ConstantFolder {
 public:
  explicit ConstantFolder(Module& module) : module_(module) {}

  Status run() {
    for (ComputationId id : hlo::computation_order(module_)) {
      known_.clear();
      const Rule rule = [&](Rewriter& r, const Instruction& instruction) {
        return visit(r, instruction);
      };
      HLOCC_TRY(Rewriter(module_, id, rule).run());
    }
    hlo::compact(module_);
    return {};
  }

 private:
  // A value that could be computed now. Its literal is computed when first asked for.
  struct Known {
    std::optional<Literal> value;
    // Bytes of the constants behind it, each use counted.
    int64_t source_bytes = 0;
    // Whether something dear was computed on the way.
    bool dear = false;
    bool failed = false;
  };

  InstructionId visit(Rewriter& r, const Instruction& instruction) {
    if (instruction.opcode == Opcode::kConstant) {
      const InstructionId id = r.add(instruction);
      known_[id] = {instruction.get<hlo::ConstantAttributes>().value,
                    leaf_bytes(instruction.shape)};
      return id;
    }
    if (!may_be_known(module_, instruction)) return kNone;
    Known known;
    known.dear = is_dear(instruction);
    for (InstructionId operand : instruction.operands) {
      const auto found = known_.find(operand);
      if (found == known_.end()) return kNone;
      known.source_bytes =
          std::min(known.source_bytes + found->second.source_bytes, kMaxIntermediateBytes);
      known.dear |= found->second.dear;
    }
    const int64_t bytes = leaf_bytes(instruction.shape);
    if (bytes > kMaxIntermediateBytes) return kNone;
    const InstructionId id = r.add(instruction);
    const bool only_grows =
        instruction.opcode == Opcode::kBroadcast || instruction.opcode == Opcode::kIota;
    const bool pays = instruction.shape.is_array() && !only_grows && bytes <= kMaxResultBytes &&
                      (bytes <= kSmallBytes || bytes <= known.source_bytes ||
                       (known.dear && bytes <= kDearBytes));
    known_[id] = std::move(known);
    if (!pays || !evaluate(r, id)) return id;
    const Literal value = *known_[id].value;
    const InstructionId folded = constant(r, value);
    known_[folded] = {value, bytes};
    return folded;
  }

  // Elements visited, roughly: of the result times those combined into each.
  int64_t work_of(const Rewriter& r, const Instruction& instruction) const {
    int64_t work = std::max<int64_t>(leaf_bytes(instruction.shape), 1);
    for (InstructionId operand : instruction.operands) work += leaf_bytes(r.shape(operand));
    const auto times = [&](int64_t factor) {
      work = std::min(work, kMaxWork + 1) * std::clamp<int64_t>(factor, 1, kMaxWork + 1);
    };
    if (instruction.opcode == Opcode::kDot)
      for (int64_t d : instruction.get<hlo::DotAttributes>().lhs_contracting)
        times(r.shape(instruction.operands[0]).dimensions[d]);
    if (instruction.opcode == Opcode::kConvolution)
      times(r.shape(instruction.operands[1]).element_count());
    if (const auto* window = std::get_if<hlo::WindowAttributes>(&instruction.attributes))
      for (const hlo::WindowDimension& d : window->window.dimensions) times(d.size);
    if (instruction.opcode == Opcode::kCholesky || instruction.opcode == Opcode::kTriangularSolve)
      times(r.shape(instruction.operands[0]).dimensions.back());
    return work;
  }

  // Computes what is behind `id`, operands first; false if something can't be computed or takes too
  // long.
  bool evaluate(Rewriter& r, InstructionId id) {
    std::vector<InstructionId> stack{id};
    while (!stack.empty()) {
      const InstructionId at = stack.back();
      Known& known = known_.at(at);
      if (known.value || known.failed) {
        stack.pop_back();
        continue;
      }
      const Instruction& instruction = r[at];
      bool ready = true;
      std::vector<Literal> operands;
      for (InstructionId operand : instruction.operands) {
        const Known& value = known_.at(operand);
        if (value.failed) known.failed = true;
        if (value.value) operands.push_back(*value.value);
        if (!value.value) stack.push_back(operand), ready = false;
      }
      if (!ready) continue;
      total_work_ += work_of(r, instruction);
      known.failed = true;
      if (work_of(r, instruction) > kMaxWork || total_work_ > kMaxTotalWork) continue;
      if (!may_search(work_of(r, instruction)) || !may_hold(leaf_bytes(instruction.shape)))
        continue;
      interpreter::RunState state;
      Result<Literal> value =
          interpreter::evaluate_instruction(module_, instruction, operands, state);
      if (!value) continue;
      known.failed = false;
      known.value = std::move(value).value();
    }
    return known_.at(id).value.has_value();
  }

  Module& module_;
  // By id in the computation being built.
  std::map<InstructionId, Known> known_;
  int64_t total_work_ = 0;
};

}  // namespace

Status fold_constants(hlo::Module& module, const PassContext&) {
  return ConstantFolder(module).run();
}

}  // namespace hlocc::transforms
