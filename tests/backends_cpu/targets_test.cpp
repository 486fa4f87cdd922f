// Every preset makes an object that keeps the promises of a generated library, from kernels that use all that legalisation may
// leave; bare triples get rows; constants are in the target's byte order.
#include <cstring>

#include "backends/cpu/compile.h"
#include "backends/llvm/generic_target.h"
#include "backends_llvm/jit_kernel.h"
#include "kernel/legalize/legalize.h"
#include "planning/interface.h"
#include "planning/random_programs.h"
#include "support/require.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

using namespace kernel;
using tests::require;

// y = formula(x) in vectors, on kernels of one step each.
class ProgramOfFormulas {
 public:
  Program program;

  void add(const std::string& name, Scalar in, Scalar out, int lanes,
           const std::function<ValueId(Builder&, ValueId, ValueId)>& formula) {
    constexpr int kCount = 64;
    Builder b(name);
    const BufferId x = b.buffer({.name = "x", .element = in, .elements = kCount});
    const BufferId y = b.buffer({.name = "y", .element = out, .elements = kCount, .direction = Direction::kOut});
    b.loop(Loop{.upper = Affine::constant(kCount), .step = lanes}, [&](ValueId i) {
      b.store(y, Affine::of(i), formula(b, b.load(x, Affine::of(i), lanes), b.load(x, Affine::of(i, -1, kCount - lanes), lanes)));
    });
    program.kernels.push_back(b.finish());
    const int leaf = static_cast<int>(program.arguments.size());
    program.values.push_back({.name = name + "_x", .element = in, .elements = kCount, .role = ValueRole::kArgument, .leaf = leaf});
    program.values.push_back({.name = name + "_y", .element = out, .elements = kCount});
    const auto result = static_cast<ProgramValueId>(program.values.size()) - 1;
    program.arguments.push_back(result - 1);
    program.results.push_back(result);
    program.signature.arguments.push_back({.index = leaf, .shape = hlo::Shape::array(hlo_type_of(in), {kCount})});
    program.signature.results.push_back({.index = leaf, .shape = hlo::Shape::array(hlo_type_of(out), {kCount})});
    program.steps.push_back({Launch{.kernel = static_cast<KernelId>(program.kernels.size()) - 1, .operands = {result - 1, result}}});
  }
};

Program many_formulas(const Target& target) {
  ProgramOfFormulas all;
  all.program.signature.prefix = "net_";
  all.program.signature.stem = "net";
  using enum OpKind;
  for (Scalar scalar : {Scalar::kF32, Scalar::kF64, Scalar::kF16, Scalar::kS8, Scalar::kU16, Scalar::kS32, Scalar::kS64}) {
    const int lanes = std::max(1, target.lanes(scalar_bits(scalar)));
    for (OpKind kind : {kAdd, kSub, kMul, kDiv, kRem, kMin, kMax})
      all.add(cat(op_name(kind), "_", scalar_name(scalar)), scalar, scalar, lanes,
              [&](Builder& b, ValueId x, ValueId z) { return b.binary(kind, x, z); });
    for (Scalar to : {Scalar::kF32, Scalar::kS32, Scalar::kU8, Scalar::kPred})
      all.add(cat("convert_", scalar_name(scalar), "_", scalar_name(to)), scalar, to, lanes,
              [&](Builder& b, ValueId x, ValueId) { return b.convert(x, to); });
  }
  for (OpKind kind : {kFloor, kRoundEven, kSqrt, kRsqrt, kExp, kLog, kTanh, kLogistic, kErf, kSin, kSign})
    all.add(std::string(op_name(kind)), Scalar::kF32, Scalar::kF32, std::max(1, target.lanes(32)),
            [&](Builder& b, ValueId x, ValueId) { return b.unary(kind, x); });
  all.add("dot", Scalar::kS8, Scalar::kS32, 16, [](Builder& b, ValueId x, ValueId z) {
    const ValueId sum = b.dot_accumulate(b.constant_int({Scalar::kS32, 1}, 0), x, z);
    return b.splat(sum, 16);
  });
  return all.program;
}

TEST_CASE("every preset compiles everything without surprises") {
  for (const std::string& name : preset_names()) {
    INFO(name);
    const Target target = require(complete_target(*preset(name)));
    Program program = many_formulas(target);
    if (Status status = legalize(program, target); !status) FAIL(status.error().to_string());
    const planning::Plan plan = require(planning::plan(program, target));
    auto compiled = compile(program, plan, target);
    if (!compiled) {
      FAIL_CHECK(compiled.error().to_string());
      continue;
    }
    CHECK(compiled->defined == std::vector<std::string>{planning::run_symbol(program.signature, plan, target)});
    CHECK(compiled->code_bytes > 0);
    CHECK(compiled->stack_bytes >= 0);
    // A chip without an FPU calls helpers; LLVM's own idea of the processor must not bring the FPU back.
    const bool calls = std::ranges::any_of(compiled->undefined, [](const std::string& symbol) {
      return symbol == "__aeabi_fadd" || symbol == "__addsf3";
    });
    CHECK(calls == !target.f32_unit);
    CHECK(compiled->files.at(ArtifactKind::kArchive).size() > compiled->files.at(ArtifactKind::kObject).size());
  }
}

