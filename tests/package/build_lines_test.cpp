// What the lines that build a firmware hold, beside what running them shows (tests/e2e).
#include "package/build_lines.h"

#include <catch2/catch.hpp>

#include "support/golden.h"
#include "support/text.h"

namespace hlocc::package {
namespace {

using Catch::Contains;
using Catch::EndsWith;

std::string line_of(const Target& target, const BuildFiles& files, const std::string& compiler,
                    const std::string& step) {
  for (const BuildLine& row : build_lines(target, files))
    if (row.compiler == compiler && row.step == step) return row.line;
  return "";
}

TEST_CASE("a firmware's library stands before the C library, whose memcpy copies for it") {
  const Target m4f = *preset("cortex-m4f");
  CHECK_THAT(
      line_of(m4f, {"", "kws", true}, "gcc", "link_libc"),
      EndsWith(" main.o -Wl,--defsym=hlocc_memcpy=memcpy libkws.a -lc -lgcc -o program.elf"));
  // Nothing is to be renamed where nothing is copied, or where the library's own member serves.
  CHECK_THAT(line_of(m4f, {"", "kws", false}, "gcc", "link_libc"), !Contains("defsym"));
  CHECK_THAT(line_of(m4f, {"", "kws", true}, "gcc", "link"), !Contains("defsym"));
  CHECK_THAT(line_of(m4f, {"out", "kws", true}, "gcc", "link"), Contains(" out/libkws.a -lgcc "));
  CHECK_THAT(line_of(m4f, {"out", "kws"}, "clang", "compile"), Contains(" -I out -c main.c"));
  const Target a53 = *preset("cortex-a53");
  CHECK(line_of(a53, {"", "kws"}, "gcc", "link_libc").empty());
  CHECK_THAT(line_of(a53, {"", "kws"}, "gcc", "compile"), !Contains("-ffreestanding"));
}

TEST_CASE("no line where the row's flags are not the target's") {
  const Target m4f = *preset("cortex-m4f");
  for (const auto change :
       {+[](Target& t) { t.cpu = "cortex-m7"; }, +[](Target& t) { t.features += ",+dsp"; },
        +[](Target& t) { t.float_abi = FloatAbi::kSoftfp; }, +[](Target& t) { t.board = ""; }}) {
    Target other = m4f;
    change(other);
    CHECK(build_lines(other, {"", "kws"}).empty());
  }
  CHECK(to_text(build_lines(m4f, {"", "kws"})).starts_with("  gcc compile    arm-none-eabi-gcc "));
  CHECK(to_text({}).empty());
}

TEST_CASE("a compiler that stands in is not printed for a chip that has its own") {
  CHECK(line_of(*preset("xtensa-lx6"), {"", "kws"}, "gcc", "compile")
            .starts_with("xtensa-esp32-elf-gcc "));
  CHECK(line_of(*preset("xtensa-lx6"), {"", "kws"}, "clang", "compile").empty());
}

TEST_CASE("every preset has its golden lines") {
  std::string out;
  for (const std::string& name : preset_names()) {
    Target target = *preset(name);
    out += cat(name, "\n", to_text(build_lines(target, {"", "kws", true})));
    target.options.weights_external = true;
    target.options.threads = 2;
    for (const BuildLine& row : build_lines(target, {"out", "kws", false}))
      if (row.step == "link") out += cat("  two threads, ", row.compiler, ": ", row.line, "\n");
  }
  tests::check_golden("golden/build_lines.txt", out);
}

}  // namespace
}  // namespace hlocc::package
