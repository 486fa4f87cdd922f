// What package managers and build systems of firmware call a target: ecosystems.def is the table.
#pragma once
#include <string_view>

#include "target/target.h"

namespace hlocc {

// Empty where the ecosystem does not know the family.
struct EcosystemNames {
  std::string_view meson;         // cpu_family
  std::string_view conan;         // arch
  std::string_view vcpkg;         // VCPKG_TARGET_ARCHITECTURE
  std::string_view deb, triplet;  // Debian's architecture, and the folder of its libraries
};
EcosystemNames ecosystem_names(const Target& target);

}  // namespace hlocc
