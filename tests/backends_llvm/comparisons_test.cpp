// Comparisons of floats on MVE, where LLVM 19 would turn `splat > x` round and a NaN would count as
// less: both sides are negated there, and nowhere else.
#include "backends/llvm/generic_target.h"
#include "backends_llvm/jit_kernel.h"

namespace hlocc::backends {
namespace {

using namespace kernel;

// Whether both sides of x PREDICATE y are negated, where one of them is one number in all lanes.
bool is_negated(const char* chip, Predicate predicate, bool splat_left, bool splat_right) {
  const Target target = *complete_target(*preset(chip));
  Builder b("compare");
  const BufferId x = b.buffer({.name = "x", .elements = 8});
  const BufferId y =
      b.buffer({.name = "y", .element = Scalar::kS32, .elements = 4, .direction = Direction::kOut});
  const auto side = [&](bool splat, int64_t at) {
    return splat ? b.splat(b.load(x, Affine::constant(at)), 4) : b.load(x, Affine::constant(at), 4);
  };
  const ValueId left = side(splat_left, 0), right = side(splat_right, 4);
  const ValueId one = b.constant_int({Scalar::kS32, 4}, 1), two = b.constant_int(b.type(one), 2);
  b.store(y, Affine::constant(0), b.select(b.compare(predicate, left, right), one, two));
  return ir_of(b.finish(), target).find("fneg") != std::string::npos;
}

TEST_CASE("MVE's comparisons with one number are turned so that NaN is never less") {
  using enum Predicate;
  for (const Predicate greater : {kGt, kGe}) {
    CHECK(is_negated("cortex-m55", greater, true, false));
    CHECK_FALSE(is_negated("cortex-m55", greater, false, true));
    CHECK_FALSE(is_negated("cortex-m55", greater, false, false));
    CHECK_FALSE(is_negated("cortex-a53", greater, true, false));
  }
  for (const Predicate less : {kLt, kLe}) {
    CHECK(is_negated("cortex-m55", less, false, true));
    CHECK_FALSE(is_negated("cortex-m55", less, true, false));
    CHECK_FALSE(is_negated("cortex-a53", less, false, true));
  }
  for (const Predicate same : {kEq, kNe}) CHECK_FALSE(is_negated("cortex-m55", same, true, false));
}

}  // namespace
}  // namespace hlocc::backends
