// What a pass of transforms/ is: a function that changes a module, and gets the target, with its
// options and decisions, as a plain value. A pass leaves a module that the verifier accepts and
// that means what it meant.
#pragma once
#include "hlo/module.h"
#include "support/result.h"
#include "target/target.h"

namespace hlocc::transforms {

struct PassContext {
  const Target& target;
};

// Each in a file of its own name, whose first paragraph says what it does and why it pays.
Status normalize_layouts(hlo::Module& module, const PassContext& context);
Status inline_calls(hlo::Module& module, const PassContext& context);
Status simplify(hlo::Module& module, const PassContext& context);
Status share_common(hlo::Module& module, const PassContext& context);
Status fold_constants(hlo::Module& module, const PassContext& context);
Status resolve_dynamic_shapes(hlo::Module& module, const PassContext& context);
Status expand(hlo::Module& module, const PassContext& context);
Status hoist(hlo::Module& module, const PassContext& context);
Status carry_once(hlo::Module& module, const PassContext& context);
Status update_in_place(hlo::Module& module, const PassContext& context);
Status unroll(hlo::Module& module, const PassContext& context);
Status hoist_invariants(hlo::Module& module, const PassContext& context);
Status sink_views(hlo::Module& module, const PassContext& context);
Status fold_scales(hlo::Module& module, const PassContext& context);
Status narrow_contractions(hlo::Module& module, const PassContext& context);
Status integer_qdq(hlo::Module& module, const PassContext& context);
Status constant_channels(hlo::Module& module, const PassContext& context);
Status compress_weights(hlo::Module& module, const PassContext& context);
Status nibble_weights(hlo::Module& module, const PassContext& context);
Status requantize(hlo::Module& module, const PassContext& context);
Status narrow_integers(hlo::Module& module, const PassContext& context);
Status recognize_functions(hlo::Module& module, const PassContext& context);
Status canonicalize_contractions(hlo::Module& module, const PassContext& context);
Status split_reductions(hlo::Module& module, const PassContext& context);
Status stream_rows(hlo::Module& module, const PassContext& context);
Status row_loops(hlo::Module& module, const PassContext& context);

}  // namespace hlocc::transforms
