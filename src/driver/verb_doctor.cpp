// `hlocc doctor FIRMWARE.elf --library LIB.a`: reads firmware, library, the manifest beside the
// library and, if one is named, the header, and says what is wrong.
#include <cctype>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "driver/doctor.h"
#include "driver/report.h"
#include "driver/verbs.h"
#include "import/file.h"
#include "support/text.h"

#ifdef HLOCC_LLVM
#include "backends/llvm/elf_reader.h"
#endif

namespace hlocc::driver {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

#ifdef HLOCC_LLVM
Result<std::vector<ElfFacts>> read(const std::string& path) {
  HLOCC_TRY_ASSIGN(const std::vector<std::byte> bytes, import::read_file(path));
  return backends::read_elf(bytes, path);
}
#else
Result<std::vector<ElfFacts>> read(const std::string&) {
  return error(DiagnosticKind::kUsage,
               "doctor needs a build with LLVM, whose library reads ELF files");
}
#endif

// libkws.a -> kws.json in the same folder.
std::string manifest_path(const std::string& library) {
  const fs::path path(library);
  std::string stem = path.stem().string();
  if (stem.starts_with("lib")) stem.erase(0, 3);
  return (path.parent_path() / (stem + ".json")).string();
}

Result<std::optional<ManifestFacts>> read_manifest(const std::string& path) {
  if (!fs::is_regular_file(path)) return std::optional<ManifestFacts>{};
  HLOCC_TRY_ASSIGN(const std::vector<std::byte> bytes, import::read_file(path));
  const ordered_json file = ordered_json::parse(text_of(bytes), nullptr, false);
  if (!file.is_object()) return error(DiagnosticKind::kFormat, "is no manifest").at({path, 0});
  const auto text = [](const ordered_json& object, const char* key) {
    return object.contains(key) && object[key].is_string() ? object[key].get<std::string>()
                                                           : std::string();
  };
  const auto number = [&](const char* key) {
    return file.contains(key) && file[key].is_number_integer()
               ? std::optional(file[key].get<int64_t>())
               : std::nullopt;
  };
  ManifestFacts out;
  out.target = text(file, "target");
  out.run_symbol = text(file, "run_symbol");
  if (file.contains("options") && file["options"].is_object()) {
    out.triple = text(file["options"], "triple");
    out.weights_section = text(file["options"], "weights_section");
  }
  out.arena_bytes = number("arena_bytes");
  out.arena_align = number("arena_align");
  out.weights_bytes = number("weights_bytes");
  out.stack_bytes = number("stack_bytes");
  out.stack_is_lower_bound =
      file.contains("stack_is_lower_bound") && file["stack_is_lower_bound"] == true;
  return std::optional(out);
}

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

Result<HeaderFactsRead> read_header(const std::string& path) {
  HLOCC_TRY_ASSIGN(const std::vector<std::byte> bytes, import::read_file(path));
  const std::string text = text_of(bytes);
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
    return error(DiagnosticKind::kFormat, "is no header of hlocc's").at({path, 0});
  return out;
}

Result<Patient> read_patient(const CommandLine& line) {
  Patient out;
  HLOCC_TRY_ASSIGN(std::vector<ElfFacts> firmware, read(line.models[0]));
  if (firmware.size() != 1 || line.models[0] == line.library)
    return error(DiagnosticKind::kFormat, "is a static library, not a firmware")
        .at({line.models[0], 0});
  out.firmware = std::move(firmware[0]);
  HLOCC_TRY_ASSIGN(out.library, read(line.library));
  HLOCC_TRY_ASSIGN(out.manifest, read_manifest(manifest_path(line.library)));
  if (!line.header.empty()) {
    HLOCC_TRY_ASSIGN(out.header, read_header(line.header));
  }
  return out;
}

const char* name_of(Health health) {
  static constexpr const char* names[] = {"fine", "not seen", "WRONG"};
  return names[static_cast<int>(health)];
}

void print_text(const std::vector<Finding>& findings, int64_t wrong) {
  for (const Finding& finding : findings) {
    std::printf("%-8s %-9s %s\n", name_of(finding.health), finding.topic.c_str(),
                finding.message.c_str());
    if (finding.health != Health::kFine && !finding.cure.empty())
      std::printf("%-18s cure: %s\n", "", finding.cure.c_str());
  }
  std::printf("%s\n",
              wrong == 0
                  ? "nothing is wrong"
                  : cat(wrong, wrong == 1 ? " thing is wrong" : " things are wrong").c_str());
}

void print_json(const CommandLine& line, const std::vector<Finding>& findings, int64_t wrong) {
  ordered_json out;
  out["firmware"] = line.models[0];
  out["library"] = line.library;
  out["wrong"] = wrong;
  out["findings"] = ordered_json::array();
  for (const Finding& finding : findings)
    out["findings"].push_back(
        {{"health", finding.health == Health::kWrong ? "wrong" : name_of(finding.health)},
         {"topic", finding.topic},
         {"message", finding.message},
         {"cure", finding.cure}});
  std::printf("%s\n", out.dump(2, ' ', false, ordered_json::error_handler_t::replace).c_str());
}

}  // namespace

Result<int> verb_doctor(const CommandLine& line) {
  HLOCC_TRY_ASSIGN(const Patient patient, read_patient(line));
  std::vector<Finding> findings = examine(patient);
  if (!patient.manifest)
    findings.push_back(
        {Health::kUnseen, "manifest",
         cat("There is no ", manifest_path(line.library), ", which tells arena and stack."), ""});
  int64_t wrong = 0;
  for (const Finding& finding : findings) wrong += finding.health == Health::kWrong;
  if (line.json)
    print_json(line, findings, wrong);
  else
    print_text(findings, wrong);
  return wrong == 0 ? kExitDone : kExitInput;
}

}  // namespace hlocc::driver
