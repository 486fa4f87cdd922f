// How often steps run: counters and what is computed of them are followed through loops and
// branches; what hangs on data has no number.
#include "planning/run_counts.h"

#include <catch2/catch.hpp>

#include "driver/analyze/launch_table.h"
#include "driver/pipeline/pipeline.h"
#include "import/models.h"
#include "package/names.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

// A loop over x and i: its condition is `goes_on`, its branch is chosen by `selector`.
std::string looped(const std::string& goes_on, const std::string& selector, int64_t first = 0) {
  return cat(R"(HloModule m
even { e = f32[64] parameter(0)
 ROOT r = f32[64] sine(e) }
odd { o = f32[64] parameter(0)
 ROOT r = f32[64] cosine(o) }
body { s = (f32[64], s32[]) parameter(0)
 x = f32[64] get-tuple-element(s), index=0
 i = s32[] get-tuple-element(s), index=1
 one = s32[] constant(1)
 two = s32[] constant(2)
 zero = s32[] constant(0)
 half = s32[] remainder(i, two)
 x0 = f32[1] slice(x), slice={[0:1]}
 y0 = f32[] reshape(x0)
 c = f32[] constant(0.5)
 p = pred[] )",
             selector, R"(
 y = f32[64] conditional(p, x, x), true_computation=even, false_computation=odd
 n = s32[] add(i, one)
 ROOT t = (f32[64], s32[]) tuple(y, n) }
condition { s = (f32[64], s32[]) parameter(0)
 x = f32[64] get-tuple-element(s), index=0
 i = s32[] get-tuple-element(s), index=1
 x0 = f32[1] slice(x), slice={[0:1]}
 y0 = f32[] reshape(x0)
 c = f32[] constant(0.5)
 n = s32[] constant(27)
 ROOT p = pred[] )",
             goes_on, R"( }
ENTRY e { x = f32[64] parameter(0)
 i = s32[] constant()",
             first, R"()
 t = (f32[64], s32[]) tuple(x, i)
 w = (f32[64], s32[]) while(t), condition=condition, body=body
 ROOT r = f32[64] get-tuple-element(w), index=0 }
)");
}

// The runs of the launch that computes this instruction.
std::optional<int64_t> runs(const std::string& text, const std::string& hlo) {
  Target target = *preset("cortex-m4f");
  target.options.stem = "m";
  const hlo::Module module = import::module_from(text);
  const Result<kernel::Signature> signature = package::make_signature(module, target.options);
  REQUIRE(signature);
  const Result<Planned> planned = plan_module(module, *signature, target, {});
  REQUIRE(planned);
  for (const kernel::Steps* steps : {&planned->program.steps, &planned->plan.steps})
    for (const LaunchRow& row : launch_table(planned->program, *steps, target))
      if (row.kernel.starts_with(hlo) && steps == &planned->plan.steps) return row.runs;
  FAIL("no kernel " << hlo);
  return std::nullopt;
}

const std::string kCounted = "compare(i, n), direction=LT",
                  kEven = "compare(half, zero), direction=EQ",
                  kOfData = "compare(y0, c), direction=GT";

}  // namespace

TEST_CASE("loops that count run as often as their counters say", "[driver]") {
  CHECK(runs(looped(kCounted, kEven), "sine") == 14);
  CHECK(runs(looped(kCounted, kEven), "cosine") == 13);
  CHECK(runs(looped(kCounted, kEven, 7), "sine") == 10);
}

TEST_CASE("what hangs on data has no number", "[driver]") {
  // Of a branch that data chooses both sides count.
  CHECK(runs(looped(kCounted, kOfData), "sine") == 27);
  CHECK(runs(looped(kCounted, kOfData), "cosine") == 27);
  CHECK(runs(looped(kOfData, kEven), "sine") == std::nullopt);
  // Too long to be followed.
  CHECK(runs(looped(kCounted, kEven, -1'000'000), "sine") == std::nullopt);
}

}  // namespace hlocc::driver
