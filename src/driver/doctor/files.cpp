// What stands beside a library, as facts: its manifest and its header. See doctor.h.
#include <cctype>
#include <charconv>
#include <nlohmann/json.hpp>

#include "driver/doctor/doctor.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

using nlohmann::json;

bool is_part_of_word(unsigned char c) { return c == '_' || std::isalnum(c) != 0; }

// A member of an object; null where there is none, as of what is no object.
const json& fact_of(const json& object, const char* key) {
  static const json none;
  const auto found = object.find(key);
  return found == object.end() ? none : *found;
}

// Its text and its number, if it is one.
std::string fact_text(const json& object, const char* key) {
  const json& value = fact_of(object, key);
  return value.is_string() ? value.get<std::string>() : std::string();
}
std::optional<int64_t> fact_number(const json& object, const char* key) {
  const json& value = fact_of(object, key);
  return value.is_number_integer() ? std::optional(value.get<int64_t>()) : std::nullopt;
}
// Its elements, if it is a list.
const json& fact_list(const json& object, const char* key) {
  static const json none = json::array();
  const json& value = fact_of(object, key);
  return value.is_array() ? value : none;
}

// Calls visit(text before, identifier or number, text behind) for each of a C text.
template <typename Visit>
void for_each_word(std::string_view text, Visit visit) {
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && is_part_of_word(text[end])) ++end;
    if (end > at) visit(text.substr(0, at), text.substr(at, end - at), text.substr(end));
    at = std::max(end, at + 1);
  }
}

// The number that `text` begins with behind a blank, if it is one of up to 18 digits.
std::optional<int64_t> number_behind_blank(std::string_view text) {
  if (!text.starts_with(' ')) return std::nullopt;
  text.remove_prefix(1);
  const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits == 0 || digits > 18 || (digits < text.size() && is_part_of_word(text[digits])))
    return std::nullopt;
  int64_t number = 0;
  std::from_chars(text.data(), text.data() + digits, number);
  return number;
}

// NAME_run_HASH.
bool is_run_symbol(std::string_view word) {
  const size_t hash = word.rfind("_run_");
  return hash != word.npos && hash > 0 && hash + 5 < word.size() &&
         word.find_first_not_of("0123456789abcdef", hash + 5) == word.npos;
}

}  // namespace

Result<ManifestFacts> read_manifest(std::string_view content, const std::string& file_name) {
  const json file = json::parse(content, nullptr, false);
  if (!file.is_object()) return error(DiagnosticKind::kFormat, "is no manifest").at({file_name, 0});
  ManifestFacts out;
  for (const json& symbol : fact_list(file, "undefined"))
    if (symbol.is_string()) out.undefined.push_back(symbol.get<std::string>());
  for (const json& memory : fact_list(file, "memories"))
    if (const std::optional<int64_t> bytes = fact_number(memory, "arena_bytes"))
      out.memories.push_back({fact_text(memory, "name"), *bytes});
  out.target = fact_text(file, "target");
  out.run_symbol = fact_text(file, "run_symbol");
  const json& options = fact_of(file, "options");
  out.triple = fact_text(options, "triple");
  out.weights_section = fact_text(options, "weights_section");
  if (options.contains("features")) out.features = fact_text(options, "features");
  out.arena_bytes = fact_number(file, "arena_bytes");
  out.arena_align = fact_number(file, "arena_align");
  out.weights_bytes = fact_number(file, "weights_bytes");
  out.stack_bytes = fact_number(file, "stack_bytes");
  out.stack_is_lower_bound = fact_of(file, "stack_is_lower_bound") == true;
  return out;
}

Result<HeaderFactsRead> read_header(std::string_view text, const std::string& file_name) {
  HeaderFactsRead out;
  std::string_view last, with_hash, without;
  const auto read_word = [&](std::string_view before, std::string_view word,
                             std::string_view rest) {
    if (out.arena_bytes < 0 && word.ends_with("_ARENA_BYTES") && before.ends_with("#define "))
      out.arena_bytes = number_behind_blank(rest).value_or(-1);
    if (with_hash.empty() && is_run_symbol(word)) with_hash = word;
    if (without.empty() && last == "int" && before.ends_with("int ") && word.ends_with("_run") &&
        rest.starts_with("("))
      without = word;
    last = word;
  };
  for_each_word(text, read_word);
  out.run_symbol = with_hash.empty() ? without : with_hash;
  if (out.arena_bytes < 0 && out.run_symbol.empty())
    return error(DiagnosticKind::kFormat, "is no header of hlocc's").at({file_name, 0});
  return out;
}

}  // namespace hlocc::driver
