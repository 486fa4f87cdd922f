// Weights of four bits that products of bytes read: which lie two to a byte, and what stands just
// outside.
#include "support/text.h"
#include "target/target.h"
#include "transforms/support.h"

namespace hlocc::tests {
namespace {

using hlo::PrimitiveType;
using transforms::nibble_weights;

// Nested braces of `sizes`, numbers that run from `low` to `high`.
std::string whole_numbers(const std::vector<int64_t>& sizes, int low, int high, size_t d = 0,
                          int64_t at = 0) {
  if (d == sizes.size()) return cat(low + (at * 7) % (high - low + 1));
  std::string text = "{";
  for (int64_t n = 0; n < sizes[d]; ++n)
    text += (n == 0 ? "" : ",") + whole_numbers(sizes, low, high, d + 1, at * sizes[d] + n);
  return text + "}";
}

struct Product {
  std::string type = "s8", sum = "s32", left = "s8[3,64]", result = "[3,16]",
              op = "dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}";
  std::vector<int64_t> sizes = {64, 16};
  int low = -8, high = 7;
};

// The type in which the product's weights are stored; what it means is checked.
PrimitiveType stored_for(std::string_view chip, const Product& p) {
  const std::string text =
      cat(" x = ", p.left, " parameter(0)\n w = ", p.type, "[", join(p.sizes, ","), "] constant(",
          whole_numbers(p.sizes, p.low, p.high), ")\n ROOT y = ", p.sum, p.result, " ", p.op);
  INFO(text);
  Module module = module_from(text);
  REQUIRE(nibble_weights(module, {*preset(chip)}));
  check_same_meaning(module_from(text), module, {});
  const hlo::Computation& entry = module.entry_computation();
  const hlo::Instruction& right = entry.operand(root(module), 1);
  return right.opcode == Opcode::kConvert ? entry.operand(right, 0).shape.element_type
                                          : right.shape.element_type;
}

const Product kFilter = {.left = "s8[1,5,5,16]",
                         .result = "[1,4,4,16]",
                         .op = "convolution(x, w), window={size=2x2}, dim_labels=b01f_01io->b01f",
                         .sizes = {2, 2, 16, 16}};

}  // namespace

TEST_CASE("weights of four bits lie two to a byte where flash is constrained", "[transforms]") {
  for (const char* chip : {"cortex-m0", "cortex-m4f", "rv32imc"}) {
    CHECK(stored_for(chip, {}) == PrimitiveType::kS4);
    CHECK(stored_for(chip, kFilter) == PrimitiveType::kS4);
  }
  CHECK(stored_for("cortex-m0", {.left = "s8[64]",
                                 .result = "[16]",
                                 .op = "dot(x, w), lhs_contracting_dims={0}, "
                                       "rhs_contracting_dims={0}"}) == PrimitiveType::kS4);
}

TEST_CASE("other weights stay bytes", "[transforms]") {
  // A number that does not fit, on each side; few of them; another type, sum or order.
  CHECK(stored_for("cortex-m0", {.high = 8}) == PrimitiveType::kS8);
  CHECK(stored_for("cortex-m0", {.low = -9}) == PrimitiveType::kS8);
  CHECK(stored_for("cortex-m0", {.left = "s8[3,63]", .sizes = {63, 16}}) == PrimitiveType::kS8);
  CHECK(stored_for("cortex-m0", {.type = "s16"}) == PrimitiveType::kS16);
  CHECK(stored_for("cortex-m0", {.sum = "s64"}) == PrimitiveType::kS8);
  CHECK(stored_for("cortex-m0",
                   {.result = "[3,64]",
                    .op = "dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={1}",
                    .sizes = {64, 64}}) == PrimitiveType::kS8);
  // More dimensions than matrices have.
  CHECK(stored_for("cortex-m0", {.result = "[3,4,4]", .sizes = {64, 4, 4}}) == PrimitiveType::kS8);
  CHECK(stored_for("cortex-m0", {.left = "s8[2,3,64]",
                                 .result = "[2,3,16]",
                                 .op = "dot(x, w), lhs_contracting_dims={2}, "
                                       "rhs_contracting_dims={0}"}) == PrimitiveType::kS8);
  // Filters of their own channels.
  Product depthwise = kFilter;
  depthwise.left = "s8[1,5,5,64]", depthwise.sizes = {2, 2, 1, 64}, depthwise.low = -1;
  depthwise.result = "[1,4,4,64]", depthwise.op += ", feature_group_count=64";
  CHECK(stored_for("cortex-m0", depthwise) == PrimitiveType::kS8);
  depthwise.left = "s8[1,5,5,512]", depthwise.sizes = {2, 2, 1, 512};
  depthwise.result = "[1,4,4,512]";
  depthwise.op = kFilter.op + ", feature_group_count=512";
  CHECK(stored_for("cortex-m0", depthwise) == PrimitiveType::kS8);
  // Where flash is not dear, and where vectors take bytes as they lie.
  CHECK(stored_for("cortex-a53", {}) == PrimitiveType::kS8);
  CHECK(stored_for("cortex-m55", {}) == PrimitiveType::kS8);
}

}  // namespace hlocc::tests
