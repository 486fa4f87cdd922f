// Parser: one operation in either form, and regions of them.
#include "import/limits.h"
#include "import/stablehlo/op_table.h"
#include "import/stablehlo/parser.h"
#include "import/stablehlo/types.h"
#include "support/budget.h"
#include "support/text.h"

namespace hlocc::import::stablehlo {
namespace {

constexpr int64_t kNodeWork = 100;
constexpr int64_t kMostResults = 1 << 16;

// What a pretty form calls an attribute, as the generic form does: `pretty` is "dims:permutation".
std::string_view generic_name(std::string_view pretty, std::string_view name) {
  for (size_t at = 0; at < pretty.size();) {
    const std::string_view pair = pretty.substr(at, pretty.find(' ', at) - at);
    at += pair.size() + 1;
    const size_t colon = pair.find(':');
    if (pair.substr(0, colon) == name) return pair.substr(colon + 1);
  }
  return name;
}

}  // namespace

const Attribute* Node::find(std::string_view attribute) const {
  for (const Attribute& one : attributes)
    if (one.name == attribute) return &one;
  return nullptr;
}

Status Parser::charge(size_t bytes) {
  const auto grows = [] { return std::string_view("the program that the file holds"); };
  HLOCC_TRY(charge_work(kNodeWork, grows));
  return charge_memory(static_cast<int64_t>(bytes), grows);
}

Result<Node> Parser::operation() {
  Node node;
  HLOCC_TRY(charge(2 * sizeof(Node)));
  if (cursor_.peek() == '%') HLOCC_TRY(results(node));
  cursor_.skip_space();
  node.at = cursor_.position();
  node.line = cursor_.line();
  if (cursor_.peek() == '"') {
    HLOCC_TRY(generic(node));
  } else {
    node.name = cursor_.word();
    if (node.name.empty()) return cursor_.expected("an operation");
    if (node.name == "stablehlo.reduce")
      HLOCC_TRY(reduce(node));
    else if (node.name == "stablehlo.while")
      HLOCC_TRY(while_loop(node));
    else
      HLOCC_TRY(pretty(node));
  }
  HLOCC_TRY_ASSIGN(node.location, location());
  return node;
}

// %0:2, %values, %indices =
Status Parser::results(Node& node) {
  int64_t total = 0;
  do {
    Definition one;
    HLOCC_TRY_ASSIGN(one.name, parse_value_name(source_));
    if (cursor_.accept(":")) {
      HLOCC_TRY_ASSIGN(one.count, cursor_.integer());
    }
    total += one.count;
    if (one.count < 1 || total > kMostResults)
      return cursor_.fail(DiagnosticKind::kLimit, cat("an operation has at most ", kMostResults,
                                                      " results, and each name one at least"));
    node.results.push_back(one);
  } while (cursor_.accept(","));
  return cursor_.expect("=");
}

Status Parser::use(Node& node) {
  cursor_.skip_space();
  Use one{.at = cursor_.position()};
  HLOCC_TRY_ASSIGN(one.name, parse_value_name(source_));
  if (cursor_.accept("#")) {
    HLOCC_TRY_ASSIGN(one.index, cursor_.integer());
  }
  HLOCC_TRY(charge(sizeof(Use)));
  node.operands.push_back(one);
  return {};
}

// "dialect.op"(%x, %y) <{properties}> ({region}, {region}) {attributes} : types
Status Parser::generic(Node& node) {
  const size_t begin = cursor_.position() + 1;
  HLOCC_TRY(parse_string(source_));
  node.name = source_.text.substr(begin, cursor_.position() - 1 - begin);
  HLOCC_TRY(cursor_.expect("("));
  while (!cursor_.accept(")")) {
    HLOCC_TRY(use(node));
    if (!cursor_.accept(",") && !cursor_.looking_at(")")) return cursor_.expected("',' or ')'");
  }
  if (cursor_.looking_at("<{")) HLOCC_TRY(parse_attributes(source_, "<{", "}>", node.attributes));
  if (cursor_.accept("(")) {
    do {
      HLOCC_TRY_ASSIGN(Region one, region());
      node.regions.push_back(std::move(one));
    } while (cursor_.accept(","));
    HLOCC_TRY(cursor_.expect(")"));
  }
  if (cursor_.looking_at("{")) HLOCC_TRY(parse_attributes(source_, "{", "}", node.attributes));
  HLOCC_TRY(cursor_.expect(":"));
  HLOCC_TRY(parse_type_list(source_, node.operand_types));
  HLOCC_TRY(cursor_.expect("->"));
  return parse_type_list(source_, node.result_types, true);
}

Status Parser::pretty(Node& node) {
  const OpRow* row = find_op(node.name);
  const std::string_view names = row != nullptr ? row->pretty : "";
  int words = 0;
  bool in_brackets = false;
  while (!cursor_.at_end() && cursor_.peek() != '}' && !cursor_.looking_at("loc(")) {
    if (cursor_.accept(":")) return types(node);
    if (!in_brackets && cursor_.accept("("))
      in_brackets = true;
    else if (in_brackets && cursor_.accept(")"))
      in_brackets = false;
    else if (!cursor_.accept(","))
      HLOCC_TRY(pretty_item(node, names, words));
  }
  if (node.results.empty() && node.operands.empty() && !in_brackets) return {};
  return cursor_.expected("':' and the types of the operation");
}

// An operand, {attributes}, name = value, or a value without a name: those are numbered.
Status Parser::pretty_item(Node& node, std::string_view pretty, int& words) {
  constexpr std::string_view kNumbers[] = {"0", "1", "2", "3"};
  constexpr std::string_view kStops = ",:{( \n";
  const char next = cursor_.peek();
  if (next == '%') return use(node);
  if (next == '{') return parse_attributes(source_, "{", "}", node.attributes);
  const size_t begin = cursor_.position();
  const std::string_view word = cursor_.word();
  std::string_view name = word;
  if (word.empty() || !cursor_.accept("=")) {
    cursor_.rewind(begin);
    if (words == std::ssize(kNumbers)) return cursor_.expected("':' and the types");
    name = kNumbers[words++];
    HLOCC_TRY_ASSIGN(Attribute value, skip_value(source_, generic_name(pretty, name), kStops));
    node.attributes.push_back(value);
    return {};
  }
  // A value may have blanks in it: [0] x [0].
  HLOCC_TRY_ASSIGN(Attribute value, skip_value(source_, generic_name(pretty, name), ",:{"));
  node.attributes.push_back(value);
  return {};
}

// (operands) -> results, operand -> results, or types alone, of which the last are the results'.
Status Parser::types(Node& node) {
  std::vector<hlo::Shape> listed;
  if (cursor_.looking_at("(")) {
    HLOCC_TRY(parse_type_list(source_, node.operand_types));
    HLOCC_TRY(cursor_.expect("->"));
    return parse_type_list(source_, node.result_types, true);
  }
  do {
    HLOCC_TRY_ASSIGN(hlo::Shape one, parse_type(source_));
    listed.push_back(std::move(one));
  } while (cursor_.accept(","));
  if (cursor_.accept("->")) {
    node.operand_types = std::move(listed);
    return parse_type_list(source_, node.result_types, true);
  }
  int64_t results = 0;
  for (const Definition& one : node.results) results += one.count;
  const auto given = static_cast<int64_t>(listed.size());
  if (given < results)
    return cursor_.fail(DiagnosticKind::kSyntax,
                        cat(node.name, " has ", results, " results and ", given, " types"));
  node.result_types.assign(listed.end() - results, listed.end());
  if (results == 0) node.operand_types = std::move(listed);
  return {};
}

// --- regions ---

Result<size_t> Parser::location() {
  if (!cursor_.accept("loc(")) return size_t{0};
  const size_t begin = cursor_.position();
  HLOCC_TRY(skip_value(source_, "loc", ""));
  HLOCC_TRY(cursor_.expect(")"));
  return begin;
}

Status Parser::argument(std::vector<Argument>& out) {
  Argument one;
  HLOCC_TRY(charge(sizeof(Argument)));
  HLOCC_TRY_ASSIGN(one.name, parse_value_name(source_));
  HLOCC_TRY(cursor_.expect(":"));
  HLOCC_TRY_ASSIGN(one.type, parse_type(source_));
  if (cursor_.peek() == '{') HLOCC_TRY(parse_attributes(source_, "{", "}", one.attributes));
  HLOCC_TRY_ASSIGN(one.location, location());
  out.push_back(std::move(one));
  return {};
}

Status Parser::arguments(std::vector<Argument>& out, std::string_view open) {
  HLOCC_TRY(cursor_.expect(open));
  while (!cursor_.accept(")")) {
    HLOCC_TRY(argument(out));
    if (!cursor_.accept(",") && !cursor_.looking_at(")")) return cursor_.expected("',' or ')'");
  }
  return {};
}

// { ^bb0(%x: type): operations }
Result<Region> Parser::region() {
  HLOCC_TRY(cursor_.expect("{"));
  Region out;
  if (cursor_.accept("^")) {
    cursor_.word();
    if (cursor_.looking_at("(")) HLOCC_TRY(arguments(out.arguments));
    HLOCC_TRY(cursor_.expect(":"));
  }
  HLOCC_TRY(body(out, "}"));
  return out;
}

Status Parser::body(Region& region, std::string_view close) {
  if (++depth_ > kMaxNesting)
    return cursor_.fail(DiagnosticKind::kLimit, cat("regions nest deeper than ", kMaxNesting));
  while (!cursor_.accept(close)) {
    if (cursor_.looking_at("^"))
      return cursor_.fail(DiagnosticKind::kUnsupported,
                          "a region of several blocks has no equivalent in HLO");
    HLOCC_TRY_ASSIGN(Node one, operation());
    region.body.push_back(std::move(one));
  }
  --depth_;
  return {};
}

}  // namespace hlocc::import::stablehlo
