// Constant weights in panels: the same sums as from rows, for widths that full tiles do and do not
// divide, groups, windows, batches; and only where it is worth it.
#include <cstring>

#include "lowering/harness.h"
#include "support/text.h"

namespace hlocc::tests {
namespace {

bool prefetches(const std::string& text, const std::string& machine) {
  for (const Machine& m : machines()) {
    if (m.name != machine) continue;
    for (const kernel::Kernel& kernel : lowered(module_from(text), m.target).kernels)
      if (kernel::to_text(kernel).find("prefetch") != std::string::npos) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("products with constant weights of every width", "[lowering]") {
  for (int64_t columns : {65, 70, 96, 127, 133})
    for (int64_t rows : {1, 5, 13}) agrees(dot_with_constant(rows, 40, columns), Passes::kNone);
}

TEST_CASE("convolutions with constant weights", "[lowering]") {
  for (int64_t out : {66, 72}) {
    agrees("x = f32[2,4,5,8] parameter(0)\n w = " + constant({3, 2, 8, out}) + "\n ROOT r = f32" +
               dims({2, 4, 5, out}) +
               " convolution(x, w), window={size=3x2 pad=1_1x0_1}, dim_labels=b01f_01io->b01f",
           Passes::kNone);
    agrees("x = f32[1,5,6,32] parameter(0)\n w = " + constant({1, 1, 32, out}) + "\n ROOT r = f32" +
               dims({1, 5, 6, out}) +
               " convolution(x, w), window={size=1x1}, dim_labels=b01f_01io->b01f",
           Passes::kNone);
    agrees("x = f32[1,9,16] parameter(0)\n w = " + constant({5, 8, 2 * out}) + "\n ROOT r = f32" +
               dims({1, 5, 2 * out}) +
               " convolution(x, w), window={size=5 stride=2 pad=2_2}, dim_labels=b0f_0io->b0f, "
               "feature_group_count=2",
           Passes::kNone);
    agrees("x = f32[1,6,6,1] parameter(0)\n w = " + constant({6, 6, 1, out}) + "\n ROOT r = f32" +
               dims({1, 6, 6, out}) +
               " convolution(x, w), window={size=6x6 pad=2_3x2_3}, dim_labels=b01f_01io->b01f",
           Passes::kNone);
  }
}

TEST_CASE("panels are for weights that are more than one panel, and not for the smallest",
          "[lowering]") {
  CHECK(stores("panels", dot_with_constant(8, 64, 256), "cortex-a53"));
  CHECK(!stores("panels", dot_with_constant(8, 4, 16), "cortex-a53"));
  CHECK(stores("panels", dot_with_constant(8, 8, 16), "cortex-m4f"));
  CHECK(!stores("panels", dot_with_constant(8, 3, 16), "cortex-m4f"));
}

namespace {

// How many numbers of the panels of 40 steps are zero; the weights have no zero.
int64_t zeros_of_panels(int64_t columns) {
  for (const Machine& m : machines()) {
    if (m.name != "wide") continue;
    for (const kernel::ProgramValue& value :
         lowered(module_from(dot_with_constant(3, 40, columns)), m.target).values) {
      if (value.name.find("panels") == std::string::npos) continue;
      int64_t zeros = 0;
      for (size_t at = 0; at < value.data->size(); at += sizeof(float)) {
        float number = 0;
        std::memcpy(&number, value.data->data() + at, sizeof(float));
        zeros += number == 0;
      }
      return zeros;
    }
  }
  return -1;
}

}  // namespace

TEST_CASE("lanes of a panel that no column has are zero", "[lowering]") {
  CHECK(zeros_of_panels(65) == 0);
  CHECK(zeros_of_panels(70) == 40 * 2);
  CHECK(zeros_of_panels(72) == 0);
}

TEST_CASE("small code has no panels", "[lowering]") {
  Target target = *preset("cortex-m4f");
  target.options.level = Level::kOs;
  for (const kernel::ProgramValue& value :
       lowered(module_from(dot_with_constant(8, 8, 16)), target).values)
    CHECK(value.name.find("panels") == std::string::npos);
}

namespace {

// Whether a product of so many rows reads the second of its columns before it multiplies the first.
bool reads_ahead(int64_t rows, const std::string& machine) {
  const std::string text =
      cat("x = s32", dims({rows, 9}), " parameter(0)\n w = s32[9,32] parameter(1)\n ROOT r = s32",
          dims({rows, 32}), " dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}");
  for (const Machine& m : machines()) {
    if (m.name != machine) continue;
    const std::string kernel = kernel::to_text(lowered(module_from(text), m.target).kernels[0]);
    INFO(kernel);
    const size_t first = kernel.find("load in1");
    CHECK(kernel.find(" mul_add ", first) != std::string::npos);
    return kernel.find("load in1", first + 1) < kernel.find(" = mul_add ", first);
  }
  return false;
}

}  // namespace

TEST_CASE("one row of numbers reads its columns as it multiplies them") {
  CHECK_FALSE(reads_ahead(1, "cortex-m4f"));
  CHECK(reads_ahead(3, "cortex-m4f"));
  CHECK(reads_ahead(1, "cortex-a53"));
}

TEST_CASE("the next panel is hinted at where weights are many and rows few") {
  CHECK(prefetches(dot_with_constant(8, 64, 512), "wide"));
  CHECK(!prefetches(dot_with_constant(8, 64, 512), "cortex-a53"));
  CHECK(!prefetches(dot_with_constant(8, 64, 128), "wide"));
  CHECK(!prefetches(dot_with_constant(1000, 64, 512), "wide"));
  const std::string window = "x = f32[1,9,15,32] parameter(0)\n w = " + constant({3, 3, 32, 72}) +
                             "\n ROOT r = f32[1,5,8,72] convolution(x, w), "
                             "window={size=3x3 stride=2x2 pad=1_1x1_1}, dim_labels=b01f_01io->b01f";
  CHECK(prefetches(window, "wide"));
  agrees(window, Passes::kNone);
  agrees(dot_with_constant(13, 200, 133), Passes::kNone);
}

}  // namespace hlocc::tests
