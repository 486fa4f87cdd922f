// What legalisation leaves must compile on every chip without crashing LLVM and without calls to
// libraries that are not there. Each compilation runs in a process of its own, as LLVM ends the
// process over an op that it can't select.
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>

#include "backends/cpu/program_module.h"
#include "backends/llvm/generic_target.h"
#include "backends/llvm/object/inspect.h"
#include "backends/llvm/object/object.h"
#include "kernel/evaluate/scalar_math.h"
#include "legalize/harness.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

using kernel::OpKind;
using kernel::OpTest;
using kernel::Scalar;

// Empty, or why the kernel has no sound object.
std::string compile(const OpTest& test, int lanes, const Target& target) {
  const kernel::Kernel kernel = kernel::legal_kernel_of(test, 4 * lanes, lanes, target);
  Result<ProgramModule> made = make_kernel_module(kernel, target);
  if (!made) return made.error().message;
  Result<Emitted> object = emit_object(*made->module, *made->machine, target);
  if (!object) return object.error().message;
  Artifacts artifacts;
  if (Status read = inspect_object(object->bytes, artifacts); !read) return read.error().message;
  Status kept = check_promises(artifacts, target, {});
  return kept ? "" : kept.error().message;
}

std::string compile_apart(const OpTest& test, int lanes, const Target& target) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    const std::string what = compile(test, lanes, target);
    const bool written =
        write(ends[1], what.data(), what.size()) == static_cast<ssize_t>(what.size());
    _exit(written ? 0 : 1);
  }
  close(ends[1]);
  std::string what;
  char buffer[512];
  for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;)
    what.append(buffer, static_cast<size_t>(n));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return status == 0 ? what : "LLVM ended the process";
}

std::vector<OpTest> arithmetic_of(Scalar scalar) {
  std::vector<OpTest> tests;
  for (int k = 0; k <= static_cast<int>(OpKind::kShrArithmetic); ++k) {
    const OpKind kind = static_cast<OpKind>(k);
    if (!kernel::scalar_op(kind, scalar)) continue;
    tests.push_back(kernel::op_operands(kind) == 1 ? kernel::unary_test(kind, scalar)
                                                   : kernel::binary_test(kind, scalar));
  }
  tests.push_back(kernel::compare_test(kernel::Predicate::kLe, scalar));
  tests.push_back({cat("mul_add ", kernel::scalar_name(scalar)),
                   {scalar, scalar, scalar},
                   scalar,
                   [](kernel::Builder& b, std::span<const kernel::ValueId> in) {
                     return b.mul_add(in[0], in[1], in[2]);
                   }});
  for (const Scalar to : {Scalar::kPred, Scalar::kS8, Scalar::kU32, Scalar::kS64, Scalar::kU64,
                          Scalar::kF32, Scalar::kF64, Scalar::kF16})
    if (to != scalar) tests.push_back(kernel::convert_test(scalar, to));
  return tests;
}

void check_target(const std::string& name, std::span<const Scalar> scalars,
                  std::span<const int> all_lanes) {
  Result<Target> target = complete_target(kernel::target_named(name));
  REQUIRE(target);
  for (const Scalar scalar : scalars)
    for (const OpTest& test : arithmetic_of(scalar))
      for (const int lanes : all_lanes) {
        const std::string what = compile_apart(test, lanes, *target);
        if (!what.empty()) FAIL_CHECK(test.name << " x" << lanes << " on " << name << ": " << what);
      }
  SUCCEED();
}

TEST_CASE("legal ops compile on a small chip") {
  const Scalar scalars[] = {Scalar::kF32};
  const int lanes[] = {1};
  check_target("cortex-m0", scalars, lanes);
}

TEST_CASE("legal ops compile on every preset", "[.targets]") {
  const Scalar scalars[] = {Scalar::kF32,      Scalar::kF64, Scalar::kS8,  Scalar::kU16,
                            Scalar::kS32,      Scalar::kU64, Scalar::kF16, Scalar::kBF16,
                            Scalar::kF8E4M3FN, Scalar::kU4};
  const int lanes[] = {1, 4, 16};
  for (const std::string& name : preset_names())
    if (preset(name)->backend == "cpu") DYNAMIC_SECTION(name) {
        check_target(name, scalars, lanes);
      }
}

}  // namespace
}  // namespace hlocc::backends
