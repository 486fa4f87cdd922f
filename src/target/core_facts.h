// What the compiler of a firmware must be able to say of its core, so that the library's code runs
// there. The table is core_facts.def; backends say which of them an object needs.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace hlocc {

enum class CoreFamily : uint8_t {
  kOther,  // nothing is asked
#define HLOCC_CORE_FAMILY(enumerator, arches, condition, name) enumerator,
#include "target/core_facts.def"
};

enum class CoreFact : uint8_t {
#define HLOCC_CORE_FACT(enumerator, family, feature, systems, condition, need) enumerator,
#include "target/core_facts.def"
};

enum class Systems : uint8_t { kAny, kBareMetal };

// What code for a target needs of its caller's compiler.
struct CoreNeeds {
  CoreFamily family = CoreFamily::kOther;
  std::vector<CoreFact> facts;

  bool has(CoreFact fact) const {
    return std::find(facts.begin(), facts.end(), fact) != facts.end();
  }
};

struct CoreFamilyInfo {
  CoreFamily family;
  std::string_view arches, condition, name;
};
struct CoreFactInfo {
  CoreFact fact;
  CoreFamily family;
  std::string_view feature;
  Systems systems;
  std::string_view condition, need;
};

// By the triple's first word: "thumbv7em-none-eabihf" is kArm.
CoreFamily core_family(std::string_view triple);
// Not for kOther.
const CoreFamilyInfo& core_family_info(CoreFamily family);
// All rows, in the order of CoreFact.
const std::vector<CoreFactInfo>& core_facts();

}  // namespace hlocc
