// Runs code generation in a child process. LLVM ends the process when it meets what it cannot
// select; here that is a failure with what LLVM wrote on stderr, and the tool lives on.
#pragma once
#include <cstddef>
#include <functional>
#include <vector>

#include "support/result.h"

namespace hlocc::backends {

// What `work` returns, computed in a forked child; a child that dies is a diagnostic (kInternal).
// `answered` tells a diagnostic of `work` from the child's death.
Result<std::vector<std::byte>> run_isolated(
    const std::function<Result<std::vector<std::byte>>()>& work, bool* answered = nullptr);

// While it lives, run_isolated() works in this process, which is a child whose death is a failure
// already. The current budget's limits are this process's from here on.
class IsolatedHere {
 public:
  IsolatedHere();
  ~IsolatedHere();
  IsolatedHere(const IsolatedHere&) = delete;
  IsolatedHere& operator=(const IsolatedHere&) = delete;
};

}  // namespace hlocc::backends
