// See identifiers.h.
#include "package/identifiers.h"

#include <algorithm>

#include "support/check.h"
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
constexpr std::string_view kFixedMembers[] = {"Static",
                                              "Init",
                                              "Run",
                                              "error_msg",
                                              "results",
                                              "instance",
                                              "num_args",
                                              "num_results",
                                              "num_variables",
                                              "LookupArgIndex",
                                              "LookupResultIndex",
                                              "Reset",
                                              "Checkpoint",
                                              "Restore",
                                              "Did",
                                              "Same"};

std::vector<std::string> bases_of(const Leaf& leaf, const char* kind) {
  std::vector<std::string> out = {cat(std::string(kind), leaf.index)};
  const std::vector<std::string> named = named_bases(leaf, leaf.name, kind);
  if (!leaf.name.empty()) out.insert(out.end(), named.begin(), named.end());
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

bool is_member_of_every_class(std::string_view word) {
  return std::find(std::begin(kFixedMembers), std::end(kFixedMembers), word) !=
         std::end(kFixedMembers);
}

std::vector<std::string> named_bases(const Leaf& leaf, const std::string& name,
                                     std::string_view kind) {
  std::vector<std::string> out = {cat(kind, "_", name)};
  if (leaf.donated && kind == "arg") out.push_back("var_" + name);
  return out;
}

std::vector<std::string> argument_bases(const Leaf& leaf) { return bases_of(leaf, "arg"); }

std::vector<std::string> result_bases(const Leaf& leaf) { return bases_of(leaf, "result"); }

bool has_indexed_accessors(const std::vector<Leaf>& leaves) {
  return !leaves.empty() && std::none_of(leaves.begin(), leaves.end(), [](const Leaf& l) {
    return l.name == "data" || l.name == "size";
  });
}

Members::Members(const std::string& class_name) : class_name_(class_name) {
  for (std::string_view member : kFixedMembers) made_by_[std::string(member)] = "every class";
}

Status Members::take(const std::string& base) {
  for (const std::string& member : members_of(base)) {
    const auto [at, is_new] = made_by_.emplace(member, base);
    if (!is_new)
      return error(DiagnosticKind::kUsage, cat("the names of leaves clash: ", at->second, " and ",
                                               base, " would both make ", member))
          .note("give one of them another name with --arg or --result");
  }
  return {};
}

bool Members::take_if_free(const std::vector<std::string>& bases) {
  std::vector<std::string> members;
  for (const std::string& base : bases)
    for (std::string& member : members_of(base)) members.push_back(std::move(member));
  for (const std::string& member : members)
    if (made_by_.contains(member) || member == class_name_) return false;
  for (const std::string& base : bases) HLOCC_CHECK(take(base).ok(), "free names clash");
  return true;
}

Result<Members> check_identifiers(const kernel::Signature& signature) {
  const std::string class_name = split(signature.class_name, ':').back();
  Members members(class_name);
  for (const Leaf& leaf : signature.arguments)
    for (const std::string& base : argument_bases(leaf)) HLOCC_TRY(members.take(base));
  for (const Leaf& leaf : signature.results)
    for (const std::string& base : result_bases(leaf)) HLOCC_TRY(members.take(base));
  if (members.contains(class_name))
    return error(DiagnosticKind::kUsage,
                 cat("the class ", class_name, " would have a member of its own name"))
        .note("choose another class name with --name");
  return members;
}

}  // namespace hlocc::package
