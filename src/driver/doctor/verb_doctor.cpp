// `hlocc doctor FIRMWARE.elf --library LIB.a`: reads firmware, library, the manifest beside the
// library and, if one is named, the header, and says what is wrong.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "driver/cli/output.h"
#include "driver/cli/report.h"
#include "driver/cli/verbs.h"
#include "driver/doctor/doctor.h"
#include "import/file.h"
#include "support/text.h"

#ifdef HLOCC_LLVM
#include "backends/llvm/object/elf_reader.h"
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

Result<std::optional<ManifestFacts>> manifest_of(const std::string& path) {
  std::error_code none;
  if (!fs::is_regular_file(path, none)) return std::optional<ManifestFacts>{};
  HLOCC_TRY_ASSIGN(const std::vector<std::byte> bytes, import::read_file(path));
  HLOCC_TRY_ASSIGN(ManifestFacts facts, read_manifest(text_of(bytes), path));
  return std::optional(std::move(facts));
}

Result<Patient> read_patient(const CommandLine& line) {
  Patient out;
  HLOCC_TRY_ASSIGN(std::vector<ElfFacts> firmware, read(line.models[0]));
  if (firmware.size() != 1 || line.models[0] == line.doctor.library)
    return error(DiagnosticKind::kFormat, "is a static library, not a firmware")
        .at({line.models[0], 0});
  out.firmware = std::move(firmware[0]);
  out.arena = line.doctor.arena;
  HLOCC_TRY_ASSIGN(out.library, read(line.doctor.library));
  HLOCC_TRY_ASSIGN(out.manifest, manifest_of(manifest_path(line.doctor.library)));
  if (!line.doctor.header.empty()) {
    HLOCC_TRY_ASSIGN(const std::vector<std::byte> bytes, import::read_file(line.doctor.header));
    HLOCC_TRY_ASSIGN(out.header, read_header(text_of(bytes), line.doctor.header));
  }
  return out;
}

const char* name_of(Health health) {
  static constexpr const char* names[] = {"fine", "not seen", "WRONG"};
  return names[static_cast<int>(health)];
}

// `quiet`: what is fine is not said.
void print_findings(const std::vector<Finding>& findings, int64_t wrong, bool quiet) {
  for (const Finding& finding : findings) {
    if (quiet && finding.health == Health::kFine) continue;
    print("%-8s %-9s %s\n", name_of(finding.health), finding.topic.c_str(),
          finding.message.c_str());
    if (!finding.cure.empty()) print("%-18s cure: %s\n", "", finding.cure.c_str());
  }
  if (quiet) return;
  print("%s\n", wrong == 0
                    ? "nothing is wrong"
                    : cat(wrong, wrong == 1 ? " thing is wrong" : " things are wrong").c_str());
}

void print_findings_json(const CommandLine& line, const std::vector<Finding>& findings,
                         int64_t wrong) {
  ordered_json out;
  out["firmware"] = line.models[0];
  out["library"] = line.doctor.library;
  out["wrong"] = wrong;
  out["findings"] = ordered_json::array();
  for (const Finding& finding : findings)
    out["findings"].push_back(
        {{"health", finding.health == Health::kWrong ? "wrong" : name_of(finding.health)},
         {"topic", finding.topic},
         {"message", finding.message},
         {"cure", finding.cure}});
  print_json(out);
}

}  // namespace

Result<int> verb_doctor(const CommandLine& line) {
  HLOCC_TRY_ASSIGN(const Patient patient, read_patient(line));
  std::vector<Finding> findings = examine(patient);
  if (!patient.manifest)
    findings.push_back(
        {Health::kUnseen, "manifest",
         cat("There is no ", manifest_path(line.doctor.library), ", which tells arena and stack."),
         ""});
  int64_t wrong = 0;
  for (const Finding& finding : findings) wrong += finding.health == Health::kWrong;
  if (line.json)
    print_findings_json(line, findings, wrong);
  else
    print_findings(findings, wrong, line.quiet);
  return wrong == 0 ? kExitDone : kExitInput;
}

}  // namespace hlocc::driver
