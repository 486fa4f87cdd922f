// Whole programs through planning, code generation and the in-memory linker: results are the
// evaluator's, bytes are the same every time, and failures name the kernel.
#include "backends/cpu/compile.h"

#include <bit>

#include "backends/common/isolate.h"
#include "backends/common/run_pieces.h"
#include "backends/cpu/jit.h"
#include "backends_llvm/jit_kernel.h"
#include "kernel/instance.h"
#include "kernel/legalize/legalize.h"
#include "planning/interface.h"
#include "planning/random_programs.h"
#include "support/require.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

using namespace kernel;
using planning::Plan;
using planning::ProgramMaker;
using tests::require;

Program legal(Program program, const Target& target) {
  program.signature.prefix = "net_";
  program.signature.stem = "net";
  if (Status status = legalize(program, target); !status) FAIL(status.error().to_string());
  return program;
}

std::vector<std::vector<std::byte>> arguments_of(const Program& program, int32_t first) {
  std::vector<std::vector<std::byte>> arguments;
  for (ProgramValueId id : program.arguments) {
    std::vector<int32_t> values(program.values[id].elements);
    for (int32_t& value : values) value = first++;
    arguments.push_back(to_bytes(values));
  }
  return arguments;
}

// Two runs, so that state is seen to stay.
void check_program(const Program& program) {
  INFO(to_text(program));
  const Program ready = legal(program, host_target());
  const Plan plan = require(planning::plan(ready, host_target()));
  const Artifacts artifacts = require(compile(ready, plan, host_target()));
  const auto loaded =
      require(load(artifacts.files.at(ArtifactKind::kObject).joined(), ready, plan, host_target()));
  for (int32_t first : {1, -40}) {
    const auto arguments = arguments_of(program, first);
    CHECK(require(loaded->run(arguments)) == require(evaluate(program, arguments)));
  }
}

TEST_CASE("a chain in place, constants and scratch") {
  ProgramMaker m;
  const auto x = m.argument(20);
  m.result(m.reverse(m.combine(m.scale(x), m.stir(m.constant({4, 3, 2, 1}), 20))));
  check_program(m.program);
}

TEST_CASE("random programs compute what the evaluator does") {
  for (uint64_t seed = 1; seed <= 25; ++seed) {
    INFO("seed " << seed);
    check_program(planning::Generator(seed).run());
  }
}

// A run of more steps, arguments and results than one function takes.
TEST_CASE("large programs compute in pieces what the evaluator does") {
  ProgramMaker m;
  for (int i = 0; i < 350; ++i) {
    auto x = m.argument(4);
    for (int step = 0; step < 4; ++step) x = m.scale(x);
    m.result(x);
  }
  const Program ready = legal(m.program, host_target());
  const Plan plan = require(planning::plan(ready, host_target()));
  REQUIRE(runs_in_pieces(ready, plan));
  check_program(m.program);
}

TEST_CASE("a function of the user's is named where it is not there to run") {
  ProgramMaker m;
  const auto x = m.argument(4), y = m.value(4);
  m.program.steps.push_back({UserCall{"my_filter", {x}, {y}}, {{"call.3"}}});
  m.result(y);
  const Program program = legal(m.program, host_target());
  const Plan plan = require(planning::plan(program, host_target()));
  const Artifacts artifacts = require(compile(program, plan, host_target()));
  const auto loaded =
      load(artifacts.files.at(ArtifactKind::kObject).joined(), program, plan, host_target());
  REQUIRE(!loaded);
  CHECK(loaded.error().kind == DiagnosticKind::kUnsupported);
  CHECK(loaded.error().message.find("call.3") != std::string::npos);
  CHECK(loaded.error().message.find("my_filter") != std::string::npos);
}

