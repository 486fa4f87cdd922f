// The alignment that is claimed of an access: its buffer's, as far as no offset and no term of the
// address breaks it. Hexagon's vectors are told of it; a claim that is too high would read other
// elements.
#include <regex>

#include "backends/llvm/generic_target.h"
#include "backends_llvm/jit_kernel.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

using namespace kernel;

const Target& hexagon() {
  static const Target& target = *new Target(*complete_target(*preset("hexagon-v67-hvx")));
  return target;
}

// Of a load of one register at `scale` times a counter and `offset` from a buffer aligned to 128
// bytes, and of its store to such a place.
std::string claims_of(int64_t scale, int64_t offset, int64_t stride = 1) {
  Builder b("claims");
  const BufferId x = b.buffer({.name = "x", .elements = 512, .alignment = 128});
  const BufferId y =
      b.buffer({.name = "y", .elements = 512, .direction = Direction::kInOut, .alignment = 128});
  b.loop(4, [&](ValueId i) {
    const Affine at = Affine::of(i, scale, offset);
    b.store(y, at, b.load(x, at, 32, stride), stride);
  });
  const std::string text = ir_of(b.finish(), hexagon());
  std::string out;
  const std::regex access("(load|store) <32 x float>.*, align (\\d+)");
  for (std::sregex_iterator at(text.begin(), text.end(), access), end; at != end; ++at)
    out += (*at)[1].str() + " " + (*at)[2].str() + ";";
  return out;
}

TEST_CASE("an access is as aligned as its buffer, its offset and its terms") {
  const auto both = [](int bytes) { return cat("load ", bytes, ";store ", bytes, ";"); };
  CHECK(claims_of(32, 0) == both(128));
  CHECK(claims_of(16, 0) == both(64));
  CHECK(claims_of(1, 0) == both(4));
  CHECK(claims_of(32, 8) == both(32));
  CHECK(claims_of(32, 1) == both(4));
  CHECK(claims_of(8, 4) == both(16));
  CHECK(claims_of(48, 32) == both(64));
  // The lowest of lanes that go down lies 31 elements before the address.
  CHECK(claims_of(32, 32, -1) == both(4));
}

}  // namespace
}  // namespace hlocc::backends
