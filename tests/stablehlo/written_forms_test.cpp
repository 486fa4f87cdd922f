// How operations are written: results, operands, attributes and types of the pretty form and of the
// generic one, and what differs from them in one thing.
#include "stablehlo/programs.h"

namespace hlocc::tests {
namespace {

TEST_CASE("results and operands as they are written") {
  const auto body = [](std::string_view text, std::string_view message) {
    const Result<hlo::Module> module =
        read_program(cat("module @m {\n func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n ",
                         text, "\n return %a : tensor<2xf32>\n }\n}\n"));
    INFO(text);
    INFO((module ? "" : module.error().to_string()));
    CHECK(module.ok() == message.empty());
    if (!module) CHECK_THAT(module.error().message, Catch::Contains(std::string(message)));
  };
  body("%0 = stablehlo.abs %a : tensor<2xf32>", "");
  body("%0:1 = stablehlo.abs %a : tensor<2xf32>", "");
  body("%0:0 = stablehlo.abs %a : tensor<2xf32>", "an operation has at most 65536 results");
  body("%0:-1 = stablehlo.abs %a : tensor<2xf32>", "an operation has at most 65536 results");
  body("%0:65536 = stablehlo.abs %a : tensor<2xf32>", "has 65536 results and 1 types");
  body("%0:65537 = stablehlo.abs %a : tensor<2xf32>", "an operation has at most 65536 results");
  body("%0:65535, %1:2 = stablehlo.abs %a : tensor<2xf32>", "at most 65536 results");
  body("%0, %1 = stablehlo.abs %a : tensor<2xf32>", "has 2 results and 1 types");
  body("%0 %1 = stablehlo.abs %a : tensor<2xf32>", "expected '='");
  body("%0 = stablehlo.abs %a#0 : tensor<2xf32>", "");
  body("%0 = stablehlo.abs %a#1 : tensor<2xf32>", "%a has no result 1");
  body("%0 = stablehlo.abs %a#-1 : tensor<2xf32>", "%a has no result -1");
  body("%0 = stablehlo.abs %a# : tensor<2xf32>", "an integer");
  body("= stablehlo.abs %a : tensor<2xf32>", "an operation");
  body("%0 = stablehlo.negate %a : (tensor<2xf32>) tensor<2xf32>", "expected '->'");
  body("%0 = stablehlo.negate %a : tensor<2xf32> -> tensor<2xf32>", "");
  body("%0 = stablehlo.negate %a : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)",
       "gives f32[2], and its type says (f32[2], f32[2])");
  body("%0 = stablehlo.negate %a : (tensor<2xf32>) -> ()", "and its type says ()");
  body("%0 = stablehlo.after_all : !stablehlo.token", "");
  body("%0 = stablehlo.after_all : !mhlo.token", "");
  body("%0 = stablehlo.after_all : !other.token", "a type: tensor<...>");
  body("\"stablehlo.negate\"(%a) : (tensor<2xf32>) -> tensor<2xf32>", "");
  body("\"stablehlo.tuple\"() : () -> ()", "");
  // An operation without operands, results and types, and those that have some.
  body("stablehlo.replica_id loc(unknown)", "gives u32[], and its type says ()");
  body("%0 = stablehlo.replica_id loc(unknown)", "':' and the types of the operation");
  body("stablehlo.abs %a loc(unknown)", "':' and the types of the operation");
  body("stablehlo.abs( loc(unknown)", "':' and the types of the operation");
  body("%0 = stablehlo.abs ((%a)) : tensor<2xf32>", "stablehlo.abs");
  body("%0 = stablehlo.abs (%a) : tensor<2xf32>", "");
  body("%0 = stablehlo.abs %a) : tensor<2xf32>", "a value");
  // Values without names are numbered, four at most.
  body("%0 = stablehlo.abs %a 1 2 3 4 : tensor<2xf32>", "the attribute 0 of stablehlo.abs");
  body("%0 = stablehlo.abs %a 1 2 3 4 5 : tensor<2xf32>", "expected ':' and the types, found");
  body("%0 = stablehlo.abs %a, = 3 : tensor<2xf32>", "the attribute 0 of stablehlo.abs");
  body("%0 = stablehlo.abs %a {my.words} : tensor<2xf32>", "the attribute my.words of");
  body("%0 = stablehlo.abs %a {\"my words\" = 1} : tensor<2xf32>", "the attribute my words of");
  body("%0 = stablehlo.abs %a {= 1} : tensor<2xf32>", "the name of an attribute");
  body("%0 = stablehlo.abs %a {x = 1 y = 2} : tensor<2xf32>", "the attribute x of");
  body("%0 = stablehlo.abs %a {x y} : tensor<2xf32>", "expected ',' or '}'");
  body("%0 = stablehlo.abs %a {x = } : tensor<2xf32>", "a value");
  for (const char* name :
       {"mhlo.frontend_attributes", "mhlo.sharding", "sdy.sharding", "xla_shape"})
    body(cat("%0 = stablehlo.abs %a {", name, " = \"x\"} : tensor<2xf32>"), "");
  // Values are skipped by their brackets, strings and arrows.
  body("%0 = stablehlo.abs %a {xla_shape = [{(<1>)}]} : tensor<2xf32>", "");
  body("%0 = stablehlo.abs %a {xla_shape = [{(<1)>}]} : tensor<2xf32>", "never closed");
  body("%0 = stablehlo.abs %a {xla_shape = (i1) -> i1} : tensor<2xf32>", "");
  body("%0 = stablehlo.abs %a {xla_shape = [1 -]} : tensor<2xf32>", "");
  body("%0 = stablehlo.abs %a {xla_shape = <-> } : tensor<2xf32>", "never closed");
  body("%0 = stablehlo.abs %a {xla_shape = \"\"} : tensor<2xf32>", "");
  body("%0 = stablehlo.abs %a {xla_shape = \"]\"} : tensor<2xf32>", "");
  body("%0 = stablehlo.abs %a {xla_shape = \"\\\"]\"} : tensor<2xf32>", "");
}

TEST_CASE("operations in the generic form") {
  const auto refused = [](std::string_view op, std::string_view message) {
    check_refused({{"2xf32", "2xf32", op, message}});
  };
  const std::string_view types = " : (tensor<2xf32>) -> tensor<2xf32>";
  check_forms({{"2xf32", "2xf32", cat("\"stablehlo.abs\"(%a)", types), "f32[2]{0} abs(a)"},
               {"2xf32", "2xf32", cat("\"stablehlo.abs\"(%a) {}", types), "f32[2]{0} abs(a)"},
               {"2xf32", "2xf32", cat("\"stablehlo.abs\"(%a) <{}> {}", types), "f32[2]{0} abs(a)"},
               {"2xf32", "2xf32", "\"stablehlo.abs\"(%a) : (tensor<2xf32>) -> (tensor<2xf32>)",
                "f32[2]{0} abs(a)"}});
  refused(cat("\"stablehlo.abs\" %a", types), "expected '('");
  refused(cat("\"stablehlo.abs\"(%a %a)", types), "expected ',' or ')'");
  refused(cat("\"stablehlo.abs\"(a)", types), "expected '%'");
  refused("\"stablehlo.abs\"(%a) (tensor<2xf32>) -> tensor<2xf32>", "expected '{'");
  refused("\"stablehlo.abs\"(%a) tensor<2xf32>", "expected ':'");
  refused("\"stablehlo.abs\"(%a) : tensor<2xf32>", "expected '('");
  refused("\"stablehlo.abs\"(%a) : (tensor<2xf32>) tensor<2xf32>", "expected '->'");
  refused("\"stablehlo.abs\"(%a) : (tensor<2xf32> tensor<2xf32>) -> tensor<2xf32>",
          "expected ',' or ')'");
  refused("\"stablehlo.abs\"(%a) : (tensor<2xf32>) -> (tensor<2xf32> tensor<2xf32>)",
          "expected ',' or ')'");
  refused(cat("\"stablehlo.abs\"(%a) ({ stablehlo.return %a : tensor<2xf32> }", types),
          "expected ')'");
  refused(cat("\"stablehlo.abs\"(%a) ({ ^bb0 stablehlo.return %a : tensor<2xf32> })", types),
          "expected ':'");
  refused(cat("\"stablehlo.abs\"(%a) ({ ^bb0(%x: tensor<f32> %y: tensor<f32>): })", types),
          "expected ',' or ')'");
}

// Operations that name so many operands before they ask for anything else.
TEST_CASE("operations without their operands are refused by how many they take") {
  const std::pair<std::string_view, int> rows[] = {
      {"\"chlo.asin\"()", 1},
      {"\"chlo.square\"()", 1},
      {"\"chlo.conj\"()", 1},
      {"\"chlo.is_inf\"()", 1},
      {"\"chlo.is_pos_inf\"()", 1},
      {"\"chlo.is_neg_inf\"()", 1},
      {"\"chlo.next_after\"()", 2},
      {"\"chlo.zeta\"()", 2},
      {"\"stablehlo.compare\"() <{comparison_direction = #stablehlo<comparison_direction LT>}>", 2},
      {"\"stablehlo.select\"()", 3},
      {"\"stablehlo.convert\"()", 1},
      {"\"stablehlo.broadcast\"() <{broadcast_sizes = array<i64: 2>}>", 1},
      {"\"stablehlo.broadcast_in_dim\"() <{broadcast_dimensions = array<i64>}>", 1},
      {"\"stablehlo.dot\"()", 2},
      {"\"stablehlo.convolution\"() <{dimension_numbers = #stablehlo.conv<[b, f]x[i, o]->[b, f]>, "
       "feature_group_count = 1 : i64, batch_group_count = 1 : i64}>",
       2},
      {"\"stablehlo.rng\"() <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}>", 3},
      {"\"stablehlo.case\"() ({ stablehlo.return })", 1},
      {"\"stablehlo.get_tuple_element\"() <{index = 0 : i32}>", 1},
      {"\"stablehlo.all_to_all\"() <{split_count = 1 : i64, replica_groups = dense<0> : "
       "tensor<1x1xi64>}>",
       1},
      {"\"sdy.sharding_constraint\"()", 1},
  };
  for (const auto& [op, takes] : rows)
    check_refused({{"2xf32", "2xf32", cat(op, " : () -> tensor<2xf32>"),
                    cat("has 0 operands and takes ", takes)}});
  // What is asked for one by one says so.
  check_refused({{"2xf32", "2xf32", "\"stablehlo.sort\"() ({}) : () -> tensor<2xf32>",
                  "stablehlo.sort: has no operands"}});
}

}  // namespace
}  // namespace hlocc::tests
