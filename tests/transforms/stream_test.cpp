// Chains whose rows come one after the other: the loop over them means what the chain meant, wherever
// it ends; windows are as high as they must be; what has no rows is named.
#include "interpreter/interpreter.h"
#include "ops/check/verifier.h"
#include "ops/text/printer.h"
#include "support/text.h"
#include "transforms/row_network.h"
#include "transforms/stream/stream_loop.h"
#include "transforms/stream/stream_schedule.h"
#include "transforms/support.h"

namespace hlocc::tests {
namespace {

// The chain from the first argument to `exit`, which takes the place of the first result if it is
// none; nothing if it is no chain. Checks that the loop means the same.
std::optional<transforms::RowSchedule> streamed(const std::string& text,
                                                std::optional<hlo::InstructionId> exit = {},
                                                int64_t every = 0) {
  const Module before = after(module_from(text), {transforms::fold_constants});
  Module made = before;
  const hlo::Computation& entry = made.entry_computation();
  auto schedule =
      transforms::schedule_stream(made, entry, entry.users(), entry.parameters[0],
                                  exit.value_or(entry.root_instruction().operands[0]), 1);
  if (!schedule) return std::nullopt;
  schedule->every = every;
  transforms::make_stream_loop(made, *schedule);
  hlo::compact(made);
  INFO(ops::to_text(made));
  const Status status = ops::verify(made);
  if (!status) FAIL(status.error().to_string());
  CHECK(count(made, Opcode::kWhile) == 1);
  CHECK(transforms::steps_of_stream(made) == schedule->iterations);
  check_same_meaning(before, made);
  return schedule;
}

std::vector<int64_t> windows(const transforms::RowSchedule& schedule) {
  std::vector<int64_t> out;
  for (const transforms::StoredRows& array : schedule.stored)
    out.push_back(array.is_kept() ? array.rows() : 0);
  return out;
}

}  // namespace

TEST_CASE("a window is as high as the convolution that reads it", "[transforms]") {
  Network net(24, 4, 2);
  net.convolution({3, 2, 0, 1}, 3)
      .depthwise({})
      .convolution({1, 1, 0, 0}, 2)
      .depthwise({5, 1, 2, 2});
  const auto schedule = streamed(net.text());
  REQUIRE(schedule);
  CHECK(windows(*schedule) == std::vector<int64_t>{3, 3, 5, 0});
  CHECK(schedule->stored[1].period == 2);
  // The last row of the image is the first convolution's last but its border; the others wait for
  // one row of theirs, and for two.
  CHECK(schedule->iterations == 24 + 1 + 2 + 4);
}

TEST_CASE("the argument becomes a row of itself, whatever reads it", "[transforms]") {
  // A reshape says which rows it has by the shape of what it reads.
  Module made = after(module_from(R"(HloModule m
ENTRY e {
  x = f32[6,4] parameter(0)
  y = f32[1,6,4] reshape(x)
  w = f32[1,4,3] constant({{{1,2,3},{4,5,6},{-1,0,1},{2,2,2}}})
  z = f32[1,6,3] convolution(y, w), window={size=1}, dim_labels=b0f_0io->b0f
  ROOT r = (f32[1,6,3]) tuple(z)
}
)"),
                      {});
  const hlo::Computation& entry = made.entry_computation();
  auto schedule = transforms::schedule_stream(made, entry, entry.users(), entry.parameters[0],
                                              entry.root_instruction().operands[0], 0);
  REQUIRE(schedule);
  schedule->rows_arrive = true;
  transforms::make_stream_loop(made, *schedule);
  hlo::compact(made);
  INFO(ops::to_text(made));
  const Status status = ops::verify(made);
  if (!status) FAIL(status.error().to_string());
  CHECK(made.entry_parameters[0].dimensions == hlo::Dimensions{1, 4});
  CHECK(transforms::steps_of_stream(made) == 6);
}

TEST_CASE("what reads a row once keeps none", "[transforms]") {
  Network net(9, 4, 2);
  net.convolution({1, 1, 0, 0}, 3).depthwise({2, 1, 0, 0});
  const auto schedule = streamed(net.text());
  REQUIRE(schedule);
  CHECK(windows(*schedule) == std::vector<int64_t>{0, 2, 0});
  CHECK(schedule->iterations == 9);
}

TEST_CASE("a row comes with the last one that it is made of", "[transforms]") {
  // In odd steps.
  Network odd(12, 4, 2);
  odd.convolution({2, 2, 0, 0}, 3).depthwise({});
  const auto schedule = streamed(odd.text());
  REQUIRE(schedule);
  CHECK(schedule->first == -3);
  CHECK(schedule->iterations == 12 + 2);
  // Made of what lies beside the image alone: the first row waits for the image's first one.
  Network beside(12, 4, 2);
  beside.convolution({2, 1, 4, 0}, 3).depthwise({});
  const auto waits = streamed(beside.text());
  REQUIRE(waits);
  CHECK(waits->stored[0].lead >= waits->stored[1].lead);
}

TEST_CASE("a row that comes is joined to the rows that stay", "[transforms]") {
  Network net(12, 4, 2);
  net.convolution({3, 1, 1, 1}, 3).depthwise({5, 1, 2, 2});
  Module made = after(module_from(net.text()), {transforms::fold_constants});
  Target target = *preset("cortex-m4f");
  target.options.stream = StreamOption{0, 1};
  REQUIRE(transforms::stream_rows(made, {target}));
  std::vector<int64_t> joined;
  for (const hlo::Computation& c : made.computations)
    if (c.root_instruction().opcode == Opcode::kConcatenate)
      joined.push_back(c.root_instruction().shape.dimensions[1]);
  std::ranges::sort(joined);
  CHECK(joined == std::vector<int64_t>{3, 5});
}

TEST_CASE("drawn networks keep their bits row by row", "[transforms]") {
  int made = 0, inside = 0;
  for (uint32_t seed = 1; seed <= 60; ++seed) {
    Network net(6 + seed % 19, 3, 1 + seed % 3, seed);
    draw_layers(net, [&] { return net.draw(1, 3); });
    INFO("seed " << seed << "\n" << net.text());
    made += streamed(net.text()).has_value();
    const Module module = after(module_from(net.text()), {transforms::fold_constants});
    const auto middle =
        static_cast<hlo::InstructionId>(module.entry_computation().instructions.size() / 2);
    inside += streamed(net.text(), middle).has_value();
  }
  CHECK(made >= 40);
  CHECK(inside >= 5);
}

TEST_CASE("windows that follow one another begin as one alone", "[transforms]") {
  int made = 0, strided = 0;
  for (uint32_t seed = 1; seed <= 40; ++seed) {
    Network net(12 + seed % 19, 3, 1 + seed % 3, seed);
    for (int layers = 0; layers < 3 && net.height() > 5; ++layers) {
      const int64_t size = net.draw(1, 3);
      net.depthwise({size, net.draw(1, 2), 0, 0}).convolution({1, 1, 0, 0}, net.draw(1, 3));
    }
    INFO("seed " << seed << "\n" << net.text());
    const auto schedule = streamed(net.text(), {}, 4);
    if (!schedule) continue;
    CHECK_FALSE(transforms::border_read(*schedule));
    ++made;
    strided += schedule->stored.back().period > 1;
  }
  CHECK(made >= 30);
  CHECK(strided >= 10);
}

TEST_CASE("rows beside the image that the exit is made of", "[transforms]") {
  const auto border = [](Network& net) {
    const Module module = after(module_from(net.text()), {transforms::fold_constants});
    const hlo::Computation& entry = module.entry_computation();
    return transforms::border_read(
        *transforms::schedule_stream(module, entry, entry.users(), entry.parameters[0],
                                     entry.root_instruction().operands[0], 1));
  };
  Network valid(20, 4, 2);
  CHECK_FALSE(border(valid.convolution({3, 2, 0, 0}, 3).depthwise({5, 1, 0, 0})));
  Network before(20, 4, 2);
  const auto first = border(before.convolution({3, 1, 0, 0}, 3).depthwise({3, 1, 2, 0}));
  REQUIRE(first);
  CHECK(std::tuple(first->array, first->before, first->behind) == std::tuple(1u, 2, 0));
  // The layer nearest to the entrance is told.
  Network both(20, 4, 2);
  const auto nearest = border(both.depthwise({3, 1, 0, 1}).depthwise({3, 1, 1, 1}));
  REQUIRE(nearest);
  CHECK(std::tuple(nearest->array, nearest->before, nearest->behind) == std::tuple(0u, 0, 1));
}

TEST_CASE("--every names what windows cannot keep", "[transforms]") {
  const auto told = [](Network& net, int64_t every) -> std::string {
    Target target = *preset("cortex-m4f");
    target.options.stream = StreamOption{0, 1};
    Module made = after(module_from(net.text()), {transforms::fold_constants});
    transforms::space_windows(made, every);
    const Status status = transforms::stream_rows(made, {target});
    if (!status) return status.error().message + "; " + join(status.error().notes, "; ");
    CHECK(ops::verify(made));
    CHECK(count(made, Opcode::kWhile) == 1);
    CHECK(transforms::window_spacing(made) == every);
    return "";
  };
  const auto network = [] {
    Network net(20, 4, 2);
    net.convolution({3, 2, 0, 0}, 3).depthwise({2, 1, 0, 0});
    return net;
  };
  for (const int64_t every : {2, 4, 20}) {
    Network net = network();
    CHECK(told(net, every) == "");
    net.sums();
    CHECK(told(net, every) == "");
  }
  Network net = network();
  CHECK(told(net, 3).find("want a multiple of 2") != std::string::npos);
  net.depthwise({3, 1, 1, 1});
  CHECK(told(net, 2).find(": convolution pads 1 row before the first and 1 row behind the last") !=
        std::string::npos);
}

TEST_CASE("with --stream the argument is a row, and what has none is named", "[transforms]") {
  Network net(20, 4, 2);
  net.convolution({}, 3).depthwise({}).sums();
  Target target = *preset("cortex-m4f");
  target.options.stream = StreamOption{0, 1};
  Module made = after(module_from(net.text()), {transforms::fold_constants});
  REQUIRE(transforms::stream_rows(made, {target}));
  CHECK(made.entry_parameters[0].dimensions == hlo::Dimensions{1, 1, 4, 2});
  CHECK(count(made, Opcode::kWhile) == 1);
  CHECK(ops::verify(made));

  Module whole = module_from(R"(HloModule m
ENTRY e {
  x = f32[1,8,4] parameter(0)
  ROOT r = f32[1,8,4] reverse(x), dimensions={1}
})");
  target.decisions.stream_end = 0;
  const Status refused = transforms::stream_rows(whole, {target});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == DiagnosticKind::kUnsupported);
  CHECK(refused.error().message == "--stream x: %r: reverse wants all rows at once");
}

}  // namespace hlocc::tests