TEST_CASE("state stays from run to run") {
  ProgramMaker m;
  const auto state = m.argument(4, ValueRole::kState);
  m.result(m.scale(state), 0);
  const Program program = legal(m.program, host_target());
  const Plan plan = require(planning::plan(program, host_target()));
  const Artifacts artifacts = require(compile(program, plan, host_target()));
  const auto loaded = require(
      load(artifacts.files.at(ArtifactKind::kObject).joined(), program, plan, host_target()));
  std::vector<std::vector<std::byte>> arguments = {to_bytes<int32_t>({1, 2, 3, 4})};
  CHECK(from_bytes<int32_t>(require(loaded->run(arguments))[0]) ==
        std::vector<int32_t>{4, 7, 10, 13});
  arguments[0].clear();
  CHECK(from_bytes<int32_t>(require(loaded->run(arguments))[0]) ==
        std::vector<int32_t>{13, 22, 31, 40});
}

TEST_CASE("state begins with the bytes that it has") {
  ProgramMaker m;
  const auto state = m.argument(2, ValueRole::kState);
  m.program.values[state].data =
      std::make_shared<const std::vector<std::byte>>(to_bytes<int32_t>({5, 7}));
  m.result(m.scale(state), 0);
  const Program program = legal(m.program, host_target());
  const Plan plan = require(planning::plan(program, host_target()));
  const Artifacts artifacts = require(compile(program, plan, host_target()));
  const auto loaded = require(
      load(artifacts.files.at(ArtifactKind::kObject).joined(), program, plan, host_target()));
  CHECK(from_bytes<int32_t>(require(loaded->run({{{}}}))[0]) == std::vector<int32_t>{16, 22});
  CHECK(from_bytes<int32_t>(require(loaded->run({{{}}}))[0]) == std::vector<int32_t>{49, 67});
}

TEST_CASE("buffers that the caller brings are read, not written, and results go to his") {
  for (bool keep : {false, true}) {
    ProgramMaker m;
    const auto x = m.argument(6);
    m.result(m.scale(m.scale(x)));
    m.result(m.update(x, m.constant({77}), 2));
    Target target = host_target();
    target.options.keep_arguments = keep;
    const Program program = legal(m.program, target);
    const Plan plan = require(planning::plan(program, target));
    const Artifacts artifacts = require(compile(program, plan, target));
    const auto linked = require(link_object(artifacts.files.at(ArtifactKind::kObject).joined()));
    const auto run = reinterpret_cast<int (*)(void*)>(
        linked->address(planning::run_symbol(program.signature, plan, target)));
    REQUIRE(run != nullptr);
    const InstanceLayout layout = instance_layout(program.signature, plan.state_bytes, 64);
    alignas(64) static std::byte arena[4096];
    std::vector<void*> instance(layout.bytes() / sizeof(void*));
    CHECK(run(nullptr) == 1);
    CHECK(run(instance.data()) == 1);
    int32_t mine[6] = {1, 2, 3, 4, 5, 6}, result[6] = {};
    instance[0] = arena;
    instance[layout.argument_slot(0) / 8] = mine;
    instance[layout.result_slot(0) / 8] = result;
    instance[layout.result_slot(1) / 8] = arena + plan.result_places[1].offset;
    CHECK(run(instance.data()) == 0);
    CHECK(std::vector<int32_t>(mine, mine + 6) == std::vector<int32_t>{1, 2, 3, 4, 5, 6});
    CHECK(std::vector<int32_t>(result, result + 6) == std::vector<int32_t>{13, 22, 31, 40, 49, 58});
    const auto* second = reinterpret_cast<int32_t*>(arena + plan.result_places[1].offset);
    CHECK(std::vector<int32_t>(second, second + 6) == std::vector<int32_t>{1, 2, 77, 4, 5, 6});
  }
}

TEST_CASE("the same bytes every time, in the child and out of it") {
  const Program program = legal(planning::Generator(7).run(), host_target());
  const Plan plan = require(planning::plan(program, host_target()));
  const std::set<ArtifactKind> all = {ArtifactKind::kObject, ArtifactKind::kArchive,
                                      ArtifactKind::kAssembly, ArtifactKind::kLlvmIr};
  const Artifacts first = require(compile(program, plan, host_target(), {all}));
  const Artifacts again = require(compile(program, plan, host_target(), {all}));
  const Artifacts here = require(compile(program, plan, host_target(), {all, true}));
  CHECK(first.files.size() == 4);
  CHECK(first.files == again.files);
  CHECK(first.files == here.files);
  CHECK(first.stack_bytes == here.stack_bytes);
  // Whoever takes the object out of the archive can read it.
  const std::vector<std::byte> archive = first.files.at(ArtifactKind::kArchive).joined();
  const std::string_view text(reinterpret_cast<const char*>(archive.data()), archive.size());
  const size_t member = text.find("net.o/");
  REQUIRE(member != std::string_view::npos);
  CHECK(text.substr(member + 40, 8) == "644     ");
}

