// What is wrong with a firmware that a compiled model was linked into, in words: `hlocc doctor`.
// Values in, values out: files are read elsewhere, so that every complaint has a test.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"
#include "target/elf_facts.h"

namespace hlocc::driver {

// What the manifest beside the library says; what it does not say is absent.
struct MemoryFacts {
  std::string name;
  int64_t arena_bytes = 0;
};
struct ManifestFacts {
  std::string triple, target, run_symbol;
  std::string weights_section;          // what --weights-section asked for
  std::optional<std::string> features;  // LLVM's, as the target has them
  std::vector<std::string> undefined;   // what the library needs of others
  std::optional<int64_t> arena_bytes, arena_align, weights_bytes, stack_bytes;
  bool stack_is_lower_bound = false;
  std::vector<MemoryFacts> memories;  // of --memory, in the order of init's arguments
};

// What the header says; -1 and empty: nothing.
struct HeaderFactsRead {
  std::string run_symbol;
  int64_t arena_bytes = -1;
};

// Errors (kFormat): no manifest, no header of hlocc's. Of a manifest the members that are of other
// types than ours are passed over.
Result<ManifestFacts> read_manifest(std::string_view content, const std::string& file_name);
Result<HeaderFactsRead> read_header(std::string_view text, const std::string& file_name);

struct Patient {
  ElfFacts firmware;
  std::vector<ElfFacts> library;  // its objects
  std::optional<ManifestFacts> manifest;
  std::optional<HeaderFactsRead> header;
  std::string arena;  // the symbol that --arena names; empty: it is looked for
};

enum class Health : uint8_t {
  kFine,
  kUnseen,  // it could not be found out
  kWrong,
};

struct Finding {
  Health health = Health::kFine;
  std::string
      topic;  // machine, float-abi, fpu, hvx, isa, link, weights, arena, stack, header, symbols
  std::string message;  // whole sentences
  std::string cure;     // of what is wrong
};

// In the order in which one would look.
std::vector<Finding> examine(const Patient& patient);

// --- what the parts of the examination share ---

// The library's global function that runs the model, and the names of all its functions.
std::string run_symbol_of(const Patient& patient);
// acme_kws_run_1a2b and acme_kws_run both give acme_kws_.
std::string prefix_of(const std::string& run_symbol);
// 0x20000000.
std::string hex_text(uint64_t number);
const ElfSymbol* find_symbol(const ElfFacts& file, const std::string& name);
bool is_bare_metal(const Patient& patient);

// One part each; nothing is added where there is nothing to look at.
void examine_machine(const Patient& patient, std::vector<Finding>& out);
void examine_link(const Patient& patient, std::vector<Finding>& out);
void examine_units(const Patient& patient, std::vector<Finding>& out);
void examine_weights(const Patient& patient, std::vector<Finding>& out);
void examine_arena(const Patient& patient, std::vector<Finding>& out);
void examine_stack(const Patient& patient, std::vector<Finding>& out);

}  // namespace hlocc::driver
