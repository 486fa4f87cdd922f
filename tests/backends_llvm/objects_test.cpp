// What is read of objects that LLVM makes for each family: the processor that they say they are
// for, how floats are passed, their sections and symbols.
#include <sys/mman.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "backends/llvm/generic_target.h"
#include "backends/llvm/object/elf_reader.h"
#include "backends/llvm/object/lazy_bytes.h"
#include "backends/llvm/object/own_copy.h"
#include "support/golden.h"
#include "support/require.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

using tests::require;

std::string text_of_elf(const ElfFacts& facts) {
  std::string out =
      cat("  ", facts.machine, facts.big_endian ? " big" : " little",
          facts.is_linked ? " linked" : " object", ", floats '", facts.float_abi, "', isa '",
          facts.isa, "'", facts.is_microcontroller ? ", a microcontroller" : "", "\n ");
  for (const auto& [name, value] : facts.attributes) out += cat(" ", name, "=", value);
  out += "\n";
  for (const ElfSection& section : facts.sections)
    if (section.allocated)
      out +=
          cat("  section ", section.name, section.writable ? " w" : "",
              section.executable ? " x" : "", section.content.empty() ? " empty" : "",
              static_cast<uint64_t>(section.content.size()) == section.bytes ? "" : " other", "\n");
  for (const ElfSymbol& symbol : facts.symbols)
    if (symbol.is_global)
      out += cat("  symbol ", symbol.name, symbol.is_defined ? "" : " undefined",
                 symbol.is_function ? " function" : "", symbol.is_object ? " object" : "", "\n");
  return out;
}

TEST_CASE("objects say for which processor they are") {
  std::string out;
  for (const char* name :
       {"cortex-m0", "cortex-m3", "cortex-m4", "cortex-m4f", "cortex-m33", "cortex-m55",
        "cortex-a53", "armv7-linux", "rv32imc", "rv32imafc", "rv64gc", "riscv64-linux",
        "s390x-linux", "hexagon-v67", "x86_64-linux"}) {
    const Target target = require(complete_target(*preset(name)));
    const Emitted made = require(emit_own_copy(target));
    const std::vector<ElfFacts> read = require(read_elf(made.bytes, "a.o"));
    REQUIRE(read.size() == 1);
    out += cat(std::string(name), "\n", text_of_elf(read[0]));
  }
  tests::check_golden("golden/objects.txt", out);
}

// Of those that the bytes lie in.
size_t pages_in_memory(const LazyBytes& bytes) {
  const std::span<const std::byte> all = bytes;
  std::vector<unsigned char> resident((all.size() + 4095) / 4096);
  REQUIRE(::mincore(const_cast<std::byte*>(all.data()), all.size(), resident.data()) == 0);
  return static_cast<size_t>(
      std::ranges::count_if(resident, [](unsigned char page) { return (page & 1) != 0; }));
}

TEST_CASE("zeros take no memory") {
  LazyBytes bytes;
  bytes.append(std::vector<std::byte>(100, std::byte{1}));
  bytes.append(std::vector<std::byte>(2 << 20));
  CHECK(pages_in_memory(bytes) < 16);
}

TEST_CASE("bytes come back as they were appended") {
  LazyBytes bytes;
  std::vector<std::byte> wanted;
  const auto append = [&](size_t count, auto value_at) {
    std::vector<std::byte> more(count);
    for (size_t i = 0; i < count; ++i) more[i] = static_cast<std::byte>(value_at(i));
    bytes.append(more);
    wanted.insert(wanted.end(), more.begin(), more.end());
    const std::span<const std::byte> all = bytes;
    CHECK(std::ranges::equal(all, wanted));
  };
  append(0, [](size_t) { return 7; });
  append(5000, [](size_t) { return 7; });
  append(4096, [](size_t i) { return i == 4095; });
  append(4096, [](size_t i) { return i; });
  append(2 << 20, [](size_t) { return 0; });
  append(100, [](size_t i) { return 255 - i; });
  bytes.overwrite(1 << 20, {wanted.data(), 100});
  std::copy_n(wanted.begin(), 100, wanted.begin() + (1 << 20));
  CHECK(std::ranges::equal(std::span<const std::byte>(bytes), wanted));
}

}  // namespace
}  // namespace hlocc::backends
