// See taken_names.h.
#include "package/taken_names.h"

#include "support/text.h"

namespace hlocc::package {
namespace {

struct Row {
  TakenKind kind;
  std::string_view owner, names;
};

constexpr Row kRows[] = {
#define HLOCC_TAKEN(kind, owner, names) {TakenKind::kind, owner, names},
#include "package/taken_names.def"
#undef HLOCC_TAKEN
};

// At most one '*' a name of the list.
bool matches(std::string_view pattern, std::string_view name) {
  const size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == name;
  return name.size() + 1 >= pattern.size() && name.starts_with(pattern.substr(0, star)) &&
         name.ends_with(pattern.substr(star + 1));
}

bool holds(std::string_view names, std::string_view name) {
  for (size_t begin = 0; begin < names.size();) {
    const size_t end = std::min(names.find(' ', begin), names.size());
    if (matches(names.substr(begin, end - begin), name)) return true;
    begin = end + 1;
  }
  return false;
}

}  // namespace

std::optional<std::string> owner_of(TakenKind kind, std::string_view name) {
  for (const Row& row : kRows)
    if (row.kind == kind && holds(row.names, name)) return std::string(row.owner);
  return std::nullopt;
}

std::optional<std::string> shadowed_by(const kernel::Signature& names) {
  const std::string& stem = names.stem;
  if (const auto owner = owner_of(TakenKind::kHeader, stem))
    return cat(stem, ".h would hide <", stem, ".h>, ", *owner);
  if (const auto owner = owner_of(TakenKind::kLibrary, stem))
    return cat("lib", stem, ".a would be found by -l", stem, ", ", *owner);
  std::vector<std::string> parts = split(names.class_name, ':');
  std::erase(parts, "");
  for (const std::string& part : parts)
    if (const auto owner = owner_of(TakenKind::kMacro, part)) return cat(part, " is ", *owner);
  // What stands in the global namespace: the class or its outermost namespace, and C's names.
  const std::string& prefix = names.prefix;
  for (const std::string& name :
       {parts.front(), prefix + "t", prefix + "init", prefix + "run", prefix + "reset"})
    if (const auto owner = owner_of(TakenKind::kGlobal, name)) return cat(name, " is ", *owner);
  return std::nullopt;
}

}  // namespace hlocc::package
