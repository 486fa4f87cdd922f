// Constant weights in panels: the same sums as from rows, for widths that full tiles do and do not
// divide, groups, windows, batches; and only where it is worth it.
#include "lowering/harness.h"
#include "support/text.h"

namespace hlocc::tests {
namespace {

// Quarters in HLO's braces, different from place to place.
std::string numbers(const std::vector<int64_t>& sizes, size_t at, int& state) {
  if (at == sizes.size()) {
    state = (state * 37 + 11) % 101;
    return cat(state % 17 - 8, state % 2 == 0 ? ".25" : ".5");
  }
  std::vector<std::string> parts;
  for (int64_t i = 0; i < sizes[at]; ++i) parts.push_back(numbers(sizes, at + 1, state));
  return "{" + join(parts, ",") + "}";
}

std::string constant(const std::vector<int64_t>& sizes, const std::string& type = "f32") {
  int state = 5;
  return type + dims(sizes) + " constant(" + numbers(sizes, 0, state) + ")";
}

bool packs(const std::string& text, const std::string& machine) {
  for (const Machine& m : machines()) {
    if (m.name != machine) continue;
    const kernel::Program program = lowered(module_from(text), m.target);
    for (const kernel::ProgramValue& value : program.values)
      if (value.name.find("panels") != std::string::npos) return true;
  }
  return false;
}

std::string dot(int64_t rows, int64_t inner, int64_t columns) {
  return "x = f32" + dims({rows, inner}) + " parameter(0)\n w = " + constant({inner, columns}) +
         "\n ROOT r = f32" + dims({rows, columns}) +
         " dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}";
}

}  // namespace

TEST_CASE("products with constant weights of every width", "[lowering]") {
  for (int64_t columns : {65, 70, 96, 127, 133})
    for (int64_t rows : {1, 5, 13}) agrees(dot(rows, 40, columns), Passes::kNone);
}

TEST_CASE("convolutions with constant weights", "[lowering]") {
  for (int64_t out : {66, 72}) {
    agrees("x = f32[2,4,5,8] parameter(0)\n w = " + constant({3, 2, 8, out}) +
               "\n ROOT r = f32" + dims({2, 4, 5, out}) +
               " convolution(x, w), window={size=3x2 pad=1_1x0_1}, dim_labels=b01f_01io->b01f",
           Passes::kNone);
    agrees("x = f32[1,5,6,32] parameter(0)\n w = " + constant({1, 1, 32, out}) +
               "\n ROOT r = f32" + dims({1, 5, 6, out}) +
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

TEST_CASE("panels are for chips with caches, and for more than one panel", "[lowering]") {
  CHECK(packs(dot(8, 64, 256), "cortex-a53"));
  CHECK(!packs(dot(8, 64, 256), "cortex-m4f"));
  CHECK(!packs(dot(8, 4, 16), "cortex-a53"));
}

}  // namespace hlocc::tests
