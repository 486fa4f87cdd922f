// The order of checks: each relies on those before it.
#include "ops/check/verifier.h"

#include <unordered_set>

#include "ops/check/checks.h"
#include "ops/check/entry_checks.h"
#include "ops/check/locate.h"
#include "ops/check/structure_checks.h"
#include "ops/check/well_formed.h"
#include "ops/infer.h"
#include "support/budget.h"
#include "support/text.h"

namespace hlocc::ops {
namespace {

// Of the rules of an op.
constexpr int64_t kInferWork = 500;

Status check_module(const Module& module) {
  const auto count = static_cast<hlo::ComputationId>(module.computations.size());
  HLOCC_TRY(
      check(module.entry >= 0 && module.entry < count, kStructure, "has no entry computation"));
  std::unordered_set<std::string_view> names;
  for (const Computation& computation : module.computations) {
    HLOCC_TRY(check(!computation.name.empty(), kStructure, "a computation has no name"));
    HLOCC_TRY(check(names.insert(computation.name).second, kStructure,
                    "two computations are called %", computation.name));
  }
  return {};
}

Status check_shapes(const Module& module, const Computation& computation) {
  for (const Instruction& instruction : computation.instructions)
    if (Status status = check_well_formed(instruction.shape, "the shape"); !status)
      return locate(std::move(status).error(), module, computation, instruction);
  return {};
}

Status check_inferred(const Module& module, const Computation& computation) {
  for (const Instruction& instruction : computation.instructions) {
    const auto what = [&] { return cat("%", instruction.name, " in %", computation.name); };
    HLOCC_TRY(charge_work(kInferWork, what));
    HLOCC_TRY(charge_memory(held_bytes(instruction.shape), what));
    HLOCC_TRY_ASSIGN(const Shape inferred, infer_shape(module, computation, instruction));
    if (same_dimensions_and_type(inferred, instruction.shape)) continue;
    return locate(error(kShape, cat("states the shape ", instruction.shape,
                                    ", but its operands and attributes give ", inferred)),
                  module, computation, instruction);
  }
  return {};
}

}  // namespace

Status verify(const Module& module) {
  if (Status status = check_module(module); !status)
    return locate(std::move(status).error(), module);
  for (const Computation& computation : module.computations)
    HLOCC_TRY(check_computation_structure(module, computation));
  HLOCC_TRY(check_no_recursion(module));
  for (const Computation& computation : module.computations)
    HLOCC_TRY(check_shapes(module, computation));
  for (const Computation& computation : module.computations)
    HLOCC_TRY(check_inferred(module, computation));
  return check_entry(module);
}

}  // namespace hlocc::ops
