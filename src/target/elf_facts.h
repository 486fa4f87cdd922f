// What an ELF file says of itself, as plain values: a linked firmware, or an object of a library.
// backends/llvm reads files into it, `hlocc doctor` judges.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace hlocc {

struct ElfSection {
  std::string name;
  uint64_t address = 0, bytes = 0, alignment = 1;
  // Where the start-up code copies it from; the address itself where it runs in place.
  uint64_t load_address = 0;
  bool allocated = false, writable = false, executable = false;
  std::string content;  // empty for .bss and its like

  bool holds(uint64_t place) const { return place >= address && place < address + bytes; }
};

struct ElfSymbol {
  std::string name;
  uint64_t address = 0, bytes = 0;
  int section = -1;  // -1: undefined, absolute or common
  bool is_defined = false, is_global = false, is_function = false;
  // Data, said to be: or, with a size and no type, as GCC for Arm leaves static arrays at -O0.
  bool is_object = false;
};

struct ElfFacts {
  std::string machine;  // arm, riscv32, riscv64, hexagon, or another that LLVM names
  bool is_linked = false, big_endian = false;
  // Arm: the build attributes by the names of the ABI, CPU_arch and its like. Hexagon: the version
  // of the architecture, 0x67 of V67, as "hexagon". RISC-V: none.
  std::map<std::string, int> attributes;
  std::string isa;  // RISC-V: rv32i2p1_m2p0_...; empty where the file does not say
  std::string
      float_abi;  // hard, soft; RISC-V: ilp32, ilp32f, ...; empty where the file does not say
  bool is_microcontroller = false;  // Arm's M profile
  std::vector<ElfSection> sections;
  std::vector<ElfSymbol> symbols;
};

}  // namespace hlocc
