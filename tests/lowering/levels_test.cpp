// Levels of tiles (costs/levels.h): rows in blocks, which only sides beyond the last cache have,
// give the same numbers; here caches are so small that small sides are beyond them.
#include "lowering/harness.h"

namespace hlocc::tests {
namespace {

Target with_caches_of(std::vector<int64_t> bytes) {
  Target target = machines()[2].target;
  target.cache_bytes = std::move(bytes);
  return target;
}

}  // namespace

TEST_CASE("rows in blocks", "[lowering]") {
  const Target small = with_caches_of({1 << 10, 8 << 10}),
               large = with_caches_of({1 << 10, 8 << 20});
  const auto product = [](int64_t rows, int64_t depth, int64_t columns) {
    return "x = f32" + dims({rows, depth}) + " parameter(0)\n w = f32" + dims({depth, columns}) +
           " parameter(1)\n d = f32" + dims({rows, columns}) +
           " dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n ROOT r = f32" +
           dims({rows, columns}) + " negate(d)";
  };
  for (const int64_t rows : {129, 150, 192, 263})
    for (const int64_t columns : {65, 100})
      for (const bool known : {false, true}) {
        const std::string text =
            known ? dot_with_constant(rows, 16, columns) : product(rows, 16, columns);
        const hlo::Module module = module_from(text);
        const std::vector<hlo::Literal> arguments = arguments_of(module, 1);
        const kernel::Program in_blocks = lowered(module, small), whole = lowered(module, large);
        CAPTURE(rows, columns, known);
        // 64 bytes a row: 129 rows are beyond 8 KB.
        CHECK(to_text(in_blocks) != to_text(whole));
        const hlo::Literal one = run_planned(in_blocks, small, arguments)[0],
                           other = run_planned(whole, large, arguments)[0];
        CHECK(hlo::compare_leaf(one, other, {.exact = true}).ok);
      }
  // 128 rows fit.
  const hlo::Module fits = module_from(product(128, 16, 100));
  CHECK(to_text(lowered(fits, small)) == to_text(lowered(fits, large)));
}

TEST_CASE("pixels in blocks", "[lowering]") {
  const Target small = with_caches_of({1 << 10, 8 << 10}),
               large = with_caches_of({1 << 10, 8 << 20});
  const hlo::Module module =
      module_from("x = f32[1,13,11,16] parameter(0)\n w = " + constant({1, 1, 16, 70}) +
                  "\n ROOT r = f32[1,13,11,70] convolution(x, w), window={size=1x1}, "
                  "dim_labels=b01f_01io->b01f");
  const std::vector<hlo::Literal> arguments = arguments_of(module, 2);
  const kernel::Program in_blocks = lowered(module, small), whole = lowered(module, large);
  CHECK(to_text(in_blocks) != to_text(whole));
  CHECK(hlo::compare_leaf(run_planned(in_blocks, small, arguments)[0],
                          run_planned(whole, large, arguments)[0], {.exact = true})
            .ok);
}

}  // namespace hlocc::tests
