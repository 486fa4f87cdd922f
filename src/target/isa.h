// Instruction set extensions of a chip as a set, expanded from isa.def.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace hlocc {

enum class Isa : uint8_t {
#define HLOCC_ISA(enumerator, name, family, feature) enumerator,
#include "target/isa.def"
};
enum class IsaFamily : uint8_t { kX86, kX86_64, kArm, kAArch64, kRiscv, kHexagon };

struct IsaInfo {
  Isa isa;
  std::string_view name;
  IsaFamily family;
  std::string_view feature;  // as LLVM spells it; empty: every chip of the family has it
};
inline constexpr IsaInfo kIsaTable[] = {
#define HLOCC_ISA(enumerator, name, family, feature) \
  {Isa::enumerator, name, IsaFamily::family, feature},
#include "target/isa.def"
};

class IsaSet {
 public:
  constexpr IsaSet() = default;
  constexpr IsaSet(std::initializer_list<Isa> all) {
    for (Isa isa : all) add(isa);
  }
  constexpr void add(Isa isa) { bits_ |= uint32_t{1} << static_cast<int>(isa); }
  constexpr bool contains(Isa isa) const { return (bits_ >> static_cast<int>(isa) & 1) != 0; }
  bool operator==(const IsaSet&) const = default;

 private:
  uint32_t bits_ = 0;
};

}  // namespace hlocc
