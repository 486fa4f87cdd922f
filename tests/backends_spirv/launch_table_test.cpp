// What a launch table refuses: memories that have more bytes than a device lets a shader see. What
// it records of steps: copies, loops with and without control inside, words that are pushed, and
// the bytes that memories begin with.
#include "backends/spirv/launch_table.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "backends_spirv/kernels.h"
#include "backends_spirv/plans.h"
#include "driver/pipeline/gpu_program.h"
#include "hlocc_launch_table.h"
#include "import/text/module.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

// A model whose largest memory is the arena, or the state.
std::string sine_of(const std::string& aliases) {
  return cat("HloModule m", aliases,
             "\nENTRY main {\n  x = f32[640] parameter(0)\n  ROOT y = f32[640] sine(x)\n}\n");
}
// One whose constants have 5,120 bytes.
std::string product_with_a_constant() {
  std::string row = "{1";
  for (int i = 2; i <= 640; ++i) row += cat(", ", i);
  row += "}";
  return cat(
      "HloModule m\nENTRY main {\n  x = f32[2] parameter(0)\n  c = f32[2,640] constant({", row,
      ", ", row,
      "})\n  ROOT y = f32[640] dot(x, c), lhs_contracting_dims={0}, rhs_contracting_dims={0}\n}\n");
}

Result<driver::GpuProgram> program_of(const std::string& text, int64_t storage_bytes) {
  import::Elided elided;
  const hlo::Module module = tests::require(import::read_module_text(text, "m", elided));
  GpuDevice device = lavapipe();
  device.storage_bytes = storage_bytes;
  return driver::gpu_program(module, {}, device);
}

TEST_CASE("a memory with more bytes than shaders see is refused by its name") {
  const std::pair<const char*, std::string> models[] = {
      {"arena", sine_of("")},
      {"state", sine_of(", input_output_alias={ {}: (0, {}, may-alias) }")},
      {"constants", product_with_a_constant()}};
  for (size_t i = 0; i < std::size(models); ++i) {
    const auto& [name, text] = models[i];
    const LaunchTable table = tests::require(program_of(text, 1 << 20)).table;
    INFO(name << " has " << table.bytes[i]);
    REQUIRE(table.bytes[i] == *std::ranges::max_element(table.bytes));
    CHECK(program_of(text, table.bytes[i]).ok());
    const auto refused = program_of(text, table.bytes[i] - 1);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().kind == DiagnosticKind::kLimit);
    CHECK(refused.error().message.find(cat("the model's ", name, " has")) != std::string::npos);
    CHECK(refused.error().notes.size() == 1);
  }
}

using planning::Id;
using planning::Plan;
using planning::ProgramMaker;

LaunchTable table_of_plan(const kernel::Program& program, const Plan& plan,
                          const Options& options = {}, const GpuDevice& device = lavapipe()) {
  return tests::require(launch_table(program, plan, target_of(device, options), device));
}
// The steps, as their first words; of segments how often they are submitted stands behind.
std::string steps_of(const LaunchTable& table) {
  static constexpr const char* kNames[] = {"end", "segment ", "jump", "unless", "choose"};
  static constexpr size_t kWords[] = {1, 4, 2, 4, 5};
  std::string text;
  const uint32_t* at = &table.words[table.words[HLOCC_TABLE_HEAD_STEPS_AT]];
  for (; at[0] != HLOCC_STEP_END; at += kWords[at[0]] + (at[0] == HLOCC_STEP_SEGMENT ? at[3] : 0)) {
    text += cat(kNames[at[0]], at[0] == HLOCC_STEP_SEGMENT ? cat(at[2]) : "", ", ");
  }
  return text + "end";
}

// A counter that begins with 0 and goes on to 1, 4, 13 and 40, and what else the loop's body does.
struct Counted {
  ProgramMaker m;
  Id start = m.constant({0}), n = m.copy(start), next = kernel::kNone;
  kernel::WhileStep loop;

  explicit Counted(const std::function<void(Counted&)>& more = [](Counted&) {}) {
    m.steps = &loop.condition;
    loop.condition_value = m.less(n, 20);
    m.steps = &loop.body;
    next = m.scale(n);
    more(*this);
    m.program.steps.push_back({loop, {}});
  }
  LaunchTable table(const Options& options = {}) const {
    Plan plan = plan_apart(m.program);
    plan.places[static_cast<size_t>(next)] = plan.places[static_cast<size_t>(n)];
    return table_of_plan(m.program, plan, options);
  }
};

TEST_CASE("loops with a known count are recorded where their bodies have no control") {
  CHECK(steps_of(Counted().table()) == "segment 1, end");
  CHECK(Counted().table().launches == 4);
  // Marks of a profile are no commands.
  Options profiled;
  profiled.profile = true;
  CHECK(steps_of(Counted().table(profiled)) == "segment 1, end");
  // A loop inside is control, though it is known that it never runs.
  const Counted nested([](Counted& c) {
    c.m.steps->push_back({kernel::WhileStep{.condition_value = c.m.less(c.start, 0)}, {}});
  });
  CHECK(steps_of(nested.table()) == "segment 1, unless, segment 1, unless, jump, end");
}

