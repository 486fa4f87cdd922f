// What generated code claims: of addresses no more alignment than every term leaves, of numbers
// that hooks take the width that C promises.
#include "backends/cpu/compile.h"

#include <catch2/catch.hpp>

#include "backends/llvm/generic_target.h"
#include "kernel/legalize/legalize.h"
#include "planning/programs.h"
#include "support/require.h"

namespace hlocc::backends {
namespace {

using namespace kernel;
using tests::require;

std::string ir_of(Program program, Target target) {
  target = require(complete_target(target));
  if (Status status = legalize(program, target); !status) FAIL(status.error().to_string());
  const planning::Plan plan = require(planning::plan(program, target));
  const Artifacts artifacts = require(compile(program, plan, target, {{ArtifactKind::kLlvmIr}}));
  const auto bytes = artifacts.files.at(ArtifactKind::kLlvmIr).joined();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// y[4i to 4i + 4] = x[scale * i + first to ... + 4] of bytes, which lie at multiples of four.
Program words_of_bytes(int64_t scale, int64_t first) {
  constexpr int64_t kCount = 8;
  Builder b("words");
  const int64_t elements = scale * (kCount - 1) + first + 4;
  const BufferId x = b.buffer({.name = "x", .element = Scalar::kS8, .elements = elements});
  const BufferId y = b.buffer(
      {.name = "y", .element = Scalar::kS8, .elements = 4 * kCount, .direction = Direction::kOut});
  b.loop(Loop{.upper = Affine::constant(kCount), .kept = true}, [&](ValueId i) {
    b.store(y, Affine::of(i, 4), b.load(x, Affine::of(i, scale).plus(first), 4));
  });
  Program program;
  program.kernels.push_back(b.finish());
  for (Buffer& buffer : program.kernels[0].buffers) buffer.alignment = 4;
  program.values = {{.name = "x",
                     .element = Scalar::kS8,
                     .elements = elements,
                     .role = ValueRole::kArgument,
                     .leaf = 0},
                    {.name = "y", .element = Scalar::kS8, .elements = 4 * kCount}};
  const auto leaf = [](int64_t count) {
    return Leaf{.index = 0, .shape = hlo::Shape::array(hlo::PrimitiveType::kS8, {count})};
  };
  program.signature.arguments = {leaf(elements)};
  program.signature.results = {leaf(4 * kCount)};
  program.arguments = {0};
  program.results = {1};
  program.steps.push_back({Launch{.kernel = 0, .operands = {0, 1}}, {}});
  return program;
}

TEST_CASE("an address is as aligned as every term of it leaves") {
  for (const auto& [scale, first, align] :
       {std::tuple{4, 0, 4}, {8, 4, 4}, {2, 0, 2}, {6, 0, 2}, {3, 0, 1}, {4, 2, 2}, {4, 1, 1}}) {
    const std::string ir = ir_of(words_of_bytes(scale, first), *preset("cortex-m4"));
    INFO(scale << " " << first << "\n" << ir);
    size_t loads = 0;
    for (size_t at = 0; (at = ir.find("load i32, ptr ", at)) != std::string::npos; ++at, ++loads) {
      const std::string line = ir.substr(at, ir.find('\n', at) - at);
      const size_t said = line.find(", align ");
      REQUIRE(said != std::string::npos);
      CHECK(line[said + 8] == static_cast<char>('0' + align));
    }
    CHECK(loads > 0);
  }
}

TEST_CASE("the number of a step is extended as C passes int32_t") {
  for (const char* name : {"cortex-m4f", "s390x-linux", "riscv64-linux"}) {
    planning::ProgramMaker m;
    m.result(m.scale(m.argument(8)));
    Target target = *preset(name);
    target.options.profile = true;
    const std::string ir = ir_of(m.program, target);
    INFO(ir);
    size_t calls = 0;
    for (size_t at = 0; (at = ir.find("@hlocc_profile_step(", at)) != std::string::npos; ++at) {
      const std::string line = ir.substr(at, ir.find('\n', at) - at);
      CHECK(line.find("i32 signext") != std::string::npos);
      ++calls;
    }
    CHECK(calls >= 3);  // its definition, a step and the end at least
  }
}

}  // namespace
}  // namespace hlocc::backends
