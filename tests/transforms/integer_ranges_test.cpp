// Ranges of products, on both sides of what 127 bits hold.
#include "transforms/integers/integer_ranges.h"

#include "support/text.h"
#include "transforms/support.h"

namespace hlocc::tests {
namespace {

using transforms::Range;

// Of the product that the text ends with.
Range range_of_product(const std::string& text) {
  Module module = module_from(text);
  std::optional<Range> found;
  const transforms::Rule rule = [&](transforms::Rewriter& r, const hlo::Instruction& i) {
    if (i.opcode == Opcode::kMultiply) found = transforms::IntegerRanges(r).of(i);
    return hlo::kNone;
  };
  REQUIRE(transforms::Rewriter(module, module.entry, rule).run().ok());
  REQUIRE(found);
  return *found;
}

TEST_CASE("the range of a product of 64 bits without sign") {
  constexpr __int128 kOne = 1;
  const Range all = transforms::range_of_type(hlo::PrimitiveType::kU64);
  // More than 127 bits; less than these hold, and more than the type does.
  const std::string x = "x = u64[2] parameter(0)\nh = u32[2] parameter(1)\nw = u64[2] convert(h)\n";
  CHECK(range_of_product(x + "ROOT p = u64[2] multiply(x, x)") == all);
  for (const char* factor : {"4294967296", "2147483648"})
    CHECK(range_of_product(cat(x, "k = u64[2] constant({", factor, ", ", factor,
                               "})\nm = u64[2] multiply(w, k)\n",
                               "ROOT p = u64[2] multiply(x, m)")) == all);
  // What fits is known.
  const std::string half = "h = u32[2] parameter(0)\nw = u64[2] convert(h)\n";
  constexpr __int128 kMost = (kOne << 32) - 1;
  CHECK(range_of_product(half + "ROOT p = u64[2] multiply(w, w)") == Range{0, kMost * kMost});
  const std::string other = "s = s32[2] parameter(0)\nw = s64[2] convert(s)\n";
  CHECK(range_of_product(other + "k = s64[2] constant({-2147483648, 1})\n"
                                 "ROOT p = s64[2] multiply(w, k)") ==
        Range{-((kOne << 31) * ((kOne << 31) - 1)), kOne << 62});
}

}  // namespace
}  // namespace hlocc::tests
