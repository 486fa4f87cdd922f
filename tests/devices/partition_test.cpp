// Modules over two devices: where the cut is made, where transfers and waits come to stand, and
// that the results are the bits of one device, whichever ops the other takes.
#include <catch2/catch.hpp>

#include "chosen_platform.h"
#include "devices/partition/partition.h"
#include "devices/partition/place_parts.h"
#include "driver/run/platforms.h"
#include "driver/verify/rules.h"
#include "ops/check/verifier.h"
#include "support/require.h"
#include "support/text.h"

namespace hlocc::device {
namespace {

using tests::require;

constexpr const char* kMixed = R"(HloModule mixed
ENTRY main {
  a = f32[4,8] parameter(0)
  b = f32[8,4] parameter(1)
  w = f32[4,4] constant({{1,2,3,4},{5,6,7,8},{9,1,2,3},{4,5,6,7}})
  ab = f32[4,4] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  s = f32[4,8] sine(a)
  abw = f32[4,4] dot(ab, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  c = f32[4,4] cosine(abw)
  cw = f32[4,4] dot(c, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT r = (f32[4,4], f32[4,8], f32[4,4]) tuple(cw, s, ab)
}
)";

bool is_dot(const hlo::Instruction& one) { return one.opcode == hlo::Opcode::kDot; }

TEST_CASE("a module is cut where values change sides, and parts hold what is connected") {
  const auto platforms = driver::make_platforms();
  const ChosenCompiler dots(require(platforms->PlatformWithName("host"))->GetCompiler(), is_dot);
  const hlo::Module module = module_of(kMixed);
  CHECK_FALSE(takes_all(module, dots));
  const Partition cut = require(partition_module(module, dots, "npu"));
  REQUIRE(cut.parts.size() == 2);
  CHECK(cut.parts[0].instructions == std::vector<std::string>{"ab", "abw"});
  CHECK(cut.parts[1].instructions == std::vector<std::string>{"cw"});
  // Constants go along; both results of the first part are needed.
  CHECK(cut.parts[0].module.entry_parameters.size() == 2);
  CHECK(cut.parts[0].module.entry_result.tuple.size() == 2);
  CHECK(cut.parts[1].module.entry_parameters.size() == 1);
  for (const Part& part : cut.parts) CHECK(ops::verify(part.module).ok());
  CHECK(ops::verify(cut.host).ok());
  std::string where;
  for (const PlacedInstruction& one : cut.placed)
    where += cat(one.name, " ", one.device, one.why.empty() ? "" : ": ", one.why, "\n");
  CHECK(where == "ab npu\nabw npu\nc host: not chosen\ncw npu\ns host: not chosen\n");
}

TEST_CASE("a device that takes everything gets row-major arguments and results only") {
  const auto platforms = driver::make_platforms();
  const ChosenCompiler all(require(platforms->PlatformWithName("host"))->GetCompiler(),
                           [](const hlo::Instruction&) { return true; });
  const auto taken = [&](const std::string& argument, const std::string& result) {
    return takes_all(module_of("HloModule m, entry_computation_layout={(f32[3,4]" + argument +
                               ")->f32[3,4]" + result + "}\nENTRY e {\n x = f32[3,4]" + argument +
                               " parameter(0)\n ROOT r = f32[3,4]" + result + " negate(x)\n}\n"),
                     all);
  };
  CHECK(taken("{1,0}", "{1,0}"));
  // Nobody asks it for parameters.
  const ChosenCompiler dots(require(platforms->PlatformWithName("host"))->GetCompiler(), is_dot);
  CHECK(takes_all(module_of("HloModule m\nENTRY e { a = f32[4,4] parameter(0) ROOT x = f32[4,4] "
                            "dot(a, a), lhs_contracting_dims={1}, rhs_contracting_dims={0} }"),
                  dots));
  CHECK_FALSE(taken("{0,1}", "{1,0}"));
  CHECK_FALSE(taken("{1,0}", "{0,1}"));
}

TEST_CASE(
    "other layouts are the host's, whoever takes the rest, and bitcasts read what they said") {
  const auto platforms = driver::make_platforms();
  const ChosenCompiler all(require(platforms->PlatformWithName("host"))->GetCompiler(),
                           [](const hlo::Instruction&) { return true; });
  const auto parts = [&](const std::string& body, const std::string& layouts) {
    const Partition cut =
        require(partition_module(module_of("HloModule m, entry_computation_layout={(" + layouts +
                                           "}\nENTRY e {\n" + body + "}\n"),
                                 all, "npu", "part"));
    for (const Part& part : cut.parts)
      for (const hlo::Computation& one : part.module.computations)
        for (const hlo::Instruction& i : one.instructions)
          CHECK(i.shape == hlo::with_default_layout(i.shape));
    std::string where;
    for (const PlacedInstruction& one : cut.placed)
      where += one.op + " " + one.device + (one.why.empty() ? "\n" : ": " + one.why + "\n");
    return where;
  };
  CHECK(parts(" x = f32[3,4]{0,1} parameter(0)\n ROOT b = f32[3,4]{1,0} bitcast(x)\n",
              "f32[3,4]{0,1})->f32[3,4]{1,0}") ==
        "bitcast host: it changes a layout\ntranspose npu\ntranspose npu\nreshape npu\n");
  CHECK(parts(" x = f32[3,4]{1,0} parameter(0)\n n = f32[3,4]{0,1} negate(x)\n"
              " ROOT b = f32[4,3]{1,0} bitcast(n)\n",
              "f32[3,4]{1,0})->f32[4,3]{1,0}") == "negate npu\ntranspose npu\n");
}

TEST_CASE("two products with the host's work between them are two parts") {
  const auto platforms = driver::make_platforms();
  const ChosenCompiler dots(require(platforms->PlatformWithName("host"))->GetCompiler(), is_dot);
  // y needs x by way of the host and directly: one part would wait for itself.
  const Partition cut = require(partition_module(module_of(R"(HloModule diamond
ENTRY main {
  a = f32[4,4] parameter(0)
  x = f32[4,4] dot(a, a), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  e = f32[4,4] exponential(x)
  ROOT y = f32[4,4] dot(x, e), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
)"),
                                                 dots, "npu"));
  CHECK(cut.parts.size() == 2);
  CHECK(ops::verify(cut.host).ok());
}

TEST_CASE("what reads a value of run-time size stays on the host") {
  const auto platforms = driver::make_platforms();
  const ChosenCompiler all(require(platforms->PlatformWithName("host"))->GetCompiler(),
                           [](const hlo::Instruction&) { return true; });
  const Partition cut = require(partition_module(module_of(R"(HloModule sizes
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT r = f32[] add(a, b)
}
ENTRY main {
  x = f32[4] parameter(0)
  n = s32[] parameter(1)
  d = f32[<=4] set-dimension-size(x, n), dimensions={0}
  z = f32[] constant(0)
  s = f32[] reduce(d, z), dimensions={0}, to_apply=add
  ROOT r = f32[] negate(s)
}
)"),
                                                 all, "npu"));
  std::string where;
  for (const PlacedInstruction& one : cut.placed)
    where += cat(one.name, " ", one.device, one.why.empty() ? "" : ": ", one.why, "\n");
  CHECK(where ==
        "d host: its size is known at run time only\n"
        "s host: an operand's size is known at run time only\nr npu\n");
}

TEST_CASE("the first instruction may be a device's, and a loop of one value") {
  const auto platforms = driver::make_platforms();
  const ChosenCompiler all(require(platforms->PlatformWithName("host"))->GetCompiler(),
                           [](const hlo::Instruction&) { return true; });
  const Partition first = require(
      partition_module(module_of("HloModule m\nENTRY e { i = f32[4] iota(), iota_dimension=0 "
                                 "ROOT r = f32[4] negate(i) }"),
                       all, "npu"));
  REQUIRE(first.parts.size() == 1);
  CHECK(first.parts[0].instructions == std::vector<std::string>{"i", "r"});
  // Nor is it cut from what an argument is added to.
  CHECK(require(partition_module(module_of("HloModule m\nENTRY e { x = f32[4] parameter(0) "
                                           "i = f32[4] iota(), iota_dimension=0 "
                                           "ROOT r = f32[4] add(i, x) }"),
                                 all, "npu"))
            .parts.size() == 1);
  const Partition both = require(partition_module(
      module_of("HloModule m\nENTRY e { x = f32[4] parameter(0) ROOT r = (f32[4], f32[4]) "
                "custom-call(x), custom_call_target=\"f\" }"),
      all, "npu"));
  CHECK(both.placed[0].why == "its result is a tuple");
  const Partition loop = require(partition_module(module_of(R"(HloModule loop
until {
  x = s32[] parameter(0)
  n = s32[] constant(9)
  ROOT c = pred[] compare(x, n), direction=LT
}
next {
  x = s32[] parameter(0)
  ROOT y = s32[] add(x, x)
}
ENTRY main {
  a = s32[] parameter(0)
  ROOT w = s32[] while(a), condition=until, body=next
}
)"),
                                                  all, "npu"));
  REQUIRE(loop.placed.size() == 1);
  CHECK(loop.placed[0].why.empty());
}

TEST_CASE("a part hands out the model's result beside what the host looks at") {
  const auto platforms = driver::make_platforms();
  const ChosenCompiler dots(require(platforms->PlatformWithName("host"))->GetCompiler(), is_dot);
  const Partition cut = require(partition_module(module_of(R"(HloModule logged
ENTRY main {
  a = f32[4,4] parameter(0)
  x = f32[4,4] dot(a, a), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  log = f32[4,4] custom-call(x), custom_call_target="my_log", custom_call_has_side_effect=true
  ROOT y = f32[4,4] dot(x, a), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
)"),
                                                 dots, "npu"));
  REQUIRE(cut.parts.size() == 1);
  CHECK(cut.parts[0].module.entry_result.tuple.size() == 2);
  CHECK(ops::verify(cut.host).ok());
  CHECK(std::ranges::none_of(cut.host.entry_computation().instructions, is_dot));
}

using namespace kernel;
using Id = ProgramValueId;

// A program of calls: x, y -> p(x) -> h(y) -> q(p, h) -> r(q).
struct Calls {
  Program program;
  Id value(ValueRole role = ValueRole::kTemporary) {
    program.values.push_back(
        {.name = cat("v", program.values.size()), .elements = 4, .role = role});
    return static_cast<Id>(program.values.size()) - 1;
  }
  Id call(const std::string& symbol, std::vector<Id> operands) {
    const Id result = value();
    program.steps.push_back({UserCall{symbol, std::move(operands), {result}}, {}});
    return result;
  }
};

std::string steps_of(const Program& program) {
  return to_text(program.steps, program.kernels, program.values);
}

TEST_CASE("parts begin early, results stay on the device for the next part, and waits come late") {
  Calls c;
  const Id x = c.value(ValueRole::kArgument), y = c.value(ValueRole::kArgument);
  c.program.arguments = {x, y};
  c.program.values[x].leaf = 0;
  c.program.values[y].leaf = 1;
  const Id h = c.call("host", {y}), p = c.call("part_p", {x}), q = c.call("part_q", {p});
  c.program.results = {c.call("host", {q, h})};
  place_parts(c.program, {"part_p", "part_q"});
  REQUIRE(verify(c.program).ok());
  // p does not go back and forth, and the host's first call runs beside both parts.
  CHECK(steps_of(c.program) == R"(  transfer %v0.device = %v0 on queue 0
  submit part_p(%v0.device) -> %v3.device on queue 0
  submit part_q(%v3.device) -> %v4.device on queue 0
  transfer %v4 = %v4.device on queue 0
  call host(%v1) -> %v2
  wait for queue 0
  call host(%v4, %v2) -> %v5
)");
}

TEST_CASE("parts that don't need one another go to queues of their own") {
  Calls c;
  const Id x = c.value(ValueRole::kArgument);
  c.program.arguments = {x};
  c.program.values[x].leaf = 0;
  const Id p = c.call("part_p", {x}), q = c.call("part_q", {x});
  c.program.results = {c.call("host", {p}), c.call("host", {q})};
  place_parts(c.program, {"part_p", "part_q"});
  const std::string steps = steps_of(c.program);
  INFO(steps);
  REQUIRE(verify(c.program).ok());
  CHECK(steps.find("submit part_p(%v0.device) -> %v1.device on queue 0") != std::string::npos);
  CHECK(steps.find("on queue 1") == std::string::npos);
  // One copy of x serves both, so that the second follows the first; with an operand of its own it
  // does not.
  Calls d;
  const Id a = d.value(ValueRole::kArgument), b = d.value(ValueRole::kArgument);
  d.program.arguments = {a, b};
  d.program.values[a].leaf = 0;
  d.program.values[b].leaf = 1;
  const Id r = d.call("part_p", {a}), s = d.call("part_q", {b});
  d.program.results = {d.call("host", {r}), d.call("host", {s})};
  place_parts(d.program, {"part_p", "part_q"});
  CHECK(steps_of(d.program).find("on queue 1") != std::string::npos);
}

TEST_CASE("what one queue has made need not be waited for there") {
  Calls c;
  const Id x = c.value(ValueRole::kArgument), y = c.value(ValueRole::kArgument);
  c.program.arguments = {x, y};
  c.program.values[x].leaf = 0;
  c.program.values[y].leaf = 1;
  const Id p = c.call("part_p", {x}), q = c.call("part_q", {p}), o = c.call("part_o", {y});
  c.program.results = {c.call("part_r", {p, q}), c.call("part_s", {q, o})};
  place_parts(c.program, {"part_p", "part_q", "part_r", "part_s", "part_o"});
  REQUIRE(verify(c.program).ok());
  const std::string steps = steps_of(c.program);
  INFO(steps);
  const size_t both = steps.find("submit part_r"), mixed = steps.find("submit part_s");
  // Only what the other queue has made is waited for.
  CHECK(steps.substr(0, both).find("wait") == std::string::npos);
  CHECK(steps.substr(both, mixed - both).find("wait for queue 1") != std::string::npos);
  CHECK(steps.substr(both, mixed - both).find("wait for queue 0") == std::string::npos);
}

TEST_CASE("a queue is waited for before a branch uses it") {
  Calls c;
  const Id x = c.value(ValueRole::kArgument), s = c.value(ValueRole::kArgument);
  c.program.values[s].element = Scalar::kPred;
  c.program.values[s].elements = 1;
  c.program.arguments = {x, s};
  c.program.values[x].leaf = 0;
  c.program.values[s].leaf = 1;
  const Id p = c.call("part_p", {x});
  Steps before = std::exchange(c.program.steps, {});
  ConditionalStep choice{.selector = s};
  for (const char* symbol : {"part_q", "host"}) {
    choice.yields.push_back({c.call(symbol, {x})});
    choice.branches.push_back(std::exchange(c.program.steps, {}));
  }
  const Id r = c.value();
  choice.results = {r};
  before.push_back({std::move(choice), {}});
  c.program.steps = std::move(before);
  c.program.results = {c.call("host", {r, p})};
  place_parts(c.program, {"part_p", "part_q"});
  const std::string steps = steps_of(c.program);
  INFO(steps);
  REQUIRE(verify(c.program).ok());
  CHECK(steps.find("submit part_p") < steps.find("wait for queue 0"));
  CHECK(steps.find("wait for queue 0") < steps.find("submit part_q"));
}

// Every case of the models, with the ops that a rule chooses on a device in another process.
void same_bits(const ChosenCompiler::Takes& takes, const std::vector<std::string>& names) {
  const auto platforms = driver::make_platforms();
  Platform& host = *require(platforms->PlatformWithName("host"));
  ChosenPlatform chosen(*require(platforms->PlatformWithName("remote-sim")), takes);
  REQUIRE(require(chosen.ExecutorForDevice(0)) != nullptr);  // its process, before any thread
  const auto both = driver::partitioned(*platforms, chosen);
  for (const driver::Case& one :
       require(driver::read_index(HLOCC_TEST_DATA "/models/index.json"))) {
    if (std::ranges::find(names, one.name) == names.end()) continue;
    INFO(one.name);
    const auto model = require(driver::load_case(one));
    const Ran alone = require(run_on(host, *model)), two = require(run_on(*both, *model));
    CHECK(two.ops.at("remote-sim") > 0);
    CHECK(two.ops.at("host") > 0);
    CHECK(two.result == alone.result);
    CHECK(two.again == alone.again);
  }
}

TEST_CASE("a profile has the steps of both devices in order of their beginnings") {
  const auto platforms = driver::make_platforms();
  ChosenPlatform chosen(*require(platforms->PlatformWithName("host")), is_dot);
  const auto both = driver::partitioned(*platforms, chosen);
  StreamExecutor& executor = *require(both->ExecutorForDevice(0));
  const auto executable = require(both->GetCompiler().Compile(module_of(kMixed), executor, {}));
  const TransferManager& transfer = both->GetTransferManager();
  const auto in = require(transfer.AllocateBuffers(executor, executable->ArgumentShapes()));
  const auto out = require(transfer.AllocateBuffers(executor, executable->ResultShapes()));
  const std::vector<ExecutionInput> inputs = {{in[0]}, {in[1]}};
  const auto stream = require(executor.CreateStream());
  ExecutionProfile profile;
  REQUIRE(executable->ExecuteOnStream(*stream, inputs, out, &profile).ok());
  std::map<std::string, int> seen;
  for (const ProfiledStep& step : profile.steps) {
    CHECK(step.microseconds >= 0);
    ++seen[cat(step.device, " ", step.name)];
  }
  // Three matrices go to the device and three come back; two of one size each time.
  CHECK(seen["chosen hlocc_part_0"] == 1);
  CHECK(seen["chosen hlocc_part_1"] == 1);
  CHECK(seen["chosen to chosen, 128 bytes"] == 2);
  CHECK(seen["chosen to chosen, 64 bytes"] == 1);
  CHECK(seen["chosen from chosen, 64 bytes"] == 3);
  CHECK(seen["host code"] > 1);
  // Without one, nothing is noted down that a later one would tell.
  const size_t steps = profile.steps.size();
  REQUIRE(executable->ExecuteOnStream(*stream, inputs, out).ok());
  REQUIRE(executable->ExecuteOnStream(*stream, inputs, out, &profile).ok());
  CHECK(profile.steps.size() == steps);
}

TEST_CASE("the results of two devices are the bits of one") {
  const std::vector<std::string> names = {"mlp_digits", "cnn_digits_int8", "ekf", "kws_gru_stream"};
  SECTION("products") {
    same_bits(
        [](const hlo::Instruction& one) {
          return is_dot(one) || one.opcode == hlo::Opcode::kConvolution;
        },
        {"mlp_digits", "cnn_digits_int8"});
  }
  SECTION("every third instruction") {
    same_bits(
        [](const hlo::Instruction& one) { return std::hash<std::string>()(one.name) % 3 == 0; },
        {"mlp_digits", "cnn_digits_int8", "ekf"});
  }
}

}  // namespace
}  // namespace hlocc::device
