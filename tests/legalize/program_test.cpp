// Legalising a program: small types become the integers that hold them, in values and buffers
// alike, and kernels that became identical are merged.
#include <catch2/catch.hpp>

#include "kernel/builder.h"
#include "kernel/legalize/legalize.h"
#include "kernel/verifier.h"
#include "legalize/harness.h"

namespace hlocc::kernel {
namespace {

// y = -x, for four elements.
Kernel negate(std::string name, Scalar scalar) {
  Builder b(std::move(name));
  const BufferId in = b.buffer({.name = "x", .element = scalar, .elements = 4});
  const BufferId out =
      b.buffer({.name = "y", .element = scalar, .elements = 4, .direction = Direction::kOut});
  b.loop(4, [&](ValueId i) {
    b.store(out, Affine::of(i), b.unary(OpKind::kNeg, b.load(in, Affine::of(i))));
  });
  Kernel kernel = b.finish();
  kernel.origin = {kernel.name};
  return kernel;
}

// Two negations of a value each, by two kernels.
Program two_negations(Scalar first, Scalar second) {
  Program program;
  program.kernels = {negate("a", first), negate("b", second)};
  for (const Scalar scalar : {first, first, second, second})
    program.values.push_back({.name = "v", .element = scalar, .elements = 4});
  program.values[0].role = program.values[2].role = ValueRole::kArgument;
  program.values[0].leaf = 0;
  program.values[2].leaf = 1;
  program.steps.push_back({Launch{.kernel = 0, .operands = {0, 1}}, {}});
  program.steps.push_back({Launch{.kernel = 1, .operands = {2, 3}}, {}});
  return program;
}

TEST_CASE("values and buffers of small types are held alike") {
  Program program = two_negations(Scalar::kF16, Scalar::kS4);
  REQUIRE(legalize(program, target_named("cortex-m4f")));
  CHECK(program.values[0].element == Scalar::kU16);
  CHECK(program.values[3].element == Scalar::kS8);
  REQUIRE(program.kernels.size() == 2);
  CHECK(program.kernels[0].buffers[0].element == Scalar::kU16);
  CHECK(program.kernels[1].buffers[1].element == Scalar::kS8);
  CHECK(program.kernels[1].origin == std::vector<std::string>{"b"});
}

TEST_CASE("kernels that became identical are merged") {
  // Both formats keep the sign in the top bit of sixteen.
  Program program = two_negations(Scalar::kF16, Scalar::kBF16);
  REQUIRE(legalize(program, target_named("cortex-m4f")));
  REQUIRE(program.kernels.size() == 1);
  CHECK(std::get<Launch>(program.steps[1].what).kernel == 0);
}

TEST_CASE("what legalisation would rewrite is not legal") {
  const Target target = target_named("cortex-m4f");
  const OpTest exp = unary_test(OpKind::kExp, Scalar::kF32),
               half = unary_test(OpKind::kNeg, Scalar::kF16);
  // Where flash is constrained the backend may call a function of the module's; where it is not, formulas
  // stand in place.
  CHECK(verify_legal(kernel_of(exp, 4, 1), target));
  CHECK_FALSE(verify_legal(kernel_of(exp, 4, 1), target_named("cortex-a53")));
  CHECK_FALSE(verify_legal(kernel_of(unary_test(OpKind::kExp, Scalar::kF16), 4, 1), target));
  CHECK_FALSE(verify_legal(kernel_of(half, 4, 1), target));
  CHECK(verify_legal(kernel_of(binary_test(OpKind::kAdd, Scalar::kF32), 4, 1), target));
  // A root is kept where there is an instruction for it.
  const Kernel root = kernel_of(unary_test(OpKind::kSqrt, Scalar::kF32), 4, 1);
  CHECK(verify_legal(root, target));
  CHECK_FALSE(verify_legal(root, target_named("cortex-m0")));
}

}  // namespace
}  // namespace hlocc::kernel
