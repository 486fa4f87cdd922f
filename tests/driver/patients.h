// Firmwares and libraries that `doctor` looks at, as facts, and what it says of them in words.
#pragma once
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "driver/doctor/doctor.h"
#include "support/text.h"

namespace hlocc::driver {

inline ElfSection code_section(const std::string& bytes) {
  return {.name = ".text",
          .bytes = bytes.size(),
          .allocated = true,
          .executable = true,
          .content = bytes};
}

inline ElfSymbol function_symbol(const char* name, uint64_t address) {
  return {.name = name,
          .address = address,
          .bytes = 4,
          .section = 0,
          .is_defined = true,
          .is_global = true,
          .is_function = true};
}

// A model "kws" of one object and a firmware for `machine` that holds it, with eight bytes of
// weights: the library's functions are at 0 and the firmware's own code is behind them.
inline Patient patient_for(const std::string& machine, const std::string& library_code = "",
                           const std::string& own_code = "") {
  Patient out;
  ElfFacts object{.machine = machine};
  object.sections = {
      code_section(library_code.empty() ? "\x70\x47\x70\x47" : library_code),
      {.name = ".rodata", .bytes = 8, .alignment = 4, .allocated = true, .content = "weights!"}};
  object.symbols = {
      function_symbol("kws_run_1a2b", 0),
      {.name = "kws_weights", .bytes = 8, .section = 1, .is_defined = true, .is_object = true}};
  out.firmware = object;
  out.firmware.is_linked = out.firmware.is_microcontroller = true;
  out.firmware.sections[0] = code_section("\x70\x47\x70\x47" + own_code);
  out.firmware.sections[1].address = out.firmware.sections[1].load_address = 0x1000;
  out.firmware.symbols[1].address = 0x1000;
  out.library = {std::move(object)};
  return out;
}

// "TOPIC: MESSAGE" of the findings on these topics that are not fine; "fine" where all are.
inline std::string ills_of(const Patient& patient) {
  std::vector<std::string> out;
  for (const Finding& one : examine(patient)) {
    CHECK(one.cure.empty() == (one.health == Health::kFine));
    if (one.health != Health::kFine)
      out.push_back(cat(one.topic, one.health == Health::kUnseen ? "?" : "", ": ", one.message));
  }
  return out.empty() ? "fine" : join(out, "\n");
}

inline std::string fine_of(const Patient& patient, const char* topic) {
  for (const Finding& one : examine(patient))
    if (one.topic == topic && one.health == Health::kFine) return one.message;
  return "none";
}

}  // namespace hlocc::driver
