// See doctor.h. This part: do the two belong together at all, and is the library in the firmware.
#include "driver/doctor/doctor.h"

#include <algorithm>
#include <cstdio>
#include <set>

#include "support/text.h"
#include "target/memory_functions.h"

namespace hlocc::driver {
namespace {

// Architectures of Arm and of Hexagon by what they add to each other; 0: not among them.
int rank_of(const ElfFacts& file) {
  if (const auto version = file.attributes.find("hexagon"); version != file.attributes.end())
    return version->second;
  const auto value = file.attributes.find("CPU_arch");
  if (value == file.attributes.end()) return 0;
  static constexpr std::pair<int, int> rows[] = {{11, 1}, {12, 1}, {16, 2}, {10, 3},
                                                 {13, 4}, {17, 5}, {21, 6}};
  for (const auto& [number, rank] : rows)
    if (value->second == number) return rank;
  return 0;
}

std::string name_of(const ElfFacts& file) {
  return cat(file.machine, file.big_endian ? ", big-endian" : "");
}

// What the library calls and does not define, by its objects and by its manifest, which also tells
// of what link-time optimisation has left out of them.
std::set<std::string> undefined_of(const Patient& patient) {
  std::set<std::string> out;
  for (const ElfFacts& object : patient.library)
    for (const ElfSymbol& symbol : object.symbols)
      if (!symbol.is_defined) out.insert(symbol.name);
  if (patient.manifest)
    out.insert(patient.manifest->undefined.begin(), patient.manifest->undefined.end());
  return out;
}

std::string cure_for(const std::string& symbol) {
  if (symbol == kOwnCopy)
    return cat("Link the library as it is, not an object taken out of it: ", kOwnCopy,
               " lies in a member beside; or give it your memcpy by -Wl,--defsym=", kOwnCopy,
               "=memcpy. Drop --unresolved-symbols and --warn-unresolved-symbols.");
  if (symbol.starts_with("mem"))
    return cat("Link a libc or a ", symbol,
               " of your own, and drop --unresolved-symbols and --warn-unresolved-symbols.");
  return "Put -lgcc (or compiler-rt's builtins) behind the library, and drop "
         "--unresolved-symbols and --warn-unresolved-symbols.";
}

// Left open by the linker, or set to 0. What is not there at all may have been inlined.
void examine_symbols(const Patient& patient, std::vector<Finding>& out) {
  const std::set<std::string> needed = undefined_of(patient);
  for (const ElfSymbol& symbol : patient.firmware.symbols) {
    const bool is_zero = symbol.is_defined && symbol.section < 0 && symbol.address == 0;
    if ((symbol.is_defined && !is_zero) || !needed.contains(symbol.name)) continue;
    out.push_back(
        {Health::kWrong, "symbols",
         cat("The library calls ", symbol.name,
             is_zero ? ", which is 0 in the firmware: somebody told the linker so"
                     : ", and nothing in the firmware defines it: the linker was told to leave it "
                       "open",
             ", and the call leads nowhere."),
         cure_for(symbol.name)});
  }
}

// A run is called by the model's prefix and the digits of a hash; what goes on behind them is a
// part of one (a launch's ranges).
bool is_hash(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// Names of runs of this model, whatever compile they are from.
std::vector<std::string> runs_in(const ElfFacts& firmware, const std::string& prefix) {
  std::vector<std::string> out;
  for (const ElfSymbol& symbol : firmware.symbols)
    if (symbol.is_defined && symbol.is_function &&
        (symbol.name == prefix + "run" ||
         (symbol.name.starts_with(prefix + "run_") &&
          is_hash(std::string_view(symbol.name).substr(prefix.size() + 4)))))
      out.push_back(symbol.name);
  return out;
}

void compare_names(const Patient& patient, const std::string& run, std::vector<Finding>& out) {
  const auto check = [&](const std::string& other, const char* what) {
    if (!other.empty() && other != run)
      out.push_back({Health::kWrong, "header",
                     cat("The ", std::string(what), " belongs to another compile: it says ", other,
                         ", the library has ", run, "."),
                     "Take library, header and manifest of one `hlocc compile`, and build what "
                     "includes the header anew."});
  };
  if (patient.manifest) check(patient.manifest->run_symbol, "manifest");
  if (patient.header) check(patient.header->run_symbol, "header");
  if (patient.header && patient.manifest && patient.manifest->arena_bytes &&
      patient.header->arena_bytes >= 0 &&
      patient.header->arena_bytes != *patient.manifest->arena_bytes)
    out.push_back({Health::kWrong, "header",
                   cat("The header asks for an arena of ", patient.header->arena_bytes,
                       " bytes, the library needs ", *patient.manifest->arena_bytes, "."),
                   "Take library, header and manifest of one `hlocc compile`, and build what "
                   "includes the header anew."});
}

}  // namespace

std::string run_symbol_of(const Patient& patient) {
  for (const ElfFacts& object : patient.library)
    for (const ElfSymbol& symbol : object.symbols)
      if (symbol.is_defined && symbol.is_global && symbol.is_function &&
          (symbol.name.ends_with("_run") || symbol.name.find("_run_") != std::string::npos))
        return symbol.name;
  return {};
}

std::string prefix_of(const std::string& run_symbol) {
  const size_t at = run_symbol.rfind("_run");
  return at == std::string::npos ? run_symbol : run_symbol.substr(0, at + 1);
}

std::string hex_text(uint64_t number) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(number));
  return text;
}

