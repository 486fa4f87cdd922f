// The table as values.
#include "target/core_facts.h"

#include "support/check.h"
#include "support/text.h"

namespace hlocc {

namespace {

constexpr CoreFamilyInfo kFamilies[] = {
    {CoreFamily::kOther, "", "1", "other"},
#define HLOCC_CORE_FAMILY(enumerator, arches, condition, name) \
  {CoreFamily::enumerator, arches, condition, name},
#include "target/core_facts.def"
};

}  // namespace

CoreFamily core_family(std::string_view triple) {
  CoreFamily found = CoreFamily::kOther;
  size_t longest = 0;
  for (const CoreFamilyInfo& row : kFamilies)
    for (const std::string& arch : split(row.arches, ' ')) {
      if (!triple.starts_with(arch) || arch.size() <= longest) continue;
      found = row.family;
      longest = arch.size();
    }
  return found;
}

const CoreFamilyInfo& core_family_info(CoreFamily family) {
  HLOCC_CHECK(family != CoreFamily::kOther, "a family without a row");
  return kFamilies[static_cast<int>(family)];
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
