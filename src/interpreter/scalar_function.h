// A computation of scalars (the reducer of a reduce, the comparator of a sort), planned once and
// called per element. What consists of elementwise ops, constants, tuples and calls becomes a list
// of kernels over fixed slots: no literal is made while it runs. Anything else runs through the
// interpreter, one call an element.
#pragma once
#include <memory>
#include <vector>

#include "interpreter/elementwise.h"

namespace hlocc::interpreter {

class ScalarFunction {
 public:
  // `id` takes and gives scalars (or a flat tuple of them).
  ScalarFunction(Context& context, ComputationId id);

  // Slots hold value types. Write the arguments, call, read the results.
  void* argument(int i) { return slot(arguments_[i]); }
  const void* result(int i) { return slot(results_[i]); }
  PrimitiveType argument_type(int i) const { return types_[arguments_[i]]; }
  PrimitiveType result_type(int i) const { return types_[results_[i]]; }
  int argument_count() const { return static_cast<int>(arguments_.size()); }
  int result_count() const { return static_cast<int>(results_.size()); }
  Status call();

 private:
  using Slot = int;
  struct alignas(16) Cell {
    std::byte bytes[16];
  };
  struct Step {
    Kernel kernel;
    std::array<Slot, 3> operands{};
    Slot result = 0;
    Lanes lanes;
    bool settles = false;
  };

  void* slot(Slot s) { return cells_[s].bytes; }
  Slot add_slot(PrimitiveType type);
  bool plan(ComputationId id, const std::vector<std::vector<Slot>>& parameters,
            std::vector<Slot>& root);
  bool plan_instruction(const hlo::Instruction& instruction, std::vector<std::vector<Slot>>& values,
                        const std::vector<std::vector<Slot>>& parameters);
  bool plan_kernel(const hlo::Instruction& instruction, const std::vector<Slot>& operands,
                   std::vector<Slot>& value);
  Status interpret();

  Context& context_;
  ComputationId id_;
  bool planned_ = false;
  std::vector<PrimitiveType> types_;
  std::vector<Cell> cells_;
  std::vector<Step> steps_;
  std::vector<Slot> arguments_, results_;
  // Constants, written into their cells once the plan is complete.
  std::vector<std::pair<Slot, Literal>> constants_;
};

}  // namespace hlocc::interpreter
