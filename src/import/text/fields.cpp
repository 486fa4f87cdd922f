// One overload of `parse_value` for each type of field, mirrors of those in
// ops/text/printer_attributes.cpp.
#include "import/text/fields.h"

#include <algorithm>

#include "import/replica_groups.h"
#include "import/text/list.h"
#include "import/text/shape.h"
#include "import/text/windows.h"
#include "ops/text/printer_fields.h"
#include "support/text.h"

namespace hlocc::import {
namespace {
using hlo::Dimensions;
using ops::ListOfOne;
using ops::Named;
using ops::PrecisionList;
using ops::SliceRanges;
using ops::Word;

// --- one overload a type of field ---
Status parse_value(TextCursor& cursor, int64_t& out) {
  HLOCC_TRY_ASSIGN(out, cursor.integer());
  return {};
}
Status parse_value(TextCursor& cursor, int& out) {
  HLOCC_TRY_ASSIGN(const int64_t value, cursor.integer());
  if (value != static_cast<int>(value))
    return cursor.fail(DiagnosticKind::kSyntax, "the number is out of range");
  out = static_cast<int>(value);
  return {};
}
Status parse_value(TextCursor& cursor, bool& out) {
  HLOCC_TRY_ASSIGN(out, cursor.boolean());
  return {};
}
Status parse_value(TextCursor& cursor, float& out) {
  HLOCC_TRY_ASSIGN(const double value, cursor.number());
  out = static_cast<float>(value);
  return {};
}
Status parse_value(TextCursor& cursor, std::string& out) {
  HLOCC_TRY_ASSIGN(out, cursor.quoted());
  return {};
}
Status parse_value(TextCursor& cursor, Word word) {
  word.value = cursor.word();
  return {};
}
Status parse_value(TextCursor& cursor, Dimensions& out) {
  HLOCC_TRY_ASSIGN(out, parse_dimension_list(cursor));
  return {};
}
Status parse_value(TextCursor& cursor, ListOfOne one) {
  HLOCC_TRY_ASSIGN(const Dimensions list, parse_dimension_list(cursor));
  if (list.size() != 1)
    return cursor.fail(DiagnosticKind::kAttribute, "takes a list of exactly one dimension");
  one.value = list[0];
  return {};
}
// Writers of all times spelled precisions, algorithms and distributions in either case.
Status parse_value(TextCursor& cursor, Named named) {
  const bool in_quotes = cursor.peek() == '"';
  std::string text(in_quotes ? std::string_view() : cursor.raw());
  if (in_quotes) HLOCC_TRY(parse_value(cursor, text));
  const auto same = [&](std::string_view name) { return to_upper(name) == to_upper(text); };
  const auto value = std::ranges::find_if(named.names, same);
  if (value == named.names.end())
    return cursor.fail(
        DiagnosticKind::kAttribute,
        cat("unknown value '", text, "'; it must be one of ", join(named.names, ", ")));
  named.set(named.target, static_cast<int>(value - named.names.begin()));
  return {};
}
Status parse_value(TextCursor& cursor, PrecisionList list) {
  bool any = false;
  HLOCC_TRY(parse_list(cursor, [&]() -> Status {
    int& precision = list.values.emplace_back();
    HLOCC_TRY(parse_value(cursor, ops::named(precision, ops::kPrecisionNames)));
    any = any || precision != 0;
    return {};
  }));
  if (!any) list.values.clear();
  return {};
}

// [start:limit:stride], the stride optional.
Status parse_value(TextCursor& cursor, SliceRanges ranges) {
  return parse_list(cursor, [&]() -> Status {
    int64_t stride = 1;
    HLOCC_TRY(cursor.expect("["));
    HLOCC_TRY_ASSIGN(const int64_t start, cursor.integer());
    HLOCC_TRY(cursor.expect(":"));
    HLOCC_TRY_ASSIGN(const int64_t limit, cursor.integer());
    if (cursor.accept(":")) HLOCC_TRY(parse_value(cursor, stride));
    ranges.slice.starts.push_back(start);
    ranges.slice.limits.push_back(limit);
    ranges.slice.strides.push_back(stride);
    return cursor.expect("]");
  });
}

// --- result_accuracy={mode=highest} or {tolerance={atol=.., rtol=.., ulps=..}} ---
Status parse_value(TextCursor& cursor, hlo::ResultAccuracyAttributes& a) {
  return parse_list(cursor, [&]() -> Status {
    if (cursor.accept("mode="))
      return parse_value(cursor, ops::named(a.mode, ops::kAccuracyModeNames));
    HLOCC_TRY(cursor.expect("tolerance="));
    return parse_list(cursor, [&]() -> Status {
      if (cursor.accept("ulps=")) return parse_value(cursor, a.ulps);
      double& out = cursor.looking_at("atol") ? a.atol : a.rtol;
      if (!cursor.accept("atol=") && !cursor.accept("rtol="))
        return cursor.expected("atol, rtol or ulps");
      HLOCC_TRY_ASSIGN(out, cursor.number());
      return {};
    });
  });
}

Status parse_value(TextCursor& cursor, std::vector<hlo::Shape>& shapes) {
  return parse_list(cursor, [&]() -> Status {
    HLOCC_TRY_ASSIGN(hlo::Shape shape, parse_shape(cursor));
    shapes.push_back(std::move(shape));
    return {};
  });
}

// --- replica_groups={{0,1},{2,3}} or [2,4]<=[4,2]T(1,0) ---
Result<Dimensions> parse_numbers(TextCursor& cursor, std::string_view open,
                                 std::string_view close) {
  Dimensions numbers;
  const auto number = [&]() -> Status { return parse_value(cursor, numbers.emplace_back()); };
  HLOCC_TRY(parse_list(cursor, number, open, close));
  return numbers;
}

Status parse_value(TextCursor& cursor, std::vector<std::vector<int64_t>>& groups) {
  if (cursor.peek() == '{')
    return parse_list(cursor,
                      [&]() -> Status { return parse_value(cursor, groups.emplace_back()); });
  // Named meshes have no meaning on one device.
  if (cursor.peek() != '[') return cursor.skip_value();
  IotaGroups iota;
  HLOCC_TRY_ASSIGN(const Dimensions sizes, parse_numbers(cursor, "[", "]"));
  HLOCC_TRY(cursor.expect("<="));
  HLOCC_TRY_ASSIGN(iota.reshape_dims, parse_numbers(cursor, "[", "]"));
  if (cursor.accept("T")) {
    HLOCC_TRY_ASSIGN(iota.transpose_perm, parse_numbers(cursor, "(", ")"));
  }
  if (sizes.size() != 2) return cursor.expected("replica groups [groups,devices]<=[...]");
  iota.groups = sizes[0], iota.devices_per_group = sizes[1];
  Result<std::vector<std::vector<int64_t>>> expanded = expand_iota_groups(iota);
  if (!expanded)
    return cursor.fail(DiagnosticKind::kAttribute, std::move(expanded.error().message));
  groups = std::move(expanded).value();
  return {};
}

Status parse_value(TextCursor& cursor, std::vector<std::pair<int64_t, int64_t>>& pairs) {
  return parse_list(cursor, [&]() -> Status {
    HLOCC_TRY_ASSIGN(const Dimensions pair, parse_dimension_list(cursor));
    if (pair.size() != 2) return cursor.fail(DiagnosticKind::kSyntax, "a pair has two numbers");
    pairs.emplace_back(pair[0], pair[1]);
    return {};
  });
}

// {{0}: (1, {2}), ...}; a kind such as must-alias may follow the operand index.
Status parse_value(TextCursor& cursor, std::vector<hlo::CustomCallAttributes::Aliasing>& aliasing) {
  return parse_list(cursor, [&]() -> Status {
    hlo::CustomCallAttributes::Aliasing& alias = aliasing.emplace_back();
    HLOCC_TRY_ASSIGN(alias.output_index, parse_dimension_list(cursor));
    HLOCC_TRY(cursor.expect(":"));
    HLOCC_TRY(cursor.expect("("));
    HLOCC_TRY_ASSIGN(alias.operand, cursor.integer());
    HLOCC_TRY(cursor.expect(","));
    HLOCC_TRY_ASSIGN(alias.operand_index, parse_dimension_list(cursor));
    if (cursor.accept(",")) cursor.word();
    return cursor.expect(")");
  });
}

// --- visitors ---
struct FieldParser {
  TextCursor& cursor;
  std::string_view name;
  bool found = false;
  Status status;

