// What all backends build on: which kernels get code and what they may promise, where constants
// lie, what a plan's copies and bindings come to.
#include "backends/common/external_weights.h"
#include "backends/common/helper_stack.h"
#include "backends/common/kernel_table.h"
#include "backends/common/pool.h"
#include "backends/common/run_checks.h"
#include "backends/common/run_pieces.h"
#include "backends/common/sharing.h"
#include "planning/programs.h"
#include "support/golden.h"
#include "support/require.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

using namespace kernel;
using planning::Bytes;
using planning::Id;
using planning::Plan;
using planning::ProgramMaker;
using tests::require;

Plan plan_of(const Program& program) { return require(planning::plan(program, Target{})); }

TEST_CASE("large runs are cut into pieces of some hundred steps") {
  const auto steps_of = [](size_t count) { return Steps(count, Step{Copy{0, 1}, {}}); };
  const auto text_of = [](const Steps& steps) {
    std::string text;
    for (const RunPiece& piece : pieces_of(steps))
      text += cat(piece.begin, "-", piece.end, piece.alone ? " alone " : " ");
    return text;
  };
  CHECK(text_of({}) == "");
  CHECK(text_of(steps_of(256)) == "0-256 ");
  CHECK(text_of(steps_of(257)) == "0-256 256-257 ");
  // A loop counts what is in it; one that is too large for a piece stands alone.
  Steps steps = steps_of(10);
  steps.push_back({WhileStep{.condition = steps_of(100), .body = steps_of(155)}, {}});
  CHECK(text_of(steps) == "0-10 10-11 ");
  std::get<WhileStep>(steps.back().what).body = steps_of(156);
  steps.push_back({Copy{0, 1}, {}});
  CHECK(text_of(steps) == "0-10 10-11 alone 11-12 ");
  // Arguments and results count, queues forbid it.
  Program program;
  Plan plan;
  plan.steps = steps_of(1990);
  program.arguments.assign(10, 0);
  CHECK_FALSE(runs_in_pieces(program, plan));
  program.results.assign(1, 0);
  CHECK(runs_in_pieces(program, plan));
  plan.steps.push_back({Wait{0}, {}});
  CHECK_FALSE(runs_in_pieces(program, plan));
}

TEST_CASE("equal kernels share a row and a symbol, unlaunched ones have none") {
  ProgramMaker m;
  m.program.signature.prefix = "net_";
  const Id x = m.argument(8);
  m.result(m.stir(m.stir(x, 8), 8));
  // The same code under another number, launched too; and one that nobody launches.
  m.program.kernels.push_back(m.program.kernels[0]);
  m.program.kernels.push_back(m.program.kernels[0]);
  std::get<Launch>(m.program.steps[1].what).kernel =
      static_cast<KernelId>(m.program.kernels.size() - 2);
  const Plan plan = plan_of(m.program);
  const KernelTable table = table_of_kernels(library_of(m.program, plan));
  REQUIRE(table.emitted.size() == 1);
  CHECK(table.emitted[0].symbol == "net_k_stir8_8");
  CHECK(table.of_kernel().front() == 0);
  CHECK(table.of_kernel()[table.of_kernel().size() - 2] == 0);
  CHECK(table.of_kernel().back() == -1);
}

TEST_CASE("a kernel knows its first use, and how many there are") {
  ProgramMaker m;
  m.result(m.stir(m.stir(m.argument(8), 8), 8));
  int64_t line = 40;
  for (Step& step : m.program.steps) {
    step.origin.layer = cat("layer ", ++line);
    step.origin.source = {{"m.py", "", static_cast<int>(line)}};
  }
  Plan plan = plan_of(m.program);
  plan.steps.push_back({Copy{0, 0}, {}});  // uses no kernel
  const KernelTable table = table_of_kernels(library_of(m.program, plan));
  REQUIRE(table.emitted.size() == 1);
  CHECK(table.emitted[0].uses == 2);
  CHECK(table.emitted[0].first_use->layer == "layer 41");
  CHECK(first_with_lines(plan.steps).layer == "layer 41");
  CHECK(first_with_lines({}).layer.empty());
  // Steps without lines are passed over, and nobody's stand for theirs.
  const Steps without = {{Copy{0, 1}, {.layer = "no lines"}}};
  CHECK(first_with_lines(without).layer.empty());
  Steps both = without;
  both.push_back(m.program.steps[1]);
  CHECK(first_with_lines(both).layer == "layer 42");
}

