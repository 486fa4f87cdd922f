// Where the weights of a library lie: the section that each object format gives them, whether they
// are written past LLVM, how many bytes are counted; and which members an archive has.
#include "backends/cpu/weights.h"

#include <catch2/catch.hpp>

#include "backends/cpu/compile.h"
#include "backends/llvm/generic_target.h"
#include "kernel/legalize/legalize.h"
#include "planning/programs.h"
#include "support/require.h"

namespace hlocc::backends {
namespace {

using planning::Plan;
using tests::require;

// The section, or the kind of the refusal.
std::string section_of(const char* triple, const std::string& wanted) {
  Target target = require(target_for_triple(triple));
  target.options.weights_section = wanted;
  const Library library{.stem = "net", .prefix = "net_", .units = {}};
  const Result<std::string> section = weights_section(library, target);
  if (section) return *section;
  CHECK(section.error().kind == DiagnosticKind::kUsage);
  return "refused";
}

TEST_CASE("each object format has a section of its own for weights") {
  CHECK(section_of("aarch64-none-elf", "") == ".rodata.net_weights");
  CHECK(section_of("aarch64-none-elf", ".slow_flash_of_any_length") == ".slow_flash_of_any_length");
  CHECK(section_of("x86_64-pc-windows-msvc", "") == ".rdata$net_weights");
  CHECK(section_of("x86_64-pc-windows-msvc", ".slow") == ".slow");
  CHECK(section_of("arm64-apple-macosx", "") == "__TEXT,__const");
  CHECK(section_of("arm64-apple-macosx", "__sixteen_letter") == "__TEXT,__sixteen_letter");
  CHECK(section_of("arm64-apple-macosx", "__seventeen_lette") == "refused");
}

TEST_CASE("weights go past LLVM from one MiB on, where no text holds them") {
  kernel::Program program;
  Plan plan;
  const Library library{.stem = "net", .prefix = "net_", .units = {{&program, &plan}}};
  Target target = *preset("cortex-m4f");
  const auto is_past = [&](int64_t bytes, std::set<ArtifactKind> kinds) {
    plan.constant_bytes = bytes;
    return has_placeholder(library, target, kinds);
  };
  constexpr int64_t kLarge = 1 << 20;
  CHECK(is_past(kLarge, {ArtifactKind::kArchive, ArtifactKind::kObject}));
  CHECK_FALSE(is_past(kLarge - 1, {ArtifactKind::kArchive}));
  CHECK_FALSE(is_past(kLarge, {ArtifactKind::kArchive, ArtifactKind::kLlvmIr}));
  CHECK_FALSE(is_past(kLarge, {ArtifactKind::kArchive, ArtifactKind::kAssembly}));
  target.options.weights_external = true;
  CHECK_FALSE(is_past(kLarge, {ArtifactKind::kArchive}));
}

Artifacts compiled(const char* triple, bool external) {
  Target target = require(target_for_triple(triple));
  target.options.weights_external = external;
  planning::ProgramMaker m;
  m.result(m.combine(m.argument(4), m.constant({1, 2, 3, 4})));
  m.program.signature.prefix = "net_";
  REQUIRE(kernel::legalize(m.program, target));
  const Plan plan = require(planning::plan(m.program, target));
  return require(
      compile(m.program, plan, target, {{ArtifactKind::kArchive, ArtifactKind::kObject}}));
}

TEST_CASE("weights are counted wherever they are") {
  for (const char* triple : {"aarch64-none-elf", "x86_64-pc-windows-msvc", "arm64-apple-macosx"}) {
    INFO(triple);
    CHECK(compiled(triple, false).weights_bytes == 16);
  }
  CHECK(compiled("aarch64-none-elf", true).weights_bytes == 16);
}

TEST_CASE("an archive has the library's own copy only where it is called") {
  const auto members = [](const char* triple) {
    const auto bytes = compiled(triple, false).files.at(ArtifactKind::kArchive).joined();
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  for (const char* triple : {"thumbv7em-none-eabi", "aarch64-none-elf"})
    CHECK(members(triple).find("hlocc_memcpy") == std::string::npos);
}

// What is said of weights that lie beside the library and are aligned so, or of a section's name.
std::optional<DiagnosticKind> refusal_of(Target target, int64_t align) {
  planning::ProgramMaker m;
  m.result(m.combine(m.argument(4), m.constant({1, 2, 3, 4})));
  m.program.signature.prefix = "net_";
  REQUIRE(kernel::legalize(m.program, target));
  Plan plan = require(planning::plan(m.program, target));
  plan.constant_align = align;
  const Result<Artifacts> made = compile(m.program, plan, target);
  if (made) return std::nullopt;
  return made.error().kind;
}

TEST_CASE("weights beside the library are aligned as far as their file is") {
  Target target = require(target_for_triple("aarch64-none-elf"));
  target.options.weights_external = true;
  CHECK(refusal_of(target, kWeightsAlignment) == std::nullopt);
  CHECK(refusal_of(target, 2 * kWeightsAlignment) == DiagnosticKind::kUnsupported);
}

TEST_CASE("what is wrong with a request is no limit of the triple") {
  Target target = require(target_for_triple("arm64-apple-macosx"));
  target.options.weights_section = "__longer_than_sixteen";
  CHECK(refusal_of(target, 16) == DiagnosticKind::kUsage);
}

}  // namespace
}  // namespace hlocc::backends
