// Parser: the pretty forms of reduce and while, which name what is inside their regions.
#include "import/stablehlo/parser.h"
#include "import/stablehlo/types.h"
#include "support/text.h"

namespace hlocc::import::stablehlo {

// (%x init: %i), (%y init: %j) applies stablehlo.add across dimensions = [0] {...} : types
// [reducer(%a: t, %b: t) (%c: t, %d: t) {...}]
Status Parser::reduce(Node& node) {
  Node inits;
  do {
    HLOCC_TRY(cursor_.expect("("));
    HLOCC_TRY(use(node));
    HLOCC_TRY(cursor_.expect("init"));
    HLOCC_TRY(cursor_.expect(":"));
    HLOCC_TRY(use(inits));
    HLOCC_TRY(cursor_.expect(")"));
  } while (cursor_.accept(","));
  node.operands.insert(node.operands.end(), inits.operands.begin(), inits.operands.end());
  std::string_view applied;
  if (cursor_.accept_word("applies")) applied = cursor_.word();
  if (!cursor_.accept_word("across")) return cursor_.expected("'across dimensions = [...]'");
  if (!cursor_.accept_word("dimensions")) return cursor_.expected("'dimensions = [...]'");
  HLOCC_TRY(cursor_.expect("="));
  HLOCC_TRY_ASSIGN(Attribute dimensions, skip_value(source_, "dimensions", ",:{ "));
  node.attributes.push_back(dimensions);
  if (cursor_.peek() == '{') HLOCC_TRY(parse_attributes(source_, "{", "}", node.attributes));
  HLOCC_TRY(cursor_.expect(":"));
  HLOCC_TRY(types(node));
  return applied.empty() ? reducer(node) : applied_reducer(node, applied);
}

// The arguments stand in pairs, what is so far and what comes; a region has the former first.
Status Parser::reducer(Node& node) {
  if (!cursor_.accept_word("reducer")) return cursor_.expected("'reducer' or 'applies'");
  std::vector<Argument> pairs;
  while (cursor_.looking_at("(")) HLOCC_TRY(arguments(pairs));
  if (pairs.size() % 2 != 0) return cursor_.expected("pairs of arguments");
  Region region;
  for (size_t half = 0; half < 2; ++half)
    for (size_t i = half; i < pairs.size(); i += 2) region.arguments.push_back(pairs[i]);
  HLOCC_TRY(cursor_.expect("{"));
  HLOCC_TRY(body(region, "}"));
  node.regions.push_back(std::move(region));
  return {};
}

Status Parser::applied_reducer(Node& node, std::string_view op) {
  if (node.result_types.size() != 1 || !node.result_types[0].is_array())
    return cursor_.fail(DiagnosticKind::kSyntax, "'applies' reduces one array");
  const hlo::Shape scalar = hlo::Shape::scalar(node.result_types[0].element_type);
  Region region;
  region.arguments = {{.name = "lhs", .type = scalar}, {.name = "rhs", .type = scalar}};
  Node step{.name = op, .at = node.at, .line = node.line};
  step.operands = {{.name = "lhs", .at = node.at}, {.name = "rhs", .at = node.at}};
  step.results = {{.name = "out"}};
  step.result_types = {scalar};
  Node end{.name = "stablehlo.return", .at = node.at, .line = node.line};
  end.operands = {{.name = "out", .at = node.at}};
  region.body = {std::move(step), std::move(end)};
  node.regions.push_back(std::move(region));
  return {};
}

// (%iterArg = %x, ...) : types [attributes {...}] cond {...} do {...}
Status Parser::while_loop(Node& node) {
  std::vector<Argument> state;
  HLOCC_TRY(cursor_.expect("("));
  while (!cursor_.accept(")")) {
    Argument one;
    HLOCC_TRY_ASSIGN(one.name, parse_value_name(source_));
    HLOCC_TRY(cursor_.expect("="));
    HLOCC_TRY(use(node));
    state.push_back(std::move(one));
    if (!cursor_.accept(",") && !cursor_.looking_at(")")) return cursor_.expected("',' or ')'");
  }
  if (!state.empty()) HLOCC_TRY(cursor_.expect(":"));
  for (size_t i = 0; i < state.size(); ++i) {
    if (i > 0) HLOCC_TRY(cursor_.expect(","));
    HLOCC_TRY_ASSIGN(state[i].type, parse_type(source_));
    node.result_types.push_back(state[i].type);
  }
  if (cursor_.accept_word("attributes"))
    HLOCC_TRY(parse_attributes(source_, "{", "}", node.attributes));
  for (const std::string_view word : {"cond", "do"}) {
    if (!cursor_.accept_word(word)) return cursor_.expected(cat("'", word, " {'"));
    Region region{.arguments = state};
    HLOCC_TRY(cursor_.expect("{"));
    HLOCC_TRY(body(region, "}"));
    node.regions.push_back(std::move(region));
  }
  return {};
}

}  // namespace hlocc::import::stablehlo