TEST_CASE("a buffer that one launch shares is shared for its code") {
  ProgramMaker m;
  const Id x = m.argument(8), kept = m.scale(x);
  // In place; and of an argument that is needed later, not in place.
  const Id in_place = m.scale(kept);
  m.result(m.combine(m.scale(in_place), x));
  const Plan plan = plan_of(m.program);
  bool shares = false;
  for_each_step(plan.steps, [&](const Step& step) {
    if (const auto* launch = std::get_if<Launch>(&step.what))
      shares = shares || in_one_place(plan, launch->operands[0], launch->operands[1]);
  });
  REQUIRE(shares);
  const KernelTable table = table_of_kernels(library_of(m.program, plan));
  CHECK_FALSE(table.emitted[0].unshared[0]);
  CHECK_FALSE(table.emitted[0].unshared[1]);
}

TEST_CASE("models of a library share equal kernels, and what one may not promise none does") {
  ProgramMaker apart, in_place;
  const Id x = apart.argument(8);
  apart.result(apart.combine(apart.scale(x), x));
  const Id y = in_place.argument(8);
  in_place.result(in_place.scale(in_place.scale(y)));
  const Plan plan = plan_of(apart.program), other = plan_of(in_place.program);
  const KernelTable alone = table_of_kernels(library_of(apart.program, plan));
  const KernelTable both =
      table_of_kernels({"both", "both_", {{&apart.program, &plan}, {&in_place.program, &other}}});
  // scale is there once; combine is the first model's.
  CHECK(both.emitted.size() == alone.emitted.size());
  REQUIRE(both.of_unit.size() == 2);
  const int row = both.of_unit[1][0];
  CHECK(both.of_unit[0][0] == row);
  CHECK(both.emitted[static_cast<size_t>(row)].unit == 0);
  CHECK(both.emitted[static_cast<size_t>(row)].symbol.starts_with("both_k_"));
  CHECK(alone.emitted[static_cast<size_t>(row)].unshared[0]);
  CHECK_FALSE(both.emitted[static_cast<size_t>(row)].unshared[0]);
}

TEST_CASE("pools of a library lie behind one another, aligned for the strictest") {
  ProgramMaker none, small, large;
  none.result(none.argument(2));
  small.result(small.combine(small.argument(2), small.constant({1, 2})));
  large.result(large.combine(large.argument(2), large.constant({3, 4})));
  Plan a = plan_of(none.program), b = plan_of(small.program), c = plan_of(large.program);
  c.arena_align = 64;
  const Library library{
      "all", "all_", {{&none.program, &a}, {&small.program, &b}, {&large.program, &c}}};
  const ConstantsLayout layout = layout_of_constants(library);
  CHECK(layout.align == 64);
  CHECK(layout.offsets == std::vector<int64_t>{0, 0, 64});
  CHECK(layout.bytes == 64 + c.constant_bytes);
  Pieces bytes;
  append_constants(library, Target{}, bytes);
  CHECK(static_cast<int64_t>(bytes.size()) == layout.bytes);
  Pieces pool;
  append_pool(c, Target{}, pool);
  const Bytes all = bytes.joined(), own = pool.joined();
  CHECK(std::equal(own.begin(), own.end(), all.begin() + 64));
  // What constants want of their own counts as well, and moves nothing else.
  c.arena_align = 16;
  c.constant_align = 128;
  CHECK(layout_of_constants(library).align == 128);
  CHECK(layout_of_constants(library).offsets == std::vector<int64_t>{0, 0, 128});
  c.constant_align = 16;
  CHECK(layout_of_constants(library).align == 16);
  c.constant_align = 64;
  // One of a byte is aligned as all are.
  a.constant_bytes = 1;
  const Library byte_behind{"all", "all_", {{&small.program, &b}, {&none.program, &a}}};
  CHECK(layout_of_constants(byte_behind).offsets == std::vector<int64_t>{0, 16});
  a.constant_bytes = 0;
  // An empty one in between moves nothing.
  const Library between{
      "all", "all_", {{&small.program, &b}, {&none.program, &a}, {&large.program, &c}}};
  CHECK(layout_of_constants(between).offsets == std::vector<int64_t>{0, b.constant_bytes, 64});
}

