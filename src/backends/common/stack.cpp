// Sums frames along the deepest path of the call tree that we made ourselves.
#include "backends/common/stack.h"

#include <algorithm>

#include "backends/common/helper_stack.h"

namespace hlocc::backends {

void measure_stack(const CallTree& tree, const Target& target, Artifacts& artifacts) {
  int64_t run = 0, kernel = 0, function = 0;
  for (const StackFrame& frame : artifacts.frames) {
    if (std::ranges::find(tree.run_symbols, frame.function) != tree.run_symbols.end())
      run = std::max(run, frame.bytes);
    else if (frame.function.starts_with(tree.function_prefix))
      function = std::max(function, frame.bytes);
    else
      kernel = std::max(kernel, frame.bytes);
  }
  int64_t helper = 0;
  artifacts.stack_is_lower_bound = false;
  for (const std::string& symbol : artifacts.undefined) {
    const std::optional<int64_t> bytes = helper_stack(target, artifacts.core, symbol);
    helper = std::max(helper, bytes.value_or(0));
    if (!bytes) artifacts.stack_is_lower_bound = true;
  }
  artifacts.stack_bytes =
      run + kernel + function + helper + (tree.calls_functions ? 3 : 2) * target.call_bytes;
}

}  // namespace hlocc::backends
