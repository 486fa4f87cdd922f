// LLVM's IR of drawn kernels (forms/drawn.h) as digests, for chips that stand on both sides of each
// condition of the emitter.
#include "forms/drawn.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "backends_llvm/functions_of.h"
#include "kernel/legalize/legalize.h"
#include "support/digests.h"

namespace hlocc::backends {
namespace {

void add_drawn(Drawn family) {
  constexpr uint64_t kSeeds = 30, kOfLine = 10;
  for (const char* chip : {"cortex-m3", "cortex-m4", "cortex-m55", "cortex-a53",
                           "cortex-a53+dotprod", "hexagon-v67-hvx", "rv32imc", "x86_64-linux",
                           "x86_64-linux+sse4.1", "x86_64-linux+avxvnni"}) {
    const Target target = target_of(chip);
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
      const std::string text =
          functions_of(tests::require(legalize(drawn_kernel(seed, family), target)), target);
      tests::add_digest("drawn", cat(chip, " ", static_cast<int>(family), ".", seed / kOfLine),
                        static_cast<size_t>(std::ranges::count(text, '\n')), text);
    }
  }
}

TEST_CASE("the IR of drawn kernels is what it was") { add_drawn(Drawn::kAny); }
TEST_CASE("the IR of drawn lanes is what it was") { add_drawn(Drawn::kLanes); }
TEST_CASE("the IR of drawn words is what it was") { add_drawn(Drawn::kWords); }
TEST_CASE("the IR of drawn units is what it was") { add_drawn(Drawn::kUnits); }
TEST_CASE("the IR of drawn scalars is what it was") { add_drawn(Drawn::kScalars); }

}  // namespace
}  // namespace hlocc::backends
