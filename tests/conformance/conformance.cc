// Runs snapshot cases through the layers and compares every layer's answer with the expected
// result:
//
//   conformance --layers passes,program,legal,share,plan [--target T] [--shard I/N] INDEX.json
//   [CASE...]
//
// passes: the interpreter on the module after every pass. program: the kernel evaluator on the
// lowered program. legal: the same after legalisation for the target. share: the same after kernels
// of one skeleton became one. plan: that program run at its planned places. One line a failing case
// and layer; ends in "N passed, N failed, N skipped". Each case runs in a child process, so that a
// crash is one failed case.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "devices/memory_image.h"
#include "driver/verify/rules.h"
#include "import/reader.h"
#include "interpreter/interpreter.h"
#include "kernel/evaluate/evaluator.h"
#include "kernel/legalize/legalize.h"
#include "kernel/share/share_kernels.h"
#include "kernel/verifier.h"
#include "lowering/program/lower.h"
#include "ops/check/verifier.h"
#include "package/names.h"
#include "planning/execute.h"
#include "support/text.h"
#include "transforms/pipeline.h"

using namespace hlocc;

namespace {

struct Flags {
  std::string layers = "passes,program", target = "cortex-m4f", index;
  std::vector<std::string> cases;
  int shard = 0, shards = 1;
  int seconds = 60;
  bool print = false;
  bool wants(std::string_view layer) const {
    for (const std::string& one : split(layers, ','))
      if (one == layer) return true;
    return false;
  }
};

Status check(std::string_view layer, const hlo::Literal& got, const import::Snapshot& snapshot,
             const driver::Case& test) {
  const std::string difference = driver::compare_results(got, snapshot.result, test.rules);
  if (difference.empty()) return {};
  return error(DiagnosticKind::kMismatch, cat("after ", layer, ": ", difference));
}

// Arguments as bytes a leaf, in the order that the entry layout asks for.
std::vector<std::vector<std::byte>> argument_bytes(const import::Snapshot& snapshot,
                                                   const kernel::Signature& signature) {
  std::vector<std::vector<std::byte>> bytes;
  for (const hlo::Literal& argument : snapshot.arguments)
    for (const hlo::Literal& leaf : hlo::leaves(argument))
      bytes.push_back(
          device::to_memory(leaf, signature.arguments[bytes.size()].shape, ByteOrder::kLittle));
  return bytes;
}

using LeafBytes = std::vector<std::vector<std::byte>>;

Status check_leaves(std::string_view layer, const LeafBytes& results,
                    const kernel::Program& program, const import::Snapshot& snapshot,
                    const driver::Case& test) {
  std::vector<hlo::Literal> leaves;
  for (size_t n = 0; n < results.size(); ++n)
    leaves.push_back(
        device::from_memory(results[n], program.signature.results[n].shape, ByteOrder::kLittle));
  return check(layer, hlo::unflatten(snapshot.result.shape(), leaves), snapshot, test);
}

Status run_case(driver::Case test, const Flags& flags) {
  HLOCC_TRY_ASSIGN(import::Imported imported, import::read_model_file(test.path));
  HLOCC_TRY(ops::verify(imported.module));
  const import::Snapshot& snapshot = *imported.snapshot;
  test.rules = driver::all_rules(test.rules, imported.module, snapshot.result);
  HLOCC_TRY_ASSIGN(const hlo::Literal plain, interpreter::run(imported.module, snapshot.arguments));
  HLOCC_TRY(check("import", plain, snapshot, test));
  Target target = *preset(flags.target);
  target.options.stem = "case";
  HLOCC_TRY_ASSIGN(const kernel::Signature signature,
                   package::make_signature(imported.module, target.options));
  const auto observer = [&](std::string_view pass, const hlo::Module& module) -> Status {
    if (!flags.wants("passes")) return {};
    if (auto status = ops::verify(module); !status)
      return std::move(status).error().note(cat("after ", pass));
    HLOCC_TRY_ASSIGN(const hlo::Literal result, interpreter::run(module, snapshot.arguments));
    return check(pass, result, snapshot, test);
  };
  HLOCC_TRY_ASSIGN(const hlo::Module module,
                   transforms::run_passes(imported.module, target, observer));
  if (!flags.wants("program") && !flags.wants("legal") && !flags.wants("share") &&
      !flags.wants("plan"))
    return {};
  HLOCC_TRY_ASSIGN(kernel::Program program, lowering::lower(module, signature, target));
  if (flags.print) std::printf("%s", kernel::to_text(program).c_str());
  for (const kernel::Kernel& kernel : program.kernels) HLOCC_TRY(kernel::verify(kernel));
  HLOCC_TRY(kernel::verify(program));
  const LeafBytes arguments = argument_bytes(snapshot, program.signature);
  if (flags.wants("program")) {
    HLOCC_TRY_ASSIGN(const LeafBytes results, kernel::evaluate(program, arguments));
    HLOCC_TRY(check_leaves("lower", results, program, snapshot, test));
  }
  HLOCC_TRY(kernel::legalize(program, target));
  for (const kernel::Kernel& kernel : program.kernels)
    HLOCC_TRY(kernel::verify_legal(kernel, target));
  if (flags.wants("legal")) {
    HLOCC_TRY_ASSIGN(const LeafBytes results, kernel::evaluate(program, arguments));
    HLOCC_TRY(check_leaves("legalize", results, program, snapshot, test));
  }
  kernel::share_kernels(program, target);
  for (const kernel::Kernel& kernel : program.kernels)
    HLOCC_TRY(kernel::verify_legal(kernel, target));
  HLOCC_TRY(kernel::verify(program));
  if (flags.wants("share")) {
    HLOCC_TRY_ASSIGN(const LeafBytes results, kernel::evaluate(program, arguments));
    HLOCC_TRY(check_leaves("share", results, program, snapshot, test));
  }
  if (!flags.wants("plan")) return {};
  HLOCC_TRY_ASSIGN(const planning::Plan plan, planning::plan(program, target));
  HLOCC_TRY(planning::validate(program, plan));
  HLOCC_TRY_ASSIGN(const LeafBytes results, planning::execute(program, plan, arguments));
  return check_leaves("plan", results, program, snapshot, test);
}

// 0 passed, 1 failed (a line printed), 2 skipped.
int run_in_child(const driver::Case& test, const Flags& flags) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    // Of the processor: a busy machine fails no case.
    const rlim_t most = static_cast<rlim_t>(flags.seconds);
    const rlimit limit = {most, most + 1};
    ::setrlimit(RLIMIT_CPU, &limit);
    const Status status = run_case(test, flags);
    if (status.ok()) std::_Exit(0);
    std::printf("FAILED %s: %s", test.name.c_str(), status.error().to_string().c_str());
    std::fflush(stdout);
    std::_Exit(status.error().kind == DiagnosticKind::kUnsupported ? 2 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) {
    std::printf("FAILED %s: killed by signal %d\n", test.name.c_str(), WTERMSIG(status));
    return 1;
  }
  if (WEXITSTATUS(status) > 2)
    std::printf("FAILED %s: exit code %d\n", test.name.c_str(), WEXITSTATUS(status));
  return WEXITSTATUS(status) > 2 ? 1 : WEXITSTATUS(status);
}

