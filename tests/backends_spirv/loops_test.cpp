// Loops in launch tables: recorded iteration by iteration where their number is known, else one
// submission an iteration.
#include <catch2/catch.hpp>

#include "backends_spirv/kernels.h"
#include "driver/pipeline/gpu_program.h"
#include "hlocc_launch_table.h"
#include "import/text/module.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

LaunchTable table_of(const std::string& text) {
  import::Elided elided;
  const hlo::Module module = tests::require(import::read_module_text(text, "m", elided));
  return tests::require(driver::gpu_program(module, {}, lavapipe())).table;
}

LaunchTable table_of(const std::string& condition, const std::string& start,
                     const std::string& step = "s32[] add(n, s32[] constant(1))") {
  const std::string text = cat(R"(HloModule m
body {
  s = (f32[64], s32[]) parameter(0)
  x = f32[64] get-tuple-element(s), index=0
  n = s32[] get-tuple-element(s), index=1
  y = f32[64] sine(x)
  one = f32[1] slice(x), slice={[0:1]}
  q = f32[] reshape(one)
  ROOT t = (f32[64], s32[]) tuple(y, )",
                               step, R"()
}
condition {
  s = (f32[64], s32[]) parameter(0)
  x = f32[64] get-tuple-element(s), index=0
  n = s32[] get-tuple-element(s), index=1
  ROOT p = pred[] )",
                               condition, R"(
}
ENTRY main {
  x = f32[64] parameter(0)
  m = s32[] parameter(1)
  w = (f32[64], s32[]) while((f32[64], s32[]) tuple(x, )",
                               start, R"()), condition=condition, body=body
  ROOT y = f32[64] get-tuple-element(w), index=0
}
)");
  return table_of(text);
}

TEST_CASE("a loop with a known count is one submission") {
  const std::string below = "compare(n, s32[] constant(200)), direction=LT";
  const LaunchTable counted = table_of(below, "s32[] constant(100)");
  CHECK(counted.segments == 1);
  // An iteration has two kernels.
  CHECK(counted.launches == 200);
  CHECK(table_of(below, "s32[] constant(101)").launches == 198);
  CHECK(table_of(below, "s32[] constant(300)").launches == 0);
}

TEST_CASE("a loop whose end hangs on an argument or on data is one submission an iteration") {
  const std::string below = "compare(n, s32[] constant(200)), direction=LT";
  // The condition, and then the body with the next condition.
  CHECK(table_of(below, "m").segments == 2);
  CHECK(table_of(below, "s32[] constant(0)", "s32[] add(n, s32[] convert(q))").segments == 2);
}

// How often each segment is submitted.
std::vector<uint32_t> times_of(const LaunchTable& table) {
  std::vector<uint32_t> times;
  const uint32_t* at = &table.words[table.words[HLOCC_TABLE_HEAD_STEPS_AT]];
  for (; at[0] == HLOCC_STEP_SEGMENT; at += 4 + at[3]) times.push_back(at[2]);
  CHECK(at[0] == HLOCC_STEP_END);
  return times;
}

TEST_CASE("more commands than are recorded are a block of iterations, submitted again and again") {
  // Two commands an iteration; copies to where the state lies come before the block.
  const auto counted = [](int count) {
    return table_of(cat("compare(n, s32[] constant(", count, ")), direction=LT"),
                    "s32[] constant(0)");
  };
  CHECK(times_of(counted(2048)) == std::vector<uint32_t>{1});
  CHECK(times_of(counted(2049)) == std::vector<uint32_t>{1, 1, 1});
  CHECK(counted(2049).launches == 4098);
  CHECK(times_of(counted(4096)) == std::vector<uint32_t>{1, 2});
  CHECK(times_of(counted(5000)) == std::vector<uint32_t>{1, 2, 1});
  CHECK(counted(5000).launches == 2 * (2048 + 904));
  // More than are counted: the condition, and the body with the next condition.
  CHECK(counted(70000).segments == 2);
  CHECK(counted(70000).launches < 10);
}

}  // namespace
}  // namespace hlocc::backends