TEST_CASE("identical kernels are emitted once, and weights have their section") {
  ProgramMaker m;
  const auto x = m.argument(8);
  m.result(m.combine(m.scale(m.scale(x)), m.stir(m.constant({4, 3, 2, 1}), 8)));
  Program program = legal(m.program, host_target());
  program.kernels.push_back(program.kernels[0]);
  program.kernels.back().name = "another_name";
  std::get<Launch>(program.steps[1].what).kernel =
      static_cast<KernelId>(program.kernels.size()) - 1;
  const Plan plan = require(planning::plan(program, host_target()));
  const Artifacts artifacts =
      require(compile(program, plan, host_target(), {{ArtifactKind::kLlvmIr}}));
  const auto text = artifacts.files.at(ArtifactKind::kLlvmIr).joined();
  const std::string ir(reinterpret_cast<const char*>(text.data()), text.size());
  CHECK_THAT(ir, !Catch::Contains("another_name"));
  CHECK(artifacts.defined ==
        std::vector<std::string>{planning::run_symbol(program.signature, plan, host_target())});
  CHECK(artifacts.weights_bytes == plan.constant_bytes);
  CHECK(artifacts.sections.contains(".rodata.net_weights"));
}

TEST_CASE("a child that dies is a diagnostic with its last words") {
  const auto outcome = run_isolated([]() -> Result<std::vector<std::byte>> {
    std::fputs("LLVM ERROR: cannot select this\n", stderr);
    std::abort();
  });
  REQUIRE(!outcome);
  CHECK(outcome.error().kind == DiagnosticKind::kInternal);
  CHECK_THAT(outcome.error().to_string(),
             Catch::Contains("signal 6") && Catch::Contains("cannot select this"));
  const auto diagnosed = run_isolated([]() -> Result<std::vector<std::byte>> {
    return error(DiagnosticKind::kTarget, "no such thing").at({"m.hlo", 7}).note("try another");
  });
  REQUIRE(!diagnosed);
  CHECK(diagnosed.error().to_string() ==
        "m.hlo:7: error[target]: no such thing\nnote: try another\n");
}

TEST_CASE("an abort inside LLVM names the kernel and its instructions") {
  ProgramMaker m;
  const auto x = m.argument(4);
  m.result(m.scale(m.scale(x)));
  Target target = *preset("cortex-m55");
  Program program = legal(m.program, target);
  // Half a vector to be rounded, which legalisation never leaves there: LLVM 19 cannot widen it for
  // MVE.
  Builder b("unselectable");
  const BufferId in = b.buffer({.name = "x", .element = Scalar::kF32, .elements = 4});
  const BufferId out =
      b.buffer({.name = "y", .element = Scalar::kF32, .elements = 4, .direction = Direction::kOut});
  b.store(out, Affine::constant(0),
          b.unary(OpKind::kRoundEven, b.load(in, Affine::constant(0), 2)));
  program.kernels.push_back(b.finish());
  program.kernels.back().origin = {"round.12"};
  std::get<Launch>(program.steps[1].what).kernel =
      static_cast<KernelId>(program.kernels.size()) - 1;
  const Plan plan = require(planning::plan(program, target));
  const auto outcome = compile(program, plan, target);
  REQUIRE(!outcome);
  CHECK(outcome.error().kind == DiagnosticKind::kInternal);
  CHECK_THAT(outcome.error().to_string(),
             Catch::Contains("unselectable") && Catch::Contains("round.12"));
  // A triple that is no preset is LLVM's to carry through.
  target.name = "thumbv8.1m.main-none-eabi";
  const auto other = compile(program, plan, target);
  REQUIRE(!other);
  CHECK(other.error().kind == DiagnosticKind::kTarget);
  CHECK_THAT(other.error().to_string(), Catch::Contains("LLVM can't carry this program through") &&
                                            Catch::Contains("unselectable") &&
                                            Catch::Contains("presets"));
}

