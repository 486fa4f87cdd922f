// Sums frames along the deepest path of the call tree that we made ourselves.
#include "backends/common/stack.h"

#include <algorithm>

#include "backends/common/helper_stack.h"
#include "backends/common/run_pieces.h"

namespace hlocc::backends {

void measure_stack(const CallTree& tree, const Target& target, Artifacts& artifacts) {
  int64_t run = 0, piece = 0, kernel = 0, function = 0;
  for (const StackFrame& frame : artifacts.frames) {
    const auto is_piece = [&](const std::string& symbol) {
      return frame.function.starts_with(piece_prefix(symbol));
    };
    if (std::ranges::find(tree.run_symbols, frame.function) != tree.run_symbols.end())
      run = std::max(run, frame.bytes);
    else if (std::ranges::any_of(tree.run_symbols, is_piece))
      piece = std::max(piece, frame.bytes);
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
      run + piece + kernel + function + helper +
      (2 + (tree.calls_functions ? 1 : 0) + (tree.has_pieces ? 1 : 0)) * target.call_bytes;
}

}  // namespace hlocc::backends
