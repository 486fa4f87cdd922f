// Truth values and numbers of one bit: as wide as each other in a register and not in memory, so
// that what reads one as eight of the other is no vector of neighbours.
#include "lowering/harness.h"
#include "support/text.h"

namespace hlocc::tests {

TEST_CASE("truth values are read as bits, and bits as truth values", "[lowering]") {
  for (const char* bit : {"u1", "s1"}) {
    agrees(cat("x = pred[16] parameter(0)\n b = ", bit,
               "[16,8] bitcast-convert(x)\n ROOT r = ", "s32[16,8] convert(b)"));
    agrees(cat("x = pred[16] parameter(0)\n b = ", bit,
               "[16,8] bitcast-convert(x)\n ROOT r = pred[16] bitcast-convert(b)"));
  }
  // As many bits each.
  agrees("x = pred[16] parameter(0)\n n = pred[16] not(x)\n ROOT r = pred[16] bitcast-convert(n)");
  agrees("x = c64[16] parameter(0)\n n = c64[16] negate(x)\n ROOT r = c64[16] bitcast-convert(n)");
}

}  // namespace hlocc::tests