// The assembly of a program whose first launch runs that kernel.
std::string assembly_with(Kernel kernel, const Target& target) {
  ProgramMaker m;
  m.result(m.scale(m.argument(4)));
  Program program = legal(m.program, target);
  program.kernels.push_back(std::move(kernel));
  std::get<Launch>(program.steps[0].what).kernel =
      static_cast<KernelId>(program.kernels.size()) - 1;
  const Plan plan = require(planning::plan(program, target));
  const Artifacts artifacts =
      require(compile(program, plan, target, {{ArtifactKind::kAssembly, ArtifactKind::kObject}}));
  const auto text = artifacts.files.at(ArtifactKind::kAssembly).joined();
  return {reinterpret_cast<const char*>(text.data()), text.size()};
}

// What becomes of so many selections in turn, by divisors that are no immediates.
std::string selections_on(const char* name, int count) {
  Builder b("selections");
  const BufferId in = b.buffer({.name = "x", .element = Scalar::kF32, .elements = 4});
  const BufferId out =
      b.buffer({.name = "y", .element = Scalar::kF32, .elements = 4, .direction = Direction::kOut});
  ValueId value = b.load(in, Affine::constant(0), 4);
  for (int n = 0; n < count; ++n) {
    const ValueId most = b.constant_float(b.type(value), 1.1 + n);
    const ValueId part = b.div(value, most);
    value = b.select(b.compare(Predicate::kGt, part, most), most, part);
  }
  b.store(out, Affine::constant(0), value);
  return assembly_with(b.finish(), *preset(name));
}

TEST_CASE("tiles of bytes are multiplied by SMMLA and UMMLA") {
  Target target = *preset("cortex-a53");
  target.isa.add(Isa::kI8mm);
  target.features += cat(target.features.empty() ? "" : ",", "+i8mm");
  for (const Scalar scalar : {Scalar::kS8, Scalar::kU8}) {
    Builder b("tiles");
    const BufferId x = b.buffer({.name = "x", .element = scalar, .elements = 16});
    const BufferId y = b.buffer(
        {.name = "y", .element = Scalar::kS32, .elements = 4, .direction = Direction::kInOut});
    const ValueId rows = b.load(x, Affine::constant(0), 16);
    b.store(y, Affine::constant(0),
            b.matrix_accumulate(b.load(y, Affine::constant(0), 4), rows, rows));
    CHECK_THAT(assembly_with(b.finish(), target),
               Catch::Contains(scalar == Scalar::kS8 ? "smmla" : "ummla"));
  }
}

// How often a word stands in the assembly of a sum of eight products of bytes.
int in_sum_of_eight(std::string_view word, bool has_fours) {
  Target target = *preset("x86_64-linux");
  target.cpu = has_fours ? "alderlake" : "haswell";
  if (has_fours) target.isa.add(Isa::kAvxVnni);
  Builder b("sum");
  const BufferId x = b.buffer({.name = "x", .element = Scalar::kU8, .elements = 16});
  const BufferId y =
      b.buffer({.name = "y", .element = Scalar::kS32, .elements = 1, .direction = Direction::kOut});
  const ValueId left = b.load(x, Affine::constant(0), 8),
                right = b.convert(b.load(x, Affine::constant(8), 8), Scalar::kS8);
  const ValueId products = b.mul(b.convert(left, Scalar::kS32), b.convert(right, Scalar::kS32));
  b.store(y, Affine::constant(0), b.reduce(OpKind::kReduceAdd, products));
  const std::string text = assembly_with(b.finish(), target);
  int found = 0;
  for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++found;
  return found;
}

TEST_CASE("the two lanes that VPDPBUSD gives of eight products are added") {
  CHECK(in_sum_of_eight("vpdpbusd", true) == 1);
  CHECK(in_sum_of_eight("vpaddd", true) == 1);
  CHECK(in_sum_of_eight("vpdpbusd", false) == 0);
}

