// See literal_json.h. The text of ops/text is JSON but for its brackets and a few words.
#include "driver/run/literal_json.h"

#include <cctype>
#include <nlohmann/json.hpp>

#include "ops/text/literal_text.h"
#include "support/check.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

bool belongs_to_a_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '.';
}

// nan(0x1234) holds brackets that are no pair's.
size_t end_of_word(std::string_view text, size_t at) {
  while (at < text.size() && belongs_to_a_word(text[at])) ++at;
  return at;
}

void append_word(std::string& out, std::string_view word) {
  // As an integer, which JSON's readers take it for, it would lose its sign.
  if (word == "-0") word = "-0.0";
  const bool is_json = word.find('n') == std::string_view::npos;  // nan, inf
  out += is_json ? std::string(word) : cat("\"", word, "\"");
}

std::string json_of(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    if (belongs_to_a_word(text[at])) {
      size_t end = end_of_word(text, at);
      if (text.substr(end).starts_with("(")) end = text.find(')', end) + 1;
      append_word(out, text.substr(at, end - at));
      at = end;
      continue;
    }
    const char c = text[at++];
    out += c == '{' || c == '(' ? '[' : c == '}' || c == ')' ? ']' : c;
  }
  return out;
}

}  // namespace

nlohmann::ordered_json literal_json(const hlo::Literal& literal) {
  if (literal.shape().is_token()) return "token";
  std::string text;
  ops::append_literal(text, literal);
  nlohmann::ordered_json out = nlohmann::ordered_json::parse(json_of(text), nullptr, false);
  HLOCC_CHECK(!out.is_discarded(), "a literal's text that is no JSON: " + text.substr(0, 200));
  return out;
}

}  // namespace hlocc::driver
