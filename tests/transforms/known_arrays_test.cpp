// What is known of arrays that are made of constants: how many bytes these take, which arithmetic
// is followed and how far, and that large arrays are not computed.
#include "transforms/integers/known_arrays.h"

#include "transforms/support.h"

namespace hlocc::tests {
namespace {

using transforms::KnownArrays;

struct Known {
  std::optional<int64_t> bytes;
  bool has_value;
};
// Of the root.
Known known(const std::string& text, bool packs = false) {
  const Module module = module_from(text);
  const hlo::Computation& c = module.entry_computation();
  const KnownArrays arrays(module, c, packs);
  return {arrays.bytes(c.root), arrays.value(c.root).has_value()};
}

// A constant through so many sums.
std::string sums(int count) {
  std::string text = "s0 = f32[2] constant({1, 2})\n";
  for (int n = 1; n <= count; ++n) {
    const std::string last = std::to_string(n - 1), next = std::to_string(n);
    text += (n == count ? " ROOT s" : " s") + next + " = f32[2] add(s" + last + ", s0)\n";
  }
  return text;
}

}  // namespace

TEST_CASE("arrays made of constants are known with their bytes", "[transforms]") {
  CHECK(known("ROOT w = s8[4] constant({1,2,3,4})").bytes == 4);
  CHECK(known("ROOT w = s4[4] constant({1,2,3,4})").bytes == 4);
  CHECK(known("ROOT w = s4[4] constant({1,2,3,4})", true).bytes == 2);
  CHECK(known("ROOT w = s8[4] constant({1,2,3,4})", true).bytes == 4);
  const Known scaled = known(
      "w = s8[4] constant({1,2,3,4})\n f = f32[4] convert(w)\n s = f32[] constant(.5)\n"
      " t = f32[4] broadcast(s), dimensions={}\n ROOT d = f32[4] multiply(f, t)");
  CHECK(scaled.bytes == 8);
  CHECK(scaled.has_value);
  for (const char* text : {"ROOT p = f32[4] parameter(0)",
                           "p = f32[2] parameter(0)\n c = f32[2] constant({1,2})\n ROOT s = f32[2] "
                           "add(c, p)",
                           "c = f32[2] constant({1,2})\n ROOT t = f32[2] tanh(c)"}) {
    CHECK(!known(text).bytes);
    CHECK(!known(text).has_value);
  }
}

TEST_CASE("arithmetic on constants is followed up to a depth", "[transforms]") {
  CHECK(known(sums(17)).bytes == 8 * 18);
  CHECK(known(sums(17)).has_value);
  CHECK(!known(sums(18)).bytes);
  CHECK(!known(sums(18)).has_value);
}

TEST_CASE("large arrays are not computed", "[transforms]") {
  const auto spread = [](const std::string& count) {
    return known("c = s8[] constant(3)\n ROOT b = s8[" + count + "] broadcast(c), dimensions={}");
  };
  CHECK(spread("16777216").has_value);
  CHECK(spread("16777217").bytes == 1);
  CHECK(!spread("16777217").has_value);
}

}  // namespace hlocc::tests
