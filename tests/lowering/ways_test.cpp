// Which algorithm takes a convolution, one condition on either side of each border.
#include <catch2/catch.hpp>

#include "lowering/convolution/convolution.h"
#include "lowering/harness.h"
#include "support/text.h"

namespace hlocc::tests {
namespace {

// The schedule that the kernel of a module's root says it has.
std::string way_of(const std::string& text, const std::string& machine = "cortex-m4f") {
  for (const Machine& one : machines())
    if (one.name == machine)
      return lowered(module_from(text), one.target).kernels.front().choice.to_string();
  FAIL("no machine " + machine);
  return "";
}

struct Shapes {
  std::string input, filter, output, labels = "b01f_01io->b01f", window, groups, type = "f32";
};
std::string convolution(const Shapes& s, const std::string& after = "ROOT r = ") {
  return cat("  x = ", s.type, "[", s.input, "] parameter(0)\n  w = ", s.type, "[", s.filter,
             "] parameter(1)\n  ", after, s.type, "[", s.output, "] convolution(x, w), window={",
             s.window, "}, dim_labels=", s.labels, s.groups, "\n");
}

}  // namespace

TEST_CASE("which way a convolution takes") {
  const Shapes dense = {
      .input = "1,8,8,4", .filter = "3,3,4,8", .output = "1,6,6,8", .window = "size=3x3"};
  CHECK(way_of(convolution(dense)) == "dense");

  Shapes dilated = dense;
  dilated.output = "1,13,13,8", dilated.window = "size=3x3 lhs_dilate=2x2";
  CHECK(way_of(convolution(dilated)) == "plain");

  Shapes features_first = dense;
  features_first.output = "1,8,6,6", features_first.labels = "b01f_01io->bf01";
  CHECK(way_of(convolution(features_first)) == "plain");

  const Shapes pointwise = {
      .input = "1,8,8,4", .filter = "1,1,4,8", .output = "1,8,8,8", .window = "size=1x1"};
  CHECK(way_of(convolution(pointwise)) == "pointwise");
  Shapes strided = pointwise;
  strided.output = "1,4,4,8", strided.window = "size=1x1 stride=2x2";
  CHECK(way_of(convolution(strided)) == "dense");

  const Shapes depthwise = {.input = "1,8,8,4",
                            .filter = "3,3,1,4",
                            .output = "1,6,6,4",
                            .window = "size=3x3",
                            .groups = ", feature_group_count=4"};
  CHECK(way_of(convolution(depthwise)) == "depthwise");
  // Two features of each input fill vectors together; scalars need no company.
  Shapes doubled = depthwise;
  doubled.filter = "3,3,1,8", doubled.output = "1,6,6,8";
  CHECK(way_of(convolution(doubled)) == "dense");
  CHECK(way_of(convolution(doubled), "cortex-a53") == "depthwise");
}

TEST_CASE(
    "a flat convolution has fewer features than a vector has lanes, and a row of two vectors") {
  const auto samples = [](int64_t count, int64_t features) {
    return convolution({.input = cat("1,", count + 2, ",", features),
                        .filter = cat("3,1,", features),
                        .output = cat("1,", count, ",", features),
                        .labels = "b0f_0io->b0f",
                        .window = "size=3",
                        .groups = cat(", feature_group_count=", features)});
  };
  CHECK(way_of(samples(8, 1), "cortex-a53") == "flat");
  CHECK(way_of(samples(7, 1), "cortex-a53") != "flat");
  CHECK(way_of(samples(8, 1), "cortex-m4f") != "flat");
  // More than one feature: the filter is repeated, so it must be known.
  CHECK(way_of(samples(16, 2), "cortex-a53") != "flat");
}

TEST_CASE("Winograd's way wants a known 3x3 filter without steps, and enough features") {
  const auto with = [](const std::string& filter, const std::string& output,
                       const std::string& window) {
    return cat("  x = f32[1,16,16,32] parameter(0)\n  w = f32[", filter, "] constant({...})\n",
               "  ROOT r = f32[", output, "] convolution(x, w), window={", window,
               "}, dim_labels=b01f_01io->b01f\n");
  };
  const auto known = [&](const std::vector<int64_t>& filter, const std::string& output,
                         const std::string& window) {
    std::string text = with(join(filter, ","), output, window);
    const std::string elided = cat("f32[", join(filter, ","), "] constant({...})");
    return text.replace(text.find(elided), elided.size(), constant(filter));
  };
  CHECK(way_of(known({3, 3, 32, 32}, "1,14,14,32", "size=3x3")).starts_with("winograd"));
  CHECK(way_of(known({3, 3, 32, 32}, "1,7,7,32", "size=3x3 stride=2x2")) == "dense");
  CHECK(way_of(known({3, 2, 32, 32}, "1,14,15,32", "size=3x2")) == "dense");
  CHECK(way_of(convolution({.input = "1,16,16,32",
                            .filter = "3,3,32,32",
                            .output = "1,14,14,32",
                            .window = "size=3x3"})) == "dense");
}

}  // namespace hlocc::tests
