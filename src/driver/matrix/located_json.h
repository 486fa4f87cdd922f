// A JSON file as a tree whose every value knows its line, for diagnostics.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/result.h"

namespace hlocc::driver {

struct LocatedMember;

struct LocatedJson {
  enum class Kind : uint8_t { kNull, kFalse, kTrue, kNumber, kString, kArray, kObject };
  Kind kind = Kind::kNull;
  std::string text;  // of a string or a number, as the file has it
  int line = 0;
  std::vector<LocatedJson> items;      // of an array
  std::vector<LocatedMember> members;  // of an object, in the file's order

  bool is_object() const { return kind == Kind::kObject; }
  bool is_array() const { return kind == Kind::kArray; }
  bool is_string() const { return kind == Kind::kString; }
  bool is_scalar() const { return kind < Kind::kArray && kind != Kind::kNull; }
  const LocatedJson* find(std::string_view name) const;
  // "an object", "a string", ...
  const char* what() const;
};

struct LocatedMember {
  std::string name;
  LocatedJson value;
};

// Errors, located: kFormat for what is no JSON, names that an object has twice, and what is nested
// deeper than 32 levels.
Result<LocatedJson> read_located_json(std::string_view text, const std::string& file);

}  // namespace hlocc::driver
