// What changes there are: words of a kind for each other, numbers that bounds stand beside, another
// name of the program, and the chips and forms of tests/picked.
#include "picked/changes.h"

#include <algorithm>
#include <cstdlib>

#include "picked/forms.h"
#include "support/text.h"
#include "target/target.h"

namespace hlocc::tests {
namespace {

// Words that may stand for each other: types, ops of two operands and of one, directions, layouts.
const std::vector<std::vector<std::string>>& word_kinds() {
  static const auto& kinds = *new std::vector<std::vector<std::string>>{
      {"f32", "f64", "f16", "bf16", "s8", "u8", "s16", "u16", "s32", "u32", "s64", "u64", "pred",
       "c64", "s4"},
      {"add", "subtract", "multiply", "divide", "maximum", "minimum", "power", "remainder", "and",
       "or", "xor", "atan2", "shift-left", "shift-right-arithmetic", "shift-right-logical"},
      {"negate",
       "abs",
       "exponential",
       "tanh",
       "log",
       "sine",
       "floor",
       "ceil",
       "sqrt",
       "rsqrt",
       "not",
       "sign",
       "copy",
       "convert",
       "logistic",
       "is-finite",
       "real",
       "imag",
       "bitcast-convert",
       "reshape"},
      {"EQ", "NE", "LT", "LE", "GT", "GE"},
      {"true", "false"},
      {"b01f_01io", "b01f_01oi", "b01f_io01", "b01f_oi01", "bf01_01io", "bf01_oi01", "b10f_01io",
       "f01b_01io", "b01f_10io"},
      {"b01f", "bf01", "b10f", "01bf", "f01b"},
      {"b0f_0io", "b0f_0oi", "bf0_0io", "bf0_oi0"},
      {"b0f", "bf0", "0bf"}};
  return kinds;
}

}  // namespace

std::string ChangeDrawer::random_chip() {
  static const auto& presets = *new std::vector<std::string>([] {
    std::vector<std::string> all = {"cortex-m0", "cortex-m4f", "cortex-a53", "cortex-m4f",
                                    "cortex-a53"};
    // What is picked has golden answers, in which presets that came later take no part.
    const std::vector<std::string> later = {"xtensa-lx6", "xtensa-lx7", "cortex-m23",
                                            "arm1176-linux", "cortex-a72-linux"};
    for (const std::string& name : preset_names())
      if (name != "host" && std::ranges::find(later, name) == later.end() &&
          !name.starts_with("hexagon") && !name.starts_with("nvptx") && !name.starts_with("tau"))
        all.push_back(name);
    return all;
  }());
  static const auto& parts = *new std::vector<std::string>(chip_parts());
  std::string chip = presets[draw(presets.size())];
  for (uint64_t n = draw(4); n > 0; --n) {
    const std::string& part = parts[draw(parts.size())];
    if (chip.find("+" + part) == std::string::npos) chip += "+" + part;
  }
  return chip;
}

void ChangeDrawer::change_chip(std::string& chip) {
  const uint64_t kind = chip.empty() ? 0 : draw(10);
  if (kind == 0) {
    chip = random_chip();
  } else if (kind < 4) {
    static const auto& parts = *new std::vector<std::string>(chip_parts());
    const std::string part = "+" + parts[draw(parts.size())];
    if (const size_t at = (chip + "+").find(part + "+"); at != std::string::npos)
      chip.erase(at, part.size());
    else
      chip += part;
  } else if (kind < 6) {
    const std::string other = random_chip(),
                      rest = chip.substr(std::min(chip.find('+'), chip.size()));
    chip = other.substr(0, other.find('+')) + rest;
  }
}

void ChangeDrawer::add_change(Picked& row, const std::string& base) {
  const std::string now_is = with_changes(base, row.changes);
  const std::vector<std::string> words = words_of(now_is);
  if (words.empty()) return;
  // A value in another form.
  if (draw(3) == 0) {
    static const auto& forms = *new std::vector<std::string>(form_names());
    const std::vector<std::string> values = values_of(now_is);
    if (!values.empty())
      row.changes += cat(row.changes.empty() ? "" : " ; ", values[draw(values.size())], " => ",
                         forms[draw(forms.size())]);
    return;
  }
  for (int attempt = 0; attempt < 10; ++attempt) {
    const size_t at = draw(words.size());
    const std::string& from = words[at];
    const std::string to = other_word(from, words);
    if (to.empty() || to == from) continue;
    std::string change = from;
    // A size everywhere, where it is no number of a dimension or of a slice.
    const bool is_size = from[0] >= '0' && from[0] <= '9' && draw(3) == 0;
    if (is_size) change = "[" + from;
    if (!is_size && draw(10) < 3)
      change += cat("@", std::count(words.begin(), words.begin() + static_cast<long>(at), from));
    row.changes += cat(row.changes.empty() ? "" : " ; ", change, " -> ", to);
    return;
  }
}

std::string ChangeDrawer::other_word(const std::string& from,
                                     const std::vector<std::string>& words) {
  for (const auto& kind : word_kinds())
    if (std::find(kind.begin(), kind.end(), from) != kind.end()) return kind[draw(kind.size())];
  const char first = from[0] == '-' && from.size() > 1 ? from[1] : from[0];
  if (first >= '0' && first <= '9') {
    const double value = std::strtod(from.c_str(), nullptr);
    static const int64_t numbers[] = {0,  1,  2,  3,   4,   5,   6,   7,   8,  9,
                                      12, 15, 16, 17,  24,  31,  32,  33,  40, 48,
                                      63, 64, 65, 127, 128, 130, 255, 256, -1};
    switch (draw(6)) {
      case 0: return cat(static_cast<int64_t>(value) - 1);
      case 1: return cat(static_cast<int64_t>(value) + 1);
      case 2: return cat(static_cast<int64_t>(value) * 2);
      default: return cat(numbers[draw(std::size(numbers))]);
    }
  }
  if (std::count(words.begin(), words.end(), from) < 2) return "";
  // Another name of something.
  for (int attempt = 0; attempt < 8; ++attempt) {
    const std::string& to = words[draw(words.size())];
    if (to != from && to[0] >= 'a' && to[0] <= 'z' && to.size() <= 12 &&
        std::count(words.begin(), words.end(), to) >= 2)
      return to;
  }
  return "";
}

}  // namespace hlocc::tests
