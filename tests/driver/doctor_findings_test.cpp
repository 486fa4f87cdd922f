// Each finding of `doctor`, word for word, beside the firmware that is healthy
// (driver/doctor/doctor.cpp, places.cpp, units.cpp, arena.cpp).
#include <catch2/catch.hpp>

#include "driver/doctor/doctor.h"
#include "driver/patients.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

TEST_CASE("a firmware that is healthy is told so, part by part") {
  const Patient patient = patient_for("arm");
  CHECK(ills_of(patient) == "fine");
  CHECK(fine_of(patient, "machine") ==
        "Firmware and library are code for arm with the float ABI of the machine.");
  CHECK(fine_of(patient, "link") == "The firmware holds kws_run_1a2b.");
  CHECK(fine_of(patient, "weights") ==
        "There are 8 bytes of weights in the section .rodata at 0x1000, read in place.");
  CHECK(fine_of(patient, "isa") ==
        "The library uses no unit that the rest of the firmware does without.");
  Patient abi = patient;
  abi.firmware.float_abi = abi.library[0].float_abi = "hard";
  CHECK(fine_of(abi, "machine") ==
        "Firmware and library are code for arm with the float ABI hard.");
}

TEST_CASE("files that are none, and machines that are not the same") {
  Patient patient = patient_for("arm");
  patient.firmware.is_linked = false;
  CHECK(ills_of(patient) == "link: The firmware is an object that is not linked yet.");
  patient = patient_for("arm");
  patient.firmware.symbols.clear();
  CHECK(ills_of(patient) ==
        "link: The firmware has no symbols, so that nothing can be found in it.");
  for (const auto change :
       {+[](ElfSymbol& s) { s.is_defined = false; }, +[](ElfSymbol& s) { s.is_global = false; },
        +[](ElfSymbol& s) { s.is_function = false; }, +[](ElfSymbol& s) { s.name = "kws_runs"; }}) {
    patient = patient_for("arm");
    change(patient.library[0].symbols[0]);
    CHECK(ills_of(patient) ==
          "link: The library holds no model that hlocc compiled: it defines no run function.");
  }
  patient = patient_for("arm");
  patient.library[0].symbols[0].name = patient.firmware.symbols[0].name = "kws_run";
  CHECK(ills_of(patient) == "fine");
  patient = patient_for("arm");
  patient.library[0].machine = "riscv32";
  CHECK(ills_of(patient) == "machine: The library is code for riscv32, the firmware for arm.");
  patient = patient_for("arm");
  patient.firmware.big_endian = true;
  CHECK(ills_of(patient) ==
        "machine: The library is code for arm, the firmware for arm, big-endian.");
}

TEST_CASE("float ABIs are compared where both are known, and the cure is the firmware's") {
  const auto cure = [](const char* machine, const char* library, const char* firmware) {
    Patient patient = patient_for(machine);
    patient.library[0].float_abi = library;
    patient.firmware.float_abi = firmware;
    const std::vector<Finding> found = examine(patient);
    return found[0].health == Health::kFine ? "fine" : found[0].cure;
  };
  const std::string soft =
                        "Compile the model with --float-abi softfp (or soft, without an FPU), or "
                        "the firmware with the library's -m",
                    hard =
                        "Compile the model with --float-abi hard, or the firmware with the "
                        "library's -m";
  CHECK(cure("arm", "hard", "hard") == "fine");
  CHECK(cure("arm", "", "hard") == "fine");
  CHECK(cure("arm", "hard", "") == "fine");
  CHECK(cure("arm", "hard", "soft") == soft + "float-abi=hard.");
  CHECK(cure("arm", "soft", "hard") == hard + "float-abi=soft.");
  CHECK(cure("riscv32", "ilp32", "ilp32f") == hard + "abi=ilp32.");
  CHECK(cure("riscv64", "lp64", "lp64d") == hard + "abi=lp64.");
  CHECK(cure("riscv32", "ilp32f", "ilp32") == soft + "abi=ilp32f.");
}

