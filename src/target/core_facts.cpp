// The table as values.
#include "target/core_facts.h"

#include "support/check.h"

namespace hlocc {

const CoreFamilyInfo& core_family_info(CoreFamily family) {
  static constexpr CoreFamilyInfo rows[] = {
      {"1", "other"},
#define HLOCC_CORE_FAMILY(enumerator, condition, name) {condition, name},
#include "target/core_facts.def"
  };
  HLOCC_CHECK(family != CoreFamily::kOther, "a family without a row");
  return rows[static_cast<int>(family)];
}

const std::vector<CoreFactInfo>& core_facts() {
  static const std::vector<CoreFactInfo>& rows = *new std::vector<CoreFactInfo>{
#define HLOCC_CORE_FACT(enumerator, family, feature, systems, condition, need) \
  {CoreFact::enumerator, CoreFamily::family, feature, Systems::systems, condition, need},
#include "target/core_facts.def"
  };
  return rows;
}

}  // namespace hlocc
