// What regions see of what stands around them: constants are made anew, loops and branches take
// values along, others don't; functions that are called; ApproxTopK's forms.
#include "stablehlo/programs.h"

namespace hlocc::tests {
namespace {

// What is said of a program that maps these lines' %r over an argument; nothing: it is read.
std::string mapped(std::string_view lines) {
  const Result<hlo::Module> module = read_program(cat(
      "func.func @main(%a: tensor<f32>, %b: tensor<2xf32>) -> tensor<2xf32> {\n", lines,
      "\n%m = \"stablehlo.map\"(%b) <{dimensions = array<i64: 0>}> ({\n^bb0(%x: tensor<f32>):\n "
      "%y = stablehlo.add %x, %r : tensor<f32>\n stablehlo.return %y : tensor<f32>\n}) : "
      "(tensor<2xf32>) -> tensor<2xf32>\nreturn %m : tensor<2xf32>\n}\n"));
  return module ? "" : module.error().message;
}

constexpr std::string_view kOne = "%c = stablehlo.constant dense<[1.0]> : tensor<1xf32>\n";

// That many reshapes of a constant of one element, to and fro; the last is %r.
std::string reshapes(int count) {
  std::string out(kOne), from = "%c";
  for (int i = count; i > 0; --i) {
    const bool was_scalar = (count - i) % 2 != 0;
    const std::string to = i == 1 ? "%r" : cat("%s", i);
    out +=
        cat(to, " = stablehlo.reshape ", from, " : (", was_scalar ? "tensor<f32>" : "tensor<1xf32>",
            ") -> ", was_scalar ? "tensor<1xf32>" : "tensor<f32>", "\n");
    from = to;
  }
  return out;
}

TEST_CASE("what is made of constants alone is made anew in regions") {
  CHECK(mapped("%r = stablehlo.constant dense<1.0> : tensor<f32>") == "");
  CHECK(mapped("%c = stablehlo.constant dense<1> : tensor<i32>\n"
               "%r = stablehlo.convert %c : (tensor<i32>) -> tensor<f32>") == "");
  CHECK(mapped("%c = stablehlo.constant dense<1.0> : tensor<f32>\n"
               "%r = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<f32>") ==
        "");
  CHECK(mapped("%c = stablehlo.iota dim = 0 : tensor<1xf32>\n"
               "%r = stablehlo.reshape %c : (tensor<1xf32>) -> tensor<f32>") == "");
  CHECK(mapped(reshapes(1)) == "");
  const auto outside = Catch::Contains("%r is computed outside of the region that uses it");
  CHECK_THAT(mapped("%r = stablehlo.negate %a : tensor<f32>"), outside);
  CHECK_THAT(mapped("%r = stablehlo.reshape %a : (tensor<f32>) -> tensor<f32>"), outside);
  CHECK_THAT(mapped("%n = stablehlo.negate %a : tensor<f32>\n"
                    "%r = stablehlo.reshape %n : (tensor<f32>) -> tensor<f32>"),
             outside);
  CHECK_THAT(mapped("%c = stablehlo.constant dense<1.0> : tensor<f32>\n"
                    "%r = stablehlo.negate %c : tensor<f32>"),
             outside);
  // Eight steps from the constant, and no more.
  CHECK(mapped(reshapes(7)) == "");
  CHECK_THAT(mapped(reshapes(9)), outside);
  CHECK_THAT(mapped(""), Catch::Contains("nothing defines %r before it"));
}

TEST_CASE("the eighth step from a constant is made anew") {
  std::string chain = reshapes(7);
  chain.replace(chain.rfind("%r"), 2, "%q");
  CHECK(mapped(chain + "%r = stablehlo.convert %q : tensor<f32>") == "");
  CHECK_THAT(mapped(chain + "%p = stablehlo.convert %q : tensor<f32>\n"
                            "%r = stablehlo.convert %p : tensor<f32>"),
             Catch::Contains("%r is computed outside"));
}

// What a branch of these lines takes from outside, where %1, %b and the constant %c are.
size_t taken(std::string_view lines) {
  const Result<hlo::Module> module =
      read_program(cat("func.func @main(%a: tensor<i1>, %b: tensor<f32>) -> tensor<f32> {\n%c = "
                       "stablehlo.constant dense<1.0> : tensor<f32>\n%1 = stablehlo.negate %b : "
                       "tensor<f32>\n%m = \"stablehlo.if\"(%a) ({\n",
                       lines,
                       "\n}, {\nstablehlo.return %1 : tensor<f32>\n}) : (tensor<i1>) -> "
                       "tensor<f32>\nreturn %m : tensor<f32>\n}\n"));
  REQUIRE(module);
  const hlo::Computation& entry = module->entry_computation();
  return entry[entry[entry.root].operands[1]].shape.tuple.size();
}

TEST_CASE("branches take along what they read and do not make") {
  CHECK(taken("stablehlo.return %1 : tensor<f32>") == 1);
  CHECK(taken("%2 = stablehlo.add %1, %b : tensor<f32>\nstablehlo.return %2 : tensor<f32>") == 2);
  CHECK(taken("%2 = stablehlo.add %1, %1 : tensor<f32>\nstablehlo.return %2 : tensor<f32>") == 1);
  CHECK(taken("stablehlo.return %c : tensor<f32>") == 0);
  // Its own %1 stands before the one outside.
  CHECK(taken("%1 = stablehlo.abs %b : tensor<f32>\nstablehlo.return %1 : tensor<f32>") == 1);
}

// The second result of a loop over two numbers whose body adds that to the first.
std::string second_of_loop(std::string_view added) {
  const Result<hlo::Module> module = read_program(
      cat("func.func @main(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {\n"
          "%0:2 = stablehlo.while(%i = %a, %j = %a) : tensor<i32>, tensor<i32>\n cond {\n"
          "%1 = stablehlo.compare LT, %i, %j : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
          "stablehlo.return %1 : tensor<i1>\n } do {\n%1 = stablehlo.add %i, ",
          added,
          " : tensor<i32>\nstablehlo.return %1, %j : tensor<i32>, tensor<i32>\n}\n"
          "return %0#1 : tensor<i32>\n}\n"));
  return module ? root_of(*module) : module.error().message;
}

TEST_CASE("a loop that takes nothing along is what gives its results") {
  CHECK(second_of_loop("%i") == "s32[] get-tuple-element(while.3), index=1");
  CHECK(second_of_loop("%b") == "s32[] get-tuple-element(tuple.6), index=1");
}

TEST_CASE("functions that are called have bodies") {
  const auto called = [](std::string_view function) {
    const Result<hlo::Module> module = read_program(
        cat("module @m {\n", function,
            " func.func @main(%a: tensor<f32>) -> tensor<f32> {\n %0 = func.call @f(%a) : "
            "(tensor<f32>) -> tensor<f32>\n %1 = func.call @f(%0) : (tensor<f32>) -> tensor<f32>\n "
            "return %1 : tensor<f32> } }\n"));
    return module ? cat(module->computations.size()) : module.error().message;
  };
  CHECK(called("func.func private @f(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> "
               "}\n") == "2");
  CHECK_THAT(called("func.func private @f(%x: tensor<f32>) -> tensor<f32>\n"),
             Catch::Contains("no function is called @f"));
  CHECK_THAT(called("func.func private @g(%x: tensor<f32>) -> tensor<f32> { return %x : "
                    "tensor<f32> }\n"),
             Catch::Contains("no function is called @f"));
  // A function sees its own arguments alone.
  CHECK_THAT(called("func.func private @f(%x: tensor<f32>) -> tensor<f32> { return %a : "
                    "tensor<f32> }\n"),
             Catch::Contains("nothing defines %a before it"));
}

// The result of a custom call of these computations, or what is said.
std::string called_with(std::string_view target, std::string_view computations,
                        std::string_view results, std::string_view dimension = "0",
                        std::string_view operands = "%a, %b, %c, %d",
                        std::string_view types =
                            "tensor<8xf32>, tensor<8xi32>, tensor<f32>, "
                            "tensor<i32>") {
  const size_t count = results.starts_with("(") ? 2 : 1;
  const Result<hlo::Module> module = read_program(
      cat("module @m {\n func.func private @less(%x: tensor<f32>, %y: tensor<f32>, %i: "
          "tensor<i32>, %j: tensor<i32>) -> tensor<i1> {\n  %0 = stablehlo.compare GT, %x, %y : "
          "(tensor<f32>, tensor<f32>) -> tensor<i1>\n  return %0 : tensor<i1>\n }\n"
          " func.func public @main(%a: tensor<8xf32>, %b: tensor<8xi32>, %c: tensor<f32>, %d: "
          "tensor<i32>) -> ",
          results, " {\n  %0:", count, " = stablehlo.custom_call @", target, "(", operands,
          ") {called_computations = [", computations,
          "], mhlo.backend_config = {reduction_dim = ", dimension, " : i64}} : (", types, ") -> ",
          results, "\n  return ", count == 2 ? "%0#0, %0#1 : " : "%0 : ",
          count == 2 ? results.substr(1, results.size() - 2) : results, "\n }\n}\n"));
  if (!module) return module.error().message;
  for (const hlo::Instruction& one : module->entry_computation().instructions)
    if (one.opcode == hlo::Opcode::kCustomCall) return "custom call";
  return "sort";
}

TEST_CASE("the best of an approximation have one comparison and as many results as arrays") {
  const std::string_view both = "(tensor<3xf32>, tensor<3xi32>)";
  CHECK(called_with("ApproxTopK", "@less", both) == "sort");
  CHECK(called_with("ApproxTopK", "@less, @less", both) == "custom call");
  CHECK(called_with("ApproxTopK", "", both) == "custom call");
  CHECK(called_with("TopK", "@less", both) == "custom call");
  const auto wrong = Catch::Contains("ApproxTopK takes arrays, numbers and a dimension");
  CHECK_THAT(called_with("ApproxTopK", "@less", "tensor<3xf32>"), wrong);
  CHECK_THAT(called_with("ApproxTopK", "@less", both, "-1"), wrong);
  CHECK_THAT(called_with("ApproxTopK", "@less", both, "1"), wrong);
  // One array alone, a number too many and none at all.
  CHECK_THAT(called_with("ApproxTopK", "@less", "tensor<3xf32>", "0", "%a, %c",
                         "tensor<8xf32>, tensor<f32>"),
             wrong);
  CHECK_THAT(called_with("ApproxTopK", "@less", both, "0", "%a, %b, %c, %d, %d",
                         "tensor<8xf32>, tensor<8xi32>, tensor<f32>, tensor<i32>, tensor<i32>"),
             wrong);
  CHECK_THAT(called_with("ApproxTopK", "@less", both, "0", "", ""), wrong);
  // A result that lacks the dimension has none of its elements.
  CHECK_THAT(called_with("ApproxTopK", "@less", "(tensor<f32>, tensor<i32>)"),
             Catch::Contains("gives (f32[0], s32[0]), and its type says (f32[], s32[])"));
}

}  // namespace
}  // namespace hlocc::tests
