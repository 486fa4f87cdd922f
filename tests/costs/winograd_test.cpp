// Winograd's form: where it wins and in which blocks, chip by chip; what a program holds.
#include "costs/winograd.h"

#include <catch2/catch.hpp>
#include <span>

#include "costs/chips.h"
#include "import/reader.h"
#include "support/golden.h"
#include "support/text.h"

namespace hlocc::tests {

using namespace costs;

namespace {

std::string plan_text(const std::optional<WinogradPlan>& plan) {
  if (!plan) return " .";
  return cat(" ", plan->m, ":", plan->tile.rows, "x", plan->tile.vectors, "x", plan->tile.lanes,
             "*", plan->block);
}

}  // namespace

TEST_CASE("Winograd's plans are the golden ones", "[costs]") {
  const auto text = [](const Target& target) {
    std::string all;
    for (int64_t side : {3, 7, 8, 14, 28})
      for (int64_t inputs : {7, 8, 32, 100}) {
        all += cat("  ", side, "x", side, " of ", inputs, ":");
        for (int64_t outputs : {8, 11, 32, 128})
          for (int64_t constants : {0, 9 << 20})
            all += plan_text(
                plan_winograd({.height = side, .width = side, .inputs = inputs, .outputs = outputs},
                              {.constants = constants, .maps = constants / 8}, target));
        // A pool that keeps one pixel in four; several pictures; a row.
        all += " |";
        for (int64_t stored : {int64_t{0}, side * side / 4})
          for (int64_t batch : {1, 3})
            for (int64_t height : {int64_t{1}, side})
              all += plan_text(plan_winograd({.batch = batch,
                                              .height = height,
                                              .width = side,
                                              .inputs = inputs,
                                              .outputs = 16,
                                              .stored = stored},
                                             {}, target));
        all += '\n';
      }
    return all;
  };
  check_golden("golden/winograd.txt", by_chip(fast_chips(), text));
}

TEST_CASE("Winograd's form is made where options, type and sizes allow it", "[costs]") {
  const WinogradSize size{.height = 28, .width = 28, .inputs = 64, .outputs = 64};
  const auto made = [&](Level level, bool winograd, int64_t features = 64, int64_t side = 28) {
    Target target = chip("cortex-a53");
    target.options.level = level;
    target.options.winograd = winograd;
    WinogradSize larger = size;
    larger.inputs = larger.outputs = features;
    larger.height = larger.width = side;
    return plan_winograd(larger, {.maps = int64_t{1} << 28}, target).has_value();
  };
  CHECK(made(Level::kO2, true));
  CHECK(made(Level::kO3, true));
  CHECK(!made(Level::kO1, true));
  CHECK(!made(Level::kOs, true));
  CHECK(!made(Level::kOz, true));
  CHECK(!made(Level::kO2, false));
  // Filters beyond 32 MiB.
  CHECK(made(Level::kO2, true, 700, 112));
  CHECK(!made(Level::kO2, true, 800, 112));
  // Of exactly as many bytes.
  CHECK(plan_winograd({.height = 112, .width = 112, .inputs = 512, .outputs = 1024},
                      {.maps = int64_t{1} << 28}, chip("cortex-a53")));
  CHECK(!plan_winograd(size, {}, chip("cortex-m0")));
  CHECK(!plan_winograd(size, {}, chip("rv32imc")));
}

TEST_CASE("where loops over rows are to make do with less, scratch is no larger than the maps",
          "[costs]") {
  const ProgramSize large{.maps = int64_t{1} << 28};
  const auto scratch = [&](const WinogradSize& size, std::optional<int64_t> rows_above) {
    Target target = chip("cortex-a53");
    target.decisions.rows_above = rows_above;
    const auto plan = plan_winograd(size, large, target);
    REQUIRE(plan.has_value());
    return plan->points() * plan->block * 4 *
           (size.inputs + int64_t{plan->tile.vectors} * plan->tile.lanes);
  };
  const WinogradSize wide{.height = 14, .width = 14, .inputs = 256, .outputs = 256};
  CHECK(scratch(wide, {}) > wide.map_bytes());
  for (const int64_t limit : {0, 1 << 20}) CHECK(scratch(wide, limit) <= wide.map_bytes());
  // A large map has room for what is fastest.
  const WinogradSize tall{.height = 56, .width = 56, .inputs = 64, .outputs = 64};
  CHECK(scratch(tall, 0) == scratch(tall, {}));
  // Where there is no cache half of the maps are the limit in any case.
  Target small = chip("cortex-m4f");
  const auto plain = plan_winograd(tall, large, small);
  small.decisions.rows_above = 0;
  const auto rows = plan_winograd(tall, large, small);
  REQUIRE(plain.has_value());
  REQUIRE(rows.has_value());
  CHECK(plain->block == rows->block);
}

// Constants count once each, maps at the step that reads and writes most; what takes tuples apart
// moves nothing.
TEST_CASE("the size of a program", "[costs]") {
  const auto size = [](const std::string& lines) {
    const std::string text = "HloModule test\nENTRY main {\n" + lines + "\n}\n";
    const auto imported = import::read_model(std::as_bytes(std::span(text)), "test.hlo");
    REQUIRE(imported.ok());
    return program_size(imported->module);
  };
  const ProgramSize plain = size(
      "a = f32[10] parameter(0)\n c = f32[2] constant({1, 2})\n d = f32[2] constant({1, 3})\n b = "
      "f32[2] add(c, d)\n n = f32[10] negate(a)\n ROOT r = f32[12] concatenate(n, b), "
      "dimensions={0}");
  CHECK(plain.constants == 16);
  CHECK(plain.maps == 4 * (12 + 10 + 2));
  const ProgramSize tuples = size(
      "t = (f32[10], f32[30]) parameter(0)\n a = f32[10] get-tuple-element(t), index=0\n b = "
      "f32[10] negate(a)\n ROOT r = (f32[10], f32[10]) tuple(b, a)");
  CHECK(tuples.constants == 0);
  CHECK(tuples.maps == 80);
}

}  // namespace hlocc::tests