// Four accumulators times four factors, rounded and shifted, as quantised networks write it.
std::string scaled_on(const char* name, int64_t rounding, int shift,
                      std::vector<uint64_t> factors = {}) {
  Builder b("scaled");
  const BufferId x = b.buffer({.name = "x", .element = Scalar::kS32, .elements = 8});
  const BufferId y =
      b.buffer({.name = "y", .element = Scalar::kS32, .elements = 4, .direction = Direction::kOut});
  const auto wide = [&](int64_t at) {
    return b.convert(b.load(x, Affine::constant(at), 4), Scalar::kS64);
  };
  const ValueId product = b.mul(
      wide(0), factors.empty() ? wide(4) : b.constant_lanes({Scalar::kS64, 4}, std::move(factors)));
  const Type type = b.type(product);
  const ValueId sum = rounding == 0 ? product : b.add(product, b.constant_int(type, rounding));
  const ValueId scaled = b.binary(OpKind::kShrArithmetic, sum, b.constant_int(type, shift));
  b.store(y, Affine::constant(0), b.convert(scaled, Scalar::kS32));
  return assembly_with(require(legalize(b.finish(), *preset(name))), *preset(name));
}

TEST_CASE("upper words of products of vectors are VMULH") {
  for (const int shift : {32, 39, 62})
    CHECK_THAT(scaled_on("cortex-m55", 0, shift), Catch::Contains("vmulh.s32"));
  CHECK_THAT(scaled_on("cortex-m55", int64_t{1} << 38, 39), Catch::Contains("vmulh.s32"));
  CHECK_THAT(scaled_on("cortex-m55", 0, 40, {0x7fffffff, 1, 0, 0xffffffff80000000}),
             Catch::Contains("vmulh.s32"));
  // A factor of more than 32 bits.
  CHECK_THAT(scaled_on("cortex-m55", 0, 40, {0x80000000, 1, 0, 5}), !Catch::Contains("vmulh.s32"));
  // What is added reaches into the lower words, or past the upper ones; the shift leaves some of
  // the lower ones.
  CHECK_THAT(scaled_on("cortex-m55", int64_t{1} << 31, 32), !Catch::Contains("vmulh.s32"));
  CHECK_THAT(scaled_on("cortex-m55", int64_t{1} << 62, 39), !Catch::Contains("vmulh.s32"));
  CHECK_THAT(scaled_on("cortex-m55", 0, 31),
             !Catch::Contains("vmulh.s32") && Catch::Contains("smull"));
  CHECK_THAT(scaled_on("cortex-m4", 0, 39), !Catch::Contains("vmulh.s32"));
}

TEST_CASE("upper words of products of vectors are those of two halves on NEON") {
  CHECK_THAT(scaled_on("cortex-a53", 0, 39), Catch::Contains("smull2") && Catch::Contains("uzp2"));
  CHECK_THAT(scaled_on("armv7-linux", 0, 39), Catch::Contains("vmull.s32"));
  CHECK_THAT(scaled_on("cortex-a53", 0, 31), !Catch::Contains("uzp2"));
}

TEST_CASE("bytes are scattered as far as a lane's offset reaches") {
  const auto scattered = [](int lanes, int64_t stride) {
    Builder b("scattered");
    const BufferId x = b.buffer({.name = "x", .element = Scalar::kS8, .elements = lanes});
    const BufferId y = b.buffer({.name = "y",
                                 .element = Scalar::kS8,
                                 .elements = stride * lanes,
                                 .direction = Direction::kOut});
    b.store(y, Affine::constant(0), b.load(x, Affine::constant(0), lanes), stride);
    return assembly_with(b.finish(), *preset("cortex-m55"));
  };
  CHECK_THAT(scattered(8, 9362), Catch::Contains("vstrb.16"));
  CHECK_THAT(scattered(8, 9363), !Catch::Contains("vstrb.16"));
  CHECK_THAT(scattered(4, 21845), Catch::Contains("vstrb.32"));
}

enum class Clamp { kLowerFirst, kUpperFirst, kTurned };

