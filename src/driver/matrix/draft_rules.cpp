// See draft.h: flags of cells, axes, rules and gates.
#include <algorithm>
#include <array>

#include "driver/matrix/draft_reader.h"
#include "support/number.h"
#include "support/suggest.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

using Kind = LocatedJson::Kind;

// Flags that a cell has from elsewhere.
constexpr std::array<std::string_view, 2> kNotForCells = {"target", "shared-arena"};

// As a cell's name and the patterns of rules have it.
std::string text_of(const LocatedJson& value) {
  if (value.kind == Kind::kTrue) return "true";
  if (value.kind == Kind::kFalse) return "false";
  return value.text;
}

}  // namespace

Status DraftReader::axes(const LocatedJson& value) {
  if (!value.is_object()) return is_no(value, "axes", "an object of arrays");
  for (const auto& [key, member] : value.members) {
    MatrixFlagValues checked;
    MatrixAxis axis{key, {}};
    if (member.items.empty()) return is_no(member, key, "an array of values");
    for (const LocatedJson& item : member.items) {
      HLOCC_TRY(add_flag(key, item, checked));
      axis.values.push_back({text_of(item), checked[key]});
    }
    std::erase_if(draft_.axes, [&](const MatrixAxis& other) { return other.key == key; });
    draft_.axes.push_back(std::move(axis));
  }
  return {};
}

Status DraftReader::options(const LocatedJson& value) {
  if (!value.is_object()) return is_no(value, "options", "an object of flags");
  for (const auto& [key, member] : value.members) HLOCC_TRY(add_flag(key, member, draft_.options));
  return {};
}

Result<ConfigValue> DraftReader::flag_value(const std::string& key, const LocatedJson& value,
                                            const std::string& pair) const {
  if (!value.is_scalar() || (value.is_string() && value.text.empty()))
    return is_no(value, key, "a string, a number, true or false, or several in an array");
  std::string text = value.text;
  if (key == "from") text = from_here(text);
  if (const size_t equal = text.rfind('='); key == "freeze" && equal != std::string::npos)
    text = text.substr(0, equal + 1) + from_here(text.substr(equal + 1));
  if (!pair.empty()) text = cat(pair, "=", text);
  return ConfigValue{cat(key.size() == 1 ? "-" : "--", key), std::move(text), at(value)};
}

Status DraftReader::add_flag(const std::string& key, const LocatedJson& value,
                             MatrixFlagValues& into) const {
  if (is_about_one_run(key) || std::ranges::find(kNotForCells, key) != kNotForCells.end())
    return wrong(value, cat("'", key, "' is no option of a cell"));
  std::vector<ConfigValue>& values = into[key];
  values.clear();
  if (value.kind == Kind::kFalse) return {};
  for (const LocatedJson& item : value.items) {
    HLOCC_TRY_ASSIGN(ConfigValue one, flag_value(key, item));
    values.push_back(std::move(one));
  }
  for (const auto& [pair, member] : value.members) {
    HLOCC_TRY_ASSIGN(ConfigValue one, flag_value(key, member, pair));
    values.push_back(std::move(one));
  }
  if (value.is_array() || value.is_object()) return {};
  HLOCC_TRY_ASSIGN(ConfigValue one, flag_value(key, value));
  values.push_back(std::move(one));
  return {};
}

Result<MatrixRule> DraftReader::rule(const LocatedJson& value, bool has_flags) const {
  MatrixRule out;
  out.where = at(value);
  if (!value.is_object()) return is_no(value, has_flags ? "include" : "exclude", "of objects");
  std::vector<std::string> names = {"model", "target"};
  for (const MatrixAxis& axis : draft_.axes) names.push_back(axis.key);
  for (const auto& [key, member] : value.members) {
    if (std::ranges::find(names, key) != names.end()) {
      if (!member.is_scalar()) return is_no(member, key, "a string or a number");
      out.match[key] = text_of(member);
    } else if (!has_flags) {
      return unknown(member, key, names);
    } else if (key == "verify") {
      if (member.kind != Kind::kTrue && member.kind != Kind::kFalse)
        return is_no(member, key, "true or false");
      out.verify = member.kind == Kind::kTrue;
    } else {
      HLOCC_TRY(add_flag(key, member, out.flags));
    }
  }
  return out;
}

Status DraftReader::include(const LocatedJson& value) {
  if (!value.is_array()) return is_no(value, "include", "an array of objects");
  for (const LocatedJson& item : value.items) {
    HLOCC_TRY_ASSIGN(MatrixRule one, rule(item, true));
    draft_.include.push_back(std::move(one));
  }
  return {};
}

Status DraftReader::exclude(const LocatedJson& value) {
  if (!value.is_array()) return is_no(value, "exclude", "an array of objects");
  for (const LocatedJson& item : value.items) {
    HLOCC_TRY_ASSIGN(MatrixRule one, rule(item, false));
    draft_.exclude.push_back(std::move(one));
  }
  return {};
}

Status DraftReader::verify(const LocatedJson& value) {
  if (value.kind != Kind::kTrue && value.kind != Kind::kFalse)
    return is_no(value, "verify", "true or false");
  draft_.verify = value.kind == Kind::kTrue;
  return {};
}

Status DraftReader::gates(const LocatedJson& value) {
  if (!value.is_object()) return is_no(value, "gates", "an object of percentages");
  struct Row {
    const char* name;
    std::optional<double>& into;
  };
  MatrixGates& gates = draft_.gates;
  const Row rows[] = {
      {"ram", gates.ram}, {"flash", gates.flash}, {"stack", gates.stack}, {"cycles", gates.cycles}};
  for (const auto& [key, member] : value.members) {
    const auto row = std::ranges::find_if(rows, [&](const Row& one) { return one.name == key; });
    if (row == std::end(rows)) return unknown(member, key, {"ram", "flash", "stack", "cycles"});
    const std::optional<double> percent = to_real(member.text);
    if (member.kind != Kind::kNumber || !percent || *percent < 0)
      return is_no(member, key, "a percentage");
    row->into = *percent;
  }
  return {};
}

}  // namespace hlocc::driver
