// ProgramBuilder: the walk over computations that lower() is. It knows which program values hold
// each instruction's leaves.
#pragma once
#include <map>
#include <unordered_map>

#include "lowering/emitter/emitter.h"
#include "lowering/program/lower.h"

namespace hlocc::lowering {

using ValueIds = std::vector<kernel::ProgramValueId>;

class ProgramBuilder {
 public:
  ProgramBuilder(const hlo::Module& module, const Target& target)
      : module_(module), target_(target) {}

  kernel::Program program;

  // Appends the steps of a computation to `steps`; parameters give the leaves of each parameter.
  // Returns the root's leaves.
  Result<ValueIds> lower_computation(hlo::ComputationId id, const std::vector<ValueIds>& parameters,
                                     kernel::Steps& steps);

  // A new value for an array of that shape.
  kernel::ProgramValueId add_value(const hlo::Shape& shape, kernel::ValueRole role,
                                   const std::string& name);
  // The value of argument leaf `index` as the program reads it: one element a unit of storage,
  // whatever the caller packs.
  kernel::ProgramValueId add_argument(int index);
  // Drops the constants that kernels read in a form of their own, and gives the others their bytes.
  void finish_constants();
  // The value that result leaf `index` hands out, packed if the caller wants it so.
  kernel::ProgramValueId add_result(int index, kernel::ProgramValueId value);

 private:
  // Of HLO, where its lines are wanted; else empty.
  std::string text_file() const {
    return target_.options.debug ? kernel::hlo_text_file(program.signature.stem) : "";
  }
  // Values of the instructions of the computation being lowered.
  struct Scope {
    const hlo::Computation& computation;
    std::vector<ValueIds> values;
    kernel::Steps& steps;
  };
  Status lower_instruction(Scope& scope, hlo::InstructionId id);
  Status lower_group(Scope& scope, hlo::InstructionId id, const Group& group);
  // False if the group is no join: then nothing is lowered.
  bool lower_join(Scope& scope, hlo::InstructionId id, const Group& group);
  // The values that a group of that instruction reads, and new ones for what it computes.
  ValueIds group_inputs(const Scope& scope, const hlo::Instruction& instruction,
                        const Group& group) const;
  ValueIds group_results(const hlo::Instruction& instruction, const Group& group);
  Status lower_while(Scope& scope, hlo::InstructionId id);
  Status lower_conditional(Scope& scope, hlo::InstructionId id);
  Status lower_custom_call(Scope& scope, hlo::InstructionId id);
  Status lower_lapack_call(Scope& scope, hlo::InstructionId id);
  Status lower_random_state(Scope& scope, hlo::InstructionId id);
  // The bytes of a packed leaf.
  kernel::ProgramValueId add_packed(const kernel::Leaf& leaf, kernel::ValueRole role,
                                    const std::string& name);
  ValueIds operand_leaves(const Scope& scope, const hlo::Instruction& instruction) const;
  // New values for the leaves of what the instruction computes.
  ValueIds new_results(const hlo::Instruction& instruction);
  kernel::ProgramValueId constant_value(const hlo::Instruction& constant);
  // Planning stores equal bytes once, so equal weights may be derived as often as kernels ask.
  kernel::ProgramValueId derived_value(const Emitter::Derived& derived);
  // The id of an equal kernel, or of this one, appended.
  kernel::KernelId intern(kernel::Kernel kernel);

  // Constants whose bytes were not asked for yet: most weights are read in another form.
  std::vector<std::pair<kernel::ProgramValueId, const hlo::Instruction*>> constants_;
  const hlo::Module& module_;
  const Target& target_;
  std::unordered_map<std::string, kernel::KernelId> kernels_by_key_;
  // The counter that all random numbers of the module share.
  kernel::ProgramValueId random_state_ = kernel::kNone;
};

}  // namespace hlocc::lowering
