// Texts that are wrong in one thing are refused with its line, column and name; whatever the bytes
// are, reading ends, and what is read keeps HLO's rules.
#include <catch2/catch.hpp>
#include <filesystem>
#include <random>

#include "import/file.h"
#include "import/reader.h"
#include "stablehlo/programs.h"
#include "support/folder.h"
#include "support/hostile_files.h"
#include "support/text.h"

namespace hlocc {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPrograms = HLOCC_TEST_DATA "/stablehlo";

using tests::read_program;

bool is_read(const std::string& text) { return tests::is_taken(read_program(text)); }

// A function of two vectors of two numbers around these lines; the first is line 3.
std::string program_of(const std::string& body, const std::string& type = "tensor<2xf32>") {
  return cat("module @m {\n  func.func public @main(%a: tensor<2xf32>, %b: tensor<2xf32>) -> (",
             type, ") {\n", body, "\n  }\n}\n");
}

struct Wrong {
  const char* body;
  DiagnosticKind kind;
  const char* part;
  int line;
};

using enum DiagnosticKind;

const Wrong wrong_bodies[] = {
    {"    %0 = stablehlo.add %a : tensor<2xf32>\n    return %0 : tensor<2xf32>", kArity,
     "stablehlo.add", 3},
    {"    %0 = stablehlo.add %a, %c : tensor<2xf32>\n    return %0 : tensor<2xf32>", kStructure,
     "nothing defines %c before it (column 28)", 3},
    {"    %0 = stablehlo.add %a, %b : tensor<3xf32>\n    return %0 : tensor<3xf32>", kShape,
     "stablehlo.add gives f32[2], and its type says f32[3]", 3},
    {"    %0 = stablehlo.frobnicate %a : tensor<2xf32>\n    return %0 : tensor<2xf32>",
     kUnknownOpcode, "stablehlo.frobnicate is no operation that is read (column 10)", 3},
    {"    %0 = stablehlo.abs %a {special = 1 : i64} : tensor<2xf32>\n    return %0 : tensor<2xf32>",
     kUnsupported, "the attribute special of stablehlo.abs is not understood", 3},
    {"    %0 = stablehlo.transpose %a : (tensor<2xf32>) -> tensor<2xf32>\n    return %0 : "
     "tensor<2xf32>",
     kAttribute, "stablehlo.transpose lacks the attribute permutation", 3},
    {"    %0 = stablehlo.transpose %a, dims = [3] : (tensor<2xf32>) -> tensor<2xf32>\n    return "
     "%0 : tensor<2xf32>",
     kAttribute, "stablehlo.transpose: ", 3},
    {"    %0 = stablehlo.transpose %a, dims = [x] : (tensor<2xf32>) -> tensor<2xf32>\n    return "
     "%0 : tensor<2xf32>",
     kSyntax, "expected an integer, found 'x]", 3},
    {"    %0 = stablehlo.transpose %a, dims = [0] 7 : (tensor<2xf32>) -> tensor<2xf32>\n    return "
     "%0 : tensor<2xf32>",
     kSyntax, "the end of permutation", 3},
    {"    %0 = stablehlo.compare BELOW, %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>\n  "
     "  return %a : tensor<2xf32>",
     kAttribute, "comparison_direction is BELOW", 3},
    {"    %0 = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<2xf32>\n    return %0 : "
     "tensor<2xf32>",
     kSyntax, "the list is not one of f32[2]", 3},
    {"    %0 = stablehlo.constant dense<[1.0, [2.0]]> : tensor<2xf32>\n    return %0 : "
     "tensor<2xf32>",
     kSyntax, "expected a number of type f32", 3},
    {"    %0 = stablehlo.constant dense<\"0x0000803F00\"> : tensor<2xf32>\n    return %0 : "
     "tensor<2xf32>",
     kSyntax, "the blob has 5 bytes, and its type 8", 3},
    {"    %0 = stablehlo.constant dense<\"0x000080ZZ00000000\"> : tensor<2xf32>\n    return %0 : "
     "tensor<2xf32>",
     kSyntax, "expected hexadecimal digits", 3},
    {"    %0 = stablehlo.constant dense<> : tensor<2xf32>\n    return %0 : tensor<2xf32>", kSyntax,
     "the constant has elements, and no values", 3},
    {"    %0 = stablehlo.constant dense<300> : tensor<2xi8>\n    return %a : tensor<2xf32>",
     kSyntax, "expected a number of type s8", 3},
    {"    %0 = stablehlo.constant dense<0x1FFFFFFFF> : tensor<2xf32>\n    return %a : "
     "tensor<2xf32>",
     kSyntax, "expected a number of type f32", 3},
    {"    %0 = stablehlo.constant dense<__elided__> : tensor<2xf32>\n    return %0 : tensor<2xf32>",
     kElidedConstant, "left out", 3},
    {"    %0 = stablehlo.constant dense_resource<__elided__> : tensor<2xf32>\n    return %0 : "
     "tensor<2xf32>",
     kElidedConstant, "left out", 3},
    {"    %0 = stablehlo.constant dense_resource<w> : tensor<2xf32>\n    return %0 : tensor<2xf32>",
     kStructure, "the file has no resource called w", 3},
    {"    %0 = stablehlo.constant sparse<1> : tensor<2xf32>\n    return %0 : tensor<2xf32>",
     kSyntax, "expected dense<...> or dense_resource<...>", 3},
    {"    %0 = call @f(%a) : (tensor<2xf32>) -> tensor<2xf32>\n    return %0 : tensor<2xf32>",
     kStructure, "no function is called @f", 3},
    {"    %0 = call @main(%a, %b) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>\n    return %0 "
     ": tensor<2xf32>",
     kStructure, "function @main calls itself", 3},
    {"    %0 = stablehlo.abs %a : tensor<?xf32>\n    return %0 : tensor<2xf32>", kUnsupported,
     "a size is known only at run time ('?') (column 29)", 3},
    {"    %0 = stablehlo.abs %a : tensor<2xf32, #stablehlo.bounds<2>>\n    return %0 : "
     "tensor<2xf32>",
     kUnsupported, "types with an encoding", 3},
    {"    %0 = stablehlo.abs %a : tensor<2xi33>\n    return %0 : tensor<2xf32>", kType,
     "elements of type i33", 3},
    {"    %0 = stablehlo.abs %a : tensor<2x!quant.uniform<i8:f32, 1.0>>\n    return %0 : "
     "tensor<2xf32>",
     kType, "elements of type !quant.uniform", 3},
    {"    %0 = stablehlo.abs %a : tensor<99999999999999999999xf32>\n    return %0 : tensor<2xf32>",
     kLimit, "out of range", 3},
    {"    %0 = stablehlo.abs %a : tensor<999999999999xf32>\n    return %0 : tensor<2xf32>", kLimit,
     "", 3},
    {"    %0 = stablehlo.abs %a : memref<2xf32>\n    return %0 : tensor<2xf32>", kSyntax,
     "expected a type", 3},
    {"    %0:2 = stablehlo.abs %a : tensor<2xf32>\n    return %0#0 : tensor<2xf32>", kSyntax,
     "stablehlo.abs has 2 results and 1 types", 4},
    {"    %0 = stablehlo.abs %a : tensor<2xf32>\n    return %0#1 : tensor<2xf32>", kStructure,
     "%0 has no result 1", 4},
    {"    return %a, %b : tensor<2xf32>, tensor<2xf32>", kArity, "returns 2 values and declares 1",
     2},
    {"    return %a : tensor<2xf32>\n    %0 = stablehlo.abs %a : tensor<2xf32>", kStructure,
     "operations stand behind the return", 3},
    {"    %0 = stablehlo.abs %a : tensor<2xf32>", kStructure, "does not end with a return", 3},
    {"    %0 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<2xf32>) -> tensor<2xf32>\n    "
     "return %0 : tensor<2xf32>",
     kAttribute, "has 0 entries for 1 dimensions", 3},
    {"    %0 = stablehlo.custom_call @f(%a) {called_computations = [@g]} : (tensor<2xf32>) -> "
     "tensor<2xf32>\n    return %0 : tensor<2xf32>",
     kStructure, "no function is called @g", 3},
    {"    %0 = \"stablehlo.map\"(%a) <{dimensions = array<i64: 0>}> ({\n    ^bb0(%x: "
     "tensor<f32>):\n      stablehlo.return %a : "
     "tensor<2xf32>\n    }) : (tensor<2xf32>) -> tensor<2xf32>\n    return %0 : tensor<2xf32>",
     kUnsupported, "%a is computed outside of the region that uses it", 5},
    {"    %0 = \"stablehlo.map\"(%a) <{dimensions = array<i64: 0>}> ({\n    ^bb0(%x: "
     "tensor<f32>):\n      stablehlo.return %x : "
     "tensor<f32>\n    ^bb1:\n    }) : (tensor<2xf32>) -> tensor<2xf32>\n    return %0 : "
     "tensor<2xf32>",
     kUnsupported, "several blocks", 6},
    {"    %0 = stablehlo.sort %a : tensor<2xf32>\n    return %0 : tensor<2xf32>", kArity,
     "has 0 regions", 3},
    {"    %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0], algorithm = "
     "<lhs_precision_type = f16, "
     "rhs_precision_type = f64, accumulation_type = f32> : (tensor<2xf32>, tensor<2xf32>) -> "
     "tensor<f32>\n    return %a : "
     "tensor<2xf32>",
     kAttribute, "has no equivalent in HLO", 3},
    {"    %0 = stablehlo.reduce_precision %a, format = e5x : tensor<2xf32>\n    return %0 : "
     "tensor<2xf32>",
     kAttribute, "format is e5x", 3},
    {"    %0 = chlo.lgamma %a : tensor<2xf32> -> tensor<2xf32>\n    %1 = stablehlo.convert %0 : "
     "(tensor<2xf32>) -> "
     "tensor<2xi32>\n    %2 = chlo.lgamma %1 : tensor<2xi32> -> tensor<2xi32>\n    return %0 : "
     "tensor<2xf32>",
     kType, "chlo.lgamma: takes floating-point numbers", 5},
    {"    %0 = stablehlo.abs %a : tensor<2xf32> loc(#loc9)\n    return %0 : tensor<2xf32>", kSyntax,
     "the name of a location that the file defines", 3},
    {"    %0 = stablehlo.abs %a : tensor<2xf32> loc(\"x)\n    return %0 : tensor<2xf32>", kSyntax,
     "the string is never closed", 3},
    {"    %0 = stablehlo.abs %a {name = [1, 2} : tensor<2xf32>\n    return %0 : tensor<2xf32>",
     kSyntax, "the bracket is never closed", 3},
    {"    %0 = \"stablehlo.while\"(%a) ({\n    ^bb0:\n      stablehlo.return\n    }) : "
     "(tensor<2xf32>) -> tensor<2xf32>\n    "
     "return %0 : tensor<2xf32>",
     kArity, "has 1 regions", 3},
    {"    %0 = stablehlo.while(%i = %a) : tensor<2xf32>\n    return %0 : tensor<2xf32>", kSyntax,
     "expected 'cond {'", 4},
    {"    %0 = stablehlo.reduce(%a init: %b) across dimensions = [0] : (tensor<2xf32>, "
     "tensor<2xf32>) -> tensor<f32>\n    "
     "return %a : tensor<2xf32>",
     kSyntax, "expected 'reducer' or 'applies'", 4},
    {"    %0 = stablehlo.convert %a : (tensor<3xf32>) -> tensor<2xf32>\n    return %0 : "
     "tensor<2xf32>",
     kShape, "operand 0 is f32[2], and its type says f32[3]", 3},
    {"    %0 = stablehlo.add %a, %b : (tensor<2xf32>) -> tensor<2xf32>\n    return %0 : "
     "tensor<2xf32>",
     kArity, "has 2 operands and types of 1", 3},
    {"    %0 = \"stablehlo.abs\"(%a) ({\n      stablehlo.return %a : tensor<2xf32>\n    }) : "
     "(tensor<2xf32>) -> tensor<2xf32>\n    return %0 : tensor<2xf32>",
     kArity, "has 1 regions and takes 0", 3},
    {"    %0 = stablehlo.convert %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>\n    "
     "return "
     "%0 : tensor<2xf32>",
     kArity, "has 2 operands and takes 1", 3},
    {"    %0 = stablehlo.constant dense<1.0> : tensor<2xf32>\n    %1 = "
     "\"stablehlo.all_to_all\"(%a) "
     "<{split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, "
     "replica_groups = "
     "dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>\n    return %1 : "
     "tensor<2xf32>",
     kAttribute, "replica_groups are of several devices", 4},
    {"    %0 = \"stablehlo.all_to_all\"(%a) <{split_dimension = 0 : i64, concat_dimension = 0 : "
     "i64, split_count = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>}> : "
     "(tensor<2xf32>) -> tensor<2xf32>\n    return %0 : tensor<2xf32>",
     kAttribute, "split_count is of several devices", 3},
    {"    %0:2 = stablehlo.custom_call @ApproxTopK(%a) {called_computations = [@main], "
     "mhlo.backend_config = {reduction_dim = 0 : i64}} : (tensor<2xf32>) -> (tensor<2xf32>, "
     "tensor<2xi32>)\n    return %a : tensor<2xf32>",
     kStructure, "function @main calls itself", 3},
    {"    %0 = stablehlo.get_tuple_element %a[0] : (tensor<2xf32>) -> tensor<2xf32>\n    return %0 "
     ": "
     "tensor<2xf32>",
     kShape, "stablehlo.get_tuple_element: the operand is f32[2] and must be a tuple", 3},
    {"    %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, f, x]x[0, i, o]->[b, 0, f], window "
     "= "
     "{} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2xf32>, "
     "tensor<2xf32>) -> tensor<2xf32>\n    return %0 : tensor<2xf32>",
     kSyntax, "expected an integer, found 'x]", 3},
    {"    %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, f]x[i, o]->[b, f], window = {stride "
     "= "
     "[1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2xf32>, "
     "tensor<2xf32>) -> tensor<2xf32>\n    return %0 : tensor<2xf32>",
     kAttribute, "not those of 0 dimensions", 3},
    {"    %0 = stablehlo.exponential %a {result_accuracy = #stablehlo.result_accuracy<mode = "
     "#stablehlo.result_accuracy_mode<BEST>>} : tensor<2xf32>\n    return %0 : tensor<2xf32>",
     kAttribute, "mode is BEST", 3},
};

TEST_CASE("programs that are wrong in one thing are refused where it stands") {
  for (const Wrong& wrong : wrong_bodies) {
    INFO(wrong.body);
    const Result<hlo::Module> read = read_program(program_of(wrong.body));
    REQUIRE_FALSE(read.ok());
    INFO(read.error().to_string());
    CHECK(read.error().kind == wrong.kind);
    CHECK(read.error().message.find(wrong.part) != std::string::npos);
    CHECK(read.error().message.find("(column ") != std::string::npos);
    CHECK(read.error().location.line == wrong.line);
  }
}

TEST_CASE("files that are wrong as a whole are refused") {
  const std::pair<std::string, const char*> files[] = {
      {"module @m {}", "the file has no function"},
      {"module @m {", "expected a function, found the end"},
      {"module @m { x }", "expected a function, found 'x }'"},
      {"module @m { func.func private @f() { return } }", "no function is called @main"},
      {"module @m { func.func public @main() }", "no function is called @main"},
      {"#loc = loc(\"x\"", "expected ')'"},
      {"\"builtin.module\"() ({ \"func.func\"() ({}) : () -> () }) : () -> ()",
       "a function has sym_name"},
      {"\"builtin.module\"() ({ \"other.op\"() : () -> () }) : () -> ()", "this is other.op"},
      {"\"builtin.module\"() : () -> ()", "a module has one region"},
      {"module @m { func.func public @main(%a: tensor<2xf32> {tf.aliasing_output = 1 : i32}) -> "
       "tensor<2xf32> { return %a : "
       "tensor<2xf32> } }",
       "tf.aliasing_output is 1, and there are 1 results"},
      {"module @m { func.func public @main(%a: tensor<2xf32> {tf.aliasing_output = 0 : i32}) -> "
       "tensor<3xf32> { return %a : "
       "tensor<2xf32> } }",
       "tf.aliasing_output is result 0, a f32[3], which does not fit a f32[2] (column 76)"},
      {"module @m { func.func public @main(%a: tensor<2xf32> {tf.aliasing_output = 0 : i32}, %b: "
       "tensor<2xf32> "
       "{tf.aliasing_output = 0 : i32}) -> tensor<2xf32> { return %a : tensor<2xf32> } }",
       "tf.aliasing_output is result 0, as of another argument"},
      {"module @m { func.func public @main(%a: tensor<2xf32> {my.words = 1}) -> tensor<2xf32> { "
       "return %a : tensor<2xf32> } }",
       "the attribute my.words of argument 0 is not understood"},
      {program_of("    return %a : tensor<2xf32>", "tensor<3xf32>"),
       "result 0 of @main is f32[2] and declared as f32[3]"},
  };
  for (const auto& [text, part] : files) {
    INFO(text);
    const Result<hlo::Module> read = read_program(text);
    REQUIRE_FALSE(read.ok());
    INFO(read.error().to_string());
    CHECK(read.error().message.find(part) != std::string::npos);
  }
}

std::string repeated(std::string_view piece, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += piece;
  return out;
}

TEST_CASE("nesting has a limit in every place that nests") {
  constexpr int kDeep = 20000;
  const std::string branch = "    \"stablehlo.if\"(%a) ({\n",
                    close = "    }) : (tensor<i1>) -> ()\n";
  CHECK_FALSE(is_read(program_of(repeated(branch, kDeep))));
  CHECK_FALSE(is_read(program_of(repeated(branch, kDeep) + repeated(close, kDeep))));
  CHECK_FALSE(is_read(program_of(cat("    %0 = stablehlo.abs %a : ", repeated("tuple<", kDeep)))));
  CHECK_FALSE(is_read(
      program_of(cat("    %0 = stablehlo.abs %a : tensor<2xf32> loc(", repeated("\"x\"(", kDeep),
                     "\"y\"", repeated(")", kDeep), ")\n    return %0 : tensor<2xf32>"))));
  CHECK_FALSE(is_read(
      program_of(cat("    %0 = stablehlo.abs %a {x = ", repeated("[", kDeep), repeated("]", kDeep),
                     "} : tensor<2xf32>\n    return %0 : tensor<2xf32>"))));
  std::string chain;
  for (int i = 0; i < 200; ++i)
    chain +=
        cat("  func.func private @f", i, "(%x: tensor<2xf32>) -> tensor<2xf32> {\n    %0 = call @f",
            i + 1, "(%x) : (tensor<2xf32>) -> tensor<2xf32>\n    return %0 : tensor<2xf32>\n  }\n");
  const Result<hlo::Module> calls =
      read_program(program_of("    %0 = call @f0(%a) : (tensor<2xf32>) -> tensor<2xf32>\n    "
                              "return %0 : tensor<2xf32>") +
                   chain);
  REQUIRE_FALSE(calls.ok());
  CHECK(calls.error().message.find("calls nest deeper than 100") != std::string::npos);
}

TEST_CASE("places of the file may be joined without end, and are not followed so") {
  std::string aliases = "#loc0 = loc(\"f\"(\"f.py\":1:1))\n";
  for (int i = 1; i < 90; ++i)
    aliases += cat("#loc", i, " = loc(callsite(#loc", i - 1, " at #loc", i - 1, "))\n");
  CHECK(is_read(aliases + program_of("    return %a : tensor<2xf32> loc(#loc89)")));
  CHECK(is_read(
      aliases +
      program_of(
          "    %0 = stablehlo.abs %a : tensor<2xf32> loc(#loc89)\n    return %0 : tensor<2xf32>")));
  CHECK_FALSE(is_read(
      "#loc1 = loc(#loc2)\n#loc2 = loc(#loc1)\n" +
      program_of(
          "    %0 = stablehlo.abs %a : tensor<2xf32> loc(#loc1)\n    return %0 : tensor<2xf32>")));
}

std::string text_of_program(const std::string& name) {
  Result<std::vector<std::byte>> bytes = import::read_file(cat(kPrograms, "/", name));
  REQUIRE(bytes.ok());
  return {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
}

TEST_CASE("a program that was cut anywhere is refused") {
  for (const char* name : {"while_captures.mlir", "scatter_apply.generic.mlir", "argmax.mlir"}) {
    std::string whole = text_of_program(name);
    REQUIRE(is_read(whole));
    while (whole.ends_with('\n')) whole.pop_back();
    // What follows the module is locations, which may be fewer.
    const size_t end = whole.rfind("\n}");
    for (size_t size = 0; size < end; ++size) {
      INFO(name << " " << size);
      CHECK_FALSE(is_read(whole.substr(0, size)));
    }
  }
}

TEST_CASE("whatever a character of a program says, reading ends") {
  constexpr std::string_view characters = "0-9x%#@\"<>{}[]():,= \n";
  for (const char* name :
       {"cond_false.mlir", "conv_strided.generic.mlir", "reduce_variadic.mlir"}) {
    const std::string whole = text_of_program(name);
    std::mt19937 random(7);
    for (int i = 0; i < 3000; ++i) {
      std::string text = whole;
      for (uint32_t changes = 1 + random() % 3; changes > 0; --changes) {
        const size_t at = random() % text.size();
        switch (random() % 3) {
          case 0: text[at] = characters[random() % characters.size()]; break;
          case 1: text.erase(at, 1 + random() % 8); break;
          default: text.insert(at, 1, characters[random() % characters.size()]);
        }
      }
      INFO(name << " " << i);
      is_read(text);
    }
  }
}

}  // namespace
}  // namespace hlocc
