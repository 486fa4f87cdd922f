// What is asked of operands while a graph is built.
#include "import/build/builder.h"

#include <catch2/catch.hpp>

namespace hlocc::import {
namespace {

TEST_CASE("a dimension that an operand lacks is a failure, and its size is 1") {
  for (const auto& [dimension, size] : {std::pair{0, 2}, {1, 3}, {-1, 0}, {2, 0}}) {
    INFO(dimension);
    hlo::Module module;
    Builder b(module);
    b.begin("main");
    const InstructionId x = b.parameter(0, Shape::array(PrimitiveType::kF32, {2, 3}), "x");
    CHECK(b.size(x, dimension) == (size == 0 ? 1 : size));
    CHECK(b.failure().has_value() == (size == 0));
    if (size != 0) continue;
    CHECK(b.failure()->kind == DiagnosticKind::kShape);
    CHECK(b.failure()->message.find("f32[2,3]") != std::string::npos);
  }
}

}  // namespace
}  // namespace hlocc::import
