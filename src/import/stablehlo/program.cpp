// Parser: the file as a whole. A module, its functions, aliases of locations before and behind it,
// and the section of resources at its end.
#include "import/limits.h"
#include "import/stablehlo/parser.h"
#include "import/stablehlo/types.h"
#include "support/text.h"

namespace hlocc::import::stablehlo {

Result<Program> Parser::program() {
  Program program;
  while (!cursor_.at_end()) HLOCC_TRY(top_level(program));
  if (program.functions.empty())
    return cursor_.fail(DiagnosticKind::kStructure, "the file has no function");
  return program;
}

Status Parser::top_level(Program& program) {
  if (cursor_.looking_at("#")) return alias();
  if (cursor_.looking_at("{-#")) return resources();
  if (cursor_.peek_word() == "module" || cursor_.peek_word() == "builtin.module")
    return module(program);
  if (cursor_.peek_word() == "func.func") return function(program);
  if (cursor_.peek() != '"') return cursor_.expected("a module of StableHLO");
  HLOCC_TRY_ASSIGN(Node node, operation());
  if (node.name == "builtin.module") return generic_module(program, std::move(node));
  if (node.name != "func.func")
    return source_.fail_at(node.at, DiagnosticKind::kSyntax, "expected a module or a function");
  HLOCC_TRY_ASSIGN(Function one, generic_function(std::move(node)));
  program.functions.push_back(std::move(one));
  return {};
}

// #loc3 = loc(...)
Status Parser::alias() {
  const size_t begin = cursor_.position();
  cursor_.accept("#");
  if (cursor_.word().empty()) return cursor_.expected("the name of an alias");
  const std::string_view name = cursor_.since(begin);
  HLOCC_TRY(cursor_.expect("="));
  const bool is_location = cursor_.accept("loc(");
  cursor_.skip_space();
  HLOCC_TRY(charge(sizeof(size_t) * 8));
  source_.aliases[name] = cursor_.position();
  if (is_location) source_.locations.push_back(name);
  HLOCC_TRY(skip_value(source_, name, is_location ? "" : "\n"));
  return is_location ? cursor_.expect(")") : Status();
}

// module @name attributes {...} { functions } loc(...)
Status Parser::module(Program& program) {
  cursor_.word();
  if (cursor_.looking_at("@")) {
    HLOCC_TRY_ASSIGN(program.name, parse_symbol(source_));
  }
  if (cursor_.accept_word("attributes"))
    HLOCC_TRY(parse_attributes(source_, "{", "}", program.attributes));
  HLOCC_TRY(cursor_.expect("{"));
  while (!cursor_.accept("}")) HLOCC_TRY(module_body(program));
  HLOCC_TRY(location());
  return {};
}

// A function, or a mesh of devices, which says where a program runs and not what it computes.
Status Parser::module_body(Program& program) {
  const std::string_view word = cursor_.peek_word();
  if (word == "func.func") return function(program);
  if (word != "sdy.mesh") return cursor_.expected("a function");
  cursor_.word();
  HLOCC_TRY(parse_symbol(source_));
  HLOCC_TRY(cursor_.expect("="));
  HLOCC_TRY(skip_value(source_, word, " \n"));
  std::vector<Attribute> ignored;
  if (cursor_.peek() == '{') HLOCC_TRY(parse_attributes(source_, "{", "}", ignored));
  HLOCC_TRY(location());
  return {};
}

Status Parser::generic_module(Program& program, Node node) {
  if (const Attribute* name = node.find("sym_name")) {
    const size_t here = cursor_.position();
    cursor_.rewind(name->at);
    HLOCC_TRY_ASSIGN(program.name, parse_string(source_));
    cursor_.rewind(here);
  }
  program.attributes = node.attributes;
  if (node.regions.size() != 1)
    return source_.fail_at(node.at, DiagnosticKind::kSyntax, "a module has one region");
  for (Node& inside : node.regions[0].body) {
    if (inside.name == "sdy.mesh") continue;
    if (inside.name != "func.func")
      return source_.fail_at(inside.at, DiagnosticKind::kUnsupported,
                             cat("a module of functions alone is read, and this is ", inside.name));
    HLOCC_TRY_ASSIGN(Function one, generic_function(std::move(inside)));
    program.functions.push_back(std::move(one));
  }
  return {};
}

// --- functions ---

// func.func public @main(%arg0: type {...} loc(...)) -> (type {...}) attributes {...} {...}
Status Parser::function(Program& program) {
  Function out{.at = cursor_.position()};
  cursor_.word();
  out.is_public = cursor_.accept_word("public");
  const bool is_private = !out.is_public && cursor_.accept_word("private");
  out.is_public |= !is_private;
  HLOCC_TRY_ASSIGN(out.name, parse_symbol(source_));
  HLOCC_TRY(arguments(out.region.arguments));
  if (cursor_.accept("->")) HLOCC_TRY(function_results(out));
  std::vector<Attribute> ignored;
  if (cursor_.accept_word("attributes")) HLOCC_TRY(parse_attributes(source_, "{", "}", ignored));
  out.has_body = cursor_.accept("{");
  if (out.has_body) HLOCC_TRY(body(out.region, "}"));
  HLOCC_TRY(location());
  program.functions.push_back(std::move(out));
  return {};
}

Status Parser::function_results(Function& function) {
  if (!cursor_.accept("(")) return parse_type_list(source_, function.result_types, true);
  while (!cursor_.accept(")")) {
    HLOCC_TRY_ASSIGN(hlo::Shape one, parse_type(source_));
    function.result_types.push_back(std::move(one));
    function.result_attributes.emplace_back();
    if (cursor_.peek() == '{')
      HLOCC_TRY(parse_attributes(source_, "{", "}", function.result_attributes.back()));
    if (!cursor_.accept(",") && !cursor_.looking_at(")")) return cursor_.expected("',' or ')'");
  }
  return {};
}

Result<Function> Parser::generic_function(Node node) {
  const size_t here = cursor_.position();
  Function out{.is_public = true, .at = node.at};
  const Attribute *name = node.find("sym_name"), *type = node.find("function_type");
  if (name == nullptr || type == nullptr || node.regions.size() != 1)
    return source_.fail_at(node.at, DiagnosticKind::kSyntax,
                           "a function has sym_name, function_type and one region");
  cursor_.rewind(name->at);
  HLOCC_TRY_ASSIGN(out.name, parse_string(source_));
  if (out.name.empty())
    return source_.fail_at(name->at, DiagnosticKind::kSyntax, "a function has a name");
  if (const Attribute* visibility = node.find("sym_visibility")) {
    cursor_.rewind(visibility->at);
    HLOCC_TRY_ASSIGN(const std::string word, parse_string(source_));
    out.is_public = word != "private";
  }
  cursor_.rewind(type->at);
  std::vector<hlo::Shape> arguments;
  HLOCC_TRY(parse_type_list(source_, arguments));
  HLOCC_TRY(cursor_.expect("->"));
  HLOCC_TRY(parse_type_list(source_, out.result_types, true));
  out.region = std::move(node.regions[0]);
  out.has_body = !out.region.body.empty();
  if (const Attribute* list = node.find("arg_attrs")) {
    HLOCC_TRY_ASSIGN(auto each, attribute_lists(*list, out.region.arguments.size()));
    for (size_t i = 0; i < each.size(); ++i)
      out.region.arguments[i].attributes = std::move(each[i]);
  }
  if (const Attribute* list = node.find("res_attrs")) {
    HLOCC_TRY_ASSIGN(out.result_attributes, attribute_lists(*list, out.result_types.size()));
  }
  cursor_.rewind(here);
  return out;
}

// [{...}, {}], one an argument or result
Result<std::vector<std::vector<Attribute>>> Parser::attribute_lists(const Attribute& list,
                                                                    size_t count) {
  std::vector<std::vector<Attribute>> out(count);
  cursor_.rewind(list.at);
  HLOCC_TRY(cursor_.expect("["));
  for (std::vector<Attribute>& one : out) {
    if (!cursor_.looking_at("{")) return cursor_.expected("attributes in braces");
    HLOCC_TRY(parse_attributes(source_, "{", "}", one));
    cursor_.accept(",");
  }
  HLOCC_TRY(cursor_.expect("]"));
  return out;
}

// --- resources ---

// {-# dialect_resources: { builtin: { name: "0x..." } }, external_resources: {...} #-}
Status Parser::resources() {
  HLOCC_TRY(cursor_.expect("{-#"));
  while (!cursor_.accept("#-}")) {
    const std::string_view section = cursor_.word();
    HLOCC_TRY(cursor_.expect(":"));
    if (section == "dialect_resources")
      HLOCC_TRY(resource_dialect());
    else
      HLOCC_TRY(skip_value(source_, section, ",#"));
    cursor_.accept(",");
  }
  return {};
}

Status Parser::resource_dialect() {
  HLOCC_TRY(cursor_.expect("{"));
  while (!cursor_.accept("}")) {
    if (cursor_.word().empty()) return cursor_.expected("the name of a dialect");
    HLOCC_TRY(cursor_.expect(":"));
    HLOCC_TRY(resource_blobs());
    cursor_.accept(",");
  }
  return {};
}

Status Parser::resource_blobs() {
  HLOCC_TRY(cursor_.expect("{"));
  while (!cursor_.accept("}")) {
    std::string name;
    if (cursor_.peek() == '"') {
      HLOCC_TRY_ASSIGN(name, parse_string(source_));
    } else {
      name = cursor_.word();
    }
    if (name.empty()) return cursor_.expected("the name of a resource");
    HLOCC_TRY(cursor_.expect(":"));
    cursor_.skip_space();
    HLOCC_TRY(charge(2 * name.size() + 64));
    source_.resources[name] = cursor_.position();
    HLOCC_TRY(skip_value(source_, "", ","));
    cursor_.accept(",");
  }
  return {};
}

}  // namespace hlocc::import::stablehlo
