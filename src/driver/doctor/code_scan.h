// What machine code does, told by looking at its instructions one after the other: whether it needs
// a unit that not every chip has, and whether it switches floating point on. Enough to find
// mistakes in a firmware, and no disassembler: code that it does not understand it passes over.
#pragma once
#include <functional>

#include "target/elf_facts.h"

namespace hlocc::driver {

struct CodeFacts {
  int64_t bytes = 0;
  bool thumb2 = false;          // Thumb: an instruction that Armv6-M does not have
  bool multiplies = false;      // RISC-V: mul, div and their like
  bool floating_point = false;  // an instruction of the floating-point unit
  bool vectors = false;         // Hexagon: an instruction of the vector unit (HVX)
  // Floating point is switched on: CPACR is written, or mstatus with bits of FS. `maybe`: mstatus
  // is written with a value that the scan does not know, or Hexagon's SSR is written.
  bool enables = false, maybe_enables = false;
};

// Scans the functions and other code of a file for Arm's M profile, RISC-V or Hexagon; `counts`
// chooses the addresses.
CodeFacts scan_code(const ElfFacts& file, const std::function<bool(int section, uint64_t)>& counts);

}  // namespace hlocc::driver
