// Whole files of C as digests: of programs of random steps, of constants of every kind and length,
// for rows and options on both sides of each condition. That they compute the right numbers say
// program_test.cpp and e2e's c_test.py.
#include <algorithm>
#include <limits>

#include "backends/c/compile.h"
#include "backends_c/through_c.h"
#include "kernel/builder.h"
#include "planning/random_programs.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

using namespace kernel;
using tests::require;

// The file, or why there is none.
std::string file_of(Program program, const Target& target) {
  program.signature.prefix = "net_";
  program.signature.macro_prefix = "NET_";
  program.signature.class_name = "Net";
  program.signature.stem = "net";
  program.signature.memories.clear();
  for (const MemoryOption& memory : target.options.memories)
    program.signature.memories.push_back(memory.name);
  if (const Status legal = legalize(program, target); !legal.ok())
    return legal.error().message + "\n";
  const Result<planning::Plan> plan = planning::plan(program, target);
  if (!plan) return plan.error().message + "\n";
  const Result<Artifacts> made = compile_to_c(program, *plan, target, {ArtifactKind::kCSource});
  if (!made) return made.error().message + "\n";
  const auto bytes = made->files.at(ArtifactKind::kCSource).joined();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void add_file(const std::string& line, const std::string& text) {
  tests::add_digest("files", line, static_cast<size_t>(std::ranges::count(text, '\n')), text);
}

Target c_row(const char* chip) { return target_for_c(*preset(chip)); }

// Steps come from lines, some from none.
void give_lines(Steps& steps, int& line) {
  for (Step& step : steps) {
    ++line;
    if (line % 4 != 0) step.origin = {{"add"}, "layer", "s32[4]", {{"net.py", "f", line % 5}}};
    if (auto* loop = std::get_if<WhileStep>(&step.what)) {
      give_lines(loop->condition, line);
      give_lines(loop->body, line);
    }
    if (auto* choice = std::get_if<ConditionalStep>(&step.what))
      for (Steps& branch : choice->branches) give_lines(branch, line);
  }
}

TEST_CASE("the files of random programs are what they were") {
  using planning::Generator;
  for (const char* chip : {"cortex-m4", "avr-mega2560", "x86_64-linux"})
    for (uint64_t seed = 1; seed <= 12; ++seed) {
      Target target = c_row(chip);
      target.options.debug = seed % 3 == 0;
      target.options.profile = seed % 4 == 0;
      if (seed % 5 == 0) {
        target.options.memories = {{"fast", 100}, {"slow", 1 << 20}};
        target.options.weights_memory = "fast";
      }
      std::string text;
      for (Program program :
           {Generator(seed).run(), Generator::wild(seed), Generator::joining(seed)}) {
        int line = 0;
        give_lines(program.steps, line);
        text += file_of(std::move(program), target);
      }
      add_file(cat("random ", seed, " ", chip), text);
    }
}

// y = x, of a constant and of a result.
Program of_constant(Scalar scalar, std::vector<std::byte> bytes, bool copied,
                    const std::string& name = "w") {
  Program program;
  const int64_t count = static_cast<int64_t>(bytes.size()) / scalar_bytes(scalar);
  program.values = {{.name = name,
                     .element = scalar,
                     .elements = count,
                     .role = ValueRole::kConstant,
                     .data = std::make_shared<const std::vector<std::byte>>(std::move(bytes))},
                    {.name = "y", .element = scalar, .elements = count}};
  program.results = {1};
  program.signature.results = {
      {.index = 0, .shape = hlo::Shape::array(hlo_type_of(scalar), {count})}};
  if (copied) {
    program.steps.push_back({Copy{0, 1}, {}});
    return program;
  }
  Builder b("copy");
  const BufferId x = b.buffer({.name = "x", .element = scalar, .elements = count});
  const BufferId y =
      b.buffer({.name = "y", .element = scalar, .elements = count, .direction = Direction::kOut});
  b.loop(count, [&](ValueId i) { b.store(y, Affine::of(i), b.load(x, Affine::of(i))); });
  program.kernels.push_back(b.finish());
  program.steps.push_back({Launch{.kernel = 0, .operands = {0, 1}}, {}});
  return program;
}

std::vector<std::byte> numbers(Scalar scalar, int64_t count, double first, double step) {
  std::vector<std::byte> out;
  for (int64_t i = 0; i < count; ++i) {
    const uint64_t bits = bits_of_double(scalar, first + step * static_cast<double>(i % 100));
    for (int n = 0; n < scalar_bytes(scalar); ++n)
      out.push_back(static_cast<std::byte>(bits >> 8 * n));
  }
  return out;
}

TEST_CASE("the files of constants are what they were") {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  struct Row {
    Scalar scalar;
    int64_t count;
    double first, step;
  };
  int number = 0;
  for (const Row& one : {Row{Scalar::kF32, 3, 0.1, 1},          Row{Scalar::kF32, 2, kInfinite, 0},
                         Row{Scalar::kF64, 3, 0.1, 1},          Row{Scalar::kF64, 1, -kInfinite, 0},
                         Row{Scalar::kF16, 5, -1, 0.5},         Row{Scalar::kBF16, 5, -1, 0.5},
                         Row{Scalar::kPred, 5, 0, 1},           Row{Scalar::kS64, 3, -1e12, 1e9},
                         Row{Scalar::kS8, 255, -50, 1},         Row{Scalar::kS8, 256, -50, 1},
                         Row{Scalar::kS8, 257, -50, 1},         Row{Scalar::kU8, 100, 1, 0},
                         Row{Scalar::kU8, 300, 1, 0},           Row{Scalar::kU8, 300, 10, 0},
                         Row{Scalar::kU8, 300, 100, 0},         Row{Scalar::kU8, 120, 10, 0},
                         Row{Scalar::kU8, 120, 100, 0},         Row{Scalar::kU16, 120, 1000, 0},
                         Row{Scalar::kU16, 40, 100, 1},         Row{Scalar::kS8, 32767, 0, 1},
                         Row{Scalar::kS8, 32768, 0, 1},         Row{Scalar::kS16, 32767, 0, 1},
                         Row{Scalar::kS16, 32768, 0, 1},        Row{Scalar::kS16, 16384, 0, 1},
                         Row{Scalar::kF32, 9000, kInfinite, 0}, Row{Scalar::kF32, 9000, 0, 1}}) {
    ++number;
    for (const char* chip : {"cortex-m4", "avr-mega2560", "cortex-a53"})
      for (const bool copied : {false, true}) {
        if (one.count > 1000 && std::string(chip) == "cortex-a53") continue;
        add_file(cat("constants ", number, ": ", one.count, " of ", scalar_name(one.scalar),
                     copied ? ", copied, " : ", ", chip),
                 file_of(of_constant(one.scalar,
                                     numbers(one.scalar, one.count, one.first, one.step), copied),
                         c_row(chip)));
      }
  }
}

// y = f(x, x) often enough that it is called.
TEST_CASE("the files of math functions are what they were") {
  using enum OpKind;
  for (const OpKind kind :
       {kExp,  kExpm1, kLog,  kLog1p, kTanh,  kLogistic, kErf,   kErfc, kSin, kCos,   kTan, kAsin,
        kAcos, kAtan,  kSinh, kCosh,  kAsinh, kAcosh,    kAtanh, kCbrt, kPow, kAtan2, kRem})
    for (const char* chip : {"cortex-m4", "cortex-m3", "cortex-a53"}) {
      Target target = c_row(chip);
      if (target.has_cache()) target.options.level = Level::kOs;
      planning::ProgramMaker m;
      const planning::Id in = m.argument(8), out = m.value(8);
      for (const planning::Id id : {in, out})
        m.program.values[static_cast<size_t>(id)].element = Scalar::kF32;
      const hlo::Shape shape = hlo::Shape::array(hlo_type_of(Scalar::kF32), {8});
      m.program.signature.arguments[0].shape = shape;
      Builder b("math");
      const BufferId x = b.buffer({.name = "x", .element = Scalar::kF32, .elements = 8});
      const BufferId y = b.buffer(
          {.name = "y", .element = Scalar::kF32, .elements = 8, .direction = Direction::kOut});
      for (int n = 0; n < 8; ++n) {
        const ValueId read = b.load(x, Affine::constant(n));
        b.store(y, Affine::constant(n),
                op_operands(kind) == 1 ? b.unary(kind, read) : b.binary(kind, read, read));
      }
      m.program.kernels.push_back(b.finish());
      m.launch({.kernel = 0, .operands = {in, out}});
      m.result(out);
      m.program.signature.results[0].shape = shape;
      add_file(cat("math ", op_name(kind), " ", chip), file_of(m.program, target));
    }
}

// y[3 * r + i] = x[3 * r + i] + w[i] in ranges, into the arena or the result.
TEST_CASE("the files of ranges are what they were") {
  for (const int ranges : {1, 2, 3})
    for (const bool in_arena : {false, true})
      for (const bool lines : {false, true}) {
        planning::ProgramMaker m;
        const planning::Id in = m.argument(3 * ranges), w = m.constant({1, 2, 3}),
                           out = m.value(3 * ranges);
        Builder b("ranges");
        const auto buffer = [&](const char* name, int64_t count, Direction direction) {
          return b.buffer(
              {.name = name, .element = Scalar::kS32, .elements = count, .direction = direction});
        };
        const BufferId x = buffer("x", 3 * ranges, Direction::kIn),
                       more = buffer("w", 3, Direction::kIn),
                       y = buffer("y", 3 * ranges, Direction::kOut);
        const ValueId range = b.parameter();
        b.loop(3, [&](ValueId i) {
          const Affine at = Affine::of(range, 3).plus(Affine::of(i));
          b.store(y, at, b.add(b.load(x, at), b.load(more, Affine::of(i))));
        });
        m.program.kernels.push_back(b.finish());
        const planning::Id from = in_arena ? m.copy(in) : in;
        Launch launch{.kernel = 0, .operands = {from, w, out}, .ranges = ranges};
        if (ranges == 1) launch.integers = {0};
        m.launch(std::move(launch));
        m.result(in_arena ? m.scale(m.scale(out)) : out);
        Target target = c_row("cortex-m4");
        target.options.debug = lines;
        if (lines) {
          int line = 0;
          give_lines(m.program.steps, line);
        }
        add_file(cat(ranges, " ranges", in_arena ? ", in the arena" : "", lines ? ", lines" : ""),
                 file_of(m.program, target));
      }
}

TEST_CASE("constants lie where the options say") {
  const std::vector<std::byte> bytes = numbers(Scalar::kS8, 5, 1, 1);
  for (const char* chip : {"cortex-m4", "avr-mega2560"})
    for (const bool external : {false, true})
      for (const char* section : {"", ".fast"}) {
        Target target = c_row(chip);
        target.options.weights_external = external;
        target.options.weights_section = section;
        add_file(cat("weights ", external ? "external " : "", section, " ", chip),
                 file_of(of_constant(Scalar::kS8, bytes, false), target));
      }
  // Two of one name, and none.
  planning::ProgramMaker two;
  const auto x = two.argument(4), w = two.constant({1, 2, 3, 4}), v = two.constant({5, 6, 7, 8});
  two.program.values[static_cast<size_t>(v)].name = two.program.values[static_cast<size_t>(w)].name;
  two.result(two.combine(two.combine(x, w), two.combine(v, w)));
  planning::ProgramMaker none;
  none.result(none.scale(none.argument(4)));
  for (const bool external : {false, true}) {
    Target target = c_row("cortex-m4");
    target.options.weights_external = external;
    add_file(cat("two constants", external ? ", external" : ""), file_of(two.program, target));
    add_file(cat("no constant", external ? ", external" : ""), file_of(none.program, target));
  }
}

TEST_CASE("a double of 32 bits takes no f64, and 64 bits are asked for") {
  const auto has = [](const std::string& text, const char* what) {
    return text.find(what) != std::string::npos;
  };
  const auto copy = [](Scalar scalar) {
    return of_constant(scalar, numbers(scalar, 3, 0.5, 1), true);
  };
  CHECK(has(file_of(copy(Scalar::kF64), c_row("avr-mega2560")), "C compiler has 32 bits"));
  CHECK_FALSE(has(file_of(copy(Scalar::kF32), c_row("avr-mega2560")), "C compiler has 32 bits"));
  CHECK_FALSE(has(file_of(copy(Scalar::kF64), c_row("cortex-m4")), "C compiler has 32 bits"));
  CHECK(has(file_of(copy(Scalar::kF64), c_row("cortex-m4")), "hl_constants_are_doubles"));
  CHECK_FALSE(has(file_of(copy(Scalar::kF32), c_row("cortex-m4")), "hl_constants_are_doubles"));
}

TEST_CASE("a function that layers share says so to debuggers, and is one copy") {
  for (const bool debug : {false, true})
    for (const int calls : {1, 2, 3}) {
      planning::ProgramMaker m;
      auto x = m.argument(4);
      for (int n = 0; n < calls; ++n) x = m.scale(x);
      m.result(x);
      Target target = c_row("cortex-m4");
      target.options.debug = debug;
      const std::string text = file_of(m.program, target);
      INFO(calls << (debug ? " with lines" : ""));
      CHECK((text.find("Shared by") != std::string::npos) == (debug && calls > 1));
      CHECK((text.find("HL_ONE_COPY static") != std::string::npos) == (calls > 1));
    }
}

// The arena, arrays, and arrays in parts: a function for each way that a kernel's launches bind.
TEST_CASE("each way that launches hold constants has a function of its own") {
  planning::ProgramMaker m;
  const auto x = m.argument(20000), w = m.constant(std::vector<int32_t>(20000, 3)),
             v = m.constant(std::vector<int32_t>(20000, 4));
  auto sum = m.combine(m.combine(m.combine(x, w), v), x);
  sum = m.combine(w, sum);
  const auto few = m.argument(20), u = m.constant(std::vector<int32_t>(20, 3));
  auto less = m.combine(m.combine(few, u), few);
  m.result(sum);
  m.result(less);
  for (const char* chip : {"cortex-m4", "avr-mega2560"})
    add_file(cat("ways to hold ", chip), file_of(m.program, c_row(chip)));
}

TEST_CASE("C asks of a target only what it can write") {
  using enum Isa;
  struct Row {
    IsaSet has;
    int bits;
    IsaSet wanted;
  };
  for (const Row& one :
       {Row{{}, 128, {}}, Row{{kSse2}, 128, {kSse2}}, Row{{kSse2, kSse41}, 128, {kSse2}},
        Row{{kSse2}, 256, {}}, Row{{kSse2, kAvx2}, 256, {kSse2, kAvx2}},
        Row{{kSse2, kAvx2, kAvxVnni}, 256, {kSse2, kAvx2, kAvxVnni}},
        Row{{kSse2, kAvx2, kAvx512Vnni}, 256, {kSse2, kAvx2}},
        Row{{kSse2, kAvx2, kAvx512Vl}, 256, {kSse2, kAvx2}},
        Row{{kSse2, kAvx2, kAvx512Vnni, kAvx512Vl}, 512, {kSse2, kAvx2, kAvx512Vnni, kAvxVnni}}}) {
    Target target = *preset("x86_64-linux");
    target.multiply_by_lane = target.vector_rounding = false;
    target.isa = one.has;
    target.vector_bits = one.bits;
    const Target got = target_for_c(target);
    CHECK(got.isa == one.wanted);
    CHECK(got.vector_scaling == one.wanted.contains(kSse2));
    CHECK(got.vector_rounding == (one.wanted.contains(kSse2) && one.has.contains(kSse41)));
    CHECK_FALSE(got.vector_saturation);
  }
  CHECK(c_row("cortex-a53").vector_saturation);
  CHECK(c_row("cortex-m0").isa == IsaSet{});
  CHECK(c_row("cortex-m3").isa == IsaSet{kThumb2});
  CHECK(c_row("cortex-m4").isa == IsaSet{kThumb2, kDsp});
  CHECK(c_row("cortex-m55").isa == IsaSet{kThumb2, kMve, kFpArmv8});
  CHECK(c_row("cortex-a7-linux").isa == IsaSet{kThumb2});
  CHECK(c_row("hexagon-v67-hvx").isa == IsaSet{kHexagon});
}

}  // namespace
}  // namespace hlocc::backends