TEST_CASE("what the header asks for is held against what the manifest says") {
  const auto ills = [](int64_t header, std::optional<int64_t> manifest) {
    Patient patient = patient_for("arm");
    patient.header = HeaderFactsRead{"kws_run_1a2b", header};
    patient.manifest = ManifestFacts{};
    patient.manifest->arena_bytes = manifest;
    std::string out;
    for (const Finding& one : examine(patient))
      if (one.topic == "header") out += one.message;
    return out;
  };
  CHECK(ills(100, 101) == "The header asks for an arena of 100 bytes, the library needs 101.");
  CHECK(ills(0, 1) == "The header asks for an arena of 0 bytes, the library needs 1.");
  CHECK(ills(101, 101).empty());
  CHECK(ills(-1, 101).empty());
  CHECK(ills(100, std::nullopt).empty());
}

TEST_CASE("symbols that lead nowhere have a cure each") {
  const auto cure = [](const char* name, bool is_zero) {
    Patient patient = patient_for("arm");
    patient.library[0].symbols.push_back({.name = name});
    patient.firmware.symbols.push_back({.name = name, .is_defined = is_zero});
    for (const Finding& one : examine(patient))
      if (one.topic == "symbols") return cat(one.message, "\n", one.cure.substr(0, 12));
    return std::string("none");
  };
  CHECK(cure("memcpy", false) ==
        "The library calls memcpy, and nothing in the firmware defines it: the linker was told to "
        "leave it open, and the call leads nowhere.\nLink a libc ");
  CHECK(cure("hlocc_memcpy", true) ==
        "The library calls hlocc_memcpy, which is 0 in the firmware: somebody told the linker so, "
        "and the call leads nowhere.\nLink the lib");
  CHECK(cure("__mulsf3", true).ends_with("\nPut -lgcc (o"));
}

TEST_CASE("weights are where they can be read, and are the library's own") {
  const std::string put =
      "weights: The linker put 8 bytes of weights in the section .rodata at 0x1000, ";
  const auto ills = [](void (*change)(ElfFacts&)) {
    Patient patient = patient_for("arm");
    change(patient.firmware);
    return ills_of(patient);
  };
  CHECK(ills([](ElfFacts& f) { f.sections[1].content = "weights?"; }) ==
        put + "and they are not this library's.");
  CHECK(ills([](ElfFacts& f) { f.sections[1].content.clear(); }) ==
        put + "which is not stored: they read as whatever lies in RAM.");
  CHECK(ills([](ElfFacts& f) { f.sections[1].writable = true; }) ==
        put + "which the start-up code copies to RAM.");
  CHECK(ills([](ElfFacts& f) { f.sections[1].load_address = 0x2000; }) ==
        put + "which the start-up code copies to RAM.");
  CHECK(ills([](ElfFacts& f) {
          f.sections[1].address = f.sections[1].load_address = f.symbols[1].address = 0x1002;
        }) ==
        "weights: The linker put 8 bytes of weights in the section .rodata at 0x1002, which is not "
        "aligned to 4.");
  // A symbol behind what its section holds.
  CHECK(ills([](ElfFacts& f) {
          f.symbols[1].address = 0x1010;
        }).ends_with("at 0x1010, and they are not this library's."));
  CHECK(ills([](ElfFacts& f) {
          f.symbols[1].address = 0x1004;
        }).ends_with("at 0x1004, and they are not this library's."));
  // Without the symbol their bytes are looked for.
  CHECK(ills([](ElfFacts& f) {
          f.symbols.pop_back();
          f.sections[1].content = "....weights!";
        }) == "fine");
  CHECK(ills([](ElfFacts& f) { f.symbols[1].section = -1; }) == "fine");
  CHECK(ills([](ElfFacts& f) {
          f.symbols.pop_back();
          f.sections[1].content = "weights?";
        }) == "weights: The library's weights are not in the firmware.");
  // What --weights-section put there on purpose.
  Patient patient = patient_for("arm");
  patient.firmware.sections[1].writable = true;
  patient.manifest = ManifestFacts{};
  CHECK(ills_of(patient) == put + "which the start-up code copies to RAM.");
  patient.manifest->weights_section = ".fast";
  std::string told;
  for (const Finding& one : examine(patient))
    if (one.topic == "weights") told += cat(one.health == Health::kUnseen, " ", one.message);
  CHECK(told == cat("true ", put.substr(9),
                    "which the start-up code copies to RAM. That is right if --weights-section "
                    ".fast was meant so."));
}

