// The doctor's look at the arena: the symbol that --arena names, the object whose address `init` is
// given, or the one that is called after the model. No other array is taken for it: another
// model's arena is large enough for many.
#include "driver/doctor/call_scan.h"
#include "driver/doctor/doctor.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

struct Arena {
  std::string what;  // "kws_arena (4096 bytes at 0x20000000)"
  uint64_t address = 0;
  int64_t bytes = -1;  // from there to the object's end; -1: not known
  int section = -1;
};

Arena arena_of(const ElfSymbol& symbol, const std::string& how) {
  return {cat(symbol.name, how, " (", symbol.bytes, " bytes at ", hex_text(symbol.address), ")"),
          symbol.address, symbol.bytes == 0 ? -1 : static_cast<int64_t>(symbol.bytes),
          symbol.section};
}

// The object that an address lies in, as far as it reaches.
std::optional<Arena> arena_at(const ElfFacts& firmware, uint64_t address, const std::string& init) {
  for (const ElfSymbol& symbol : firmware.symbols) {
    if (!symbol.is_defined || symbol.is_function || address < symbol.address ||
        address - symbol.address >= symbol.bytes)
      continue;
    Arena out = arena_of(symbol, cat(", which ", init, " is given"));
    out.address = address;
    out.bytes = static_cast<int64_t>(symbol.bytes - (address - symbol.address));
    return out;
  }
  return std::nullopt;
}

// `argument`: of init, the one that is the arena; `name`: kws_arena, less the prefix.
std::optional<Arena> find_arena(const Patient& patient, int argument, const std::string& name) {
  if (!patient.arena.empty() && name == "arena") {
    const ElfSymbol* symbol = find_symbol(patient.firmware, patient.arena);
    return symbol == nullptr ? std::nullopt : std::optional(arena_of(*symbol, ""));
  }
  const std::string prefix = prefix_of(run_symbol_of(patient));
  if (const ElfSymbol* init = find_symbol(patient.firmware, prefix + "init"))
    for (const uint64_t address : arguments_of_calls(patient.firmware, init->address, argument))
      if (std::optional<Arena> found = arena_at(patient.firmware, address, init->name))
        return found;
  const ElfSymbol* symbol = find_symbol(patient.firmware, prefix + name);
  return symbol == nullptr || symbol->is_function ? std::nullopt
                                                  : std::optional(arena_of(*symbol, ""));
}

// Adds what is wrong with it, if anything is.
void judge(const Patient& patient, const Arena& arena, int64_t bytes, int64_t align,
           std::vector<Finding>& out) {
  const auto wrong = [&](const std::string& message, const std::string& cure) {
    out.push_back({Health::kWrong, "arena", message, cure});
  };
  if (arena.bytes >= 0 && arena.bytes < bytes)
    wrong(cat("The arena ", arena.what, " is too small: the model needs ", bytes, " bytes."),
          "Size it by the header's ..._ARENA_BYTES, and build what includes the header anew.");
  if (align > 0 && arena.address % static_cast<uint64_t>(align) != 0)
    wrong(cat("The arena ", arena.what, " is not aligned to ", align, "."),
          "Declare it with __attribute__((aligned(..._ARENA_ALIGN))), or alignas in C++.");
  if (arena.section >= 0 && !patient.firmware.sections[arena.section].writable)
    wrong(cat("The arena ", arena.what, " lies in the section ",
              patient.firmware.sections[arena.section].name, ", which cannot be written."),
          "Declare it without const, and place it in RAM.");
}

}  // namespace

namespace {

// One arena, or that in the memory `memory`. Says what is wrong, or that nothing is.
std::optional<Arena> examine_one(const Patient& patient, int argument, const std::string& memory,
                                 int64_t bytes, std::vector<Finding>& out) {
  const int64_t align = patient.manifest->arena_align.value_or(1);
  const std::string name = memory.empty() ? "arena" : "arena_" + memory;
  const std::string where = memory.empty() ? "" : " for " + memory;
  const std::optional<Arena> arena = find_arena(patient, argument, name);
  if (!arena || arena->bytes == -1) {
    out.push_back(
        {Health::kUnseen, "arena",
         cat(arena ? "How large " + arena->what + " is" : "Where the arena" + where + " lies",
             " was not seen; the model needs ", bytes, " bytes, aligned to ", align, "."),
         cat(memory.empty() ? "--arena SYMBOL says which array it is; " : "The array ",
             prefix_of(run_symbol_of(patient)), name, " is found by itself.")});
    if (!arena) return arena;
  }
  const size_t before = out.size();
  judge(patient, *arena, bytes, align, out);
  if (out.size() == before && arena->bytes >= 0)
    out.push_back({Health::kFine, "arena",
                   cat("The arena ", arena->what, " holds the ", bytes,
                       " bytes that the model needs", memory.empty() ? "" : " in " + memory, "."),
                   ""});
  return arena;
}

// Memories are sections of the linker script: two arenas in one of them are in one memory.
void examine_memories(const Patient& patient, std::vector<Finding>& out) {
  const std::vector<MemoryFacts>& memories = patient.manifest->memories;
  std::vector<std::optional<Arena>> arenas;
  for (size_t i = 0; i < memories.size(); ++i)
    arenas.push_back(examine_one(patient, static_cast<int>(i) + 1, memories[i].name,
                                 memories[i].arena_bytes, out));
  for (size_t i = 0; i < arenas.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      if (!arenas[i] || !arenas[j] || arenas[i]->section < 0 ||
          arenas[i]->section != arenas[j]->section)
        continue;
      out.push_back(
          {Health::kWrong, "arena",
           cat("The arenas for ", memories[j].name, " and for ", memories[i].name,
               " both lie in the section ", patient.firmware.sections[arenas[i]->section].name,
               ": one of the memories is not used."),
           cat("Declare each with HLOCC_IN_MEMORY(..._SECTION) of hlocc_arena.h, and give the "
               "section of ",
               memories[j].name, " its memory in the linker script, in front of .bss.")});
    }
}

}  // namespace

void examine_arena(const Patient& patient, std::vector<Finding>& out) {
  if (!patient.manifest || !patient.manifest->arena_bytes) return;
  if (!patient.manifest->memories.empty()) return examine_memories(patient, out);
  if (!patient.arena.empty() && !find_arena(patient, 1, "arena")) {
    out.push_back({Health::kWrong, "arena",
                   cat("The firmware defines no ", patient.arena, ", which --arena names."),
                   "Give --arena the name that the linker's map has; static arrays may have lost "
                   "theirs by -s."});
    return;
  }
  examine_one(patient, 1, "", *patient.manifest->arena_bytes, out);
}

}  // namespace hlocc::driver
