// The worst-case stack of `run`: it calls kernels, through pieces of its own where it is large, and
// kernels call only math functions, which call nothing, and the compiler's helpers.
#pragma once
#include <string>
#include <vector>

#include "target/artifacts.h"
#include "target/target.h"

namespace hlocc::backends {

// Fills stack_bytes from frames, core and what is known of the helpers; stack_is_lower_bound says
// that one is not known.
struct CallTree {
  std::vector<std::string> run_symbols;  // of each model
  std::string function_prefix;           // of math functions' symbols; all else are kernels
  bool calls_functions = false;
  bool has_pieces = false;  // backends/common/run_pieces.h
};
void measure_stack(const CallTree& tree, const Target& target, Artifacts& artifacts);

}  // namespace hlocc::backends
