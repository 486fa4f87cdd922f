// Which algorithm a dot takes, and which of its columns have lanes along the reduction: each
// condition on either side of its border.
#include "costs/dot.h"

#include <catch2/catch.hpp>

#include "costs/chips.h"

namespace hlocc::tests {
namespace {

using costs::DotPlan;
using hlo::PrimitiveType;
using hlo::Shape;

struct Product {
  hlo::DotAttributes attributes{.lhs_contracting = {1}, .rhs_contracting = {0}};
  Shape left, right, output;
  bool left_in_memory = true, right_known = true;
  int row_lanes = 4;
};

// left[rows, depth] times right[depth, columns].
Product product(PrimitiveType type, int64_t rows, int64_t depth, int64_t columns) {
  const bool bytes = type == PrimitiveType::kS8;
  return {.left = Shape::array(type, {rows, depth}),
          .right = Shape::array(type, {depth, columns}),
          .output = Shape::array(bytes ? PrimitiveType::kS32 : type, {rows, columns})};
}

DotPlan plan(const Product& p, const Target& target) {
  return costs::plan_dot({.attributes = p.attributes,
                          .left = p.left,
                          .right = p.right,
                          .output = p.output,
                          .sum = kernel::scalar_of(hlo::real_type(p.output.element_type)),
                          .left_in_memory = p.left_in_memory,
                          .right_known = p.right_known,
                          .row_lanes = p.row_lanes},
                         target);
}
bool is_packed(const Product& p, const Target& target) {
  return std::holds_alternative<costs::PackedDotPlan>(plan(p, target));
}
costs::ReductionLanes along(const Product& p, const Target& target) {
  return std::get<costs::TiledDotPlan>(plan(p, target)).reduction_lanes;
}

}  // namespace

TEST_CASE("dots of bytes by known bytes are packed", "[costs]") {
  const Target m4 = *preset("cortex-m4");
  const auto changed = [&](void (*change)(Product&)) {
    Product p = product(PrimitiveType::kS8, 3, 16, 8);
    change(p);
    return is_packed(p, m4);
  };
  CHECK(changed([](Product&) {}));
  CHECK(changed([](Product& p) {
    p.left = Shape::array(PrimitiveType::kS8, {16});
    p.attributes.lhs_contracting = {0};
  }));
  CHECK_FALSE(changed([](Product& p) { p.right_known = false; }));
  // The other way round, a left side that lies along its rows, one of three dimensions, batches.
  CHECK_FALSE(changed([](Product& p) { p.attributes.rhs_contracting = {1}; }));
  CHECK_FALSE(changed([](Product& p) { p.attributes.lhs_contracting = {0}; }));
  CHECK_FALSE(changed([](Product& p) {
    p.left = Shape::array(PrimitiveType::kS8, {2, 3, 16});
    p.attributes.lhs_contracting = {2};
  }));
  CHECK_FALSE(changed([](Product& p) {
    p.right = Shape::array(PrimitiveType::kS8, {2, 16, 8});
    p.attributes.rhs_batch = {0}, p.attributes.rhs_contracting = {1};
  }));
  CHECK_FALSE(changed([](Product& p) {
    p.left = Shape::array(PrimitiveType::kS8, {3, 16});
    p.attributes.lhs_batch = {0};
  }));
  // No micro-kernel takes several steps at once.
  CHECK_FALSE(is_packed(product(PrimitiveType::kS8, 3, 16, 8), *preset("cortex-m3")));
  CHECK_FALSE(is_packed(product(PrimitiveType::kF32, 3, 16, 8), m4));
}

TEST_CASE("where both sides have rows, lanes run along them", "[costs]") {
  const Target a53 = *preset("cortex-a53");
  Product p = product(PrimitiveType::kF32, 3, 16, 8);
  p.right = Shape::array(PrimitiveType::kF32, {8, 16});
  p.attributes.rhs_contracting = {1};
  CHECK(along(p, a53).lanes == 4);
  CHECK(along(p, a53).columns == 8);
  p.row_lanes = 1;
  CHECK(along(p, a53).lanes == 1);
  p.row_lanes = 4;
  p.attributes.lhs_contracting = {0};
  CHECK(along(p, a53).columns == 0);
  p.attributes.lhs_contracting = {1};
  // Of several free dimensions the last one counts; a right side of none has one column.
  p.right = Shape::array(PrimitiveType::kF32, {5, 6, 16});
  p.attributes.rhs_contracting = {2};
  CHECK(along(p, a53).columns == 6);
  p.attributes.rhs_batch = {1};
  CHECK(along(p, a53).columns == 5);
  p.right = Shape::array(PrimitiveType::kF32, {16});
  p.attributes.rhs_batch = {}, p.attributes.rhs_contracting = {0};
  CHECK(along(p, a53).columns == 1);
  p.output = Shape::array(PrimitiveType::kC64, {3});
  CHECK(along(p, a53).columns == 0);
  p.output = Shape::array(PrimitiveType::kPred, {3});
  CHECK(along(p, a53).columns == 0);
}

TEST_CASE("few columns of a known right side have lanes along the reduction", "[costs]") {
  const Target a53 = *preset("cortex-a53");
  Product p = product(PrimitiveType::kF32, 3, 64, 1);
  CHECK(along(p, a53).columns == 1);
  p.right_known = false;
  CHECK(along(p, a53).columns == 0);
  p.right_known = true;
  p.attributes.lhs_contracting = {0};
  CHECK(along(p, a53).columns == 0);
  p = product(PrimitiveType::kC64, 3, 64, 1);
  CHECK(along(p, a53).columns == 0);
  // One column a batch is no matrix.
  p = product(PrimitiveType::kF32, 1, 64, 1);
  p.attributes.lhs_batch = {0}, p.attributes.rhs_batch = {1};
  CHECK(along(p, a53).columns == 0);
  p = product(PrimitiveType::kS4, 3, 64, 1);
  p.output = Shape::array(PrimitiveType::kF32, {3, 1});
  CHECK(along(p, a53).columns == 0);
}

}  // namespace hlocc::tests
