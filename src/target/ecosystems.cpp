// See ecosystems.h.
#include "target/ecosystems.h"

#include "target/core_facts.h"

namespace hlocc {
namespace {

struct EcosystemRow {
  CoreFamily family;
  int bits;
  ByteOrder order;
  EcosystemNames names;
};
constexpr EcosystemRow kEcosystems[] = {
#define HLOCC_ECOSYSTEM(family, bits, order, ...) \
  {CoreFamily::family, bits, ByteOrder::order, {__VA_ARGS__}},
#include "target/ecosystems.def"
};

}  // namespace

EcosystemNames ecosystem_names(const Target& target) {
  const CoreFamily family = core_family(target.triple);
  for (const EcosystemRow& row : kEcosystems)
    if (row.family == family && row.bits == target.pointer_bits && row.order == target.byte_order)
      return row.names;
  return {};
}

}  // namespace hlocc