TEST_CASE("the pool holds equal constants once, in the target's byte order") {
  ProgramMaker m;
  const Id x = m.argument(2);
  const Id a = m.constant({1, 2}), b = m.constant({1, 2}), c = m.constant({3, 258});
  m.result(m.combine(m.combine(m.combine(x, a), b), c));
  const Plan plan = plan_of(m.program);
  CHECK(constants_by_offset(plan).size() == 2);
  Pieces little, big;
  append_pool(plan, Target{}, little);
  Target turned;
  turned.byte_order = ByteOrder::kBig;
  append_pool(plan, turned, big);
  CHECK(static_cast<int64_t>(little.size()) == plan.constant_bytes);
  const auto at = static_cast<size_t>(plan.places[static_cast<size_t>(c)].offset) + 4;
  const Bytes low = little.joined(), high = big.joined();
  CHECK((low[at] == std::byte{2} && low[at + 1] == std::byte{1} && low[at + 3] == std::byte{0}));
  CHECK((high[at] == std::byte{0} && high[at + 2] == std::byte{1} && high[at + 3] == std::byte{2}));
}

TEST_CASE("a plan that keeps the state of a while apart is refused") {
  ProgramMaker m;
  WhileStep loop{.initial = {m.constant({1})}, .carried = {m.value(1)}, .result = {m.value(1)}};
  std::vector<Step>* const outer = m.steps;
  m.steps = &loop.condition;
  loop.condition_value = m.less(loop.carried[0], 20);
  m.steps = &loop.body;
  loop.next = {m.scale(loop.carried[0])};
  m.steps = outer;
  const Id result = loop.result[0], carried = loop.carried[0];
  outer->push_back({std::move(loop), {}});
  m.result(result);
  Plan plan = plan_of(m.program);
  CHECK(check_bindings(plan).ok());
  plan.places[static_cast<size_t>(carried)].offset += 64;
  const Status refused = check_bindings(plan);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().message.find("of a while in different places") != std::string::npos);
}

TEST_CASE("places are one where memory, region and offset are") {
  Plan plan;
  plan.values = {{.name = "a", .elements = 4}, {.name = "b", .elements = 4}};
  plan.places = {{.offset = 16, .bytes = 16}, {.offset = 16, .bytes = 16}};
  CHECK(in_one_place(plan, 0, 1));
  plan.places[1].memory = 1;
  CHECK_FALSE(in_one_place(plan, 0, 1));
  plan.places[1].memory = 0;
  plan.places[1].region = planning::Region::kState;
  CHECK_FALSE(in_one_place(plan, 0, 1));
  plan.places[1] = {.bytes = 16};
  CHECK_FALSE(in_one_place(plan, 0, 1));
}

TEST_CASE("state of no bytes may lie anywhere") {
  for (const int64_t elements : {0, 1}) {
    Plan plan;
    for (const char* name : {"initial", "carried", "next", "result", "condition"})
      plan.values.push_back({.name = name, .elements = elements});
    plan.places.resize(5);
    plan.places[1].offset = 64;
    WhileStep loop{.initial = {0}, .carried = {1}, .next = {2}, .result = {3}};
    loop.condition_value = 4;
    plan.steps.push_back({std::move(loop), {}});
    CHECK(check_bindings(plan).ok() == (elements == 0));
  }
}

TEST_CASE("operands share where their bytes meet, and one of them is written") {
  ProgramMaker m;
  const Id x = m.argument(8);
  m.result(m.combine(m.scale(x), x));
  Plan plan = plan_of(m.program);
  const Launch* launch = nullptr;
  for_each_step(plan.steps, [&](const Step& step) {
    if (const auto* one = std::get_if<Launch>(&step.what); one && one->operands.size() == 2)
      launch = one;
  });
  REQUIRE(launch != nullptr);
  const auto a = static_cast<size_t>(launch->operands[0]),
             b = static_cast<size_t>(launch->operands[1]);
  const KernelId kernel = launch->kernel;
  const auto shared = [&](planning::Place one, planning::Place other) {
    plan.places[a] = one;
    plan.places[b] = other;
    return !unshared_buffers(m.program, plan)[kernel][0];
  };
  const planning::Place here{.offset = 64, .bytes = 32};
  CHECK(shared(here, here));
  CHECK(shared(here, {.offset = 95, .bytes = 32}));
  CHECK(shared({.offset = 95, .bytes = 32}, here));
  CHECK_FALSE(shared(here, {.offset = 96, .bytes = 32}));
  CHECK_FALSE(shared({.offset = 96, .bytes = 32}, here));
  planning::Place other = here;
  other.memory = 1;
  CHECK_FALSE(shared(here, other));
  other = here;
  other.region = planning::Region::kState;
  CHECK_FALSE(shared(here, other));
  // Steps that launch nothing share nothing.
  plan.steps.push_back({Copy{0, 1}, {}});
  CHECK(shared(here, here));
}

