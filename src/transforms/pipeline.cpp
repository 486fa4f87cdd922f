// The table of passes and the loop over it.
#include "transforms/pipeline.h"

#include <algorithm>
#include <span>

#include "support/check.h"
#include "support/text.h"
#include "transforms/fusion/fuse.h"

namespace hlocc::transforms {

const std::vector<PassInfo>& passes() {
  static const std::vector<PassInfo> table = {
      // First, so that no later pass has to know layouts.
      {"normalize_layouts", normalize_layouts},
      {"inline_calls", inline_calls},
      // Next, so that no later pass has to know run-time sizes.
      {"resolve_dynamic_shapes", resolve_dynamic_shapes},
      {"expand", expand},
      {"simplify", simplify},
      {"share_common", share_common},
      // Constants that loops carry are constants in their bodies before folding looks there.
      {"hoist", hoist},
      // When a loop's index is one instruction.
      {"carry_once", carry_once},
      {"unroll", unroll},
      {"fold_constants", fold_constants},
      {"simplify", simplify},
      // When indices are known that are, and before contractions ask what lies where.
      {"update_in_place", update_in_place},
      // When weights are one constant each, and before products take the form that floats like.
      {"integer_qdq", integer_qdq},
      // The zero points that it leaves, too.
      {"narrow_contractions", narrow_contractions},
      {"canonicalize_contractions", canonicalize_contractions},
      {"simplify", simplify},
      {"sink_views", sink_views},
      {"share_common", share_common},
      {"fold_constants", fold_constants},
      {"simplify", simplify},
      // When pads and zero points stand in front of products of bytes.
      {"constant_channels", constant_channels},
      // Before scales that are not the weights' own go into them.
      {"compress_weights", compress_weights},
      {"fold_scales", fold_scales},
      // While accumulators are still told from what scales them.
      {"requantize", requantize},
      {"narrow_integers", narrow_integers},
      // When products have the form in which they are computed.
      {"hoist_invariants", hoist_invariants},
      // When no pass asks any more what a product's weights are.
      {"nibble_weights", nibble_weights},
      // Last, so that only fusion has to know such maps.
      {"recognize_functions", recognize_functions},
      // Behind everything that would put them together again.
      {"split_reductions", split_reductions},
      // The passes that decisions change.
      {"stream_rows", stream_rows},
      {"row_loops", row_loops},
      {"fuse", fuse},
  };
  return table;
}

std::vector<std::string_view> pass_names() {
  std::vector<std::string_view> names;
  for (const PassInfo& pass : passes())
    if (std::find(names.begin(), names.end(), pass.name) == names.end()) names.push_back(pass.name);
  return names;
}

namespace {

// The last passes: those that decisions change.
constexpr size_t kDecided = 3;

Result<hlo::Module> run(std::span<const PassInfo> some, hlo::Module module,
                        const PassContext& context, const Observer& observer) {
  for (const PassInfo& pass : some) {
    const WorkingOn scope(cat("pass ", pass.name, " on module ", module.name));
    HLOCC_TRY(pass.run(module, context));
    if (observer) HLOCC_TRY(observer(pass.name, module));
  }
  return module;
}

// Before the first pass makes copies of instructions and numbers them.
void note_names(hlo::Module& module) {
  for (hlo::Computation& computation : module.computations)
    for (hlo::Instruction& instruction : computation.instructions)
      if (instruction.metadata.hlo_name.empty()) instruction.metadata.hlo_name = instruction.name;
}

}  // namespace

Result<hlo::Module> prepare(hlo::Module module, const Target& target, const Observer& observer) {
  note_names(module);
  return run(std::span(passes()).first(passes().size() - kDecided), std::move(module), {target},
             observer);
}

Result<hlo::Module> form_groups(hlo::Module module, const Target& target,
                                const Observer& observer) {
  return run(std::span(passes()).last(kDecided), std::move(module), {target}, observer);
}

Result<hlo::Module> run_passes(hlo::Module module, const Target& target, const Observer& observer) {
  HLOCC_TRY_ASSIGN(hlo::Module prepared, prepare(std::move(module), target, observer));
  return form_groups(std::move(prepared), target, observer);
}

}  // namespace hlocc::transforms