// A number between two bounds, or of another type.
std::string clamped_on(const Target& target, int64_t low, int64_t high,
                       Clamp order = Clamp::kLowerFirst, Scalar scalar = Scalar::kS32) {
  Builder b("clamped");
  const Type type{scalar, 1};
  const BufferId x = b.buffer({.name = "x", .element = scalar, .elements = 1});
  const BufferId y =
      b.buffer({.name = "y", .element = scalar, .elements = 1, .direction = Direction::kOut});
  const ValueId from = b.load(x, Affine::constant(0)), least = b.constant_int(type, low),
                most = b.constant_int(type, high);
  const auto min = [&](ValueId a, ValueId c) { return b.binary(OpKind::kNativeMin, a, c); };
  const auto max = [&](ValueId a, ValueId c) { return b.binary(OpKind::kNativeMax, a, c); };
  const ValueId inside = order == Clamp::kLowerFirst   ? min(max(from, least), most)
                         : order == Clamp::kUpperFirst ? max(min(from, most), least)
                                                       : min(most, max(least, from));
  b.store(y, Affine::constant(0), inside);
  return assembly_with(b.finish(), target);
}

TEST_CASE("clamps between zero and a small number are one branch on RISC-V without minima") {
  const Target rv32 = *preset("rv32imc");
  const auto one_branch = Catch::Contains(".Lclamped");
  for (const Clamp order : {Clamp::kLowerFirst, Clamp::kUpperFirst, Clamp::kTurned})
    CHECK_THAT(clamped_on(rv32, 0, 127, order), one_branch);
  CHECK_THAT(clamped_on(rv32, 0, 1), one_branch);
  CHECK_THAT(clamped_on(rv32, 0, 2047), one_branch);
  CHECK_THAT(clamped_on(rv32, 0, 2048), !one_branch);
  CHECK_THAT(clamped_on(rv32, 0, 0), !one_branch);
  CHECK_THAT(clamped_on(rv32, 0, -1), !one_branch);
  CHECK_THAT(clamped_on(rv32, 1, 127), !one_branch);
  CHECK_THAT(clamped_on(rv32, 0, 127, Clamp::kLowerFirst, Scalar::kU32), !one_branch);
  CHECK_THAT(clamped_on(rv32, 0, 127, Clamp::kLowerFirst, Scalar::kS64), !one_branch);
  CHECK_THAT(clamped_on(*preset("rv64gc"), 0, 127), !one_branch);
  CHECK_THAT(clamped_on(*preset("cortex-m0"), 0, 127), !one_branch);
  Target zbb = rv32;
  zbb.isa.add(Isa::kZbb);
  CHECK_THAT(clamped_on(zbb, 0, 127), !one_branch);
}

TEST_CASE("loops of RISC-V cores without a cache begin at multiples of eight") {
  const auto summed_on = [](const char* name, Level level) {
    Builder b("summed");
    const Type s32{Scalar::kS32, 1};
    const BufferId x = b.buffer({.name = "x", .element = Scalar::kS32, .elements = 100});
    const BufferId y = b.buffer(
        {.name = "y", .element = Scalar::kS32, .elements = 1, .direction = Direction::kOut});
    const Values sum = b.loop(Loop{.upper = Affine::constant(100)}, {b.zero(s32)},
                              [&](ValueId i, std::span<const ValueId> carried) {
                                return Values{b.add(carried[0], b.load(x, Affine::of(i)))};
                              });
    b.store(y, Affine::constant(0), sum[0]);
    Target target = *preset(name);
    target.options.level = level;
    return assembly_with(b.finish(), target);
  };
  CHECK_THAT(summed_on("rv32imc", Level::kO2), Catch::Contains(".p2align\t3\n.LBB"));
  CHECK_THAT(summed_on("rv32imc", Level::kOs), !Catch::Contains(".p2align\t3\n.LBB"));
  CHECK_THAT(summed_on("rv64gc", Level::kO2), !Catch::Contains(".p2align\t3\n.LBB"));
}

TEST_CASE("constants don't lie between the instructions of MVE's predicate blocks") {
  CHECK_THAT(selections_on("cortex-m55", 60), !Catch::Contains(".LCPI"));
  // What is short has them behind its end.
  CHECK_THAT(selections_on("cortex-m55", 4), Catch::Contains(".LCPI"));
}

}  // namespace
}  // namespace hlocc::backends
