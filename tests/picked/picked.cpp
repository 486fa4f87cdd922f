// See picked.h.
#include "picked/picked.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>

#include "fuzz/chains.h"
#include "fuzz/generator.h"
#include "import/reader.h"
#include "ops/check/verifier.h"
#include "ops/text/printer.h"
#include "picked/drawn.h"
#include "picked/forms.h"
#include "support/cases.h"
#include "support/text.h"

namespace hlocc::tests {
namespace {

namespace fs = std::filesystem;

// Every room's tests run in their own folder beside that of the cases.
const char* const kCases = "../transforms/cases/";
const char* const kCasesOfLowering = "../lowering/cases/";
const std::string kStands = "stands ";
const char* const kFolders[] = {"ops", "regressions", "models"};
const char* const kRandom[] = {"random", "narrow", "requantize", "window", "chain"};

const std::map<std::string, std::string>& texts_of_cases() {
  static const auto& texts = *new std::map<std::string, std::string>([] {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::directory_iterator(kCases))
      for (const Case& each : read_cases(entry.path().string()))
        all[cat(entry.path().stem().string(), ": ", each.name)] = each.text;
    for (const auto& entry : fs::directory_iterator(kCasesOfLowering))
      for (const Case& each : read_cases(entry.path().string()))
        all[cat(kStands, entry.path().stem().string(), ": ", each.name)] = each.text;
    return all;
  }());
  return texts;
}

std::string text_of_file(const std::string& folder, const std::string& name) {
  const auto imported =
      import::read_model_file(cat(HLOCC_TEST_DATA "/", folder, "/", name, ".snapshot.pb"));
  if (!imported) FAIL(imported.error().to_string());
  return ops::to_text(imported->module, {.metadata = false});
}

std::string text_of_random(const std::string& kind, uint64_t seed) {
  const fuzz::Program made = kind == "chain"
                                 ? fuzz::random_chain(seed)
                                 : fuzz::random_program(seed, kind == "random" ? "" : kind);
  return ops::to_text(made.module, {.metadata = false});
}

bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == '.' || c == '-';
}

// The end of the word that begins at `at`: of letters and what joins them, or of a number. A minus
// that nothing stands before is a number's; `1x2`, `0_1` are several.
size_t end_of_word(const std::string& text, size_t at) {
  const auto is_digit = [&](size_t i) {
    return i < text.size() && text[i] >= '0' && text[i] <= '9';
  };
  size_t end = at + 1;
  if (is_digit(at) || (text[at] == '-' && is_digit(at + 1))) {
    while (is_digit(end) || (end < text.size() && text[end] == '.' && is_digit(end + 1))) ++end;
    return end;
  }
  while (end < text.size() && is_word(text[end]) && !(text[end] == '-' && text[end + 1] == '>'))
    ++end;
  return end;
}

// `1x2`, `0_1`: what stands between numbers.
bool is_joint(const std::string& text, size_t at) {
  const auto is_digit = [&](size_t i) {
    return i < text.size() && text[i] >= '0' && text[i] <= '9';
  };
  return (text[at] == '_' || text[at] == 'x') && at > 0 && is_digit(at - 1) &&
         (is_digit(at + 1) || (at + 2 < text.size() && text[at + 1] == '-' && is_digit(at + 2)));
}

template <typename Visit>
void for_each_word(const std::string& text, const Visit& visit) {
  for (size_t at = 0; at < text.size();) {
    const bool is_one = is_word(text[at]) && !is_joint(text, at);
    const size_t end = is_one ? end_of_word(text, at) : at + 1;
    visit(std::string_view(text).substr(at, end - at), is_one);
    at = end;
  }
}

// Whether the bracket at `at` opens the sizes of a shape: an element type stands before it.
bool opens_sizes(const std::string& text, size_t at) {
  return text[at] == '[' && at > 0 && is_word(text[at - 1]);
}

