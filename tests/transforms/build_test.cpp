// The builders that passes write programs with: what they leave out, and what only looks as if it
// could be left out.
#include "transforms/build.h"

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

}  // namespace hlocc::tests
