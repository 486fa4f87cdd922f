// The same as forms_test.cpp of what stands in operations: constants, types, strings, as many
// operands and results as an operation has.
#include "stablehlo/programs.h"

namespace hlocc::tests {
namespace {

// A constant of that type, as the text between dense< and >.
std::string constant_of(std::string_view type, std::string_view text) {
  return cat("stablehlo.constant dense<", text, "> : tensor<", type, ">");
}

TEST_CASE("constants of StableHLO in each form") {
  const auto check = [](std::string_view type, std::string_view text, std::string_view hlo) {
    check_forms({{"f32", type, constant_of(type, text), hlo}});
  };
  check("3xi8", "[1, -2, 3]", "s8[3]{0} constant({1, -2, 3})");
  check("2x2xi32", "[[1, 2], [3, 4]]", "s32[2,2]{1,0} constant({ {1, 2}, {3, 4} })");
  check("0xi8", "", "s8[0]{0} constant({})");
  check("0xi8", "1", "s8[0]{0} constant({})");
  check("2xi1", "[true, false]", "pred[2]{0} constant({true, false})");
  check("2xcomplex<f32>", "[(1.0, 2.0), (3.0, -4.0)]", "c64[2]{0} constant({(1, 2), (3, -4)})");
  // Bytes as hexadecimal digits of either case, and numbers of several of them, low end first.
  check("5xi8", "\"0x7fFAafA009\"", "s8[5]{0} constant({127, -6, -81, -96, 9})");
  check("2xi16", "\"0x0100FFFF\"", "s16[2]{0} constant({1, -1})");
  check("2xi4", "\"0x0F01\"", "s4[2]{0} constant({-1, 1})");
  check("2xui4", "\"0x0F01\"", "u4[2]{0} constant({15, 1})");
  // Truth values as bits, low end first, or as bytes.
  check("9xi1", "\"0x0501\"",
        "pred[9]{0} constant({true, false, true, false, false, false, false, false, true})");
  check("3xi1", "\"0x010001\"", "pred[3]{0} constant({true, false, true})");
  // The bits of one number.
  check("f32", "0x7F800000", "f32[] constant(inf)");
  check("f32", "0X3F800000", "f32[] constant(1)");
  check("i8", "0xFF", "s8[] constant(-1)");
  check("i64", "0xFFFFFFFFFFFFFFFE", "s64[] constant(-2)");
  check("i4", "0xF", "s4[] constant(-1)");
  // One truth value, whichever bits are set.
  check("i1", "\"0x00\"", "pred[] constant(false)");
  check("i1", "\"0x01\"", "pred[] constant(true)");
  check("i1", "\"0xFF\"", "pred[] constant(true)");
}

TEST_CASE("constants of StableHLO that are refused") {
  const auto check = [](std::string_view type, std::string_view text, std::string_view message) {
    check_refused({{"f32", type, constant_of(type, text), message}});
  };
  check("3xi8", "[1, 2]", "the list is not one of s8[3]");
  check("3xi8", "[1, 2, 3, 4]", "the list is not one of s8[3]");
  check("2x2xi8", "[1, 2]", "the list is not one of s8[2,2]");
  check("2xi8", "[[1, 2]]", "expected a number of type s8");
  check("i8", "[1]", "the list is not one of s8[]");
  check("2xcomplex<f32>", "[1.0, 2.0]", "expected '('");
  check("2xcomplex<f32>", "[(1.0 2.0), (1.0, 2.0)]", "expected ','");
  check("2xcomplex<f32>", "[(1.0, 2.0, 3.0), (1.0, 2.0)]", "expected ')'");
  check("2xi8", "\"0x0G01\"", "hexadecimal digits");
  check("2xi8", "\"0x0`01\"", "hexadecimal digits");
  check("2xi8", "\"0x0g01\"", "hexadecimal digits");
  check("2xi8", "\"0x0@01\"", "hexadecimal digits");
  check("2xi8", "\"0x0:01\"", "hexadecimal digits");
  check("2xi8", "\"0xg001\"", "hexadecimal digits");
  check("3xi8", "\"0x0102\"", "the blob has 2 bytes, and its type 3");
  check("3xi8", "\"0x010\"", "the blob has 1 bytes, and its type 3");
  check("9xi1", "\"0x050100\"", "the blob has 3 bytes, and its type 9");
  check("9xi8", "\"0x0501\"", "the blob has 2 bytes, and its type 9");
  check("f32", "0x7F80000G", "a number of type f32");
  check("f32", "0x1007F8000", "a number of type f32");
  check("i8", "0x100", "a number of type s8");
  check("i4", "0x10", "a number of type s4");
  check("i64", "0x1FFFFFFFFFFFFFFFF", "a number of type s64");
}

// A transposition with this permutation.
std::string transposed(std::string_view permutation) {
  return cat("\"stablehlo.transpose\"(%a) <{permutation = ", permutation,
             "}> : (tensor<2x3xf32>) -> tensor<3x2xf32>");
}

TEST_CASE("lists of integers in each spelling") {
  const auto check = [](std::string_view list) {
    check_forms(
        {{"2x3xf32", "3x2xf32", transposed(list), "f32[3,2]{1,0} transpose(a), dimensions={1,0}"}});
  };
  for (const char* list : {"[1, 0]", "array<i64: 1, 0>", "dense<[1, 0]> : tensor<2xi64>",
                           "dense<[true, false]> : tensor<2xi1>", "[1 : i64, 0 : i64]",
                           "[true, false]", "array<i32: 1, 0>"})
    check(list);
  const auto refused = [](std::string_view list, std::string_view message) {
    check_refused({{"2x3xf32", "3x2xf32", transposed(list), message}});
  };
  refused("dense<[1.0, 0.0]> : tensor<2xf32>", "a list of integers");
  refused("dense<[(1, 0), (0, 0)]> : tensor<2xcomplex<f32>>", "a list of integers");
  refused("[1.5, 0]", "an integer");
  refused("[yes, false]", "an integer");
  refused("array<i64 1, 0>", "expected ':'");
  refused("array[1, 0]", "expected '<'");
  refused("array<i64>", "stablehlo.transpose: ");
  refused("(1, 0)", "expected '['");
  refused("dense<[1, 0]>", "expected ':'");
}

TEST_CASE("lists of integers have a million numbers at most") {
  constexpr int64_t kMost = 1 << 20;
  const auto dense = [](int64_t count) { return cat("dense<0> : tensor<", count, "xi64>"); };
  const auto listed = [](int64_t count) {
    std::string out = "[0";
    for (int64_t i = 1; i < count; ++i) out += ",0";
    return out + "]";
  };
  const std::string_view rule = "stablehlo.transpose: ";
  check_refused({{"2x3xf32", "3x2xf32", transposed(dense(kMost)), rule},
                 {"2x3xf32", "3x2xf32", transposed(dense(kMost + 1)), "a list of integers"}});
  const auto message = [](const std::string& list) {
    return read_op("2x3xf32", "3x2xf32", transposed(list)).error().message.substr(0, 60);
  };
  CHECK_THAT(message(listed(kMost)), Catch::Contains(std::string(rule)));
  CHECK_THAT(message(listed(kMost + 1)), Catch::Contains("a shorter list"));
}

TEST_CASE("an attribute may be an alias that the file defines") {
  const auto aliased = [](std::string_view value) {
    return read_program(cat("#p = ", value,
                            "\nfunc.func @main(%a: tensor<2x3xf32>) -> tensor<3x2xf32> {\n %0 = ",
                            transposed("#p"), "\n return %0 : tensor<3x2xf32> }\n"));
  };
  const Result<hlo::Module> module = aliased("array<i64: 1, 0>");
  REQUIRE(module);
  CHECK(root_of(*module) == "f32[3,2]{1,0} transpose(a), dimensions={1,0}");
  CHECK_THAT(aliased("x").error().message, Catch::Contains("expected '['"));
  check_refused({{"2x3xf32", "3x2xf32", transposed("#p"), "expected '['"}});
}

TEST_CASE("types of StableHLO that are refused") {
  const auto check = [](std::string_view type, std::string_view message) {
    check_refused({{"2xf32", "2xf32", cat("stablehlo.abs %a : ", type), message}});
  };
  check("tensor<*xf32>", "known only at run time");
  check("tensor<2x?xf32>", "known only at run time");
  check("tensor<2f32>", "'x' and an element type");
  check("tensor<2xf32", "'>'");
  check("tensor<2xf31>", "elements of type f31");
  check("tuple<tensor<2xf32> tensor<2xf32>>", "',' or '>'");
  check("!stablehlo.tokens", "stablehlo.abs");
  const auto tuples = [](int count) {
    std::string out = "tensor<2xf32>";
    for (int i = 0; i < count; ++i) out = cat("tuple<", out, ">");
    return out;
  };
  check(tuples(100), "stablehlo.abs gives f32[2], and its type says");
  check(tuples(101), "types nest deeper than 100");
  check("tensor", "'<'");
}

TEST_CASE("strings of StableHLO have MLIR's escapes") {
  const auto config = [](std::string_view text, std::string_view hlo) {
    check_forms({{"2xf32", "2xf32",
                  cat("stablehlo.custom_call @f(%a) {backend_config = \"", text,
                      "\"} : (tensor<2xf32>) -> tensor<2xf32>"),
                  cat("f32[2]{0} custom-call(a), custom_call_target=\"f\", "
                      "api_version=API_VERSION_ORIGINAL, backend_config=\"",
                      hlo, "\"")}});
  };
  config("a b", "a b");
  config("\\41\\4f\\4Fx", "AOOx");
  config("\\4g", "4g");
  config("\\g4", "g4");
  config("\\4@", "4@");
  config("\\4`", "4`");
  config("\\40x", "@x");
  config("\\09x", "\\tx");
  config("a\\4", "a4");
  config("\\61\\7A", "az");
  config("\\22", "\\\"");
  config("\\\"", "\\\"");
  // The name of a symbol may be one.
  check_forms(
      {{"2xf32", "2xf32",
        "stablehlo.custom_call @\"f \\41\"(%a) : (tensor<2xf32>) -> tensor<2xf32>",
        "f32[2]{0} custom-call(a), custom_call_target=\"f A\", "
        "api_version=API_VERSION_ORIGINAL"},
       {"2xf32", "2xf32", "stablehlo.custom_call @f$g.h-1_2(%a) : (tensor<2xf32>) -> tensor<2xf32>",
        "f32[2]{0} custom-call(a), custom_call_target=\"f$g.h-1_2\", "
        "api_version=API_VERSION_ORIGINAL"}});
}

TEST_CASE("operations of chlo that take floating-point numbers refuse all others") {
  const auto refused = [](std::string_view arguments, std::string_view result,
                          const std::string& op) {
    check_refused({{arguments, result, op, "takes floating-point numbers"}});
  };
  for (const std::string_view type : {"2xi32", "2xi1", "2xcomplex<f64>"}) {
    for (const std::string_view name : {"is_inf", "is_pos_inf", "is_neg_inf"})
      refused(type, "2xi1", cat("chlo.", name, " %a : tensor<", type, "> -> tensor<2xi1>"));
    refused(type, type,
            cat("chlo.next_after %a, %a : tensor<", type, ">, tensor<", type, "> -> tensor<", type,
                ">"));
  }
  for (const std::string_view name : {"acos", "sinh", "digamma"})
    refused("2xi32", "2xi32", cat("chlo.", name, " %a : tensor<2xi32> -> tensor<2xi32>"));
  refused("2xf32 2xi32", "2xf32",
          "chlo.next_after %a, %b : tensor<2xf32>, tensor<2xi32> -> tensor<2xf32>");
}

TEST_CASE("operands and results that an operation lacks") {
  check_refused({
      {"8xf32", "8xf32",
       "\"stablehlo.sort\"() ({\n ^bb0(%x: tensor<f32>, %y: tensor<f32>):\n stablehlo.return %x : "
       "tensor<f32>\n }) : () -> tensor<8xf32>",
       "stablehlo.sort: has no operands"},
      {"f32", "2xf32",
       "\"stablehlo.rng\"(%a, %a) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : "
       "(tensor<f32>, tensor<f32>) -> tensor<2xf32>",
       "has 2 operands and takes 3"},
      {"2xf32", "2xi1", "chlo.is_inf %a, %a : tensor<2xf32>, tensor<2xf32> -> tensor<2xi1>",
       "has 2 operands and takes 1"},
      {"2xf32", "2xi1", "chlo.is_pos_inf %a, %a : tensor<2xf32>, tensor<2xf32> -> tensor<2xi1>",
       "has 2 operands and takes 1"},
      {"2xf32", "2xi1", "chlo.is_neg_inf %a, %a : tensor<2xf32>, tensor<2xf32> -> tensor<2xi1>",
       "has 2 operands and takes 1"},
      {"2xf32", "2xf32", "chlo.next_after %a : tensor<2xf32> -> tensor<2xf32>",
       "has 1 operands and takes 2"},
      {"2xf32", "2xf32", "chlo.zeta %a : tensor<2xf32> -> tensor<2xf32>",
       "has 1 operands and takes 2"},
      {"2xf32", "2xf32", "chlo.polygamma %a : tensor<2xf32> -> tensor<2xf32>",
       "has 1 operands and takes 2"},
      {"i1 2xf32", "2xf32",
       "\"stablehlo.case\"(%a, %b) ({\n stablehlo.return %b : tensor<2xf32>\n }) : (tensor<i1>, "
       "tensor<2xf32>) -> tensor<2xf32>",
       "has 2 operands and takes 1"},
      {"2xf32 f32", "4xf32",
       "stablehlo.pad %a, %b, low = [1], high = [1, 1], interior = [0] : (tensor<2xf32>, "
       "tensor<f32>) -> tensor<4xf32>",
       "has another number of entries than the others"},
      // Names of HLO's own, and a complex type without its bracket.
      {"2xf32", "2xf32", "stablehlo.convert %a : (tensor<2xf32>) -> tensor<2xs32>",
       "elements of type s32 have no equivalent in HLO"},
      {"2xf32", "2xf32", "stablehlo.convert %a : (tensor<2xf32>) -> tensor<2xcomplex f32>>",
       "elements of type complex have no equivalent in HLO"},
      // More results than the operation gives, or fewer.
      {"2xf32", "2xf32",
       "stablehlo.negate %a : tensor<2xf32>\n %1:2 = \"stablehlo.negate\"(%a) : (tensor<2xf32>) -> "
       "(tensor<2xf32>, tensor<2xf32>)",
       "stablehlo.negate gives f32[2], and its type says (f32[2], f32[2])"},
      {"8xf32 8xi32", "8xf32",
       "\"stablehlo.sort\"(%a, %b) ({\n ^bb0(%x: tensor<f32>, %y: tensor<f32>, %i: tensor<i32>, "
       "%j: tensor<i32>):\n %1 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> "
       "tensor<i1>\n stablehlo.return %1 : tensor<i1>\n }) : (tensor<8xf32>, tensor<8xi32>) -> "
       "(tensor<8xf32>, tensor<8xi32>)",
       "stablehlo.sort gives (f32[8], s32[8]), and its type says (f32[8], s32[8])"},
      {"2xf32", "2xf32",
       "stablehlo.negate %a : tensor<2xf32>\n %1:2 = \"stablehlo.negate\"(%a) : (tensor<2xf32>) -> "
       "tensor<2xf32>",
       "stablehlo.negate gives f32[2], and its type says f32[2]"},
      {"8xf32 8xi32", "8xf32",
       "\"stablehlo.sort\"(%a, %b) ({\n ^bb0(%x: tensor<f32>, %y: tensor<f32>, %i: tensor<i32>, "
       "%j: tensor<i32>):\n %1 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> "
       "tensor<i1>\n stablehlo.return %1 : tensor<i1>\n }) : (tensor<8xf32>, tensor<8xi32>) -> "
       "tensor<8xf32>",
       "stablehlo.sort gives (f32[8], s32[8]), and its type says f32[8]"},
      {"2xf32", "2xf32", "\"stablehlo.convert\"(%a) : (tensor<2xf32>) -> ()",
       "has 0 results, and result 0 is needed"},
  });
}

}  // namespace
}  // namespace hlocc::tests