TEST_CASE("step trees compile for small and for big-endian chips") {
  for (const char* name : {"cortex-m0", "rv32imc", "s390x-linux"}) {
    const Target target = require(complete_target(*preset(name)));
    for (uint64_t seed : {3, 11, 19}) {
      Program program = planning::Generator(seed).run();
      program.signature.prefix = "net_";
      INFO(name << " seed " << seed << "\n" << to_text(program));
      if (Status status = legalize(program, target); !status) FAIL(status.error().to_string());
      const planning::Plan plan = require(planning::plan(program, target));
      const auto compiled = compile(program, plan, target);
      if (!compiled) FAIL_CHECK(compiled.error().to_string());
    }
  }
}

TEST_CASE("constants are written in the target's byte order") {
  planning::ProgramMaker m;
  const auto x = m.argument(4);
  m.result(m.combine(x, m.constant({0x01020304, 0x05060708, 0x11121314, 0x15161718})));
  m.program.signature.prefix = "net_";
  const auto holds = [&](const char* preset_name, const char* bytes) {
    const Target target = require(complete_target(*preset(preset_name)));
    Program program = m.program;
    REQUIRE(legalize(program, target));
    const planning::Plan plan = require(planning::plan(program, target));
    const Artifacts artifacts = require(compile(program, plan, target));
    const auto& object = artifacts.files.at(ArtifactKind::kObject);
    return memmem(object.data(), object.size(), bytes, 8) != nullptr;
  };
  CHECK(holds("s390x-linux", "\x01\x02\x03\x04\x05\x06\x07\x08"));
  CHECK(holds("cortex-m4f", "\x04\x03\x02\x01\x08\x07\x06\x05"));
}

TEST_CASE("bare triples get a row that says what was assumed") {
  const Target mips = require(target_for_triple("mips-unknown-linux-gnu"));
  CHECK(mips.pointer_bits == 32);
  CHECK(mips.byte_order == ByteOrder::kBig);
  CHECK(mips.vector_bits == 0);
  CHECK(!mips.bare_metal);
  CHECK(mips.assumed.size() >= 5);
  const Target neon = require(target_for_triple("aarch64-none-elf", "cortex-a55"));
  CHECK(neon.vector_bits == 128);
  CHECK(neon.vector_registers == 32);
  CHECK(neon.fma);
  CHECK(neon.f32_unit);
  CHECK(neon.bare_metal);
  const Target soft = require(target_for_triple("thumbv7m-none-eabi", "cortex-m3"));
  CHECK(!soft.f32_unit);
  CHECK(soft.style == KernelStyle::kScalar);
  const Target avr = require(target_for_triple("avr-unknown-unknown", "atmega2560"));
  CHECK(avr.pointer_bits == 16);
}

TEST_CASE("bare triples compile everything without surprises") {
  for (const char* triple : {"aarch64_be-none-elf", "powerpc-linux-gnu", "powerpc64le-linux-gnu", "mips-linux-gnu",
                             "sparc64-linux-gnu"}) {
    INFO(triple);
    const Target target = require(target_for_triple(triple));
    Program program = many_formulas(target);
    if (Status status = legalize(program, target); !status) FAIL(status.error().to_string());
    const auto compiled = compile(program, require(planning::plan(program, target)), target);
    if (!compiled) FAIL_CHECK(compiled.error().to_string());
  }
}

TEST_CASE("the float ABI decides what its family lets it decide") {
  const auto row = [](const char* triple, const char* cpu, const char* features, FloatAbi abi) {
    return require(target_for_triple(triple, cpu, features, abi));
  };
  CHECK(row("thumbv7em-none-eabihf", "cortex-m4", "", FloatAbi::kHard).f32_unit);
  CHECK(row("thumbv7em-none-eabi", "cortex-m4", "", FloatAbi::kSoftfp).f32_unit);
  CHECK(!row("thumbv7em-none-eabi", "cortex-m4", "", FloatAbi::kSoft).f32_unit);
  CHECK(!row("thumbv8.1m.main-none-eabi", "cortex-m55", "+mve.fp", FloatAbi::kSoft).f32_unit);
  CHECK(row("riscv64-unknown-elf", "", "+m,+f,+d", FloatAbi::kSoft).abi == "lp64");
  CHECK_FALSE(target_for_triple("aarch64-none-elf", "", "", FloatAbi::kSoft));
}

TEST_CASE("unknown names are diagnostics") {
  const auto message = [](Result<Target> result) { return result ? std::string() : result.error().to_string(); };
  CHECK_THAT(message(target_for_triple("quux-none-elf")), Catch::Contains("error[target]: unknown target 'quux-none-elf'"));
  CHECK_THAT(message(target_for_triple("aarch64-none-elf", "cortex-z9")), Catch::Contains("unknown processor 'cortex-z9'"));
  CHECK_THAT(message(target_for_triple("aarch64-none-elf", "", "+warp")), Catch::Contains("unknown feature '+warp'"));
  CHECK_THAT(message(target_for_triple("aarch64-none-elf", "", "neon")), Catch::Contains("unknown feature 'neon'"));
}

TEST_CASE("the host row is this machine") {
  const Target& host = host_target();
  CHECK(host.name == "host");
  CHECK(host.pointer_bits == 64);
  CHECK(!host.cpu.empty());
  CHECK(host.position_independent);
  CHECK(host.assumed.empty());
  CHECK(host.vector_bits >= 128);
  CHECK(host.f32_unit);
}

}  // namespace
}  // namespace hlocc::backends
