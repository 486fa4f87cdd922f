// Canonical forms of dot and convolution, over many dimension numbers.
#include "support/text.h"
#include "transforms/support.h"

namespace hlocc::tests {
namespace {

using transforms::canonicalize_contractions;
using transforms::simplify;

const std::vector<Pass> kPasses{canonicalize_contractions, simplify};
// Integers come out exactly; floats may add in another order.
const hlo::CompareRule kClose{.rtol = 1e-6, .atol = 1e-6};

hlo::Instruction only(const Module& module, Opcode opcode) {
  for (const hlo::Instruction& i : module.entry_computation().instructions)
    if (i.opcode == opcode) return i;
  FAIL("no " << opcode_name(opcode));
  return {};
}

const hlo::Shape& operand_shape(const Module& module, const hlo::Instruction& i, int operand) {
  return module.entry_computation().operand(i, operand).shape;
}

}  // namespace

TEST_CASE("dots become [batch, m, k] x [batch, k, n]", "[transforms]") {
  const char* const cases[] = {
      "x = s32[4,5] parameter(0)\n y = s32[5,6] parameter(1)\n ROOT r = s32[4,6] dot(x, y), "
      "lhs_contracting_dims={1}, rhs_contracting_dims={0}",
      "x = s32[5,4] parameter(0)\n y = s32[6,5] parameter(1)\n ROOT r = s32[4,6] dot(x, y), "
      "lhs_contracting_dims={0}, rhs_contracting_dims={1}",
      "x = s32[2,3,4,5] parameter(0)\n y = s32[5,2,6,3] parameter(1)\n ROOT r = s32[3,2,4,6] "
      "dot(x, y), lhs_batch_dims={1,0}, rhs_batch_dims={3,1}, lhs_contracting_dims={3}, "
      "rhs_contracting_dims={0}",
      "x = s32[4,2,3] parameter(0)\n y = s32[3,5,2] parameter(1)\n ROOT r = s32[4,5] dot(x, y), "
      "lhs_contracting_dims={1,2}, rhs_contracting_dims={2,0}",
      "x = s32[4] parameter(0)\n y = s32[4] parameter(1)\n ROOT r = s32[] dot(x, y), "
      "lhs_contracting_dims={0}, rhs_contracting_dims={0}",
      "x = s32[4] parameter(0)\n y = s32[3] parameter(1)\n ROOT r = s32[4,3] dot(x, y)",
      "x = s32[2,4,5] parameter(0)\n y = s32[2,5] parameter(1)\n ROOT r = s32[2,4] dot(x, y), "
      "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}",
      "x = s8[4,5] parameter(0)\n y = s8[5,6] parameter(1)\n ROOT r = s32[4,6] dot(x, y), "
      "lhs_contracting_dims={1}, rhs_contracting_dims={0}",
  };
  for (const char* text : cases) {
    INFO(text);
    const Module m = rewritten(text, kPasses);
    const hlo::Instruction dot = only(m, Opcode::kDot);
    const int rank = dot.shape.rank();
    CHECK((rank == 2 || rank == 3));
    const auto& numbers = dot.get<hlo::DotAttributes>();
    CHECK(numbers.lhs_contracting == hlo::Dimensions{rank - 1});
    CHECK((numbers.rhs_contracting[0] == rank - 1 || numbers.rhs_contracting[0] == rank - 2));
    CHECK(operand_shape(m, dot, 0).rank() == rank);
  }
}

TEST_CASE("a variable right side stays as it lies, a constant one is turned", "[transforms]") {
  const Module variable = rewritten(
      "x = f32[4,5] parameter(0)\n y = f32[6,5] parameter(1)\n"
      "ROOT r = f32[4,6] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={1}",
      kPasses, kClose);
  CHECK(count(variable, Opcode::kTranspose) == 0);
  const Module constant = rewritten(
      "x = f32[4,2] parameter(0)\n y = f32[3,2] constant({{1,2},{3,4},{5,6}})\n"
      "ROOT r = f32[4,3] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={1}",
      {canonicalize_contractions, simplify, transforms::fold_constants}, kClose);
  CHECK(count(constant, Opcode::kTranspose) == 0);
  CHECK(only(constant, Opcode::kDot).get<hlo::DotAttributes>().rhs_contracting ==
        hlo::Dimensions{0});
}

TEST_CASE("a matrix times a vector has the matrix on the right", "[transforms]") {
  const Module m = rewritten(
      "x = f32[4,5] parameter(0)\n y = f32[5] parameter(1)\n"
      "ROOT r = f32[4] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}",
      kPasses, kClose);
  CHECK(operand_shape(m, only(m, Opcode::kDot), 0).dimensions == hlo::Dimensions{1, 5});
}

TEST_CASE("a dot over nothing is zero", "[transforms]") {
  CHECK(count(rewritten(
                  "x = f32[4,0] parameter(0)\n y = f32[0,5] parameter(1)\n"
                  "ROOT r = f32[4,5] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}",
                  kPasses),
              Opcode::kDot) == 0);
}

TEST_CASE("convolutions become channels last, with groups of features and windows in order",
          "[transforms]") {
  const char* const cases[] = {
      "x = s32[2,6,7,3] parameter(0)\n k = s32[3,2,3,4] parameter(1)\n ROOT r = s32[2,3,4,4] "
      "convolution(x, k), window={size=3x2 stride=2x2 pad=1_1x1_1}, dim_labels=b01f_01io->b01f",
      "x = s32[2,3,6,7] parameter(0)\n k = s32[4,3,3,2] parameter(1)\n ROOT r = s32[2,4,4,6] "
      "convolution(x, k), window={size=3x2}, dim_labels=bf01_oi01->bf01",
      "x = s32[6,3,2] parameter(0)\n k = s32[3,3,4] parameter(1)\n ROOT r = s32[4,6,2] "
      "convolution(x, k), window={size=3 pad=1_1 rhs_reversal=1}, dim_labels=0fb_i0o->f0b",
      "x = s32[4,6,3] parameter(0)\n k = s32[3,3,4] parameter(1)\n ROOT r = s32[2,6,4] "
      "convolution(x, k), window={size=3 pad=1_1}, dim_labels=b0f_0io->b0f, batch_group_count=2",
      "x = s32[2,6,4] parameter(0)\n k = s32[3,2,6] parameter(1)\n ROOT r = s32[2,11,6] "
      "convolution(x, k), window={size=3 pad=1_1 lhs_dilate=2}, dim_labels=b0f_0io->b0f, "
      "feature_group_count=2",
      "x = s32[2,3] parameter(0)\n k = s32[3,4] parameter(1)\n ROOT r = s32[2,4] convolution(x, "
      "k), dim_labels=bf_io->bf",
  };
  for (const char* text : cases) {
    INFO(text);
    const Module m = rewritten(text, kPasses);
    const auto a = only(m, Opcode::kConvolution).get<hlo::ConvolutionAttributes>();
    const int64_t spatial = static_cast<int64_t>(a.input_spatial.size());
    CHECK(a.input_batch == 0);
    CHECK(a.input_feature == spatial + 1);
    CHECK(a.kernel_input_feature == spatial);
    CHECK(a.output_feature == spatial + 1);
    CHECK(a.batch_group_count == 1);
    for (const hlo::WindowDimension& d : a.window.dimensions) CHECK(!d.window_reversal);
  }
}

TEST_CASE("zeros padded on before a convolution are the window's own", "[transforms]") {
  const Module zero = rewritten(
      "x = s32[1,6,3] parameter(0)\n z = s32[] constant(0)\n p = s32[1,14,3] pad(x, z), "
      "padding=0_0x2_1_1x0_0\n"
      "k = s32[3,3,4] parameter(1)\n ROOT r = s32[1,6,4] convolution(p, k), window={size=3 "
      "stride=2}, dim_labels=b0f_0io->b0f",
      kPasses);
  CHECK(count(zero, Opcode::kPad) == 0);
  const Module other = rewritten(
      "x = s32[1,6,3] parameter(0)\n z = s32[] constant(1)\n p = s32[1,9,3] pad(x, z), "
      "padding=0_0x2_1x0_0\n"
      "k = s32[3,3,4] parameter(1)\n ROOT r = s32[1,7,4] convolution(p, k), window={size=3}, "
      "dim_labels=b0f_0io->b0f",
      kPasses);
  CHECK(count(other, Opcode::kPad) == 1);
}

TEST_CASE("transposed convolutions multiply no zeros", "[transforms]") {
  struct Case {
    const char* text;
    int convolutions;
  };
  const Case cases[] = {
      // Kernel a multiple of the dilation: one convolution.
      {"x = s32[2,5,4,3] parameter(0)\n k = s32[4,4,3,2] parameter(1)\n ROOT r = s32[2,10,8,2] "
       "convolution(x, k), window={size=4x4 pad=2_2x2_2 lhs_dilate=2x2}, "
       "dim_labels=b01f_01io->b01f",
       1},
      {"x = s32[1,5,4] parameter(0)\n k = s32[6,2,6] parameter(1)\n ROOT r = s32[1,15,6] "
       "convolution(x, k), window={size=6 pad=4_3 lhs_dilate=3}, dim_labels=b0f_0io->b0f, "
       "feature_group_count=2",
       1},
      // Else one a phase.
      {"x = s32[1,6,5,2] parameter(0)\n k = s32[3,3,2,3] parameter(1)\n ROOT r = s32[1,12,10,3] "
       "convolution(x, k), window={size=3x3 pad=1_2x2_1 lhs_dilate=2x2}, "
       "dim_labels=b01f_01io->b01f",
       4},
      {"x = s32[1,6,5,2] parameter(0)\n k = s32[3,3,2,3] parameter(1)\n ROOT r = s32[1,13,5,3] "
       "convolution(x, k), window={size=3x3 pad=2_2x1_1 lhs_dilate=2x1}, "
       "dim_labels=b01f_01io->b01f",
       2},
      // Phases without a tap are zeros.
      {"x = s32[1,5,2] parameter(0)\n k = s32[2,2,3] parameter(1)\n ROOT r = s32[1,14,3] "
       "convolution(x, k), window={size=2 pad=1_1 lhs_dilate=3}, dim_labels=b0f_0io->b0f",
       2},
      // Negative padding, borders that no input reaches, a reversed kernel, batch groups.
      {"x = s32[1,7,2] parameter(0)\n k = s32[4,2,3] parameter(1)\n ROOT r = s32[1,7,3] "
       "convolution(x, k), window={size=4 pad=-2_-1 lhs_dilate=2}, dim_labels=b0f_0io->b0f",
       1},
      {"x = s32[1,3,2] parameter(0)\n k = s32[4,2,3] parameter(1)\n ROOT r = s32[1,16,3] "
       "convolution(x, k), window={size=4 pad=7_7 lhs_dilate=2 rhs_reversal=1}, "
       "dim_labels=b0f_0io->b0f",
       1},
      {"x = s32[4,6,3] parameter(0)\n k = s32[3,3,4] parameter(1)\n ROOT r = s32[2,11,4] "
       "convolution(x, k), window={size=3 pad=1_1 lhs_dilate=2}, dim_labels=b0f_0io->b0f, "
       "batch_group_count=2",
       2},
      // Strided or dilated as well: left to the plain schedule.
      {"x = s32[1,5,2] parameter(0)\n k = s32[3,2,3] parameter(1)\n ROOT r = s32[1,5,3] "
       "convolution(x, k), window={size=3 stride=2 pad=1_1 lhs_dilate=2}, "
       "dim_labels=b0f_0io->b0f",
       -1},
  };
  for (const Case& one : cases) {
    INFO(one.text);
    const Module m = rewritten(one.text, kPasses);
    bool dilated = false;
    for (const hlo::Instruction& i : m.entry_computation().instructions)
      if (i.opcode == Opcode::kConvolution)
        for (const auto& d : i.get<hlo::ConvolutionAttributes>().window.dimensions)
          dilated = dilated || d.base_dilation > 1;
    CHECK(dilated == (one.convolutions < 0));
    CHECK(count(m, Opcode::kConvolution) == std::abs(one.convolutions));
  }
}

TEST_CASE("transposed convolutions of every small shape", "[transforms]") {
  for (int dilation = 2; dilation <= 3; ++dilation)
    for (int size = 1; size <= 5; ++size)
      for (int low = -1; low <= 3; ++low)
        for (int high = -1; high <= 3; ++high) {
          const int outputs = 3 * dilation + 1 + low + high - size + 1;
          if (outputs < 1) continue;
          const std::string text =
              cat("x = s32[1,4,2] parameter(0)\n k = s32[", size,
                  ",2,3] parameter(1)\n ROOT r = s32[1,", outputs,
                  ",3] convolution(x, k), window={size=", size, " pad=", low, "_", high,
                  " lhs_dilate=", dilation, "}, dim_labels=b0f_0io->b0f");
          INFO(text);
          rewritten(text.c_str(), kPasses);
        }
}

TEST_CASE("products over two dimensions become products of matrices", "[transforms]") {
  const Module module = rewritten(
      "x = f32[2,3] parameter(0)\n y = f32[2,3,4,5] parameter(1)\n ROOT r = f32[4,5] dot(x, y), "
      "lhs_contracting_dims={0,1}, rhs_contracting_dims={0,1}",
      kPasses, kClose);
  for (const hlo::Instruction& i : module.entry_computation().instructions)
    if (i.opcode == Opcode::kDot) CHECK(module.entry_computation().operand(i, 1).shape.rank() == 2);
}

}  // namespace hlocc::tests
