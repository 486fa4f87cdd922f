// What devices of many threads are asked: which convolutions and dots go by shared tiles, and how
// many partial results a long reduction is cut into.
#include <array>
#include <catch2/catch.hpp>

#include "costs/dot.h"
#include "costs/long_reductions.h"
#include "costs/pictures.h"
#include "target/gpu.h"

namespace hlocc::tests {
namespace {

using hlo::PrimitiveType;
using hlo::Shape;

Target threads_of_gpu() { return target_of(**find_gpu("vulkan-nvidia"), {}); }

// One change of a convolution that goes by shared tiles.
struct SharedRow {
  const char* what;
  void (*change)(Picture&);
  bool shared;
};
void unknown(Picture& p) { p.known = false; }

// The dimensions of two sides, which of them are batches and which are contracted, and the product
// that it is: batches, rows, columns and depth.
struct SharedDotRow {
  hlo::Dimensions left, right;
  hlo::DotAttributes attributes;
  std::array<int64_t, 4> size;
  bool shared;
};

}  // namespace

TEST_CASE("which convolutions groups of threads share", "[costs]") {
  const SharedRow rows[] = {
      {"as it is", [](Picture&) {}, true},
      {"complex", [](Picture& p) { p.output.element_type = PrimitiveType::kC64; }, false},
      {"no features", [](Picture& p) { p.filter.dimensions[3] = p.output.dimensions[3] = 0; },
       false},
      {"groups of features", [](Picture& p) { p.attributes.feature_group_count = 2; }, false},
      {"groups of the batch", [](Picture& p) { p.attributes.batch_group_count = 2; }, false},
      {"too few pixels",
       [](Picture& p) {
         p.output.dimensions = {1, 1, 7, 8};
       },
       false},
      // Products of zeros that the program does not have: of floats only where a known filter is
      // finite.
      {"pads", [](Picture& p) { window_down(p).padding_low = window_along(p).padding_high = 2; },
       true},
      {"unknown", unknown, true},
      {"unknown, a pad before",
       [](Picture& p) {
         unknown(p);
         window_down(p).padding_low = 1;
       },
       false},
      {"unknown, a pad behind",
       [](Picture& p) {
         unknown(p);
         p.input.dimensions[2] -= 1;
         window_along(p).padding_high = 1;
       },
       false},
      {"unknown, holes in the input",
       [](Picture& p) {
         unknown(p);
         window_down(p).base_dilation = 2;
       },
       false},
      {"unknown integers, pads",
       [](Picture& p) {
         unknown(p);
         window_down(p).padding_low = 1;
         p.sum = kernel::Scalar::kS32;
       },
       true},
      {"filter behind ops, pads",
       [](Picture& p) {
         p.filter_in_memory = false;
         window_down(p).padding_low = 1;
       },
       false},
      {"filter of infinities, pads",
       [](Picture& p) {
         p.finite = false;
         window_down(p).padding_low = 1;
       },
       false},
  };
  for (const SharedRow& row : rows) {
    INFO(row.what);
    Picture p = picture({});
    row.change(p);
    CHECK(of_site(p, [](const costs::ConvolutionSite& site) {
            return costs::SharedTilesPlan::of(site, threads_of_gpu()).has_value();
          }) == row.shared);
  }
  CHECK_FALSE(of_site(picture({}), [](const costs::ConvolutionSite& site) {
    return costs::SharedTilesPlan::of(site, *preset("cortex-a53")).has_value();
  }));
}

TEST_CASE("the product that a shared dot is", "[costs]") {
  const SharedDotRow rows[] = {
      {{40, 32}, {32, 24}, {{1}, {0}}, {1, 40, 24, 32}, true},
      {{32, 40}, {24, 32}, {{0}, {1}}, {1, 40, 24, 32}, true},
      {{3, 40, 32}, {32, 3, 24}, {{2}, {0}, {0}, {1}}, {3, 40, 24, 32}, true},
      {{40, 4, 8}, {4, 24, 8}, {{1, 2}, {0, 2}}, {1, 40, 24, 32}, true},
      {{40, 0}, {0, 24}, {{1}, {0}}, {}, false},
      {{0, 40, 32}, {0, 32, 24}, {{2}, {1}, {0}, {0}}, {}, false},
      {{40, 15}, {15, 24}, {{1}, {0}}, {}, false},
  };
  for (const SharedDotRow& row : rows) {
    const Shape left = Shape::array(PrimitiveType::kF32, row.left),
                right = Shape::array(PrimitiveType::kF32, row.right);
    for (const PrimitiveType type : {PrimitiveType::kF32, PrimitiveType::kC64}) {
      const Shape output = Shape::array(type, {1});
      const costs::DotSite site{
          .attributes = row.attributes, .left = left, .right = right, .output = output};
      const auto plan = costs::SharedDotPlan::of(site, threads_of_gpu());
      CHECK(plan.has_value() == (row.shared && type == PrimitiveType::kF32));
      CHECK_FALSE(costs::SharedDotPlan::of(site, *preset("cortex-a53")));
      if (!plan) continue;
      const costs::SharedProduct& size = plan->size;
      CHECK(std::array{size.batches, size.rows, size.columns, size.depth} == row.size);
    }
  }
}

TEST_CASE("how many partial results pay", "[costs]") {
  const Target gpu = threads_of_gpu();
  CHECK(costs::partial_results(gpu, 1, 4096) == 1);
  CHECK(costs::partial_results(gpu, 1, 4097) == 64);
  CHECK(costs::partial_results(gpu, 1, 1 << 20) == 1024);
  CHECK(costs::partial_results(gpu, 64, 1 << 20) == 64);
  CHECK(costs::partial_results(gpu, 1024, 1 << 20) == 4);
  CHECK(costs::partial_results(gpu, 1025, 1 << 20) == 1);
  CHECK(costs::partial_results(*preset("cortex-m4f"), 1, 1 << 20) == 1);
  CHECK(costs::even_partial_results(gpu, 1, 5000) == 50);
  CHECK(costs::even_partial_results(gpu, 1, 4099) == 1);
  // Four of 1,025 steps each; three would be too few.
  CHECK(costs::even_partial_results(gpu, 1024, 4 * 1025) == 4);
  CHECK(costs::even_partial_results(gpu, 1024, 3 * 1367) == 1);
}

}  // namespace hlocc::tests
