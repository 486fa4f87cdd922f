// See no_memory.h.
#include "backends/llvm/object/no_memory.h"

#include <cstdio>
#include <cstdlib>

#include "llvm/Support/ErrorHandling.h"
#include "support/out_of_memory.h"

namespace hlocc::backends {
namespace {

constexpr size_t kMostAtOnce = size_t{256} << 20;

}  // namespace

void end_llvm_when_out_of_memory() {
  llvm::install_bad_alloc_error_handler([](void*, const char*, bool) {
    // How much LLVM asked for is not said. At a limit of its own the child dies as by LLVM's hand,
    // and its parent tells (isolate.cpp).
    if (is_over_data_limit(kMostAtOnce)) {
      std::fputs("LLVM ERROR: out of memory\n", stderr);
      std::abort();
    }
    out_of_memory();
  });
}

}  // namespace hlocc::backends
