// Which way a convolution takes, chip by chip: a convolution that each way claims, and one fact
// changed at a time. A way changes no result but roundings, and so nothing else would show that a
// condition was turned round.
#include "costs/convolution.h"

#include <catch2/catch.hpp>
#include <functional>

#include "costs/chips.h"
#include "costs/pictures.h"
#include "support/golden.h"
#include "support/text.h"

namespace hlocc::tests {
namespace {

using costs::ConvolutionSite;
using hlo::PrimitiveType;

std::string way_of(const Picture& p, const Target& target) {
  return of_site(p, [&](const ConvolutionSite& site) {
    return std::string(kernel::algorithm_name(algorithm_of(plan_convolution(site, target))));
  });
}

struct Change {
  const char* what;
  void (*make)(Picture&);
};
constexpr Change kChanges[] = {
    {"as it is", [](Picture&) {}},
    {"unknown filter", [](Picture& p) { p.known = false; }},
    {"filter of infinities", [](Picture& p) { p.finite = false; }},
    {"filter behind ops", [](Picture& p) { p.filter_in_memory = false; }},
    {"input behind ops", [](Picture& p) { p.input_in_memory = false; }},
    {"masks cost", [](Picture& p) { p.masks_pass = false; }},
    {"pixels by index", [](Picture& p) { p.pixels_count = false; }},
    {"elements by index", [](Picture& p) { p.elements_count = false; }},
    {"steps down", [](Picture& p) { window_down(p).stride = 2; }},
    {"steps along", [](Picture& p) { window_along(p).stride = 2; }},
    {"holes down", [](Picture& p) { window_down(p).window_dilation = 2; }},
    {"holes along", [](Picture& p) { window_along(p).window_dilation = 2; }},
    {"holes in the input", [](Picture& p) { window_down(p).base_dilation = 2; }},
    {"holes in its rows", [](Picture& p) { window_along(p).base_dilation = 2; }},
    {"turned filter", [](Picture& p) { window_along(p).window_reversal = true; }},
    {"pads", [](Picture& p) { window_down(p).padding_low = window_along(p).padding_high = 1; }},
    {"windows larger than rows", [](Picture& p) { window_along(p).padding_low = 11; }},
    {"groups of the batch", [](Picture& p) { p.attributes.batch_group_count = 2; }},
    {"input's batch elsewhere",
     [](Picture& p) {
       p.attributes.input_batch = 1, p.attributes.input_spatial = {0, 2};
     }},
    {"output's batch elsewhere",
     [](Picture& p) {
       p.attributes.output_batch = 1, p.attributes.output_spatial = {0, 2};
     }},
    {"input turned",
     [](Picture& p) {
       p.attributes.input_spatial = {2, 1};
     }},
    {"both turned",
     [](Picture& p) {
       p.attributes.input_spatial = p.attributes.output_spatial = {2, 1};
     }},
    {"filter turned",
     [](Picture& p) {
       p.attributes.kernel_spatial = {1, 0};
     }},
    {"input's features first",
     [](Picture& p) {
       p.attributes.input_feature = 1, p.attributes.input_spatial = {2, 3};
       std::swap(p.input.dimensions[1], p.input.dimensions[3]);
     }},
    {"output's features first",
     [](Picture& p) {
       p.attributes.output_feature = 1, p.attributes.output_spatial = {2, 3};
       std::swap(p.output.dimensions[1], p.output.dimensions[3]);
     }},
    {"filter's features turned",
     [](Picture& p) {
       std::swap(p.attributes.kernel_input_feature, p.attributes.kernel_output_feature);
       std::swap(p.filter.dimensions[2], p.filter.dimensions[3]);
     }},
    {"no input",
     [](Picture& p) {
       p.input.dimensions[p.attributes.input_batch] =
           p.output.dimensions[p.attributes.output_batch] = 0;
     }},
    {"f64",
     [](Picture& p) {
       p.input.element_type = p.filter.element_type = p.output.element_type = PrimitiveType::kF64;
       p.sum = kernel::Scalar::kF64;
     }},
    {"f16 filter", [](Picture& p) { p.filter.element_type = PrimitiveType::kF16; }},
    {"f16 input", [](Picture& p) { p.input.element_type = PrimitiveType::kF16; }},
    {"s4 filter", [](Picture& p) { p.filter.element_type = PrimitiveType::kS4; }},
    {"stored by a pool", [](Picture& p) { p.stored = 36; }},
    {"three columns", [](Picture& p) { p.output.dimensions[2] = 3; }},
};

struct Base {
  const char* what;
  PictureSize size;
};
// The sizes on both sides of what the ways count.
constexpr Base kBases[] = {
    {"3x3", {}},
    {"3x3 of 64 features", {.inputs = 64, .outputs = 64}},
    {"1x1", {.taps = 1}},
    {"depthwise of 1", {.inputs = 1, .outputs = 1}},
    {"depthwise of 2", {.inputs = 2, .outputs = 2, .groups = 2}},
    {"depthwise of 3", {.inputs = 3, .outputs = 3, .groups = 3}},
    {"depthwise of 4", {.inputs = 4, .outputs = 4, .groups = 4}},
    {"depthwise of 7", {.inputs = 7, .outputs = 7, .groups = 7}},
    {"depthwise of 8", {.inputs = 8, .outputs = 8, .groups = 8}},
    {"depthwise of 9", {.inputs = 9, .outputs = 9, .groups = 9}},
    {"depthwise of 8, 2 of each", {.inputs = 8, .outputs = 16, .groups = 8}},
    {"depthwise of 8, 4 of each", {.inputs = 8, .outputs = 32, .groups = 8}},
    {"depthwise of 8, 5 of each", {.inputs = 8, .outputs = 40, .groups = 8}},
    {"2 groups of 4", {.inputs = 8, .outputs = 8, .groups = 2}},
    {"bytes, 3x3", {.type = PrimitiveType::kS8}},
    {"bytes, 3x3 of 3 features", {.inputs = 3, .type = PrimitiveType::kS8}},
    {"bytes, 5x5 of 3 features", {.inputs = 3, .taps = 5, .type = PrimitiveType::kS8}},
    {"bytes, 9x9 of 3 features", {.inputs = 3, .taps = 9, .type = PrimitiveType::kS8}},
    {"bytes, 1x1", {.taps = 1, .type = PrimitiveType::kS8}},
    {"bytes, depthwise of 2", {.inputs = 2, .outputs = 2, .groups = 2, .type = PrimitiveType::kS8}},
    {"bytes, depthwise of 8", {.inputs = 8, .outputs = 8, .groups = 8, .type = PrimitiveType::kS8}},
};

}  // namespace

TEST_CASE("which way a convolution takes is golden", "[costs]") {
  check_golden("golden/ways.txt", by_chip(fast_chips(), [](const Target& target) {
                 std::string all;
                 for (const Base& base : kBases) {
                   const std::string usual = way_of(picture(base.size), target);
                   all += cat("  ", base.what, " ", usual, "\n");
                   for (const Change& change : kChanges) {
                     Picture changed = picture(base.size);
                     change.make(changed);
                     const std::string way = way_of(changed, target);
                     if (way != usual) all += cat("    ", change.what, " ", way, "\n");
                   }
                 }
                 return all;
               }));
}

TEST_CASE("windows of a tile share their columns where rows may begin anywhere", "[costs]") {
  const auto shared = [](PictureSize size, const Target& target,
                         const std::function<void(Picture&)>& change = {}) {
    size.type = PrimitiveType::kS8;
    Picture p = picture(size);
    if (change) change(p);
    return of_site(p, [&](const ConvolutionSite& site) {
      const auto packed = costs::PackedPlan::of(site, target);
      return packed ? packed->shared_columns : -1;
    });
  };
  const auto stride = [](int64_t by) {
    return [by](Picture& p) {
      window_along(p).stride = by;
      p.output.dimensions[2] = 6;
    };
  };
  const Target m55 = *preset("cortex-m55");
  // Two pixels of three columns each.
  CHECK(shared({.inputs = 16}, m55) == 4);
  CHECK(shared({.inputs = 16}, m55, stride(2)) == 5);
  CHECK(shared({.inputs = 8, .taps = 2}, m55) == 3);
  // Windows that only touch, segments of half k steps, rows of an odd number of pixels, holes.
  CHECK(shared({.inputs = 16}, m55, stride(3)) == 0);
  CHECK(shared({.inputs = 8}, m55) == 0);
  CHECK(shared({.inputs = 16, .side = 11}, m55) == 0);
  CHECK(shared({.inputs = 16, .taps = 1}, m55) == 0);
  CHECK(shared({.inputs = 16}, m55, [](Picture& p) { window_along(p).window_dilation = 2; }) == 0);
  // Four pixels in pairs, of whole k steps; a row that four pixels don't divide.
  const Target m4 = *preset("cortex-m4");
  CHECK(shared({.inputs = 16}, m4) == 6);
  CHECK(shared({.inputs = 6}, m4) == 0);
  CHECK(shared({.inputs = 16, .side = 10}, m4) == 0);
  // K steps side by side in scratch, and small code.
  CHECK(shared({.inputs = 16}, *preset("cortex-m0")) == 0);
  Target small = m55;
  small.options.level = Level::kOs;
  CHECK(shared({.inputs = 16}, small) == 0);
}

TEST_CASE("rows of the input are brought once where scratch has room and rows begin anywhere",
          "[costs]") {
  Target vnni = fast_chips().back().target;
  REQUIRE(vnni.has(Isa::kAvx512Vl));
  const auto block = [&](PictureSize size, const std::function<void(Picture&)>& change = {}) {
    size.type = PrimitiveType::kS8;
    Picture p = picture(size);
    if (change) change(p);
    return of_site(p, [&](const ConvolutionSite& site) {
      const auto packed = costs::PackedPlan::of(site, vnni);
      REQUIRE(packed.has_value());
      if (packed->block > 0) CHECK(site.output_extent(1) % packed->choice.tile.rows == 0);
      return packed->block;
    });
  };
  CHECK(block({.inputs = 16, .side = 32}) == 16);
  CHECK(block({.inputs = 16}) == 12);
  // Three rows of nine bytes are nine k steps for seven; one row of three, three for three.
  CHECK(block({.inputs = 3}) == 12);
  CHECK(block({.inputs = 5, .taps = 5}) == 12);
  // Two rows of five are four k steps for three: a third more passes.
  CHECK(block({.inputs = 1, .taps = 5},
              [](Picture& p) { window_down(p).size = p.filter.dimensions[0] = 2; }) > 0);
  // Half of the steps would be none.
  CHECK(block({.inputs = 1, .taps = 5}) == 0);
  // Rows that are too long for several in the cache.
  vnni.cache_bytes = {16 << 10};
  CHECK(block({.inputs = 256, .side = 32}) == 1);
  CHECK(block({.inputs = 64, .side = 16}) == 8);
  // Sixteen rows of a thousand bytes fill half of it.
  CHECK(block({.inputs = 64, .side = 14}) == 14);
  // Windows that only touch, or cut off what is before them; tiles that don't divide a row.
  CHECK(block({.inputs = 16, .taps = 1}) == 0);
  const auto wide_stride = [](int64_t by) {
    return [by](Picture& p) {
      window_along(p).stride = by;
      p.output.dimensions[2] = 6;
    };
  };
  CHECK(block({.inputs = 16}, wide_stride(2)) > 0);
  CHECK(block({.inputs = 16}, wide_stride(3)) == 0);
  CHECK(block({.inputs = 16}, [](Picture& p) { window_along(p).padding_low = -1; }) == 0);
  CHECK(block({.inputs = 16}, [](Picture& p) { window_along(p).padding_low = 1; }) > 0);
  CHECK(block({.inputs = 16, .side = 13}) == 0);
  CHECK(block({.inputs = 16}, [](Picture& p) { p.input_in_memory = false; }) == 0);
  // Small code, and chips whose RAM is constrained.
  vnni.options.level = Level::kOs;
  CHECK(of_site(picture({.inputs = 16, .type = PrimitiveType::kS8}),
                [&](const ConvolutionSite& site) {
                  const auto packed = costs::PackedPlan::of(site, vnni);
                  return packed ? packed->block : 0;
                }) == 0);
  vnni.options.level = Level::kO2;
  vnni.ram_constrained = true;
  CHECK(block({.inputs = 16}) == 0);
}

TEST_CASE("the first plan is taken, and the last algorithm has one for all", "[costs]") {
  const Target& target = chip("cortex-m4f");
  const auto plan_of = [&](const Picture& p) {
    return of_site(p, [&](const ConvolutionSite& site) { return plan_convolution(site, target); });
  };
  // Pointwise and dense have plans for it.
  CHECK(std::holds_alternative<costs::PointwisePlan>(plan_of(picture({.taps = 1}))));
  CHECK(std::holds_alternative<costs::DensePlan>(plan_of(picture({}))));
  CHECK(algorithm_of(plan_of(picture({}))) == kernel::Algorithm::kDense);
  CHECK_FALSE(costs::serves_outside(plan_of(picture({}))));
  CHECK(costs::serves_outside(plan_of(picture({.type = PrimitiveType::kS8}))));
  for (const int stacked : {1, 2, 4})
    CHECK(costs::serves_outside(costs::DepthwisePlan{stacked}) == (stacked == 2));
}

TEST_CASE("taps that one instruction multiplies", "[costs]") {
  const auto taps = [](int64_t size, int64_t features, const char* name) {
    return of_site(picture({.inputs = features,
                            .outputs = features,
                            .taps = size,
                            .groups = features,
                            .type = PrimitiveType::kS8}),
                   [&](const ConvolutionSite& site) { return stacked_taps(site, *preset(name)); });
  };
  CHECK(taps(3, 8, "cortex-m4f") == 2);
  CHECK(taps(5, 12, "cortex-m4f") == 2);
  CHECK(taps(4, 8, "hexagon-v67-hvx") == 4);
  CHECK(taps(5, 8, "hexagon-v67-hvx") == 1);
  CHECK(taps(3, 12, "hexagon-v67-hvx") == 1);
  CHECK(taps(3, 8, "hexagon-v67") == 1);
}

TEST_CASE("pixels are not counted through where a source is asked for by index", "[costs]") {
  const Picture p = picture({.taps = 1});
  const hlo::Module module;
  ConvolutionSite site{
      .form = {p.attributes, p.input, p.filter, p.output}, .module = module, .pixels_count = true};
  CHECK(costs::PointwisePlan::of(site, chip("cortex-m4f")));
  site.sources_count = false;
  CHECK_FALSE(costs::PointwisePlan::of(site, chip("cortex-m4f")));
}

}  // namespace hlocc::tests