const ElfSymbol* find_symbol(const ElfFacts& file, const std::string& name) {
  for (const ElfSymbol& symbol : file.symbols)
    if (symbol.name == name && symbol.is_defined) return &symbol;
  return nullptr;
}

bool is_bare_metal(const Patient& patient) {
  if (patient.manifest && patient.manifest->triple.find("linux") != std::string::npos) return false;
  const std::string& machine = patient.firmware.machine;
  return patient.firmware.is_microcontroller || machine.starts_with("riscv") ||
         machine == "hexagon";
}

void examine_machine(const Patient& patient, std::vector<Finding>& out) {
  const ElfFacts& firmware = patient.firmware;
  for (const ElfFacts& object : patient.library) {
    if (object.machine != firmware.machine || object.big_endian != firmware.big_endian) {
      out.push_back({Health::kWrong, "machine",
                     cat("The library is code for ", name_of(object), ", the firmware for ",
                         name_of(firmware), "."),
                     "Compile the model with the firmware's --target."});
      return;
    }
    if (rank_of(firmware) != 0 && rank_of(object) > rank_of(firmware))
      out.push_back({Health::kWrong, "machine",
                     "The library is built for a newer architecture than the firmware says it is.",
                     "Compile the model with the --target of the chip."});
    if (!object.float_abi.empty() && !firmware.float_abi.empty() &&
        object.float_abi != firmware.float_abi)
      out.push_back(
          {Health::kWrong, "float-abi",
           cat("The library passes floats by the ABI ", object.float_abi, ", the firmware by ",
               firmware.float_abi, "."),
           cat("Compile the model with --float-abi ",
               firmware.float_abi == "hard" || firmware.float_abi.ends_with('f') ||
                       firmware.float_abi.ends_with('d')
                   ? "hard"
                   : "softfp (or soft, without an FPU)",
               ", or the firmware with the library's -m",
               firmware.machine == "arm" ? "float-abi=" : "abi=", object.float_abi, ".")});
  }
  if (out.empty())
    out.push_back(
        {Health::kFine, "machine",
         cat("Firmware and library are code for ", name_of(firmware), " with the float ABI ",
             firmware.float_abi.empty() ? "of the machine" : firmware.float_abi, "."),
         ""});
}

void examine_link(const Patient& patient, std::vector<Finding>& out) {
  const std::string run = run_symbol_of(patient), prefix = prefix_of(run);
  compare_names(patient, run, out);
  const std::vector<std::string> runs = runs_in(patient.firmware, prefix);
  const size_t own = static_cast<size_t>(std::count(runs.begin(), runs.end(), run));
  if (runs.empty()) {
    out.push_back({Health::kWrong, "link",
                   cat("The library is not in the firmware: nothing defines ", run, "."),
                   "Put the library on the linker's command line behind the objects that call it, "
                   "and call it: --gc-sections "
                   "drops what nothing calls."});
  } else if (own == 0) {
    out.push_back(
        {Health::kWrong, "link",
         cat("The firmware holds ", runs[0], ", the library defines ", run,
             ": it was linked with another compile of this model."),
         "Link the firmware again with this library, and build what includes the header anew."});
  } else if (runs.size() > 1) {
    out.push_back(
        {Health::kWrong, "link",
         cat("The firmware holds ", runs.size(), " copies of the model: ", join(runs, ", "), "."),
         "Link one library of the model, and build everything that includes its header anew."});
  } else {
    out.push_back({Health::kFine, "link", cat("The firmware holds ", run, "."), ""});
  }
  examine_symbols(patient, out);
}

std::vector<Finding> examine(const Patient& patient) {
  std::vector<Finding> out;
  if (!patient.firmware.is_linked)
    return {{Health::kWrong, "link", "The firmware is an object that is not linked yet.",
             "Give the linker's output."}};
  if (run_symbol_of(patient).empty())
    return {{Health::kWrong, "link",
             "The library holds no model that hlocc compiled: it defines no run function.",
             "Give the lib<stem>.a of `hlocc compile`."}};
  examine_machine(patient, out);
  if (out[0].topic == "machine" && out[0].health == Health::kWrong) return out;
  if (patient.firmware.symbols.empty()) {
    out.push_back({Health::kWrong, "link",
                   "The firmware has no symbols, so that nothing can be found in it.",
                   "Give the file that the linker wrote, before strip, and link without -s."});
    return out;
  }
  examine_link(patient, out);
  const bool is_linked_in = find_symbol(patient.firmware, run_symbol_of(patient)) != nullptr;
  if (!is_linked_in) return out;
  if (is_bare_metal(patient)) examine_units(patient, out);
  examine_weights(patient, out);
  if (is_bare_metal(patient)) {
    examine_arena(patient, out);
    examine_stack(patient, out);
  }
  return out;
}

}  // namespace hlocc::driver
