// What a generated object may have, and what it may not: sections and symbols on both sides of each
// promise.
#include <catch2/catch.hpp>

#include "backends/llvm/object/inspect.h"

namespace hlocc::backends {
namespace {

// What the refusal names, or "".
std::string broken_by(const std::string& section, int64_t bytes) {
  Artifacts artifacts;
  artifacts.sections = {{".text", 100}, {".rodata", 10}, {section, bytes}};
  const Status kept = check_promises(artifacts, *preset("cortex-m4f"), {});
  if (kept.ok()) return "";
  CHECK(kept.error().kind == DiagnosticKind::kInternal);
  return kept.error().message;
}

TEST_CASE("no section needs start-up code, RAM or an unwinder, by its name or its family's") {
  for (const char* family : {".data", ".bss", ".init_array", ".ARM.exidx", ".eh_frame", ".CRT",
                             "__data", "__bss", "__compact_unwind"}) {
    INFO(family);
    CHECK_THAT(broken_by(family, 4), Catch::Contains(family));
    CHECK_THAT(broken_by(std::string(family) + ".of_f", 4), Catch::Contains(family));
    CHECK(broken_by(std::string(family) + "base", 4).empty());
    CHECK(broken_by("." + std::string(family), 4).empty());
  }
}

TEST_CASE("only helpers of the target and functions of the user may be undefined") {
  const auto broken = [](const std::string& symbol, std::vector<std::string> users) {
    Artifacts artifacts;
    artifacts.undefined = {symbol};
    return !check_promises(artifacts, *preset("cortex-m0"), users).ok();
  };
  CHECK_FALSE(broken("__aeabi_fadd", {}));
  for (const char* symbol : {"malloc", "printf", "my_filter"}) {
    CHECK(broken(symbol, {}));
    CHECK(broken(symbol, {"another"}));
    CHECK_FALSE(broken(symbol, {"another", symbol}));
  }
}

}  // namespace
}  // namespace hlocc::backends
