// What the label of a kernel says of its products: of which sides they are, by which micro-kernel,
// and how many stand in one block.
#include <catch2/catch.hpp>

#include "lowering/byte_cases.h"
#include "lowering/emitter/emitter.h"
#include "lowering/harness.h"
#include "support/text.h"

namespace hlocc::tests {
namespace {

kernel::Choice choice_of(const std::string& text, const char* target) {
  return lowered(module_from(text), *preset(target)).kernels.front().choice;
}

std::string dot_of_bytes(int64_t rows, int64_t depth, int64_t columns) {
  return cat("x = s8", dims({rows, depth}),
             " parameter(0)\n w = ", bytes_constant({depth, columns}, "s8"), "\n ROOT r = s32",
             dims({rows, columns}),
             " dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}");
}

std::string depthwise_of(const std::string& type, const std::string& filter,
                         const std::string& out) {
  return cat("x = ", type, "[1,9,9,8] parameter(0)\n w = ", filter, "\n ROOT r = ", out,
             "[1,7,7,8] convolution(x, w), window={size=3x3}, dim_labels=b01f_01io->b01f, "
             "feature_group_count=8");
}

}  // namespace

TEST_CASE("labels say which sides and micro-kernel products have", "[lowering]") {
  const kernel::Choice packed = choice_of(dot_of_bytes(4, 64, 8), "cortex-m4");
  CHECK(packed.of_bytes);
  CHECK(packed.algorithm == kernel::Algorithm::kPackedDot);
  CHECK(packed.micro_kernel == kernel::MicroKernel::kDotAccumulate2);
  const kernel::Choice tiles = choice_of(dot_of_bytes(4, 64, 8), "cortex-m3");
  CHECK(tiles.of_bytes);
  CHECK(tiles.algorithm == kernel::Algorithm::kTiledDot);
  CHECK_FALSE(tiles.micro_kernel);
  const kernel::Choice floats = choice_of(
      "x = f32[4,64] parameter(0)\n w = f32[64,8] parameter(1)\n ROOT r = f32[4,8] dot(x, w), "
      "lhs_contracting_dims={1}, rhs_contracting_dims={0}",
      "cortex-m3");
  CHECK_FALSE(floats.of_bytes);
  // Halves by bytes.
  CHECK_FALSE(choice_of(cat("x = s16[4,64] parameter(0)\n w = ", bytes_constant({64, 8}, "s8"),
                            "\n ROOT r = s32[4,8] dot(x, w), lhs_contracting_dims={1}, "
                            "rhs_contracting_dims={0}"),
                        "cortex-m4")
                  .of_bytes);
  // Depthwise taps one above the other.
  const std::string bytes = depthwise_of("s8", bytes_constant({3, 3, 1, 8}, "s8"), "s32");
  CHECK(choice_of(bytes, "cortex-m4").micro_kernel == kernel::MicroKernel::kDotAccumulate2);
  CHECK(choice_of(bytes, "cortex-m4").to_string() == "depthwise, dot_accumulate_2");
  CHECK(choice_of(bytes, "cortex-m3").to_string() == "depthwise");
  // No window lies inside.
  const std::string low =
      cat("x = s8[1,1,9,8] parameter(0)\n w = ", bytes_constant({3, 3, 1, 8}, "s8"),
          "\n ROOT r = s32[1,1,7,8] convolution(x, w), window={size=3x3 "
          "pad=1_1x0_0}, dim_labels=b01f_01io->b01f, feature_group_count=8");
  CHECK(choice_of(low, "cortex-m4").to_string() == "depthwise");
}

TEST_CASE("labels count the products of a block", "[lowering]") {
  // A step of each cell; two of one cell, and one that is left; nothing that adds elements.
  const kernel::Choice one = choice_of(dot_of_bytes(1, 1, 1), "cortex-m3");
  CHECK(one.products == 1);
  const kernel::Choice tile = choice_of(dot_of_bytes(8, 1, 8), "cortex-m3");
  CHECK(tile.products == tile.tile.rows * tile.tile.vectors);
  CHECK(choice_of("x = s32[8] parameter(0)\n ROOT r = s32[8] add(x, x)", "cortex-m3").products ==
        0);
  // Three pairs of 3x3 taps for each of a row's seven pixels; the third row of taps is not counted.
  const kernel::Choice pairs =
      choice_of(depthwise_of("s8", bytes_constant({3, 3, 1, 8}, "s8"), "s32"), "cortex-m4");
  CHECK(pairs.products == 3 * 7);
}

TEST_CASE("the tile of a label is the first of the largest", "[lowering]") {
  const hlo::Module module = module_from("x = f32[4] parameter(0)\n ROOT r = f32[4] negate(x)");
  const hlo::Computation& entry = module.entry_computation();
  const lowering::Group group = lowering::single_group(module, entry, entry.root);
  lowering::Emitter emitter(group, *preset("cortex-m4f"), "tiles");
  for (const kernel::RegisterTile tile : {kernel::RegisterTile{1, 4, 1}, {2, 4, 1}, {4, 2, 1}})
    emitter.tile_emitted(tile);
  CHECK(emitter.finish().choice.tile.to_string() == "2x4x1");
}

}  // namespace hlocc::tests
