// Sums of floats over all rows, added up as the rows come: the bits of the sum of the whole array,
// on machines with and without vectors.
#include "lowering/harness.h"
#include "support/text.h"
#include "transforms/pipeline.h"

namespace hlocc::tests {
namespace {

using hlo::Literal;
using hlo::Opcode;

// Sevenths, so that each addition rounds.
hlo::Module averaged(int64_t height, int64_t width, int64_t features, bool is_pool) {
  const std::string image = cat("f32", dims({1, height, width, features})),
                    sums = cat("f32", dims({1, features}));
  return module_from(cat(
      "HloModule m\nadd { p = f32[] parameter(0)\n q = f32[] parameter(1)\n"
      " ROOT s = f32[] add(p, q) }\nENTRY e {\n  x = ",
      image, " parameter(0)\n  seven = f32[] constant(7)\n  sevens = ", image,
      " broadcast(seven), dimensions={}\n  d = ", image,
      " divide(x, sevens)\n  w = ", constant({3, 1, 1, features}), "\n  a = ", image,
      " convolution(d, w), window={size=3x1 pad=1_1x0_0}, ",
      "dim_labels=b01f_01io->b01f, feature_group_count=", features,
      "\n  z = f32[] constant(0)\n  low = ", image, " broadcast(z), dimensions={}\n  b = ", image,
      " maximum(a, low)\n  v = ", constant({3, 1, 1, features}), "\n  c = ", image,
      " convolution(b, v), window={size=3x1 pad=1_1x0_0}, ",
      "dim_labels=b01f_01io->b01f, feature_group_count=", features, "\n",
      is_pool ? cat("  p = f32", dims({1, 1, 1, features}), " reduce-window(c, z), window={size=1x",
                    height, "x", width, "x1}, to_apply=add\n  s = ", sums, " reshape(p)\n")
              : cat("  s = ", sums, " reduce(c, z), dimensions={1,2}, to_apply=add\n"),
      "  ROOT r = (", sums, ") tuple(s)\n}\n"));
}

hlo::Module passed(const hlo::Module& module, Target target, bool by_rows) {
  if (by_rows) target.decisions.rows_above = 0;
  Result<hlo::Module> made = transforms::run_passes(module, target);
  if (!made) FAIL(made.error().to_string());
  return std::move(made).value();
}

bool has_loop(const hlo::Module& module) {
  return std::ranges::any_of(module.entry_computation().instructions,
                             [](const auto& i) { return i.opcode == Opcode::kWhile; });
}

}  // namespace

TEST_CASE("sums of floats have the same bits by rows") {
  for (const Machine& machine : machines())
    for (const int64_t features : {1, 5, 8, 19, -1, -5, -8, -19}) {
      const bool is_pool = features < 0;
      INFO(machine.name << ", " << features << " features");
      const hlo::Module module = averaged(13, 6, std::abs(features), is_pool);
      const hlo::Module whole = passed(module, machine.target, false),
                        rows = passed(module, machine.target, true);
      CHECK_FALSE(has_loop(whole));
      CHECK(has_loop(rows));
      for (uint32_t seed = 1; seed <= 3; ++seed) {
        const std::vector<Literal> arguments = arguments_of(module, seed);
        const auto expected = run_program(lowered(whole, machine.target), arguments);
        const auto got = run_planned(lowered(rows, machine.target), machine.target, arguments);
        const hlo::Comparison same = hlo::compare_leaf(got[0], expected[0], {.bits = true});
        INFO(same.first);
        CHECK(same.ok);
      }
    }
}

}  // namespace hlocc::tests
