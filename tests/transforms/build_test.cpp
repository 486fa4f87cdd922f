// The builders that passes write programs with: what they leave out, and what only looks as if it
// could be left out.
#include "transforms/build.h"

#include "transforms/integers/quantized_step.h"
#include "transforms/support.h"

namespace hlocc::tests {

TEST_CASE("a square broadcast that turns is one", "[transforms]") {
  Module module;
  const auto built = [&](const hlo::Dimensions& mapping) {
    const hlo::ComputationId id = transforms::new_computation(
        module, "f", {hlo::Shape::array(hlo::PrimitiveType::kF32, {2, 2})},
        [&](transforms::Rewriter& r, const std::vector<hlo::InstructionId>& x) {
          return transforms::broadcast(r, x[0], {2, 2}, mapping);
        });
    return module.computations[id].root_instruction().opcode;
  };
  CHECK(built({0, 1}) == Opcode::kParameter);
  CHECK(built({1, 0}) == Opcode::kBroadcast);
}

TEST_CASE("arrays of integers of any type", "[transforms]") {
  using enum hlo::PrimitiveType;
  const std::vector<int64_t> numbers{-1, 255, 7};
  const Literal bytes = transforms::integers(kU8, {3}, numbers);
  CHECK(bytes.type() == kU8);
  CHECK(transforms::whole_numbers(bytes) == std::vector<int64_t>{255, 255, 7});
  CHECK(transforms::whole_numbers(transforms::integers(kS8, {3, 1}, numbers)) ==
        std::vector<int64_t>{-1, -1, 7});
  const Literal all = transforms::repeated(Literal::scalar<int16_t>(kS16, -300), {2, 2});
  CHECK(all.shape().dimensions == hlo::Dimensions{2, 2});
  CHECK(transforms::whole_numbers(all) == std::vector<int64_t>(4, -300));
}

TEST_CASE("constants along channels", "[transforms]") {
  Module module = module_from(
      " a = s32[3] constant({1, 2, 3})\n b = s32[3] constant({5, 5, 5})\n"
      " x = s32[2,3] broadcast(a), dimensions={1}\n y = s32[2,3] broadcast(b), dimensions={1}\n"
      " z = s32[3,3] broadcast(a), dimensions={0}\n w = s32[2,3] parameter(0)\n"
      " ROOT r = (s32[2,3], s32[2,3], s32[3,3], s32[2,3]) tuple(x, y, z, w)");
  const hlo::Computation& c = module.entry_computation();
  const auto of = [&](int n) {
    return transforms::channel_constant(c, c.root_instruction().operands[static_cast<size_t>(n)]);
  };
  REQUIRE((of(0) && of(1) && of(2)));
  CHECK_FALSE(of(3));
  CHECK(of(0)->mapping == hlo::Dimensions{1});
  CHECK(of(0)->whole(2) == 3);
  // One number is at every place, and lies along all others.
  CHECK(of(1)->is_one());
  CHECK(of(1)->whole(2) == 5);
  CHECK(of(1)->lies_along(*of(0)));
  CHECK(of(0)->lies_along(*of(0)));
  CHECK_FALSE(of(0)->lies_along(*of(2)));
}

}  // namespace hlocc::tests