// "A -> B", "A@2 -> B", "[7 -> 9" or "x => negate".
std::string changed_once(const std::string& text, const std::string& change) {
  if (const std::vector<std::string> form = parts_of(change, " => "); form.size() == 2)
    return with_form(text, form[0], form[1]);
  const std::vector<std::string> sides = parts_of(change, " -> ");
  if (sides.size() != 2 || sides[0].empty()) return "";
  const bool sizes_only = sides[0][0] == '[';
  const size_t mark = sides[0].find('@'), first = sizes_only ? 1 : 0;
  const std::string from = sides[0].substr(first, mark == std::string::npos ? mark : mark - first);
  const int which = mark == std::string::npos ? -1 : std::stoi(sides[0].substr(mark + 1));
  std::string out;
  int found = 0, made = 0;
  size_t at = 0;
  bool in_sizes = false;
  for_each_word(text, [&](std::string_view word, bool) {
    if (opens_sizes(text, at)) in_sizes = true;
    if (text[at] == ']') in_sizes = false;
    at += word.size();
    const bool is_one = word == from && (in_sizes || !sizes_only);
    const bool change_it = is_one && (which < 0 || found == which);
    found += is_one;
    made += change_it;
    out += change_it ? std::string_view(sides[1]) : word;
  });
  return made == 0 ? "" : out;
}

}  // namespace

std::vector<Picked> read_picked(const std::string& path) {
  std::ifstream file(path);
  INFO(path);
  REQUIRE(file.good());
  std::vector<Picked> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> parts = parts_of(line, " | ");
    INFO(line);
    REQUIRE(parts.size() == 3);
    rows.push_back({parts[0], parts[1], parts[2]});
  }
  return rows;
}

bool stands(const Picked& row) { return row.base.starts_with(kStands); }

std::string base_text(const std::string& base) {
  if (const auto found = texts_of_cases().find(base); found != texts_of_cases().end())
    return found->second;
  if (base.starts_with(kStands)) return base_text(base.substr(kStands.size()));
  INFO(base);
  const size_t colon = base.find(": ");
  REQUIRE(colon != std::string::npos);
  const std::string kind = base.substr(0, colon), name = base.substr(colon + 2);
  for (const char* folder : kFolders)
    if (kind == folder) return text_of_file(folder, name);
  for (const char* random : kRandom)
    if (kind == random) return text_of_random(kind, std::stoull(name));
  for (const char* drawn : drawn_kinds())
    if (kind == drawn) return drawn_text(kind, std::stoull(name));
  FAIL("no such program");
  return "";
}

std::vector<std::string> all_bases(uint64_t random_seeds) {
  std::vector<std::string> bases;
  for (const auto& [name, text] : texts_of_cases()) bases.push_back(name);
  for (const char* folder : kFolders)
    for (const auto& entry : fs::directory_iterator(cat(HLOCC_TEST_DATA "/", folder)))
      if (entry.path().string().ends_with(".snapshot.pb"))
        bases.push_back(cat(folder, ": ", entry.path().filename().stem().stem().string()));
  for (const char* random : kRandom)
    for (uint64_t seed = 0; seed < random_seeds; ++seed) bases.push_back(cat(random, ": ", seed));
  return bases;
}

std::string with_changes(const std::string& text, const std::string& changes) {
  if (changes.empty()) return text;
  std::string out = text;
  for (const std::string& change : parts_of(changes, " ; ")) {
    out = changed_once(out, change);
    if (out.empty()) break;
  }
  return out;
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for_each_word(text, [&](std::string_view word, bool is_one) {
    if (is_one) words.emplace_back(word);
  });
  return words;
}

Result<hlo::Module> parsed(const std::string& text) {
  const bool whole = text.find("ENTRY") != std::string::npos;
  const std::string all = whole ? text : "HloModule test\nENTRY main {\n" + text + "\n}\n";
  HLOCC_TRY_ASSIGN(import::Imported imported,
                   import::read_model(std::as_bytes(std::span(all)), "test.hlo"));
  HLOCC_TRY(ops::verify(imported.module));
  return std::move(imported.module);
}