Flags parse(int argc, char** argv) {
  Flags flags;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--layers")
      flags.layers = argv[++i];
    else if (word == "--print")
      flags.print = true;
    else if (word == "--target")
      flags.target = argv[++i];
    else if (word == "--seconds")
      flags.seconds = std::atoi(argv[++i]);
    else if (word == "--shard")
      std::sscanf(argv[++i], "%d/%d", &flags.shard, &flags.shards);
    else if (flags.index.empty())
      flags.index = word;
    else
      flags.cases.emplace_back(word);
  }
  return flags;
}

}  // namespace

int main(int argc, char** argv) {
  const Flags flags = parse(argc, argv);
  auto cases = driver::read_index(flags.index);
  if (!cases) {
    std::fputs(cases.error().to_string().c_str(), stderr);
    return 1;
  }
  int counts[3] = {};
  int number = 0;
  for (const driver::Case& test : *cases) {
    if (number++ % flags.shards != flags.shard) continue;
    if (!flags.cases.empty() &&
        std::find(flags.cases.begin(), flags.cases.end(), test.name) == flags.cases.end())
      continue;
    ++counts[run_in_child(test, flags)];
  }
  std::printf("%d passed, %d failed, %d skipped\n", counts[0], counts[1], counts[2]);
  return counts[1] == 0 ? 0 : 1;
}
