// The whole compiler as a target: a module goes through all stages for one of several chips, with
// every verifier on, into C and its header; then its kernels run on drawn arguments, once with
// memory of their own and once as the plan places them, and must agree with each other to the bit,
// and, where nothing is rounded, with the interpreter.
#include <algorithm>
#include <iterator>

#include "driver/pipeline/pipeline.h"
#include "driver/pipeline/targets.h"
#include "fuzz/libfuzzer/targets.h"
#include "fuzz/values.h"
#include "import/elided.h"
#include "import/proto/module.h"
#include "interpreter/interpreter.h"
#include "kernel/evaluate/evaluator.h"
#include "ops/check/verifier.h"
#include "planning/execute.h"
#include "support/text.h"

namespace hlocc::fuzz {
namespace {

using LeafBytes = std::vector<std::vector<std::byte>>;

// What takes a fuzzer's time without telling it more.
constexpr int64_t kMostElements = 1 << 14;
constexpr size_t kMostInstructions = 200;

int64_t elements_of(const hlo::Shape& shape) {
  int64_t count = shape.is_array() ? shape.element_count() : 0;
  for (const hlo::Shape& element : shape.tuple) count += elements_of(element);
  return count;
}

bool is_small(const hlo::Module& module) {
  int64_t elements = 0;
  size_t instructions = 0;
  for (const hlo::Computation& computation : module.computations)
    for (const hlo::Instruction& one : computation.instructions) {
      elements += elements_of(one.shape);
      ++instructions;
      for (const int64_t size : one.shape.dimensions)
        if (size == hlo::kUnboundedSize || size > kMostElements) return false;
    }
  return elements <= kMostElements && instructions <= kMostInstructions;
}

bool any_instruction(const hlo::Module& module, bool (*holds)(const hlo::Instruction&)) {
  for (const hlo::Computation& computation : module.computations)
    if (std::ranges::any_of(computation.instructions, holds)) return true;
  return false;
}

// A loop may have no end; the user's functions are not here.
bool may_not_run(const hlo::Instruction& one) {
  return one.opcode == hlo::Opcode::kWhile || one.opcode == hlo::Opcode::kCustomCall;
}
bool rounds(const hlo::Instruction& one) {
  return std::ranges::any_of(hlo::leaf_shapes(one.shape), [](const hlo::Shape& leaf) {
    return hlo::is_float(leaf.element_type) || hlo::is_complex(leaf.element_type);
  });
}

LeafBytes bytes_of(std::span<const hlo::Literal> values) {
  LeafBytes out;
  for (const hlo::Literal& value : values)
    for (const hlo::Literal& leaf : hlo::leaves(value))
      out.emplace_back(leaf.bytes().begin(), leaf.bytes().end());
  return out;
}

bool is_plain(const hlo::Shape& shape) {
  return shape == hlo::with_default_layout(shape) && !shape.has_dynamic_dimensions();
}
bool has_plain_interface(const hlo::Module& module) {
  return is_plain(module.entry_result) && std::ranges::all_of(module.entry_parameters, is_plain);
}

void check_results(const hlo::Module& module, const driver::Compilation& compiled,
                   std::span<const hlo::Literal> arguments) {
  const Result<hlo::Literal> expected = interpreter::run(module, arguments);
  if (!expected) return must_be_sound(expected.error());
  const LeafBytes in = bytes_of(arguments);
  const Result<LeafBytes> apart = kernel::evaluate(compiled.program, in);
  must(apart.ok(), apart.ok() ? "" : cat("kernels run: ", apart.error().message));
  const Result<LeafBytes> placed = planning::execute(compiled.program, compiled.plan, in);
  must(placed.ok(), placed.ok() ? "" : cat("a plan runs: ", placed.error().message));
  must(*apart == *placed, "a plan gives what its kernels give");
  if (any_instruction(module, rounds)) return;
  must(*apart == bytes_of({&*expected, 1}), "integers are the interpreter's");
}

// FNV-1a.
uint32_t hash_of(Input input) {
  uint32_t hash = 2166136261u;
  for (const std::byte byte : input) hash = (hash ^ std::to_integer<uint32_t>(byte)) * 16777619u;
  return hash;
}

// Small numbers, and those that lie beyond every array.
void check_runs(const hlo::Module& module, const driver::Compilation& compiled, uint32_t draw) {
  if (any_instruction(module, may_not_run) || !has_plain_interface(module)) return;
  Random random(draw);
  for (const Fill fill : {Fill::kSmall, Fill::kEdges}) {
    std::vector<hlo::Literal> arguments;
    for (const hlo::Shape& shape : module.entry_parameters) {
      std::vector<hlo::Literal> leaves;
      for (const hlo::Shape& leaf : hlo::leaf_shapes(shape))
        leaves.push_back(random_literal(leaf, fill, random));
      arguments.push_back(hlo::unflatten(shape, leaves));
    }
    check_results(module, compiled, arguments);
  }
}

Target target_for(uint32_t draw) {
  static const std::vector<Target>& all = *new std::vector<Target>([] {
    std::vector<Target> out;
    for (const char* name :
         {"cortex-m0", "cortex-m4f", "cortex-m55", "rv32imc", "cortex-a53", "s390x-linux"})
      for (const Level level : {Level::kO0, Level::kO2, Level::kOs}) {
        driver::CommandLine line;
        line.backend = "c";
        line.options.level = level;
        line.options.stem = "model";
        line.options.name = "model";
        Result<Target> target = driver::resolve_target(name, line);
        must(target.ok(), "a preset is there");
        out.push_back(*std::move(target));
      }
    return out;
  }());
  return all[draw % all.size()];
}

}  // namespace

void run_module(Input input) {
  import::Elided elided{.allowed = false};
  const Result<hlo::Module> module = import::read_module_proto(input, "module", elided);
  if (!module) return must_be_sound(module.error());
  const Status sound = ops::verify(*module);
  if (!sound) return must_be_sound(sound.error());
  if (!is_small(*module)) return;
  Target target = target_for(hash_of(input));
  target.options.verify_each = true;
  const std::set<package::Emit> files = {package::Emit::kCSource, package::Emit::kHeader};
  const Result<driver::Compilation> compiled = driver::compile_module(*module, target, files, {});
  if (!compiled) return must_be_sound(compiled.error());
  check_runs(*module, *compiled, hash_of(input));
}

}  // namespace hlocc::fuzz
