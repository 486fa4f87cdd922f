// Builder::known: numbers that follow from constants, such as the sizes that a model computes from
// a shape before it reshapes. Few elements and few steps.
#include <map>

#include "import/build/builder.h"
#include "import/build/evaluate.h"
#include "ops/reducer.h"

namespace hlocc::import {
namespace {

constexpr int kMostSteps = 64;
constexpr int64_t kMostElements = 1 << 13;

// What is known of the instructions of a computation, each looked at once.
class Known {
 public:
  Known(const hlo::Module& module, const hlo::Computation& computation)
      : module_(module), computation_(computation) {}

  const std::optional<Literal>& of(InstructionId id, int depth) {
    if (const auto found = values_.find(id); found != values_.end()) return found->second;
    std::optional<Literal> value = find(computation_[id], depth);
    return values_[id] = std::move(value);
  }

 private:
  std::optional<Literal> find(const hlo::Instruction& i, int depth) {
    if (i.opcode == Opcode::kConstant) return i.get<hlo::ConstantAttributes>().value;
    if (depth == kMostSteps || !i.shape.is_array() || i.shape.element_count() > kMostElements)
      return std::nullopt;
    std::vector<Literal> operands;
    for (const InstructionId operand : i.operands) {
      const std::optional<Literal>& value = of(operand, depth + 1);
      if (!value || value->element_count() > kMostElements) return std::nullopt;
      operands.push_back(*value);
    }
    std::optional<Opcode> reducer;
    if (i.opcode == Opcode::kReduce)
      reducer = ops::plain_reducer(module_.computations[i.called[0]]);
    return evaluate(i, operands, reducer);
  }

  const hlo::Module& module_;
  const hlo::Computation& computation_;
  std::map<InstructionId, std::optional<Literal>> values_;
};

}  // namespace

std::optional<Literal> Builder::known(InstructionId id) const {
  if (failure_) return std::nullopt;
  return Known(module_, open_.back()).of(id, 0);
}

bool Builder::is_constant(InstructionId id) const {
  return !failure_ && open_.back()[id].opcode == Opcode::kConstant;
}

}  // namespace hlocc::import