TEST_CASE("blocks are of as many iterations as have 4,096 commands, of one at least") {
  const auto made = [](int copies) {
    return steps_of(Counted([&](Counted& c) {
                      const Id to = c.m.value(1);
                      const kernel::Step copy{kernel::Copy{c.start, to}, {}};
                      c.m.steps->insert(c.m.steps->end(), static_cast<size_t>(copies), copy);
                    }).table());
  };
  CHECK(made(1023) == "segment 1, end");
  // One segment is what comes before the loop.
  CHECK(made(1024) == "segment 1, segment 1, segment 1, end");
  CHECK(made(2048) == "segment 1, segment 4, end");
  CHECK(made(4095) == "segment 1, segment 4, end");
  CHECK(made(4096) == "segment 1, unless, segment 1, unless, jump, end");
}

TEST_CASE("what lies where it belongs is not copied, one byte is") {
  const auto copies = [](planning::Region region, int64_t offset, int64_t bytes) {
    // x lies at 64.
    ProgramMaker m;
    m.value(1);
    const Id x = m.value(1), y = m.copy(x);
    Plan plan = plan_apart(m.program);
    plan.places[static_cast<size_t>(y)] = {region, offset, bytes};
    return table_of_plan(m.program, plan).copies;
  };
  using planning::Region;
  CHECK(copies(Region::kArena, 64, 4) == 0);
  CHECK(copies(Region::kArena, 68, 4) == 1);
  CHECK(copies(Region::kState, 64, 4) == 1);
  CHECK(copies(Region::kArena, 68, 1) == 1);
  // Of what is joined a run of no bytes.
  ProgramMaker m;
  const Id x = m.value(1), y = m.value(1);
  m.join({{x, 0, 0}, {y, 0, 1}});
  CHECK(table_of_plan(m.program, plan_apart(m.program)).copies == 1);
}

// The words that launches push, launch by launch.
std::vector<std::vector<uint32_t>> pushed_by(const LaunchTable& table) {
  std::vector<std::vector<uint32_t>> all;
  const uint32_t* at = &table.words[table.words[HLOCC_TABLE_HEAD_STEPS_AT]];
  CHECK(at[0] == HLOCC_STEP_SEGMENT);
  for (const uint32_t *end = at + 4 + at[3], *one = at + 4; one < end; one += 5 + one[4])
    all.emplace_back(one + 5, one + 5 + one[4]);
  return all;
}

TEST_CASE("the number of the pass is pushed where there is more than one") {
  // y[i] = y[i - 1] + x[i], of which a pass takes half of 2,000 iterations.
  const auto pushed = [](int64_t count) {
    XY made(kernel::Scalar::kS32, count);
    made.b.loop({kernel::Affine::constant(1), kernel::Affine::constant(count)},
                [&](kernel::ValueId i) {
                  const kernel::Affine at = kernel::Affine::of(i);
                  made.write(at, made.b.add(made.b.load(made.y, at.plus(-1)), made.read(at)));
                });
    ProgramMaker m;
    m.program.kernels.push_back(made.b.finish());
    m.launch({.kernel = 0, .operands = {m.argument(count), m.value(count)}});
    Plan plan = plan_apart(m.program);
    plan.places[1].offset = 64 * 64;
    GpuDevice device = lavapipe();
    device.iterations = 2000;
    return pushed_by(table_of_plan(m.program, plan, {}, device));
  };
  using Words = std::vector<std::vector<uint32_t>>;
  CHECK(pushed(1001) == Words{{0, 1024}});
  CHECK(pushed(1002) == Words{{0, 1024, 0}, {0, 1024, 1}});
}

TEST_CASE("memories begin with the constants, and with the state that has bytes") {
  // Memory, offset and bytes of each piece.
  const auto pieces = [](const ProgramMaker& m, int64_t constant_bytes) {
    Plan plan = plan_apart(m.program);
    plan.constant_bytes = constant_bytes;
    const LaunchTable table = table_of_plan(m.program, plan);
    std::vector<std::vector<uint32_t>> all;
    const uint32_t* row = table.words.data() + table.words[HLOCC_TABLE_HEAD_PIECES_AT];
    for (uint32_t i = 0; i < table.words[HLOCC_TABLE_HEAD_PIECES]; ++i)
      all.emplace_back(row + i * HLOCC_TABLE_PIECE_SIZE, row + i * HLOCC_TABLE_PIECE_SIZE + 3);
    return all;
  };
  using Pieces = std::vector<std::vector<uint32_t>>;
  ProgramMaker m;
  m.argument(1);
  CHECK(pieces(m, 0) == Pieces{});
  const auto with_bytes = [&](kernel::ValueRole role, size_t bytes) {
    m.value(static_cast<int64_t>(bytes), role, kernel::Scalar::kU8);
    m.program.values.back().data = std::make_shared<const planning::Bytes>(bytes);
  };
  with_bytes(kernel::ValueRole::kConstant, 1);
  CHECK(pieces(m, 1) == Pieces{{2, 0, 1}});
  m.value(1, kernel::ValueRole::kState);
  with_bytes(kernel::ValueRole::kState, 8);
  with_bytes(kernel::ValueRole::kState, 0);
  CHECK(pieces(m, 1) == Pieces{{2, 0, 1}, {1, 64, 8}});
}

}  // namespace
}  // namespace hlocc::backends