TEST_CASE("what is only read may lie together") {
  ProgramMaker m;
  const Id x = m.argument(8), y = m.argument(8);
  m.result(m.combine(x, y));
  Plan plan = plan_of(m.program);
  const auto* launch = std::get_if<Launch>(&plan.steps[0].what);
  REQUIRE((launch != nullptr && launch->operands.size() == 3));
  for (int i = 0; i < 3; ++i)
    plan.places[static_cast<size_t>(launch->operands[static_cast<size_t>(i)])] = {
        .offset = i < 2 ? 0 : 64, .bytes = 32};
  const std::vector<bool> unshared = unshared_buffers(m.program, plan)[launch->kernel];
  CHECK((unshared[0] && unshared[1] && unshared[2]));
}

TEST_CASE("weights beside the library have the model's names in their source") {
  ProgramMaker m;
  m.program.signature.prefix = "net_";
  m.program.signature.stem = "net";
  m.result(m.combine(m.argument(2), m.constant({1, 2})));
  const Plan plan = plan_of(m.program);
  Artifacts artifacts;
  add_external_weights(m.program, plan, Target{}, artifacts);
  const auto bytes = artifacts.files.at(ArtifactKind::kWeightsSource).joined();
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  for (const char* part : {"net_weights", "\"net_weights.bin\"", ".rodata.net_weights"}) {
    INFO(part << "\n" << text);
    CHECK(text.find(part) != std::string::npos);
  }
  for (const char* mark : {"$S", "$F", "$A", "$N", "$B"})
    CHECK(text.find(mark) == std::string::npos);
  tests::check_golden("golden/weights.S", text);
}

TEST_CASE("the pool holds constants that lie in it, and none without bytes") {
  const auto data = std::make_shared<const Bytes>(Bytes(4));
  Plan plan;
  plan.constant_bytes = 16;
  plan.values = {{.name = "state", .elements = 1, .role = ValueRole::kState, .data = data},
                 {.name = "elsewhere", .elements = 1, .role = ValueRole::kConstant, .data = data},
                 {.name = "none",
                  .elements = 0,
                  .role = ValueRole::kConstant,
                  .data = std::make_shared<const Bytes>()},
                 {.name = "one", .elements = 1, .role = ValueRole::kConstant, .data = data}};
  plan.places.resize(4);
  for (planning::Place& place : plan.places)
    place = {.region = planning::Region::kConstant, .bytes = 4};
  plan.places[1].region = planning::Region::kArena;
  plan.places[2].bytes = 0;
  plan.places[2].offset = 8;
  plan.places[3].offset = 4;
  const auto found = constants_by_offset(plan);
  REQUIRE(found.size() == 1);
  CHECK(found.at(4)->name == "one");
}

TEST_CASE("helpers of microcontrollers have a stack that is known") {
  const Target m4 = *preset("cortex-m4f"), a53 = *preset("cortex-a53"), rv = *preset("rv32imc");
  const CoreNeeds arm{CoreFamily::kArm, {}}, riscv{CoreFamily::kRiscv, {}}, other{};
  CHECK(helper_stack(m4, arm, "hlocc_memcpy") == 32);
  CHECK(helper_stack(rv, riscv, "__mulsi3") == 16);
  CHECK_FALSE(helper_stack(m4, arm, "malloc"));
  CHECK_FALSE(helper_stack(rv, riscv, "memchr"));
  CHECK_FALSE(helper_stack(a53, arm, "memcpy"));
  // What begins like a helper is none; and a system's are not a microcontroller's.
  CHECK_FALSE(helper_stack(rv, riscv, "__strange"));
  CHECK(helper_stack(m4, arm, "__aeabi_fadd") == 40);
  CHECK_FALSE(helper_stack(*preset("armv7-linux"), arm, "__aeabi_fadd"));
  CHECK_FALSE(helper_stack(m4, other, "hlocc_memcpy"));
}

TEST_CASE("copies: never of nothing, always between places, else only for callers' buffers") {
  Plan plan;
  plan.values = {{.name = "a", .elements = 4, .role = ValueRole::kArgument},
                 {.name = "b", .elements = 4},
                 {.name = "c", .elements = 4},
                 {.name = "d", .elements = 0}};
  plan.places = {{.bytes = 16}, {.bytes = 16}, {.offset = 16, .bytes = 16}, {.offset = 32}};
  CHECK(need_of({0, 1}, plan) == CopyNeed::kUnlessHome);
  CHECK(need_of({1, 0}, plan) == CopyNeed::kNever);
  CHECK(need_of({0, 2}, plan) == CopyNeed::kAlways);
  CHECK(need_of({3, 2}, plan) == CopyNeed::kNever);
}

}  // namespace
}  // namespace hlocc::backends
