// A file of MLIR text: a cursor in it, what is defined at its ends (aliases, resources), and the
// tokens that HLO text does not have. Values of attributes are kept as places in the text and read
// by those who ask for them, because what they mean depends on the operation.
#pragma once
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "import/elided.h"
#include "import/text/cursor.h"

namespace hlocc::import::stablehlo {

// A named value of an operation's attributes, characters [at, end) of the text. One that is only
// named (a unit) is empty.
struct Attribute {
  std::string_view name;
  size_t at = 0, end = 0;
};

struct Source {
  std::string_view text;
  TextCursor cursor;
  Elided& elided;
  // "#loc3" and where its value begins; blobs of the resources section by name.
  std::unordered_map<std::string_view, size_t> aliases = {};
  // Those of locations, in the order of the file, in which each stands behind what it is made of.
  std::vector<std::string_view> locations = {};
  std::unordered_map<std::string, size_t> resources = {};

  // An error at a place of the text, with its column.
  Diagnostic fail_at(size_t position, DiagnosticKind kind, std::string message);
  // The same place in a diagnostic that has none.
  Diagnostic located_at(size_t position, Diagnostic why);
};

// %name without the percent sign, or @name (quoted where it must be) without the at sign.
Result<std::string_view> parse_value_name(Source& source);
Result<std::string> parse_symbol(Source& source);
// "..." with the escapes of MLIR: \22 is a quotation mark.
Result<std::string> parse_string(Source& source);
// Takes a value, whatever it is: up to one of `stops` outside of brackets and strings.
Result<Attribute> skip_value(Source& source, std::string_view name, std::string_view stops);
// {name = value, name} or <{...}>, between the given brackets.
Status parse_attributes(Source& source, std::string_view open, std::string_view close,
                        std::vector<Attribute>& out);
// Where the value of an alias begins, if the text at `position` is one, else `position`.
size_t resolve_alias(const Source& source, size_t position);

}  // namespace hlocc::import::stablehlo
