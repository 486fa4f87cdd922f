// What a program's text says beside what it computes: names of arguments, results and layers, lines
// of the user's source, donation, devices, constants that were left out.
#include <catch2/catch.hpp>

#include <set>

#include "import/reader.h"
#include "ops/check/verifier.h"
#include "package/names.h"
#include "support/text.h"

namespace hlocc {
namespace {

constexpr std::string_view kText = R"(#loc1 = loc("params['w']")
module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2xf32> {tf.aliasing_output = 1 : i32} loc(#loc1), %arg1: tensor<2xf32> {jax.buffer_donor = true} loc("x"), %arg2: tensor<2xf32>) -> (tensor<2xf32> {jax.result_info = "result['y']"}, tensor<2xf32> {jax.result_info = "result['w']"}, tensor<2xf32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<2xf32> loc(#loc9)
    %1 = stablehlo.negate %0 : tensor<2xf32> loc("plain"("model.py":7:1))
    %2 = stablehlo.abs %arg2 : tensor<2xf32> loc(fused<"pass">[unknown, #loc9])
    return %1, %0, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32> loc(#loc)
  } loc(#loc)
} loc(#loc)
#loc = loc(unknown)
#loc2 = loc("model.py":12:3 to :9)
#loc3 = loc("main.py":4:1)
#loc4 = loc("layer"(#loc2))
#loc5 = loc("<module>"(#loc3))
#loc6 = loc(callsite(#loc4 at #loc5))
#loc9 = loc("jit(f)/dense/add"(#loc6))
)";

import::Imported read_text(std::string_view text,
                           import::Constants constants = import::Constants::kNeeded){
    const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
Result<import::Imported> imported = import::read_model({bytes, text.size()}, "f.mlir", constants);
if (!imported) FAIL(imported.error().to_string());
return std::move(*imported);
}  // namespace

const hlo::Instruction& of_opcode(const hlo::Module& module, hlo::Opcode opcode) {
  for (const hlo::Instruction& one : module.entry_computation().instructions)
    if (one.opcode == opcode) return one;
  FAIL("no such instruction");
  return module.entry_computation().instructions[0];
}

TEST_CASE("arguments and results are called as the program calls them") {
  const hlo::Module module = read_text(kText).module;
  CHECK(module.name == "jit_f");
  CHECK(package::hlo_argument_names(module) == std::vector<std::string>{"params['w']", "x", ""});
  Options options;
  options.stem = "f";
  Result<kernel::Signature> signature = package::make_signature(module, options);
  REQUIRE(signature.ok());
  CHECK(signature->arguments[0].name == "params_w");
  CHECK(signature->arguments[2].name.empty());
  CHECK(signature->results[0].name == "y");
  // A donated result is called after its argument, one that is only numbered has no name.
  CHECK(signature->results[1].name == "params_w");
  CHECK(signature->results[2].name.empty());
  REQUIRE(module.aliases.size() == 1);
  CHECK(module.aliases[0] == hlo::Alias{.output_index = {1}, .parameter = 0});
}

TEST_CASE("operations come from layers and lines") {
  const hlo::Module module = read_text(kText).module;
  const hlo::Instruction& add = of_opcode(module, hlo::Opcode::kAdd);
  CHECK(add.metadata.op_name == "jit(f)/dense/add");
  CHECK(add.metadata.source_file == "model.py");
  CHECK(add.metadata.source_line == 12);
  CHECK(add.line == 4);
  REQUIRE(add.metadata.stack_frame == 2);
  REQUIRE(module.frames[1].function > 0);
  const hlo::SourceFrame &inner = module.frames[1], &outer = module.frames[0];
  CHECK(module.source_functions[inner.function - 1] == "layer");
  CHECK(inner.caller == 1);
  CHECK(module.source_files[outer.file - 1] == "main.py");
  CHECK(outer.line == 4);
  const hlo::Instruction& negate = of_opcode(module, hlo::Opcode::kNegate);
  CHECK(negate.metadata.op_name == "plain");
  CHECK(negate.metadata.source_line == 7);
  const hlo::Instruction& abs = of_opcode(module, hlo::Opcode::kAbs);
  CHECK(abs.metadata == add.metadata);
}

TEST_CASE("programs of several devices are refused by their number") {
  const hlo::Module module =
      read_text(
          "module @m attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 3 : i32} "
          "{ func.func @main(%a: tensor<f32>) -> tensor<f32> { return %a : tensor<f32> } }")
          .module;
  CHECK(module.num_partitions == 2);
  CHECK(module.replica_count == 3);
}

TEST_CASE("resources are constants, and those that were left out may stand for themselves") {
  const std::string text =
      "module @m { func.func @main() -> (tensor<2xf32>, tensor<4xf32>) {\n"
      "  %0 = stablehlo.constant dense_resource<w> : tensor<2xf32>\n"
      "  %1 = stablehlo.constant dense_resource<__elided__> : tensor<4xf32>\n"
      "  return %0, %1 : tensor<2xf32>, tensor<4xf32> } }\n"
      "{-# dialect_resources: { builtin: { w: \"0x040000000000803F000000C0\" } },\n"
      "    external_resources: { other: { key: \"value\" } } #-}\n";
  const import::Imported imported = read_text(text, import::Constants::kMayBeElided);
  CHECK(imported.elided_constants == 1);
  const hlo::Literal& value =
      of_opcode(imported.module, hlo::Opcode::kConstant).get<hlo::ConstantAttributes>().value;
  REQUIRE(value.element_count() == 2);
  // Numbers that were left out stand for each element of the array.
  const import::Imported left_out = read_text(
      "module @m { func.func @main() -> tensor<4xf32> {\n"
      "  %0 = stablehlo.constant dense<__elided__> : tensor<4xf32>\n"
      "  return %0 : tensor<4xf32> } }\n",
      import::Constants::kMayBeElided);
  CHECK(of_opcode(left_out.module, hlo::Opcode::kConstant).shape.element_count() == 4);
  CHECK(value.data<float>()[0] == 1.0f);
  CHECK(value.data<float>()[1] == -2.0f);
}

TEST_CASE("a constant that many regions use is read once, and their computations have names") {
  std::string text =
      "module @m { func.func @main(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {\n"
      "  %c = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>\n"
      "  %z = stablehlo.constant dense<true> : tensor<i1>\n  %v0 = stablehlo.abs %a : "
      "tensor<2x3xf32>\n";
  constexpr int kRegions = 500;
  for (int i = 0; i < kRegions; ++i)
    text +=
        cat("  %v", i + 1, " = \"stablehlo.if\"(%z) ({\n    %0 = stablehlo.add %v", i,
            ", %c : tensor<2x3xf32>\n    stablehlo.return %0 : tensor<2x3xf32>\n  }, {\n"
            "    stablehlo.return %c : tensor<2x3xf32>\n  }) : (tensor<i1>) -> tensor<2x3xf32>\n");
  text += cat("  return %v", kRegions, " : tensor<2x3xf32> } }");
  const hlo::Module module = read_text(text).module;
  std::set<std::string> names;
  std::set<const std::byte*> values;
  for (const hlo::Computation& computation : module.computations) {
    names.insert(computation.name);
    for (const hlo::Instruction& one : computation.instructions)
      if (one.opcode == hlo::Opcode::kConstant && one.shape.rank() == 2)
        values.insert(one.get<hlo::ConstantAttributes>().value.bytes().data());
  }
  CHECK(names.size() == 2 * kRegions + 1);
  CHECK(names.contains("branch.999"));
  CHECK(values.size() == 1);
}

TEST_CASE("a text for all places of a large array takes no room") {
  const hlo::Module module =
      read_text(
          "module @m { func.func @main() -> tensor<1000x1000x100xf32> {\n"
          "  %0 = stablehlo.constant dense<\"0x0000803F\"> : tensor<1000x1000x100xf32>\n"
          "  return %0 : tensor<1000x1000x100xf32> } }")
          .module;
  CHECK(of_opcode(module, hlo::Opcode::kConstant).shape.is_scalar());
}

}  // namespace hlocc
}  // namespace hlocc
