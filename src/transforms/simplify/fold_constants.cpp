// fold_constants: what does not depend on any argument is computed now, by the interpreter, so that
// transposed weights, scales of batch norms, masks and window functions are bytes in flash instead
// of work at every run. Nothing becomes a constant that only grows: a broadcast or iota is cheaper
// to compute than to store. A value is stored if it takes no more bytes than the constants that it
// replaces, whatever their size; up to 1 MiB also if these have other users; if it is small; or if
// it is moderate and costly to compute (sines of an iota). The work of the pass is bounded by the
// size of the constants: a file must not make the compiler hang.
#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "interpreter/interpreter.h"
#include "support/budget.h"
#include "transforms/build.h"
#include "transforms/pass.h"

namespace hlocc::transforms {
namespace {

constexpr int64_t kMaxSharedBytes = 1 << 20;
// What passes through on the way to a smaller result; or as much as the largest constant, or as the
// constants that it takes the place of.
constexpr int64_t kMaxIntermediateBytes = 16 << 20;
constexpr int64_t kSmallBytes = 64;
constexpr int64_t kCostlyBytes = 16 << 10;
// In bytes visited: for one instruction, and for the module. Or so many times the bytes of the
// largest constant or of those that are replaced, and of all of them.
constexpr int64_t kMaxWork = int64_t{1} << 25, kMaxTotalWork = int64_t{1} << 28;
constexpr int64_t kVisits = 4, kTotalVisits = 16;

// Transcendentals carry a result accuracy.
bool is_costly(const Instruction& instruction) {
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
    measure_constants();
    for (ComputationId id : hlo::computation_order(module_)) {
      known_.clear();
      count_users(module_.computations[id]);
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
    // Bytes of the constants behind it, each use counted; and of those that go with it.
    int64_t source_bytes = 0, replaced_bytes = 0;
    int users = 0;
    // Whether something costly was computed on the way.
    bool costly = false;
    bool failed = false;
  };

  void measure_constants() {
    int64_t all = 0, largest = 0;
    for (const hlo::Computation& computation : module_.computations)
      for (const Instruction& i : computation.instructions)
        if (i.opcode == Opcode::kConstant) {
          all += leaf_bytes(i.shape);
          largest = std::max(largest, leaf_bytes(i.shape));
        }
    most_intermediate_ = std::max(kMaxIntermediateBytes, largest);
    most_work_ = std::max(kMaxWork, kVisits * largest);
    most_total_work_ = std::max(kMaxTotalWork, kTotalVisits * all);
  }

  // By name: that stays while a computation is built anew.
  void count_users(const hlo::Computation& computation) {
    users_.clear();
    const std::vector<std::vector<InstructionId>> users = computation.users();
    for (size_t id = 0; id < users.size(); ++id)
      users_[computation.instructions[id].name] = static_cast<int>(users[id].size());
    ++users_[computation.instructions[computation.root].name];
  }

  InstructionId visit(Rewriter& r, const Instruction& instruction) {
    const int64_t bytes = leaf_bytes(instruction.shape);
    const int users = users_[instruction.name];
    if (instruction.opcode == Opcode::kConstant) {
      const InstructionId id = r.add(instruction);
      known_[id] = {instruction.get<hlo::ConstantAttributes>().value, bytes, bytes, users};
      return id;
    }
    if (!may_be_known(module_, instruction)) return kNone;
    const std::optional<Known> behind = behind_operands(instruction);
    if (!behind || bytes > std::max(most_intermediate_, behind->replaced_bytes)) return kNone;
    const InstructionId id = r.add(instruction);
    Known& known = known_[id] = *behind;
    known.users = users;
    known.costly |= is_costly(instruction);
    if (!pays(instruction, known) || !evaluate(r, id)) return id;
    const Literal value = *known_[id].value;
    const InstructionId folded = constant(r, value);
    known_[folded] = {value, bytes, bytes, users};
    return folded;
  }

  // What is known of an instruction of these operands; none if one of them is not.
  std::optional<Known> behind_operands(const Instruction& instruction) const {
    Known known;
    std::set<InstructionId> counted;
    for (InstructionId operand : instruction.operands) {
      const auto found = known_.find(operand);
      if (found == known_.end()) return std::nullopt;
      known.source_bytes =
          std::min(known.source_bytes + found->second.source_bytes, kMaxIntermediateBytes);
      if (found->second.users <= 1 && counted.insert(operand).second)
        known.replaced_bytes += found->second.replaced_bytes;
      known.costly |= found->second.costly;
    }
    return known;
  }

  static bool pays(const Instruction& instruction, const Known& known) {
    const int64_t bytes = leaf_bytes(instruction.shape);
    const bool only_grows =
        instruction.opcode == Opcode::kBroadcast || instruction.opcode == Opcode::kIota;
    if (!instruction.shape.is_array() || only_grows) return false;
    return bytes <= kSmallBytes || bytes <= known.replaced_bytes ||
           (bytes <= kMaxSharedBytes && bytes <= known.source_bytes) ||
           (bytes <= kCostlyBytes && known.costly);
  }

  int64_t most_work(const Known& known) const {
    return std::max(most_work_, kVisits * known.replaced_bytes);
  }

  // Bytes visited, roughly: of the result times those combined into each; just over `most` if more.
  static int64_t work_of(const Rewriter& r, const Instruction& instruction, int64_t most) {
    int64_t work = std::max<int64_t>(leaf_bytes(instruction.shape), 1);
    for (InstructionId operand : instruction.operands) work += leaf_bytes(r.shape(operand));
    const auto times = [&](int64_t factor) {
      work = std::min(work, most + 1) * std::clamp<int64_t>(factor, 1, kMaxWork + 1);
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
      const int64_t most = most_work(known), work = work_of(r, instruction, most);
      total_work_ += work;
      known.failed = true;
      if (work > most || total_work_ > most_total_work_) continue;
      if (!may_search(work) || !may_hold(leaf_bytes(instruction.shape))) continue;
      interpreter::RunState state;
      Result<Literal> value =
          interpreter::evaluate_instruction(module_, instruction, operands, state);
      if (!value) continue;
      known.failed = false;
      known.value = std::move(value).value();
      forget_operands(r, instruction);
    }
    return known_.at(id).value.has_value();
  }

  // What was computed on the way to this instruction alone.
  void forget_operands(const Rewriter& r, const Instruction& instruction) {
    for (InstructionId operand : instruction.operands)
      if (Known& known = known_.at(operand);
          known.users <= 1 && r[operand].opcode != Opcode::kConstant)
        known.value.reset();
  }

  Module& module_;
  // By id in the computation being built.
  std::map<InstructionId, Known> known_;
  std::unordered_map<std::string, int> users_;
  int64_t most_intermediate_ = 0, most_work_ = 0, most_total_work_ = 0;
  int64_t total_work_ = 0;
};

}  // namespace

Status fold_constants(hlo::Module& module, const PassContext&) {
  return ConstantFolder(module).run();
}

}  // namespace hlocc::transforms