hlo::Module module_of(const Picked& row) {
  INFO(row.line());
  const std::string text = with_changes(base_text(row.base), row.changes);
  if (text.empty()) FAIL("nothing to change: the program has changed, pick another one");
  Result<hlo::Module> module = parsed(text);
  if (!module) FAIL(module.error().to_string());
  return std::move(module).value();
}

namespace {

struct ChipPart {
  const char* name;
  void (*change)(Target&);
};

constexpr ChipPart kChipParts[] = {
    {"O3", [](Target& t) { t.options.level = Level::kO3; }},
    {"Os", [](Target& t) { t.options.level = Level::kOs; }},
    {"plain", [](Target& t) { t.options.winograd = false; }},
    {"keep", [](Target& t) { t.options.keep_arguments = true; }},
    {"threads", [](Target& t) { t.options.threads = 2; }},
    // Wide vectors with masks on a core that runs ahead.
    {"wide",
     [](Target& t) {
       t.vector_bits = 256, t.vector_registers = 16;
       t.multiply_by_lane = false;
       t.out_of_order = t.masked_vectors = true;
     }},
    {"many", [](Target& t) { t.vector_registers = 32; }},
    {"few", [](Target& t) { t.vector_registers = 8; }},
    {"tiny-cache",
     [](Target& t) {
       t.cache_bytes = {512, 16 << 10, 1 << 20};
     }},
    {"dear-flash", [](Target& t) { t.flash_constrained = true; }},
    {"dear-ram", [](Target& t) { t.ram_constrained = true; }},
    {"integers", [](Target& t) { t.float_vectors = false; }},
    {"O0", [](Target& t) { t.options.level = Level::kO0; }},
    {"O1", [](Target& t) { t.options.level = Level::kO1; }},
    {"Oz", [](Target& t) { t.options.level = Level::kOz; }},
    {"fast", [](Target& t) { t.options.fast_math = true; }},
    {"float-qdq", [](Target& t) { t.options.integer_qdq = false; }},
    {"budget", [](Target& t) { t.options.ram_budget = 4096; }},
    {"eight-threads", [](Target& t) { t.options.threads = 8; }},
    {"ahead", [](Target& t) { t.out_of_order = !t.out_of_order; }},
    {"pipelined", [](Target& t) { t.pipelined = !t.pipelined; }},
    {"uncached", [](Target& t) { t.cache_bytes.clear(); }},
    {"no-fma", [](Target& t) { t.fma = false; }},
    {"by-lane", [](Target& t) { t.multiply_by_lane = !t.multiply_by_lane; }},
    {"by-scalar", [](Target& t) { t.multiply_by_scalar = !t.multiply_by_scalar; }},
    {"short-reach", [](Target& t) { t.load_reach = 124; }},
    {"few-scalars", [](Target& t) { t.scalar_registers = 7; }},
    {"no-divide", [](Target& t) { t.hardware_divide = false; }},
};

}  // namespace

Target chip_of(const std::string& name) {
  const std::vector<std::string> parts = parts_of(name, "+");
  const std::optional<Target> row = preset(parts[0]);
  INFO(name);
  REQUIRE(row);
  Target target = *row;
  for (size_t i = 1; i < parts.size(); ++i) {
    const auto found = std::find_if(std::begin(kChipParts), std::end(kChipParts),
                                    [&](const ChipPart& part) { return parts[i] == part.name; });
    REQUIRE(found != std::end(kChipParts));
    found->change(target);
  }
  target.options.stem = "m";
  return target;
}

std::vector<std::string> chip_parts() {
  std::vector<std::string> names;
  for (const ChipPart& part : kChipParts) names.emplace_back(part.name);
  return names;
}

}  // namespace hlocc::tests
