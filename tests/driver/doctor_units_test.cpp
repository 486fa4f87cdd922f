// Which code `doctor` takes for the library's, which machines and compiles it holds apart, and what
// it asks of Hexagon's vector unit: each guard with a case on both sides (driver/doctor/units.cpp,
// doctor.cpp).
#include <catch2/catch.hpp>

#include "driver/code_rows.h"
#include "driver/patients.h"

namespace hlocc::driver {
namespace {

using SymbolChange = void (*)(ElfSymbol&);

// ldr.w, and 256 bytes of what every core has.
const std::string kThumb2 = bytes_of_halves({0xF8D0, 0x1088});
const std::string kNarrow = bytes_of_halves(std::vector<unsigned>(128, 0x4600));

// "own" where code that Armv6-M does not have is the library's alone.
std::string told_of_core(const Patient& patient) {
  return ills_of(patient).starts_with("isa: All code besides") ? "own" : ills_of(patient);
}

TEST_CASE("the library's code in the firmware is what both call a function") {
  const auto told = [](SymbolChange in_library, SymbolChange in_firmware) {
    Patient patient = patient_for("arm", kThumb2, kThumb2 + kNarrow);
    ElfSymbol helper = function_symbol("kws_helper", 4);
    ElfSymbol object = helper;
    in_library(object);
    in_firmware(helper);
    patient.library[0].symbols.push_back(object);
    patient.firmware.symbols.push_back(helper);
    return told_of_core(patient);
  };
  const SymbolChange as_it_is = [](ElfSymbol&) {};
  CHECK(told(as_it_is, as_it_is) == "own");
  for (const SymbolChange change :
       {+[](ElfSymbol& s) { s.is_function = false; }, +[](ElfSymbol& s) { s.name = "helper"; }}) {
    CHECK(told(change, as_it_is) == "fine");
    CHECK(told(as_it_is, change) == "fine");
  }
  CHECK(told([](ElfSymbol& s) { s.is_defined = false; }, as_it_is) == "fine");
  CHECK(told(as_it_is, [](ElfSymbol& s) { s.address = 5; }) == "fine");
  CHECK(told(as_it_is, [](ElfSymbol& s) { s.bytes = 1; }) == "own");
  CHECK(told(as_it_is, [](ElfSymbol& s) { s.bytes = 0; }) == "fine");
  CHECK(told(as_it_is, [](ElfSymbol& s) { s.address = 3, s.bytes = 1; }) == "fine");
  CHECK(told(as_it_is, [](ElfSymbol& s) { s.address = 3, s.bytes = 2; }) == "own");
  // What lies in front of it is not its own.
  Patient behind = patient_for("arm", kThumb2, kNarrow + kThumb2);
  CHECK(told_of_core(behind) == "fine");
  for (ElfFacts* file : {&behind.library[0], &behind.firmware})
    file->symbols.push_back(function_symbol("kws_helper", 260));
  CHECK(told_of_core(behind) == "own");
}

// A model for Hexagon, whose code is vectors where `vectors` is set.
Patient hexagon_patient(bool vectors, const std::vector<uint32_t>& own) {
  constexpr uint32_t kNop = 0x7F00C000, kLoad = 0x2800C000;  // v0 = vmem(r0)
  Patient out = patient_for("hexagon", bytes_of_riscv({}));
  std::string code;
  std::vector<unsigned> halves = {kNop & 0xFFFF, kNop >> 16};
  for (const uint32_t word : own) halves.insert(halves.end(), {word & 0xFFFF, word >> 16});
  out.firmware.sections[0] = code_section(bytes_of_halves(halves));
  const uint32_t first = vectors ? kLoad : kNop;
  out.library[0].sections[0] = code_section(bytes_of_halves({first & 0xFFFF, first >> 16}));
  return out;
}

TEST_CASE("the vector unit is asked for, or that is not seen") {
  constexpr uint32_t kWritesSsr = 0x6700C006, kWritesCcr = 0x6700C007;
  const std::string unseen =
      "hvx?: The library uses the vector unit (HVX); that it is switched on was not seen: no call "
      "of qurt_hvx_lock, no write of SSR.";
  CHECK(ills_of(hexagon_patient(true, {})) == unseen);
  CHECK(ills_of(hexagon_patient(true, {kWritesCcr})) == unseen);
  CHECK(ills_of(hexagon_patient(true, {kWritesSsr})) == "fine");
  CHECK(fine_of(hexagon_patient(true, {kWritesSsr}), "hvx") ==
        "The library uses the vector unit (HVX), and the firmware asks for it.");
  CHECK(ills_of(hexagon_patient(false, {})) == "fine");
  CHECK(fine_of(hexagon_patient(false, {kWritesSsr}), "hvx") == "none");
  const auto with_symbol = [](const char* name) {
    Patient patient = hexagon_patient(true, {});
    patient.firmware.symbols.push_back({.name = name});
    return ills_of(patient);
  };
  CHECK(with_symbol("qurt_hvx_lock") == "fine");
  CHECK(with_symbol("qurt_hvx_") == "fine");
  CHECK(with_symbol("my_qurt_hvx_lock") == unseen);
  CHECK(with_symbol("qurt_mutex_lock") == unseen);
}

TEST_CASE("a manifest whose target has no vector unit is of another compile") {
  const auto told = [](std::optional<std::string> features, bool vectors = true) {
    Patient patient = hexagon_patient(vectors, {0x6700C006});
    patient.manifest = ManifestFacts{.target = "hexagon-v67"};
    patient.manifest->features = std::move(features);
    return ills_of(patient);
  };
  const std::string wrong =
      "isa: The library has instructions of the vector unit (HVX), which the target of its "
      "manifest, hexagon-v67, does without.";
  CHECK(told(std::nullopt) == "fine");
  CHECK(told("+v68,+hvxv68") == "fine");
  CHECK(told("+hvx") == "fine");
  CHECK(told("") == wrong);
  CHECK(told("+v67,-hvx") == wrong);
  CHECK(told("", false) == "fine");
}

TEST_CASE("units are looked at where no operating system switches them on") {
  const auto is_looked_at = [](const char* machine, bool microcontroller, const char* triple) {
    Patient patient = patient_for(machine);
    patient.firmware.is_microcontroller = microcontroller;
    if (*triple != '\0') patient.manifest = ManifestFacts{.triple = triple};
    CHECK(is_bare_metal(patient) == (fine_of(patient, "isa") != "none"));
    return is_bare_metal(patient);
  };
  CHECK(is_looked_at("arm", true, ""));
  CHECK_FALSE(is_looked_at("arm", false, ""));
  CHECK(is_looked_at("riscv32", false, ""));
  CHECK(is_looked_at("riscv64", false, "riscv64-unknown-elf"));
  CHECK_FALSE(is_looked_at("riscv64", false, "riscv64-unknown-linux-gnu"));
  CHECK(is_looked_at("hexagon", false, ""));
  CHECK_FALSE(is_looked_at("hexagon", true, "hexagon-unknown-linux-musl"));
  CHECK_FALSE(is_looked_at("x86_64", false, ""));
}

TEST_CASE("architectures are compared where both are known") {
  const auto told = [](const char* name, int library, int firmware) {
    Patient patient = patient_for("arm");
    if (library >= 0) patient.library[0].attributes[name] = library;
    if (firmware >= 0) patient.firmware.attributes[name] = firmware;
    return ills_of(patient);
  };
  const std::string newer =
      "machine: The library is built for a newer architecture than the firmware says it is.";
  CHECK(told("CPU_arch", 13, 10) == newer);
  CHECK(told("CPU_arch", 10, 13) == "fine");
  CHECK(told("CPU_arch", 13, -1) == "fine");
  CHECK(told("CPU_arch", -1, 13) == "fine");
  CHECK(told("CPU_arch", 21, 14) == "fine");  // a number that is not among them
  CHECK(told("CPU_arch", 14, 11) == "fine");
  CHECK(told("hexagon", 0x68, 0x67) == newer);
  CHECK(told("hexagon", 0x68, 0x68) == "fine");
  CHECK(told("hexagon", 0x68, -1) == "fine");
  CHECK(told("Tag", 13, 10) == "fine");
  // Nothing else is looked at then; where the ABIs differ everything is.
  Patient patient = patient_for("arm");
  patient.library[0].attributes["CPU_arch"] = 13;
  patient.firmware.attributes["CPU_arch"] = 10;
  CHECK(examine(patient).size() == 1);
  patient = patient_for("arm");
  patient.library[0].float_abi = "hard";
  patient.firmware.float_abi = "soft";
  CHECK(fine_of(patient, "link") == "The firmware holds kws_run_1a2b.");
}

TEST_CASE("runs of the model in the firmware are counted") {
  const auto told = [](
                        const char* name, SymbolChange change = [](ElfSymbol&) {}) {
    Patient patient = patient_for("arm");
    patient.firmware.symbols.push_back(function_symbol(name, 0));
    change(patient.firmware.symbols.back());
    return ills_of(patient);
  };
  const auto copies = [](const char* name) {
    return cat("link: The firmware holds 2 copies of the model: kws_run_1a2b, ", name, ".");
  };
  CHECK(told("kws_run_9f") == copies("kws_run_9f"));
  CHECK(told("kws_run_9") == copies("kws_run_9"));
  CHECK(told("kws_run") == copies("kws_run"));
  CHECK(told("kws_run_9f", [](ElfSymbol& s) { s.is_defined = false; }) == "fine");
  CHECK(told("kws_run_9f", [](ElfSymbol& s) { s.is_function = false; }) == "fine");
  for (const char* other : {"kws_run_", "kws_run_9g", "kws_runs", "kws_ru", "main", "loop",
                            "mainloop", "mainloopab", "vww_run_9f"}) {
    INFO(other);
    CHECK(told(other) == "fine");
  }
  Patient patient = patient_for("arm");
  patient.firmware.symbols[0].name = "kws_run_9f";
  CHECK(ills_of(patient) ==
        "link: The firmware holds kws_run_9f, the library defines kws_run_1a2b: it was linked with "
        "another compile of this model.");
  CHECK(fine_of(patient, "weights") == "none");
  patient.firmware.symbols[0] = {.name = "kws_run_1a2b"};
  CHECK(ills_of(patient) ==
        "link: The library is not in the firmware: nothing defines kws_run_1a2b.");
  CHECK(fine_of(patient, "weights") == "none");
}

TEST_CASE("names of runs, numbers and symbols") {
  CHECK(prefix_of("kws_run_1a2b") == "kws_");
  CHECK(prefix_of("kws_run") == "kws_");
  CHECK(prefix_of("a_run_b_run_0f") == "a_run_b_");
  CHECK(prefix_of("kws") == "kws");
  CHECK(hex_text(0) == "0x0");
  CHECK(hex_text(0x20000000) == "0x20000000");
  const ElfFacts file{.symbols = {{.name = "a", .address = 1},
                                  {.name = "a", .address = 2, .is_defined = true},
                                  {.name = "a", .address = 3, .is_defined = true}}};
  REQUIRE(find_symbol(file, "a") != nullptr);
  CHECK(find_symbol(file, "a")->address == 2);
  CHECK(find_symbol(file, "b") == nullptr);
}

}  // namespace
}  // namespace hlocc::driver
