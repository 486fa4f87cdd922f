// What stands around operations, in MLIR's two forms: modules, functions and their attributes,
// places of the source, resources. Rows that are read, and what differs from them in one thing.
#include "stablehlo/programs.h"

namespace hlocc::tests {
namespace {

struct FileRow {
  std::string text;
  std::string_view message;  // none: the file is read
};

void check_files(const std::vector<FileRow>& rows) {
  for (const FileRow& row : rows) {
    INFO(row.text);
    const Result<hlo::Module> module = read_program(row.text);
    INFO((module ? "" : module.error().to_string()));
    CHECK(module.ok() == row.message.empty());
    if (!module) CHECK_THAT(module.error().message, Catch::Contains(std::string(row.message)));
    if (!module) CHECK_THAT(module.error().message, Catch::Contains("(column "));
  }
}

TEST_CASE("a text is of StableHLO by its first words") {
  using import::stablehlo::is_stablehlo;
  for (const char* text : {"#loc1 = loc(unknown)", "#map = 1", "#sdy.x", "\"builtin.module\"() ({",
                           "\"func.func\"()", "func.func @main()", "builtin.module {",
                           " module @m {", "\nmodule {", "module attributes {}"}) {
    INFO(text);
    CHECK(is_stablehlo(text));
  }
  for (const char* text :
       {"", "HloModule m", "#lo", "\"builtin.modules\"", "func @main()", "builtin.modules {",
        "module m {", "module", "modules @m {", "x {", "x @m"}) {
    INFO(text);
    CHECK_FALSE(is_stablehlo(text));
  }
}

// A function that gives its argument.
std::string function_of(std::string_view words, std::string_view name) {
  return cat("func.func ", words, " @", name,
             "(%a: tensor<2xf32>) -> tensor<2xf32> { return %a : tensor<2xf32> }\n");
}

TEST_CASE("a quote that ends the file is no string") {
  const Result<hlo::Module> module = read_program("\"");
  REQUIRE_FALSE(module);
  CHECK_THAT(module.error().message, Catch::Contains("the string has no end"));
}

TEST_CASE("the entry is @main, or else the first function that is public") {
  const auto entry = [](const std::string& functions) {
    const Result<hlo::Module> module = read_program(cat("module @m {\n", functions, "}"));
    return module ? module->entry_computation().name : module.error().message;
  };
  CHECK(entry(function_of("public", "f") + function_of("public", "main")) == "main");
  CHECK(entry(function_of("public", "f") + function_of("private", "main")) == "main");
  CHECK(entry(function_of("private", "f") + function_of("public", "g") +
              function_of("public", "h")) == "g");
  CHECK(entry(function_of("private", "f") + function_of("", "g")) == "g");
  CHECK_THAT(entry(function_of("private", "f")), Catch::Contains("and none is public"));
  CHECK_THAT(entry("func.func public @f() -> tensor<f32>\n"),
             Catch::Contains("and none is public"));
}

// A module in the generic form, of one function with these attributes.
std::string generic_of(std::string_view attributes, std::string_view regions = "") {
  const std::string_view region =
      "{\n ^bb0(%a: tensor<2xf32>):\n  \"func.return\"(%a) : (tensor<2xf32>) -> ()\n }";
  return cat("\"builtin.module\"() <{sym_name = \"m\"}> ({\n \"func.func\"() <{", attributes,
             "}> (", regions.empty() ? region : regions, ") : () -> ()\n}) : () -> ()\n");
}

TEST_CASE("functions in the generic form") {
  const std::string type = "function_type = (tensor<2xf32>) -> tensor<2xf32>",
                    main = "sym_name = \"main\", ", all = main + type;
  const std::string_view lacks = "a function has sym_name, function_type and one region",
                         region =
                             "{\n ^bb0(%a: tensor<2xf32>):\n  \"func.return\"(%a) : "
                             "(tensor<2xf32>) -> ()\n }";
  check_files({
      {generic_of(all), ""},
      {generic_of("sym_name = \"f\", " + type), ""},
      {generic_of(all + ", sym_visibility = \"private\""), ""},
      {generic_of("sym_name = \"f\", " + type + ", sym_visibility = \"private\""),
       "and none is public"},
      {generic_of("sym_name = \"f\", " + type + ", sym_visibility = \"nested\""), ""},
      {generic_of(type), lacks},
      {generic_of("sym_name = \"main\""), lacks},
      {generic_of(all, cat(region, ", ", region)), lacks},
      {"\"func.func\"() <{" + all + "}> : () -> ()", lacks},
      {cat("\"func.func\"() <{", all, "}> (", region, ") : () -> ()"), ""},
      {generic_of("sym_name = \"\", " + type), "a function has a name"},
      {generic_of("sym_name = \"main\", function_type = tensor<2xf32>"), "expected '('"},
      {generic_of(all, "{\n}"), "and none is public"},
      {generic_of(all + ", arg_attrs = [{jax.arg_info = \"x\"}]"), ""},
      {generic_of(all + ", arg_attrs = [{}, {}]"), "expected ']'"},
      {generic_of(all + ", arg_attrs = []"), "attributes in braces"},
      {generic_of(all + ", res_attrs = [{jax.result_info = \"result['y']\"}]"), ""},
      {generic_of(all + ", res_attrs = [{}, {}]"), "expected ']'"},
      {generic_of(all + ", res_attrs = [x]"), "attributes in braces"},
      {generic_of(all + ", res_attrs = [{my.words = 1}]"),
       "the attribute my.words of result 0 is not understood"},
  });
}

TEST_CASE("modules in either form") {
  const std::string f = function_of("public", "main");
  const std::string_view
      generic =
          "\"func.func\"() <{sym_name = \"main\", function_type = () -> ()}> ({\n }) : () -> ()\n",
      whole =
          "\"func.func\"() <{sym_name = \"main\", function_type = "
          "(tensor<f32>) -> tensor<f32>}> ({\n ^bb0(%a: tensor<f32>):\n  "
          "\"func.return\"(%a) : (tensor<f32>) -> ()\n }) : () -> ()\n";
  check_files({
      {"module {\n" + f + "}", ""},
      {"builtin.module @m {\n" + f + "}", ""},
      {f, ""},
      {"module @m attributes {mhlo.num_replicas = 1 : i32} {\n" + f + "} loc(unknown)\n", ""},
      {"module @m { sdy.mesh @mesh = <[\"x\"=1]> {a = 1} loc(unknown)\n" + f + "}", ""},
      {"module @m { sdy.mesh @mesh = <[\"x\"=1]>\n" + f + "}", ""},
      {"module @m { sdy.net @mesh = <[\"x\"=1]>\n" + f + "}", "expected a function"},
      {"module @m { sdy.mesh = <[\"x\"=1]>\n" + f + "}", "expected '@'"},
      {"module @m { sdy.mesh @mesh <[\"x\"=1]>\n" + f + "}", "expected '='"},
      {"modules @m {\n" + f + "}", "expected a module of StableHLO"},
      {"module @ {\n" + f + "}", "the name of a symbol"},
      {"module @\"\" {\n" + f + "}", "the name of a symbol"},
      {"module @\"a b\" {\n" + f + "}", ""},
      {"module @m {\n" + f, "expected a function"},
      {function_of("public private", "main"), "expected '@'"},
      {"func.func @main(%a: tensor<f32> {x = \"", "the string is never closed"},
      {"module @\"a", "the string has no end"},
      // Its last quote is escaped, and the file ends.
      {"module @\"\\\"", "expected '{'"},
      {cat("\"builtin.module\"() ({\n", generic, "}, {\n}) : () -> ()"), "a module has one region"},
      {cat("\"builtin.module\"() ({\n \"sdy.mesh\"() <{sym_name = \"x\"}> : () -> ()\n ", whole,
           "}) : () -> ()"),
       ""},
      {cat("\"builtin.module\"() ({\n \"sdy.net\"() <{sym_name = \"x\"}> : () -> ()\n ", whole,
           "}) : () -> ()"),
       "a module of functions alone is read, and this is sdy.net"},
      {"\"builtin.module\"() : () -> ()", "a module has one region"},
      {"\"other.module\"() : () -> ()", "expected a module or a function"},
      // Names of aliases, which may stand for anything.
      {"#x = 1\n" + f, ""},
      {"# = 1\n" + f, "the name of an alias"},
      {"#x 1\n" + f, "expected '='"},
      {"#loc1 = loc(\"x\"\n" + f, "expected ')'"},
  });
}

TEST_CASE("arguments and results of functions are listed in parentheses") {
  const auto of = [](std::string_view arguments, std::string_view results) {
    return cat("func.func @main(", arguments, ") -> ", results, " { return %a : tensor<2xf32> }");
  };
  const std::string_view a = "%a: tensor<2xf32>", one = "tensor<2xf32>";
  check_files({
      {of(a, one), ""},
      {of(a, "(tensor<2xf32>)"), ""},
      {of(a, "(tensor<2xf32> {jax.result_info = \"\"})"), ""},
      {of("%a: tensor<2xf32>, %b: tensor<f32>", one), ""},
      {of("%a: tensor<2xf32> %b: tensor<f32>", one), "expected ',' or ')'"},
      {of("%a: tensor<2xf32> loc(\"x\"), %b: tensor<f32> loc(\"y\")", one), ""},
      {of("%a: tensor<2xf32> loc(\"x\"", one), "expected ',' or ')'"},
      {of("%a tensor<2xf32>", one), "expected ':'"},
      {of("%: tensor<2xf32>", one), "the name of a value"},
      {of("a: tensor<2xf32>", one), "expected '%'"},
      {of(a, "(tensor<2xf32> tensor<2xf32>)"), "expected ',' or ')'"},
      {of(a, "(tensor<2xf32>, tensor<2xf32>)"), "returns 1 values and declares 2"},
      {of(a, "tensor<2xf64>"), "is f32[2] and declared as f64[2]"},
      {of(a, "()"), "returns 1 values and declares 0"},
  });
}

std::string aliased(std::string_view type, int64_t result, std::string_view results) {
  return cat("func.func @main(%a: ", type, " {tf.aliasing_output = ", result,
             " : i32}, %b: tensor<2xf32>) -> ", results, " { return ",
             results.starts_with("(") ? "%b, %b : tensor<2xf32>, tensor<2xf32> }"
                                      : "%b : tensor<2xf32> }");
}

TEST_CASE("an argument gives its place to a result that there is, and that fits") {
  const std::string_view one = "tensor<2xf32>", two = "(tensor<2xf32>, tensor<2xf32>)";
  check_files({
      {aliased(one, 0, one), ""},
      {aliased(one, 1, two), ""},
      {aliased("tensor<2xi32>", 0, one), ""},
      {aliased(one, -1, one), "tf.aliasing_output is -1, and there are 1 results"},
      {aliased(one, -2, one), "tf.aliasing_output is -2, and there are 1 results"},
      {aliased(one, 1, one), "tf.aliasing_output is 1, and there are 1 results"},
      {aliased(one, 2, two), "tf.aliasing_output is 2, and there are 2 results"},
      {aliased("tensor<3xf32>", 0, one), "which does not fit"},
      {aliased("tuple<tensor<2xf32>>", 0, one), "which does not fit"},
  });
  const auto index = [](const std::string& text) {
    const Result<hlo::Module> module = read_program(text);
    REQUIRE(module);
    REQUIRE(module->aliases.size() == 1);
    return module->aliases[0].output_index;
  };
  // The whole result where it is the only one.
  CHECK(index(aliased(one, 0, one)).empty());
  CHECK(index(aliased(one, 0, two)) == std::vector<int64_t>{0});
  CHECK(index(aliased(one, 1, two)) == std::vector<int64_t>{1});
}

// The only constant of a program with this section of resources behind it.
std::string resource_file(std::string_view type, std::string_view section,
                          std::string_view name = "w") {
  return cat("module @m { func.func @main() -> tensor<", type,
             "> {\n %0 = stablehlo.constant dense_resource<", name, "> : tensor<", type,
             ">\n return %0 : tensor<", type, "> } }\n", section);
}

TEST_CASE("resources stand behind the module") {
  const auto blob = [](std::string_view digits) {
    return cat("{-# dialect_resources: { builtin: { w: \"0x", digits, "\" } } #-}");
  };
  check_files({
      {resource_file("2xi8", blob("040000000102")), ""},
      {resource_file("0xi8", blob("04000000")), ""},
      {resource_file("0xi8", blob("0400000")), "the resource is too short"},
      {resource_file("2xi8", blob("0400000")), "the resource is too short"},
      {resource_file("2xi8", blob("04000000")), "the blob has 0 bytes"},
      {resource_file("2xi8", blob("04000000010203")), "the blob has 3 bytes"},
      {resource_file("2xi8", "{-# dialect_resources: { builtin: { w: \"040000000102\" } } #-}"),
       "expected '\"0x'"},
      {resource_file("2xi8",
                     "{-# dialect_resources: { x: {}, builtin: { v: \"0x\", \"w\": "
                     "\"0x040000000102\" }, y: {} } #-}"),
       ""},
      {resource_file("2xi8", blob("040000000102"), "\"w\""), ""},
      {resource_file("2xi8", blob("040000000102"), "v"), "no resource called v"},
      {resource_file("3xi8", blob("0400000007")), ""},
      {resource_file("2xi8", blob("040000000102"), "\"w\" "), ""},
      {resource_file("2xi8", blob("040000000102"), "\"w\", 1"), "expected '>'"},
      {resource_file("2xi8", "{-# dialect_resources { } #-}"), "expected ':'"},
      {resource_file("2xi8", "{-# dialect_resources: builtin #-}"), "expected '{'"},
      {resource_file("2xi8", "{-# dialect_resources: { : { } } #-}"), "the name of a dialect"},
      {resource_file("2xi8", "{-# dialect_resources: { builtin { } } #-}"), "expected ':'"},
      {resource_file("2xi8", "{-# dialect_resources: { builtin: { : \"0x\" } } #-}"),
       "the name of a resource"},
      {resource_file("2xi8", "{-# dialect_resources: { builtin: { \"\": \"0x\" } } #-}"),
       "the name of a resource"},
      {resource_file("2xi8", "{-# dialect_resources: { builtin: { w \"0x\" } } #-}"),
       "expected ':'"},
      {resource_file("2xi8", "{-# dialect_resources: { builtin: { w: \"0x\" } }"), "expected ':'"},
  });
}

TEST_CASE("a resource of one element is that number in every place") {
  const Result<hlo::Module> module = read_program(
      resource_file("3xi8", "{-# dialect_resources: { builtin: { w: \"0x0400000007\" } } #-}"));
  REQUIRE(module);
  CHECK(root_of(*module) == "s8[3]{0} constant({7, 7, 7})");
}

}  // namespace
}  // namespace hlocc::tests
