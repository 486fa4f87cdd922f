// hlocc_memcpy on this machine: every alignment and size that it takes apart, and nothing written
// beside. Boards run it in tests/e2e/build_lines_test.py.
#include <catch2/catch.hpp>
#include <cstring>

#include "backends/cpu/linked_object.h"
#include "backends/llvm/generic_target.h"
#include "backends/llvm/object/own_copy.h"
#include "target/memory_functions.h"

namespace hlocc::backends {
namespace {

TEST_CASE("the library's own copy does what memcpy does") {
  const Result<Target> host = complete_target(*preset("host"));
  REQUIRE(host);
  for (const Level level : {Level::kO0, Level::kOz}) {
    Target target = *host;
    target.options.level = level;
    const Result<Emitted> made = emit_own_copy(target);
    REQUIRE(made);
    const auto linked = link_object(made->bytes, {});
    REQUIRE(linked);
    void* address = (*linked)->address(std::string(kOwnCopy));
    REQUIRE(address != nullptr);
    const auto copy = reinterpret_cast<void* (*)(void*, const void*, size_t)>(address);
    alignas(16) unsigned char from[160], to[160], wanted[160];
    for (size_t i = 0; i < sizeof from; ++i) from[i] = static_cast<unsigned char>(i * 7 + 1);
    for (size_t a = 0; a < 9; ++a)
      for (size_t b = 0; b < 9; ++b)
        for (size_t bytes = 0; bytes < 140; ++bytes) {
          std::memset(to, 0xa5, sizeof to);
          std::memset(wanted, 0xa5, sizeof wanted);
          std::memcpy(wanted + a, from + b, bytes);
          const bool is_right =
              copy(to + a, from + b, bytes) == to + a && std::memcmp(to, wanted, sizeof to) == 0;
          if (!is_right) FAIL_CHECK("to " << a << ", from " << b << ", " << bytes << " bytes");
        }
  }
}

}  // namespace
}  // namespace hlocc::backends
