// The row-wise floor, counted by hand.
#include "transforms/rows/row_floor.h"

#include "transforms/row_network.h"
#include "transforms/support.h"

namespace hlocc::tests {
namespace {

// -1: there is none.
int64_t floor_of(const std::string& text) {
  Module module = module_from(text);
  const Target target = *preset("cortex-m4f");
  REQUIRE(transforms::fold_constants(module, {target}));
  return transforms::row_floor(std::move(module)).value_or(-1);
}

}  // namespace

TEST_CASE("a row is there from its making to its last reader", "[transforms]") {
  // Ten rows of twelve bytes; rows of eight are made of three each.
  Network net(10, 4, 3);
  net.convolution({3, 1, 0, 0}, 2);
  // All of the image, and the first row; each row that follows frees one.
  CHECK(floor_of(net.text()) == 120 + 8);
  // With borders a row frees the one before the last: three rows between, one result, and the image
  // without its first row.
  Network two(10, 4, 3);
  two.convolution({3, 1, 1, 1}, 2).convolution({3, 1, 1, 1}, 2);
  CHECK(floor_of(two.text()) == 120 - 12 + 3 * 8 + 8);
}

TEST_CASE("strides free several rows, and skip those that nobody reads", "[transforms]") {
  Network net(12, 4, 1);
  net.convolution({2, 2, 0, 0}, 4);
  // 48 bytes of image; a row of 16 for two of 4.
  CHECK(floor_of(net.text()) == 48 + 16 + 5 * (16 - 8));
  Network skipping(12, 4, 1);
  skipping.convolution({1, 2, 0, 0}, 4);
  CHECK(floor_of(skipping.text()) == 48 + 16 + 5 * (16 - 8));
}

TEST_CASE("sums of all rows are one array", "[transforms]") {
  Network net(10, 4, 3);
  net.convolution({3, 1, 0, 0}, 2).sums();
  // The image, a row, and the sums of it.
  const int64_t floor = floor_of(net.text());
  CHECK(floor >= 120 + 8);
  CHECK(floor < 120 + 8 * 8);
}

TEST_CASE("what has no rows is there as a whole", "[transforms]") {
  const std::string head = "HloModule m\nENTRY e {\n";
  // A product of two vectors' worth.
  CHECK(floor_of(head + "  x = f32[1,64] parameter(0)\n  w = f32[64,16] parameter(1)\n"
                        "  ROOT y = f32[1,16] dot(x, w), lhs_contracting_dims={1}, "
                        "rhs_contracting_dims={0}\n}\n") == 4 * (64 + 64 * 16 + 16));
  // The same with weights that are known.
  CHECK(floor_of(head +
                 "  x = f32[1,4] parameter(0)\n  w = f32[4,2] constant({{1,2},{3,4},{5,6},{7,8}})\n"
                 "  ROOT y = f32[1,2] dot(x, w), lhs_contracting_dims={1}, "
                 "rhs_contracting_dims={0}\n}\n") == 4 * (4 + 2));
}

TEST_CASE("layers read along what makes more bytes of an element", "[transforms]") {
  const auto sum_of = [](const std::string& type) {
    const std::string widened =
        type == "s8" ? "  z = s32[8,16] convert(y)\n" : "  z = s32[8,16] negate(y)\n";
    return floor_of(
        "HloModule m\na { p = s32[] parameter(0)\n q = s32[] parameter(1)\n ROOT r = s32[] "
        "add(p, q) }\nENTRY e {\n  x = " +
        type + "[8,16] parameter(0)\n  y = " + type + "[8,16] negate(x)\n" + widened +
        "  i = s32[] constant(0)\n  ROOT s = s32[16] reduce(z, i), dimensions={0}, "
        "to_apply=a\n}\n");
  };
  CHECK(sum_of("s8") == 8 * 16 + 64);
  CHECK(sum_of("s32") == 4 * 8 * 16 + 64);
}

TEST_CASE("there is no floor where control flow decides", "[transforms]") {
  CHECK(floor_of("HloModule m\nENTRY e {\n  x = f32[4] parameter(0)\n"
                 "  s = (f32[4], s32[4]) custom-call(x), custom_call_target=\"f\"\n"
                 "  ROOT r = f32[4] get-tuple-element(s), index=0\n}\n") == -1);
}

TEST_CASE("networks that are too large have no floor", "[transforms]") {
  const auto of_arguments = [](int count) {
    std::string lines, types, names;
    for (int i = 0; i < count; ++i) {
      lines += cat("  p", i, " = f32[] parameter(", i, ")\n");
      types += cat(i == 0 ? "" : ", ", "f32[]");
      names += cat(i == 0 ? "" : ", ", "p", i);
    }
    return floor_of(
        cat("HloModule m\nENTRY e {\n", lines, "  ROOT r = (", types, ") tuple(", names, ")\n}\n"));
  };
  CHECK(of_arguments(1000) == 4000);
  CHECK(of_arguments(1001) == -1);
  const auto of_rows = [](int rows) {
    return floor_of(cat("HloModule m\nENTRY e {\n  ROOT x = s8[1,", rows, ",1] parameter(0)\n}\n"));
  };
  CHECK(of_rows(1'000'000) == 1'000'000);
  CHECK(of_rows(1'000'001) == -1);
}

TEST_CASE("what reads an array in too many ways has no floor", "[transforms]") {
  // A result of n sums of an array with itself reaches what it reads in 2^(n + 1) - 2 ways.
  const auto of_sums = [](const std::vector<int>& results) {
    std::string lines = "  x = f32[4] parameter(0)\n", types, names;
    for (size_t r = 0; r < results.size(); ++r) {
      std::string from = "x";
      for (int i = 0; i < results[r]; ++i) {
        const std::string sum = cat("s", r, "_", i);
        lines += cat("  ", sum, " = f32[4] add(", from, ", ", from, ")\n");
        from = sum;
      }
      types += cat(r == 0 ? "" : ", ", "f32[4]");
      names += cat(r == 0 ? "" : ", ", from);
    }
    return floor_of(
        cat("HloModule m\nENTRY e {\n", lines, "  ROOT r = (", types, ") tuple(", names, ")\n}\n"));
  };
  const std::vector<int> million{18, 17, 16, 15, 13, 8, 5, 3};
  CHECK(of_sums(million) == 9 * 16);
  CHECK(of_sums({18, 17, 16, 15, 13, 8, 5, 3, 1}) == -1);
  CHECK(of_sums({40}) == -1);
}

}  // namespace hlocc::tests
