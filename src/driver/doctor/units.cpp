// The doctor's look at instructions: units that the library needs, and whether the firmware has and
// enables them. A linker merges build attributes, so that they tell what the library needs and not
// what the chip has; the code beside the library tells more.
#include <algorithm>
#include <set>

#include "driver/doctor/code_scan.h"
#include "driver/doctor/doctor.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

// Less code than this proves nothing about the core that it is for.
constexpr int64_t kEnoughCode = 256;

// Where the library's functions lie in the firmware.
class LibraryCode {
 public:
  explicit LibraryCode(const Patient& patient) {
    std::set<std::string> names;
    for (const ElfFacts& object : patient.library)
      for (const ElfSymbol& symbol : object.symbols)
        if (symbol.is_defined && symbol.is_function) names.insert(symbol.name);
    for (const ElfSymbol& symbol : patient.firmware.symbols)
      if (symbol.is_function && names.contains(symbol.name))
        ranges_.emplace_back(symbol.address, symbol.address + symbol.bytes);
  }
  bool holds(uint64_t address) const {
    for (const auto& [begin, end] : ranges_)
      if (address >= begin && address < end) return true;
    return false;
  }

 private:
  std::vector<std::pair<uint64_t, uint64_t>> ranges_;
};

CodeFacts facts_of_library(const Patient& patient) {
  CodeFacts out;
  for (const ElfFacts& object : patient.library) {
    const CodeFacts one = scan_code(object, [](int, uint64_t) { return true; });
    out.thumb2 |= one.thumb2;
    out.multiplies |= one.multiplies;
    out.floating_point |= one.floating_point;
    out.vectors |= one.vectors;
  }
  return out;
}

bool has_function(const ElfFacts& file, std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (const ElfSymbol* symbol = find_symbol(file, name); symbol != nullptr && symbol->is_function)
      return true;
  return false;
}

void examine_core(const Patient& patient, const CodeFacts& library, const CodeFacts& rest,
                  std::vector<Finding>& out) {
  if (library.thumb2 && !rest.thumb2 && rest.bytes >= kEnoughCode)
    out.push_back({Health::kWrong, "isa",
                   "All code besides the library's is for Armv6-M (Cortex-M0, M0+), the library's "
                   "is not: on such a chip it ends in "
                   "a hard fault.",
                   "Compile the model with --target cortex-m0 or cortex-m0plus; if the chip is a "
                   "larger one, give its -mcpu to the "
                   "compiler of the firmware."});
  const bool multiplies_in_software =
      has_function(patient.firmware, {"__mulsi3", "__divsi3", "__udivsi3", "__muldi3"});
  if (library.multiplies && !rest.multiplies && multiplies_in_software)
    out.push_back({Health::kWrong, "isa",
                   "The library multiplies by instructions, all other code by __mulsi3 and its "
                   "like: a chip without the M extension "
                   "traps.",
                   "Compile the model with --features=-m; if the chip has M, build the firmware "
                   "with it: -march=rv32imc."});
}

void examine_fpu(const Patient& patient, const CodeFacts& rest, std::vector<Finding>& out) {
  const bool is_arm = patient.firmware.machine == "arm";
  const std::string where = is_arm ? "CPACR (0xE000ED88)" : "FS in mstatus";
  if (rest.enables) {
    out.push_back({Health::kFine, "fpu",
                   cat("The library uses the floating-point unit, and ", where, " is written."),
                   ""});
    return;
  }
  const std::string cure = is_arm ? "Before the first float: SCB->CPACR |= 0xFu << 20; __DSB(); "
                                    "__ISB(); or compile the model with --float-abi soft."
                                  : "Before the first float: li t0, 0x2000; csrs mstatus, t0. "
                                    "Without such a unit: compile the model for a target "
                                    "without F, such as rv32imac.";
  if (rest.maybe_enables)
    out.push_back({Health::kUnseen, "fpu",
                   cat("The library uses the floating-point unit; that ", where,
                       " is set was not seen, though mstatus is written."),
                   cure});
  else
    out.push_back({Health::kWrong, "fpu",
                   cat("The library uses the floating-point unit, and nothing in the firmware was "
                       "seen to switch it on: no write of ",
                       where, ". Unless a boot loader did, the first float traps."),
                   cure});
}

// Hexagon's vector unit. A real-time system switches it on for the threads that ask for it.
void examine_vectors(const Patient& patient, const CodeFacts& rest, std::vector<Finding>& out) {
  if (patient.manifest && patient.manifest->features &&
      patient.manifest->features->find("+hvx") == std::string::npos)
    out.push_back({Health::kWrong, "isa",
                   cat("The library has instructions of the vector unit (HVX), which the target of "
                       "its manifest, ",
                       patient.manifest->target, ", does without."),
                   "Take library and manifest of one `hlocc compile`; for a chip without the unit "
                   "compile the model with --target hexagon-v67."});
  const auto asks = [](const ElfSymbol& symbol) { return symbol.name.starts_with("qurt_hvx_"); };
  if (rest.maybe_enables || std::ranges::any_of(patient.firmware.symbols, asks))
    out.push_back({Health::kFine, "hvx",
                   "The library uses the vector unit (HVX), and the firmware asks for it.", ""});
  else
    out.push_back({Health::kUnseen, "hvx",
                   "The library uses the vector unit (HVX); that it is switched on was not seen: "
                   "no call of qurt_hvx_lock, no write of SSR.",
                   "In the thread that runs the model: qurt_hvx_lock(QURT_HVX_MODE_128B); without "
                   "an operating system the bits XE and XA of SSR."});
}

}  // namespace

void examine_units(const Patient& patient, std::vector<Finding>& out) {
  const LibraryCode code(patient);
  const CodeFacts library = facts_of_library(patient);
  const CodeFacts rest =
      scan_code(patient.firmware, [&](int, uint64_t address) { return !code.holds(address); });
  const size_t before = out.size();
  examine_core(patient, library, rest, out);
  if (library.floating_point) examine_fpu(patient, rest, out);
  if (library.vectors) examine_vectors(patient, rest, out);
  if (out.size() == before)
    out.push_back({Health::kFine, "isa",
                   "The library uses no unit that the rest of the firmware does without.", ""});
}

}  // namespace hlocc::driver