  template <typename T>
  void required(std::string_view field_name, T&& field) {
    if (field_name != name) return;
    found = true;
    status = parse_value(cursor, field);
  }
  template <typename T>
  void printed(std::string_view field_name, T&& field) {
    required(field_name, field);
  }
  template <typename T, typename... Standard>
  void optional(std::string_view field_name, T&& field, Standard...) {
    required(field_name, field);
  }
  // Both forms of a field are read alike, and defaults were set before.
  hlo::Opcode opcode() const { return {}; }
  hlo::ComparisonType comparison_type() const { return {}; }
};

struct MissingFinder {
  const std::set<std::string, std::less<>>& seen;
  std::string missing;

  template <typename T>
  void required(std::string_view name, T&&) {
    if (missing.empty() && !seen.contains(name)) missing = name;
  }
  template <typename T>
  void printed(std::string_view, T&&) {}
  template <typename T, typename... Standard>
  void optional(std::string_view, T&&, Standard...) {}
  hlo::Opcode opcode() const { return {}; }
  hlo::ComparisonType comparison_type() const { return {}; }
};

using Maker = hlo::Attributes (*)();
constexpr Maker makers[] = {
#define HLOCC_OPCODE(enumerator, text, family, min, max, attributes, ...) \
  []() -> hlo::Attributes { return hlo::attributes(); },
#include "hlo/opcodes.def"
};

}  // namespace

hlo::Attributes default_attributes(hlo::Opcode opcode, hlo::PrimitiveType first_operand) {
  hlo::Attributes attributes = makers[static_cast<int>(opcode)]();
  if (auto* compare = std::get_if<hlo::CompareAttributes>(&attributes))
    compare->type = ops::default_comparison_type(first_operand);
  return attributes;
}

Result<bool> parse_field(TextCursor& cursor, std::string_view name, hlo::Attributes& attributes) {
  FieldParser parser{cursor, name, false, {}};
  std::visit([&](auto& held) { ops::visit_fields(held, parser); }, attributes);
  if (!parser.status) return std::move(parser.status).error();
  return parser.found;
}

std::string missing_field(hlo::Attributes& attributes,
                          const std::set<std::string, std::less<>>& seen) {
  MissingFinder finder{seen, {}};
  std::visit([&](auto& held) { ops::visit_fields(held, finder); }, attributes);
  return finder.missing;
}

Result<Dimensions> parse_dimension_list(TextCursor& cursor) {
  return parse_numbers(cursor, "{", "}");
}

}  // namespace hlocc::import
