// See identifiers.h.
#include "package/identifiers.h"

#include <algorithm>
#include <map>

#include "support/text.h"

namespace hlocc::package {
namespace {

using kernel::Leaf;

constexpr std::string_view kKeywords[] = {"alignas",       "alignof",     "and",
                                          "and_eq",        "asm",         "auto",
                                          "bitand",        "bitor",       "bool",
                                          "break",         "case",        "catch",
                                          "char",          "char16_t",    "char32_t",
                                          "char8_t",       "class",       "co_await",
                                          "co_return",     "co_yield",    "compl",
                                          "concept",       "const",       "const_cast",
                                          "consteval",     "constexpr",   "constinit",
                                          "continue",      "decltype",    "default",
                                          "delete",        "do",          "double",
                                          "dynamic_cast",  "else",        "enum",
                                          "explicit",      "export",      "extern",
                                          "false",         "float",       "for",
                                          "friend",        "goto",        "if",
                                          "inline",        "int",         "long",
                                          "mutable",       "namespace",   "new",
                                          "noexcept",      "not",         "not_eq",
                                          "nullptr",       "operator",    "or",
                                          "or_eq",         "private",     "protected",
                                          "public",        "register",    "reinterpret_cast",
                                          "requires",      "return",      "short",
                                          "signed",        "sizeof",      "static",
                                          "static_assert", "static_cast", "struct",
                                          "switch",        "template",    "this",
                                          "thread_local",  "throw",       "true",
                                          "try",           "typedef",     "typeid",
                                          "typename",      "union",       "unsigned",
                                          "using",         "virtual",     "void",
                                          "volatile",      "wchar_t",     "while",
                                          "xor",           "xor_eq"};

// Members that every class has.
constexpr std::string_view kFixedMembers[] = {
    "Static",   "Init",        "Run",           "error_msg",      "results",          "instance",
    "num_args", "num_results", "num_variables", "LookupArgIndex", "LookupResultIndex"};

std::vector<std::string> bases_of(const Leaf& leaf, const char* kind) {
  std::vector<std::string> out = {cat(std::string(kind), leaf.index)};
  if (!leaf.name.empty()) out.push_back(cat(std::string(kind), "_", leaf.name));
  return out;
}

// Members that one base makes, e.g. arg_x, arg_x_data, set_arg_x_data, arg_x_size, arg_x_count.
std::vector<std::string> members_of(const std::string& base) {
  return {base, base + "_data", "set_" + base + "_data", base + "_size", base + "_count"};
}

}  // namespace

bool is_cpp_keyword(std::string_view word) {
  return std::find(std::begin(kKeywords), std::end(kKeywords), word) != std::end(kKeywords);
}

std::vector<std::string> argument_bases(const Leaf& leaf) {
  std::vector<std::string> out = bases_of(leaf, "arg");
  if (leaf.donated && !leaf.name.empty()) out.push_back("var_" + leaf.name);
  return out;
}

std::vector<std::string> result_bases(const Leaf& leaf) { return bases_of(leaf, "result"); }

bool has_indexed_accessors(const std::vector<Leaf>& leaves) {
  return !leaves.empty() && std::none_of(leaves.begin(), leaves.end(), [](const Leaf& l) {
    return l.name == "data" || l.name == "size";
  });
}

Status check_identifiers(const kernel::Signature& signature) {
  std::map<std::string, std::string> made_by;
  for (std::string_view member : kFixedMembers) made_by[std::string(member)] = "every class";
  const auto take = [&](const std::string& base) -> Status {
    for (const std::string& member : members_of(base)) {
      const auto [at, is_new] = made_by.emplace(member, base);
      if (!is_new)
        return error(DiagnosticKind::kUsage, cat("the names of leaves clash: ", at->second, " and ",
                                                 base, " would both make ", member))
            .note("give one of them another name with --arg or --result");
    }
    return {};
  };
  for (const Leaf& leaf : signature.arguments)
    for (const std::string& base : argument_bases(leaf)) HLOCC_TRY(take(base));
  for (const Leaf& leaf : signature.results)
    for (const std::string& base : result_bases(leaf)) HLOCC_TRY(take(base));
  const std::string class_name = split(signature.class_name, ':').back();
  if (made_by.contains(class_name))
    return error(DiagnosticKind::kUsage,
                 cat("the class ", class_name, " would have a member of its own name"))
        .note("choose another class name with --name");
  return {};
}

}  // namespace hlocc::package