TEST_CASE("a library without a table of weights has none to look for") {
  for (const auto change :
       {+[](ElfSymbol& s) { s.name = "kws_table"; }, +[](ElfSymbol& s) { s.is_object = false; },
        +[](ElfSymbol& s) { s.section = -1; }, +[](ElfSymbol& s) { s.bytes = 9; },
        +[](ElfSymbol& s) { s.address = 1; }, +[](ElfSymbol& s) { s.address = 9, s.bytes = 0; }}) {
    Patient patient = patient_for("arm");
    change(patient.library[0].symbols[1]);
    CHECK(fine_of(patient, "weights") == "none");
    CHECK(ills_of(patient) == "fine");
  }
}

TEST_CASE("stacks are looked for by the names of linker scripts") {
  const auto told = [](std::vector<ElfSymbol> symbols, std::vector<ElfSection> sections = {}) {
    Patient patient = patient_for("arm");
    patient.manifest = ManifestFacts{};
    patient.manifest->stack_bytes = 100;
    for (const ElfSymbol& one : symbols) patient.firmware.symbols.push_back(one);
    for (const ElfSection& one : sections) patient.firmware.sections.push_back(one);
    for (const Finding& one : examine(patient))
      if (one.topic == "stack") return one.message.substr(0, one.message.find(','));
    return std::string("none");
  };
  const std::string unseen = "How large the stack is was not seen; run needs 100 bytes of stack";
  CHECK(told({}) == unseen);
  for (const char* name :
       {"__stack_size", "__stack_size__", "_stack_size", "__STACK_SIZE", "STACK_SIZE", "Stack_Size",
        "_Min_Stack_Size", "__StackSize", "_STACK_SIZE"})
    CHECK(told({{.name = name, .address = 100, .is_defined = true}}) == "The stack has 100 bytes");
  for (const auto& [top, limit] :
       std::vector<std::pair<const char*, const char*>>{{"__StackTop", "__StackLimit"},
                                                        {"__stack_top", "__stack_limit"},
                                                        {"__stack_top", "__stack_bottom"},
                                                        {"_stack_top", "_stack_bottom"},
                                                        {"_stack_start", "_stack_end"},
                                                        {"__stack_start", "__stack_end"},
                                                        {"_estack", "_sstack"},
                                                        {"__INITIAL_SP", "__STACK_LIMIT"},
                                                        {"__stack", "__stack_limit"}}) {
    const ElfSymbol high{.name = top, .address = 0x400, .is_defined = true},
        low{.name = limit, .address = 0x300, .is_defined = true};
    CHECK(told({high, low}) == "The stack has 256 bytes");
    CHECK(told({high}) == unseen);
    CHECK(told({low}) == unseen);
  }
  CHECK(told({}, {{.name = ".stack", .bytes = 99, .allocated = true}}) == "The stack has 99 bytes");
  CHECK(told({}, {{.name = ".stack_dummy", .bytes = 100, .allocated = true}}) ==
        "The stack has 100 bytes");
  CHECK(told({}, {{.name = ".stack", .bytes = 0, .allocated = true}}) == unseen);
  CHECK(told({}, {{.name = ".stack", .bytes = 99}}) == unseen);
  CHECK(told({}, {{.name = "stack", .bytes = 99, .allocated = true}}) == unseen);
}

TEST_CASE("a stack that is a lower bound is said to be one") {
  Patient patient = patient_for("arm");
  patient.manifest = ManifestFacts{};
  patient.manifest->stack_bytes = 100;
  patient.firmware.symbols.push_back({.name = "__stack_size", .address = 99, .is_defined = true});
  const std::string rest = "100 bytes of stack, besides its caller's and interrupts'.";
  CHECK(ills_of(patient) == "stack: The stack has 99 bytes, run needs " + rest);
  patient.manifest->stack_is_lower_bound = true;
  CHECK(ills_of(patient) == "stack: The stack has 99 bytes, run needs at least " + rest);
  patient.manifest->stack_bytes.reset();
  CHECK(ills_of(patient) == "fine");
  // A program of an operating system has neither stack nor units to look at.
  patient = patient_for("arm");
  patient.manifest = ManifestFacts{};
  patient.manifest->stack_bytes = 100;
  patient.firmware.is_microcontroller = false;
  CHECK(fine_of(patient, "isa") == "none");
  patient.firmware.is_microcontroller = true;
  patient.manifest->triple = "armv7-linux-gnueabihf";
  CHECK(fine_of(patient, "isa") == "none");
  CHECK(fine_of(patient, "weights") != "none");
}

