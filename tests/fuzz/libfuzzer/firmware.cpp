// Targets of what `hlocc doctor` reads: ELF files and archives of them, the manifest, the header.
// What was read is examined as a firmware and its library.
#include "driver/doctor/doctor.h"
#include "fuzz/libfuzzer/targets.h"
#include "import/proto/wire.h"

#ifdef HLOCC_FUZZ_ELF
#include "backends/llvm/object/elf_reader.h"
#endif

namespace hlocc::fuzz {
namespace {

void examine_all(const driver::Patient& patient) {
  for (const driver::Finding& finding : driver::examine(patient))
    must(!finding.message.empty(), "a finding says something");
}

}  // namespace

void run_elf(Input input) {
#ifdef HLOCC_FUZZ_ELF
  const Result<std::vector<ElfFacts>> files = backends::read_elf(input, "firmware.elf");
  if (!files) return must_be_sound(files.error());
  driver::ManifestFacts manifest;
  manifest.arena_bytes = 64, manifest.arena_align = 8, manifest.weights_bytes = 16;
  manifest.stack_bytes = 100;
  manifest.run_symbol = "model_run_0123456789abcdef";
  driver::HeaderFactsRead header{manifest.run_symbol, 64};
  for (const ElfFacts& file : *files) examine_all({file, *files, manifest, header});
#else
  (void)input;
#endif
}

// The first byte says what it is.
void run_facts(Input input) {
  if (input.empty()) return;
  const std::string_view text = import::as_text(input.subspan(1));
  driver::Patient patient;
  if (std::to_integer<int>(input[0]) == 'm') {
    auto manifest = driver::read_manifest(text, "model.json");
    if (!manifest) return must_be_sound(manifest.error());
    patient.manifest = *std::move(manifest);
  } else {
    auto header = driver::read_header(text, "model.h");
    if (!header) return must_be_sound(header.error());
    patient.header = *std::move(header);
  }
  examine_all(patient);
}

}  // namespace hlocc::fuzz
