// What package managers and build systems of firmware call a target. ecosystems.def has a row for
// each family of cores; what is more than a family's is made of the core's facts.
#pragma once
#include <string>

#include "target/core_facts.h"
#include "target/target.h"

namespace hlocc {

// Empty where the ecosystem does not know the target.
struct EcosystemNames {
  std::string meson;         // cpu_family
  std::string conan;         // arch
  std::string vcpkg;         // VCPKG_TARGET_ARCHITECTURE
  std::string deb, triplet;  // Debian's architecture, and the folder of its libraries
  std::string rust;          // the triple
  std::string kconfig;       // Zephyr: holds where the library is the one to take
  std::string idf;           // ESP-IDF: IDF_TARGETs, with blanks
  std::string arduino;       // the folder of precompiled libraries: mcu, or mcu/fpu-abi
  std::string cmsis_core, cmsis_fpu, cmsis_mve, cmsis_dsp;  // Dcore and so on
};
EcosystemNames ecosystem_names(const Target& target, const CoreNeeds& core);

}  // namespace hlocc