// So many halves of Thumb's "movs r0, r0".
std::string halves_of(const char* half, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += std::string(half, 2);
  return out;
}

TEST_CASE("Thumb-2 in a firmware for Armv6-M is wrong, where enough code tells that it is one") {
  const std::string thumb2("\xD0\xF8\x88\x10", 4), narrow = halves_of("\x00\x46", 128);
  const std::string wrong =
      "isa: All code besides the library's is for Armv6-M (Cortex-M0, M0+), the library's is not: "
      "on such a chip it ends in a hard fault.";
  CHECK(ills_of(patient_for("arm", thumb2, narrow)) == wrong);
  CHECK(ills_of(patient_for("arm", "", narrow)) == "fine");
  CHECK(ills_of(patient_for("arm", thumb2, narrow.substr(2))) == "fine");
  CHECK(ills_of(patient_for("arm", thumb2, narrow + thumb2)) == "fine");
}

TEST_CASE("multiplications in a firmware that multiplies in software are wrong") {
  const std::string mul("\x33\x05\xB5\x02", 4),
      wrong =
          "isa: The library multiplies by instructions, all other code by __mulsi3 and its like: a "
          "chip "
          "without the M extension traps.";
  const auto ills = [&](const std::string& library, const std::string& own, const char* function) {
    Patient patient = patient_for("riscv32", library, own);
    patient.firmware.symbols.push_back(function_symbol(function, 0x40));
    return ills_of(patient);
  };
  for (const char* function : {"__mulsi3", "__divsi3", "__udivsi3", "__muldi3"})
    CHECK(ills(mul, "", function) == wrong);
  CHECK(ills(mul, "", "__addsf3") == "fine");
  CHECK(ills(mul, mul, "__mulsi3") == "fine");
  CHECK(ills("", "", "__mulsi3") == "fine");
  // A variable of that name is no function.
  Patient patient = patient_for("riscv32", mul);
  patient.firmware.symbols.push_back(function_symbol("__mulsi3", 0x40));
  patient.firmware.symbols.back().is_function = false;
  CHECK(ills_of(patient) == "fine");
}

TEST_CASE("a floating-point unit is switched on, or said not to be") {
  const std::string vadd("\x30\xEE\x20\x0A", 4), cpacr("\x88\xED\x00\xE0", 4);
  const std::string off =
      "fpu: The library uses the floating-point unit, and nothing in the "
      "firmware was seen to switch it on: no write of ";
  const std::string trap = ". Unless a boot loader did, the first float traps.";
  CHECK(ills_of(patient_for("arm", vadd)) == off + "CPACR (0xE000ED88)" + trap);
  CHECK(ills_of(patient_for("arm", vadd, cpacr)) == "fine");
  CHECK(fine_of(patient_for("arm", vadd, cpacr), "fpu") ==
        "The library uses the floating-point unit, and CPACR (0xE000ED88) is written.");
  CHECK(ills_of(patient_for("arm", "", vadd)) == "fine");  // what the firmware does is its own
  const std::string fadd("\x53\x75\xB5\x00", 4), csrs("\x73\xA0\x02\x30", 4);
  CHECK(ills_of(patient_for("riscv32", fadd)) == off + "FS in mstatus" + trap);
  CHECK(ills_of(patient_for("riscv32", fadd, csrs)) ==
        "fpu?: The library uses the floating-point unit; that FS in mstatus is set was not seen, "
        "though mstatus is written.");
  CHECK(ills_of(patient_for("riscv32", fadd, std::string("\x99\x62", 2) + csrs)) == "fine");
}

}  // namespace
}  // namespace hlocc::driver
