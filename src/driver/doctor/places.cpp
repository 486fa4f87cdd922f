// The doctor's look at memory: where the linker put the weights, and how large the stack is.
#include <algorithm>

#include "driver/doctor/doctor.h"
#include "driver/doctor/hexagon_stack.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

struct Weights {
  std::string name, content;
  uint64_t alignment = 1;
};

// The library's table of weights, if the model has one.
std::optional<Weights> weights_of(const Patient& patient) {
  for (const ElfFacts& object : patient.library)
    for (const ElfSymbol& symbol : object.symbols)
      if (symbol.is_object && symbol.section >= 0 && symbol.name.ends_with("_weights")) {
        const ElfSection& section = object.sections[symbol.section];
        if (symbol.address <= section.content.size() &&
            symbol.bytes <= section.content.size() - symbol.address)
          return Weights{symbol.name, section.content.substr(symbol.address, symbol.bytes),
                         section.alignment};
      }
  return std::nullopt;
}

struct Found {
  const ElfSection* section = nullptr;
  uint64_t address = 0;
  bool is_same = true;
};

std::optional<Found> find_weights(const ElfFacts& firmware, const Weights& weights) {
  if (const ElfSymbol* symbol = find_symbol(firmware, weights.name);
      symbol != nullptr && symbol->section >= 0) {
    const ElfSection& section = firmware.sections[symbol->section];
    const size_t at = symbol->address - section.address;
    return Found{&section, symbol->address,
                 at <= section.content.size() &&
                     section.content.compare(at, weights.content.size(), weights.content) == 0};
  }
  for (const ElfSection& section : firmware.sections)
    if (const size_t at = section.content.find(weights.content); at != std::string::npos)
      return Found{&section, section.address + at, true};
  return std::nullopt;
}

// What linker scripts and start-up files call the stack: its size, or its two ends.
std::optional<int64_t> stack_of(const ElfFacts& firmware) {
  for (const char* name :
       {"__stack_size", "__stack_size__", "_stack_size", "__STACK_SIZE", "STACK_SIZE", "Stack_Size",
        "_Min_Stack_Size", "__StackSize", "_STACK_SIZE"})
    if (const ElfSymbol* size = find_symbol(firmware, name); size != nullptr && size->section < 0)
      return static_cast<int64_t>(size->address);
  struct Ends {
    const char *top, *limit;
  };
  static constexpr Ends rows[] = {{"__StackTop", "__StackLimit"},
                                  {"__stack_top", "__stack_limit"},
                                  {"__stack_top", "__stack_bottom"},
                                  {"_stack_top", "_stack_bottom"},
                                  {"_stack_start", "_stack_end"},
                                  {"__stack_start", "__stack_end"},
                                  {"_estack", "_sstack"},
                                  {"__INITIAL_SP", "__STACK_LIMIT"},
                                  {"__stack", "__stack_limit"}};
  for (const Ends& row : rows) {
    const ElfSymbol *top = find_symbol(firmware, row.top),
                    *limit = find_symbol(firmware, row.limit);
    if (top == nullptr || limit == nullptr || top->address == limit->address) continue;
    const auto ends = std::minmax(top->address, limit->address);
    return static_cast<int64_t>(ends.second - ends.first);
  }
  for (const ElfSection& section : firmware.sections)
    if (section.allocated && section.bytes > 0 && section.name.starts_with(".stack"))
      return static_cast<int64_t>(section.bytes);
  return std::nullopt;
}

std::optional<int64_t> depth_of_run(const Patient& patient) {
  const ElfSymbol* run = find_symbol(patient.firmware, run_symbol_of(patient));
  return run != nullptr && patient.firmware.machine == "hexagon"
             ? stack_depth(patient.firmware, *run)
             : std::nullopt;
}

}  // namespace

void examine_weights(const Patient& patient, std::vector<Finding>& out) {
  const std::optional<Weights> weights = weights_of(patient);
  if (!weights) return;
  const size_t before = out.size();
  const auto wrong = [&](const std::string& message, const std::string& cure) {
    out.push_back({Health::kWrong, "weights", message, cure});
  };
  const std::optional<Found> found = find_weights(patient.firmware, *weights);
  if (!found)
    return wrong("The library's weights are not in the firmware.",
                 "Link the firmware again with this library.");
  const ElfSection& section = *found->section;
  const std::string place = cat(weights->content.size(), " bytes of weights in the section ",
                                section.name, " at ", hex_text(found->address));
  if (section.content.empty())
    wrong(
        cat("The linker put ", place, ", which is not stored: they read as whatever lies in RAM."),
        "In the linker script, take (NOLOAD) away, or place *(.rodata .rodata.*) in flash.");
  else if (!found->is_same)
    wrong(cat("The linker put ", place, ", and they are not this library's."),
          "Link the firmware again with this library.");
  const bool is_in_ram = section.writable || section.load_address != section.address;
  if (is_in_ram && patient.manifest && !patient.manifest->weights_section.empty())
    out.push_back(
        {Health::kUnseen, "weights",
         cat("The linker put ", place,
             ", which the start-up code copies to RAM. That is right if --weights-section ",
             patient.manifest->weights_section, " was meant so."),
         ""});
  else if (is_in_ram)
    wrong(cat("The linker put ", place, ", which the start-up code copies to RAM."),
          "In the linker script, place *(.rodata .rodata.*) in flash; or name a section that lies "
          "there: --weights-section NAME.");
  if (found->address % weights->alignment != 0)
    wrong(cat("The linker put ", place, ", which is not aligned to ", weights->alignment, "."),
          "In the linker script, drop SUBALIGN from the section that holds the weights.");
  if (out.size() == before)
    out.push_back({Health::kFine, "weights", cat("There are ", place, ", read in place."), ""});
}

void examine_stack(const Patient& patient, std::vector<Finding>& out) {
  if (!patient.manifest || !patient.manifest->stack_bytes) return;
  // The firmware's own code tells more than the manifest: which helpers the linker found.
  const std::optional<int64_t> counted = depth_of_run(patient);
  const int64_t needs = counted.value_or(*patient.manifest->stack_bytes);
  const std::string need =
      cat(!counted && patient.manifest->stack_is_lower_bound ? "at least " : "", needs,
          " bytes of stack", counted ? " by the firmware's code" : "",
          ", besides its caller's and interrupts'");
  const std::optional<int64_t> has = stack_of(patient.firmware);
  if (!has)
    out.push_back({Health::kUnseen, "stack",
                   cat("How large the stack is was not seen; run needs ", need, "."), ""});
  else if (*has < needs)
    out.push_back({Health::kWrong, "stack",
                   cat("The stack has ", *has, " bytes, run needs ", need, "."),
                   "Make the stack larger in the linker script or the start-up file."});
  else
    out.push_back(
        {Health::kFine, "stack", cat("The stack has ", *has, " bytes, run needs ", need, "."), ""});
}

}  // namespace hlocc::driver
