// Where `doctor` finds arena, weights and stack, each bound with a case on both sides
// (driver/doctor/arena.cpp, places.cpp).
#include <catch2/catch.hpp>

#include "driver/code_rows.h"
#include "driver/patients.h"

namespace hlocc::driver {
namespace {

constexpr uint64_t kGiven = 0x20000100;

// A firmware that gives init the address kGiven; RAM is its section 2. The model needs 100 bytes
// for its arena, at multiples of 16.
Patient with_arena(const std::vector<ElfSymbol>& symbols) {
  // movw r1, #0x100; movt r1, #0x2000; bl kws_init; kws_init: bx lr.
  Patient out = patient_for(
      "arm", "", bytes_of_halves({0xF240, 0x1100, 0xF2C2, 0x0100, 0xF000, 0xF800, 0x4770, 0x4770}));
  out.firmware.sections.push_back({.name = ".bss",
                                   .address = 0x20000000,
                                   .bytes = 0x1000,
                                   .allocated = true,
                                   .writable = true});
  out.firmware.symbols.push_back(function_symbol("kws_init", 16));
  for (const ElfSymbol& symbol : symbols) out.firmware.symbols.push_back(symbol);
  out.manifest = ManifestFacts{.run_symbol = "kws_run_1a2b", .arena_bytes = 100, .arena_align = 16};
  return out;
}

ElfSymbol array_at(const char* name, uint64_t address, uint64_t bytes, int section = 2) {
  return {.name = name,
          .address = address,
          .bytes = bytes,
          .section = section,
          .is_defined = true,
          .is_object = true};
}

// What is said of the arena, a sentence a line.
std::string told_of_arena(const Patient& patient) {
  static constexpr const char* names[] = {"", "?", "WRONG: "};
  std::vector<std::string> out;
  for (const Finding& one : examine(patient))
    if (one.topic == "arena")
      out.push_back(cat(std::string(names[static_cast<int>(one.health)]), one.message));
  return join(out, "\n");
}

TEST_CASE("the arena is the object that init's argument lies in, from there to its end") {
  const auto told = [](uint64_t address, uint64_t bytes) {
    return told_of_arena(with_arena({array_at("buffers", address, bytes)}));
  };
  const std::string unseen =
      "?Where the arena lies was not seen; the model needs 100 bytes, aligned to 16.";
  const auto named = [](const char* symbol) {
    return cat("The arena buffers, which kws_init is given (", symbol, ")");
  };
  const std::string holds = " holds the 100 bytes that the model needs.",
                    small = " is too small: the model needs 100 bytes.";
  CHECK(told(kGiven, 100) == named("100 bytes at 0x20000100") + holds);
  CHECK(told(kGiven, 99) == "WRONG: " + named("99 bytes at 0x20000100") + small);
  CHECK(told(kGiven - 16, 116) == named("116 bytes at 0x200000f0") + holds);
  CHECK(told(kGiven - 16, 115) == "WRONG: " + named("115 bytes at 0x200000f0") + small);
  CHECK(told(kGiven + 1, 200) == unseen);
  CHECK(told(kGiven - 4, 4) == unseen);
  CHECK(told(kGiven - 4, 5) == "WRONG: " + named("5 bytes at 0x200000fc") + small);
  CHECK(told(kGiven, 0) == unseen);
  CHECK(told(kGiven + 0x100, ~uint64_t{0}) == unseen);
  for (const auto change :
       {+[](ElfSymbol& s) { s.is_defined = false; }, +[](ElfSymbol& s) { s.is_function = true; }}) {
    ElfSymbol symbol = array_at("buffers", kGiven, 100);
    change(symbol);
    CHECK(told_of_arena(with_arena({symbol})) == unseen);
    // Nor is it what is called like the model's arena.
    symbol.name = "kws_arena";
    CHECK(told_of_arena(with_arena({symbol})) == unseen);
  }
  // What init is given counts more than what is called so; --arena counts more than both.
  const ElfSymbol given = array_at("buffers", kGiven, 99), called = array_at("kws_arena", 0, 100);
  CHECK(told_of_arena(with_arena({called, given})).starts_with("WRONG: The arena buffers"));
  CHECK(told_of_arena(with_arena({called})).starts_with("The arena kws_arena (100 bytes at 0x0)"));
  Patient patient = with_arena({given, called, array_at("mine", 0, 100)});
  patient.arena = "mine";
  CHECK(told_of_arena(patient).starts_with("The arena mine (100 bytes at 0x0)" + holds));
  patient.arena = "yours";
  CHECK(told_of_arena(patient) == "WRONG: The firmware defines no yours, which --arena names.");
  patient.manifest->arena_bytes.reset();
  CHECK(told_of_arena(patient).empty());
}

TEST_CASE("arenas are aligned, and lie where they can be written") {
  const auto told = [](const ElfSymbol& symbol, std::optional<int64_t> align) {
    Patient patient = with_arena({symbol});
    patient.manifest->arena_align = align;
    const std::string text = told_of_arena(patient);
    return text.substr(0, text.find(": "));
  };
  const auto at = [](uint64_t address, int section = 2) {
    return array_at("kws_arena", address, 100, section);
  };
  CHECK(told(at(0x20), 16).starts_with("The arena"));
  CHECK(told(at(0x28), 16) == "WRONG");
  CHECK(told(at(0x28), 8).starts_with("The arena"));
  CHECK(told(at(0x28), 0).starts_with("The arena"));
  CHECK(told(at(0x29), std::nullopt).starts_with("The arena"));
  CHECK(told(at(0x20, -1), 16).starts_with("The arena"));
  Patient patient = with_arena({at(0x20, 0)});
  CHECK(told_of_arena(patient) ==
        "WRONG: The arena kws_arena (100 bytes at 0x20) lies in the section .text, which cannot be "
        "written.");
  patient = with_arena({at(0x28, 1)});
  CHECK(told_of_arena(patient) ==
        "WRONG: The arena kws_arena (100 bytes at 0x28) is not aligned to 16.\n"
        "WRONG: The arena kws_arena (100 bytes at 0x28) lies in the section .rodata, which cannot "
        "be written.");
  // An array without a size.
  CHECK(told_of_arena(with_arena({array_at("kws_arena", 0x20, 0)})) ==
        "?How large kws_arena (0 bytes at 0x20) is was not seen; the model needs 100 bytes, "
        "aligned to 16.");
}

TEST_CASE("each of two memories has an arena of its own") {
  const auto told = [](const std::vector<ElfSymbol>& symbols, const char* arena = "") {
    Patient patient = with_arena(symbols);
    patient.firmware.sections[0].writable = true;
    patient.manifest->memories = {{"fast", 10}, {"slow", 100}};
    patient.arena = arena;
    return told_of_arena(patient);
  };
  const auto fast = [](int section) { return array_at("kws_arena_fast", 0x20, 10, section); };
  const auto slow = [](int section) { return array_at("kws_arena_slow", 0x40, 100, section); };
  const std::string
      no_fast =
          "?Where the arena for fast lies was not seen; the model needs 10 bytes, aligned to 16.",
      no_slow =
          "?Where the arena for slow lies was not seen; the model needs 100 bytes, aligned to 16.",
      has_fast =
          "The arena kws_arena_fast (10 bytes at 0x20) holds the 10 bytes that the model "
          "needs in fast.",
      has_slow =
          "The arena kws_arena_slow (100 bytes at 0x40) holds the 100 bytes that the model "
          "needs in slow.";
  const auto shared = [](const char* section) {
    return cat("\nWRONG: The arenas for fast and for slow both lie in the section ", section,
               ": one of the memories is not used.");
  };
  CHECK(told({}) == no_fast + "\n" + no_slow);
  CHECK(told({fast(2)}) == has_fast + "\n" + no_slow);
  CHECK(told({slow(2)}) == no_fast + "\n" + has_slow);
  CHECK(told({fast(2), slow(0)}) == has_fast + "\n" + has_slow);
  CHECK(told({fast(2), slow(2)}) == has_fast + "\n" + has_slow + shared(".bss"));
  CHECK(told({fast(0), slow(0)}) == has_fast + "\n" + has_slow + shared(".text"));
  CHECK(told({fast(-1), slow(-1)}) == has_fast + "\n" + has_slow);
  // --arena names the one arena of models that have no memories.
  CHECK(told({fast(2)}, "kws_arena_fast") == has_fast + "\n" + no_slow);
}

TEST_CASE("weights in any section, and tables that have none") {
  Patient patient = patient_for("arm");
  // In the first section, where the code is: they are not the library's, and no others are sought.
  patient.firmware.symbols[1].section = 0;
  patient.firmware.symbols[1].address = 0;
  CHECK(ills_of(patient).ends_with(".text at 0x0, and they are not this library's."));
  patient = patient_for("arm", "weights!");
  patient.library[0].symbols[1].section = 0;
  CHECK(fine_of(patient, "weights").starts_with("There are 8 bytes"));
  // A table of no bytes at the end of its section.
  patient = patient_for("arm");
  patient.library[0].symbols[1].address = 8;
  patient.library[0].symbols[1].bytes = 0;
  CHECK(fine_of(patient, "weights") ==
        "There are 0 bytes of weights in the section .rodata at 0x1000, read in place.");
  // What --weights-section named, read in place.
  patient = patient_for("arm");
  patient.manifest = ManifestFacts{.weights_section = ".fast"};
  CHECK(ills_of(patient) == "fine");
}

TEST_CASE("a section of a stack, and what run needs of one") {
  Patient patient = patient_for("arm");
  patient.manifest = ManifestFacts{.stack_bytes = 1};
  const auto told = [&] {
    for (const Finding& one : examine(patient))
      if (one.topic == "stack")
        return cat(one.health == Health::kWrong ? "WRONG: " : "", one.message);
    return std::string("none");
  };
  const std::string rest = ", besides its caller's and interrupts'.";
  patient.firmware.sections.push_back({.name = ".stack", .bytes = 1, .allocated = true});
  CHECK(told() == "The stack has 1 bytes, run needs 1 bytes of stack" + rest);
  patient.manifest->stack_bytes = 2;
  CHECK(told() == "WRONG: The stack has 1 bytes, run needs 2 bytes of stack" + rest);
  // Hexagon's is read from the code: allocframe(#64); jumpr r31.
  patient.firmware.machine = patient.library[0].machine = "hexagon";
  patient.firmware.sections[0] = code_section(bytes_of_halves({0xC008, 0xA09D, 0xC000, 0x529F}));
  patient.firmware.symbols[0].bytes = 8;
  patient.firmware.sections.back().bytes = 72;
  for (const bool is_lower_bound : {false, true}) {
    patient.manifest->stack_is_lower_bound = is_lower_bound;
    CHECK(told() ==
          "The stack has 72 bytes, run needs 72 bytes of stack by the firmware's code" + rest);
  }
  patient.firmware.sections.back().bytes = 71;
  CHECK(told().starts_with("WRONG: "));
  // Without run in the firmware the manifest's word stands.
  patient.firmware.symbols.erase(patient.firmware.symbols.begin());
  std::vector<Finding> out;
  examine_stack(patient, out);
  REQUIRE(out.size() == 1);
  CHECK(out[0].message == "The stack has 71 bytes, run needs at least 2 bytes of stack" + rest);
}

}  // namespace
}  // namespace hlocc::driver
