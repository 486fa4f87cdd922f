// Whole programs of random steps through C and this machine's compiler: the evaluator's results,
// twice, so that state is seen to stay.
#include "backends_c/through_c.h"
#include "driver/pipeline/host_compiler.h"
#include "driver/pipeline/targets.h"
#include "kernel/builder.h"
#include "planning/random_programs.h"
#include "support/require.h"

namespace hlocc::driver {
namespace {

using namespace kernel;
using planning::bytes_of;
using tests::require;

TEST_CASE("random programs compute what the evaluator computes") {
  if (host_compiler().empty()) return;
  CommandLine line;
  line.backend = "c";
  line.options.level = Level::kO1;
  Target target = require(resolve_target("host", line));
  target.cache_bytes.clear();
  bool has_kept = false;
  for (uint64_t seed = 1; seed <= 16; ++seed) {
    INFO("seed " << seed);
    const Program program = planning::Generator(seed).run();
    Planned planned{program, {}};
    // The last ones in two memories, and with weights in the fast one.
    target.options.memories.clear();
    if (seed > 8) target.options.memories = {{"fast", 100}, {"slow", 1 << 20}};
    target.options.weights_memory = seed > 8 ? "fast" : "";
    for (const MemoryOption& memory : target.options.memories)
      planned.program.signature.memories.push_back(memory.name);
    planned.program.signature.prefix = "net_";
    planned.program.signature.macro_prefix = "NET_";
    planned.program.signature.class_name = "Net";
    planned.program.signature.stem = "net";
    REQUIRE(kernel::legalize(planned.program, target).ok());
    planned.plan = require(planning::plan(planned.program, target));
    has_kept = has_kept || !planned.plan.kept.empty();
    const auto loaded = require(backends::load_program(
        require(load_library(require(compile_library(planned, target)))),
        planning::run_symbol(planned.program.signature, planned.plan, target), planned.program,
        planned.plan));
    std::vector<std::vector<std::byte>> arguments;
    for (const ProgramValueId id : program.arguments) {
      std::vector<int32_t> values(static_cast<size_t>(program.values[id].elements));
      for (int32_t& value : values) value = static_cast<int32_t>(seed) - 7;
      arguments.push_back(bytes_of(values));
    }
    CHECK(require(loaded->run(arguments)) == require(kernel::evaluate(program, arguments)));
    CHECK(require(loaded->run(arguments)) == require(kernel::evaluate(program, arguments)));
  }
  CHECK(has_kept);
}

TEST_CASE("what nothing needs is not written, nor what it is made of") {
  if (host_compiler().empty()) return;
  const auto text_with = [](bool needed) {
    Builder b("dead");
    const BufferId x = b.buffer({.name = "x", .element = Scalar::kS32, .elements = 4});
    const BufferId y = b.buffer(
        {.name = "y", .element = Scalar::kS32, .elements = 4, .direction = Direction::kOut});
    b.loop(4, [&](ValueId i) {
      const ValueId read = b.load(x, Affine::of(i));
      const ValueId squared = b.mul(b.add(read, b.constant_int({Scalar::kS32, 1}, 5)), read);
      const ValueId more = b.binary(OpKind::kXor, squared, squared);
      b.store(y, Affine::of(i), needed ? more : read);
    });
    const std::vector<std::vector<std::byte>> arguments{
        bytes_of(std::vector<int32_t>{3, -7, 1 << 20, 0})};
    const Program program = program_of(b.finish());
    const ThroughC got = through_c(program, scalar_row(), arguments);
    CHECK(got.results == require(evaluate(program, arguments)));
    return got.text;
  };
  CHECK(text_with(true).find("hl_mul") != std::string::npos);
  CHECK(text_with(false).find("hl_mul") == std::string::npos);
  CHECK(text_with(false).find("hl_add") == std::string::npos);
}

TEST_CASE("what is read stays what it was when a loop stores there later") {
  if (host_compiler().empty()) return;
  Builder b("before");
  const auto buffer = [&](const char* name, Direction direction) {
    return b.buffer({.name = name, .element = Scalar::kS32, .elements = 4, .direction = direction});
  };
  const BufferId x = buffer("x", Direction::kIn), y = buffer("y", Direction::kOut),
                 z = buffer("z", Direction::kOut);
  b.loop(4, [&](ValueId i) { b.store(y, Affine::of(i), b.load(x, Affine::of(i))); });
  const ValueId read = b.load(y, Affine::constant(2));
  b.loop(4, [&](ValueId i) { b.store(y, Affine::of(i), b.constant_int({Scalar::kS32, 1}, 9)); });
  b.loop(4, [&](ValueId i) { b.store(z, Affine::of(i), b.constant_int({Scalar::kS32, 1}, 5)); });
  b.store(z, Affine::constant(1), read);
  const std::vector<std::vector<std::byte>> arguments{bytes_of(std::vector<int32_t>{3, -7, 70, 0})};
  const Program program = program_of(b.finish());
  CHECK(through_c(program, scalar_row(), arguments).results ==
        require(evaluate(program, arguments)));
}

TEST_CASE("a loop ends where it was to end when it began") {
  if (host_compiler().empty()) return;
  Builder b("end");
  const BufferId x = b.buffer({.name = "x", .element = Scalar::kS32, .elements = 4});
  const BufferId y =
      b.buffer({.name = "y", .element = Scalar::kS32, .elements = 4, .direction = Direction::kOut});
  b.loop(4, [&](ValueId i) { b.store(y, Affine::of(i), b.load(x, Affine::of(i))); });
  const ValueId end = b.convert(b.load(y, Affine::constant(0)), Scalar::kIndex);
  b.loop(Loop{.upper = Affine::of(end)}, [&](ValueId i) {
    b.store(y, Affine::of(i), b.constant_int({Scalar::kS32, 1}, 1));
  });
  const std::vector<std::vector<std::byte>> arguments{bytes_of(std::vector<int32_t>{3, 7, 70, 8})};
  const Program program = program_of(b.finish());
  CHECK(through_c(program, scalar_row(), arguments).results ==
        require(evaluate(program, arguments)));
}

TEST_CASE("operators of one rank are grouped as the ops are") {
  if (host_compiler().empty()) return;
  for (const Scalar scalar : {Scalar::kF32, Scalar::kU32}) {
    Builder b("grouped");
    const BufferId x = b.buffer({.name = "x", .element = scalar, .elements = 3});
    const BufferId y =
        b.buffer({.name = "y", .element = scalar, .elements = 5, .direction = Direction::kOut});
    const auto in = [&](int64_t at) { return b.load(x, Affine::constant(at)); };
    const auto out = [&](int64_t at, ValueId value) { b.store(y, Affine::constant(at), value); };
    out(0, b.sub(in(0), b.sub(in(1), in(2))));
    out(1, b.sub(in(0), b.add(in(1), in(2))));
    out(2, b.sub(b.sub(in(0), in(1)), in(2)));
    out(3, b.mul(in(0), b.sub(in(1), in(2))));
    const OpKind divide = scalar == Scalar::kF32 ? OpKind::kDiv : OpKind::kNativeDiv;
    out(4, b.binary(divide, in(0), b.binary(divide, in(1), in(2))));
    std::vector<std::byte> numbers = bytes_of(std::vector<int32_t>{96, 12, 4});
    if (scalar == Scalar::kF32)
      for (const auto& [at, number] :
           {std::pair(0, 96.5f), std::pair(1, 12.0f), std::pair(2, 4.0f)})
        std::memcpy(numbers.data() + 4 * at, &number, sizeof number);
    const std::vector<std::vector<std::byte>> arguments{numbers};
    const Program program = program_of(b.finish());
    CHECK(through_c(program, scalar_row(), arguments).results ==
          require(evaluate(program, arguments)));
  }
}

TEST_CASE("a while ends for all lanes of its condition at once") {
  if (host_compiler().empty()) return;
  Builder b("until");
  const BufferId x = b.buffer({.name = "x", .element = Scalar::kS32, .elements = 4});
  const BufferId y =
      b.buffer({.name = "y", .element = Scalar::kS32, .elements = 4, .direction = Direction::kOut});
  const Values none = b.while_loop(
      {b.constant_int({Scalar::kS32, 1}, 0)},
      [&](std::span<const ValueId> carried) {
        const ValueId lanes = b.load(x, Affine::constant(0), 4);
        b.store(y, Affine::constant(0), b.add(lanes, b.splat(carried[0], 4)));
        return b.compare(Predicate::kLt, carried[0], b.constant_int({Scalar::kS32, 1}, 3));
      },
      [&](std::span<const ValueId> carried) {
        return Values{b.add(carried[0], b.constant_int({Scalar::kS32, 1}, 1))};
      });
  CHECK(none.size() == 1);
  const std::vector<std::vector<std::byte>> arguments{bytes_of(std::vector<int32_t>{3, 7, 70, 8})};
  const Program program = program_of(b.finish());
  CHECK(through_c(program, scalar_row(), arguments).results ==
        require(evaluate(program, arguments)));
}

// z = x as 32 bits, four lanes at a time, of x itself or of what was stored to y just before.
Program widening(Scalar from, bool through_y) {
  constexpr int kCount = 16;
  const Scalar to = is_signed(from) ? Scalar::kS32 : Scalar::kU32;
  Builder b("widen");
  const BufferId x = b.buffer({.name = "x", .element = from, .elements = kCount});
  const BufferId y =
      b.buffer({.name = "y", .element = from, .elements = kCount, .direction = Direction::kOut});
  const BufferId z =
      b.buffer({.name = "z", .element = to, .elements = kCount, .direction = Direction::kOut});
  b.loop(Loop{.upper = Affine::constant(kCount), .step = 4}, [&](ValueId i) {
    const auto widen = [&](BufferId bytes) {
      b.store(z, Affine::of(i), b.convert(b.load(bytes, Affine::of(i), 4), to));
    };
    if (!through_y) widen(x);
    const ValueId read = b.load(x, Affine::of(i), 4);
    b.store(y, Affine::of(i), b.add(read, read));
    if (through_y) widen(y);
  });
  return program_of(b.finish());
}

TEST_CASE("four bytes are widened in front of a loop over lanes, unless it has stored them") {
  if (host_compiler().empty()) return;
  CommandLine line;
  line.backend = "c";
  Target target = require(resolve_target("host", line));
  for (const bool neon : {true, false})
    for (const Scalar from : {Scalar::kS8, Scalar::kU8})
      for (const bool through_y : {false, true}) {
        INFO(scalar_name(from) << (through_y ? " stored before" : "") << (neon ? " neon" : ""));
        target.multiply_by_lane = neon;
        target.vector_registers = 16;  // those of 64-bit cores hold whole vectors
        target.isa = {};               // and so do x86's
        const Program program = widening(from, through_y);
        std::vector<std::vector<std::byte>> x(1);
        for (int i = 0; i < 16; ++i) x[0].push_back(static_cast<std::byte>(i * 37));
        const ThroughC got = through_c(program, target, x);
        CHECK((got.text.find("hl_widen_four") != std::string::npos) == (neon && !through_y));
        CHECK(got.results == require(kernel::evaluate(program, x)));
      }
}

}  // namespace
}  // namespace hlocc::driver
