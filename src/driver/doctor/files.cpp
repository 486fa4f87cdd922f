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
  const auto text = [](const json& object, const char* key) {
    return object.contains(key) && object[key].is_string() ? object[key].get<std::string>()
                                                           : std::string();
  };
  const auto number = [&](const char* key) {
    return file.contains(key) && file[key].is_number_integer()
               ? std::optional(file[key].get<int64_t>())
               : std::nullopt;
  };
  ManifestFacts out;
  if (file.contains("undefined") && file["undefined"].is_array())
    for (const auto& symbol : file["undefined"])
      if (symbol.is_string()) out.undefined.push_back(symbol.get<std::string>());
  if (file.contains("memories") && file["memories"].is_array())
    for (const auto& memory : file["memories"])
      if (memory.is_object() && memory.contains("arena_bytes") &&
          memory["arena_bytes"].is_number_integer())
        out.memories.push_back({text(memory, "name"), memory["arena_bytes"].get<int64_t>()});
  out.target = text(file, "target");
  out.run_symbol = text(file, "run_symbol");
  if (file.contains("options") && file["options"].is_object()) {
    out.triple = text(file["options"], "triple");
    out.weights_section = text(file["options"], "weights_section");
    if (file["options"].contains("features")) out.features = text(file["options"], "features");
  }
  out.arena_bytes = number("arena_bytes");
  out.arena_align = number("arena_align");
  out.weights_bytes = number("weights_bytes");
  out.stack_bytes = number("stack_bytes");
  out.stack_is_lower_bound =
      file.contains("stack_is_lower_bound") && file["stack_is_lower_bound"] == true;
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
