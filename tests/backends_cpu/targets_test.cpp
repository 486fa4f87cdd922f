// Every preset makes an object that keeps the promises of a generated library, from kernels that
// use all that legalisation may leave; bare triples get rows; constants are in the target's byte
// order.
#include <cstring>

#include "backends/cpu/compile.h"
#include "backends/cpu/jit.h"
#include "backends/llvm/generic_target.h"
#include "backends_llvm/jit_kernel.h"
#include "kernel/legalize/legalize.h"
#include "kernel/verifier.h"
#include "planning/interface.h"
#include "planning/random_programs.h"
#include "support/require.h"
#include "support/text.h"
#include "target/memory_functions.h"

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
    const BufferId y =
        b.buffer({.name = "y", .element = out, .elements = kCount, .direction = Direction::kOut});
    b.loop(Loop{.upper = Affine::constant(kCount), .step = lanes}, [&](ValueId i) {
      b.store(y, Affine::of(i),
              formula(b, b.load(x, Affine::of(i), lanes),
                      b.load(x, Affine::of(i, -1, kCount - lanes), lanes)));
    });
    program.kernels.push_back(b.finish());
    const int leaf = static_cast<int>(program.arguments.size());
    program.values.push_back({.name = name + "_x",
                              .element = in,
                              .elements = kCount,
                              .role = ValueRole::kArgument,
                              .leaf = leaf});
    program.values.push_back({.name = name + "_y", .element = out, .elements = kCount});
    const auto result = static_cast<ProgramValueId>(program.values.size()) - 1;
    program.arguments.push_back(result - 1);
    program.results.push_back(result);
    program.signature.arguments.push_back(
        {.index = leaf, .shape = hlo::Shape::array(hlo_type_of(in), {kCount})});
    program.signature.results.push_back(
        {.index = leaf, .shape = hlo::Shape::array(hlo_type_of(out), {kCount})});
    program.steps.push_back({Launch{.kernel = static_cast<KernelId>(program.kernels.size()) - 1,
                                    .operands = {result - 1, result}}});
  }
};

Program many_formulas(const Target& target) {
  ProgramOfFormulas all;
  all.program.signature.prefix = "net_";
  all.program.signature.stem = "net";
  using enum OpKind;
  for (Scalar scalar : {Scalar::kF32, Scalar::kF64, Scalar::kF16, Scalar::kS8, Scalar::kU16,
                        Scalar::kS32, Scalar::kS64}) {
    const int lanes = std::max(1, target.lanes(scalar_bits(scalar)));
    for (OpKind kind : {kAdd, kSub, kMul, kDiv, kRem, kMin, kMax})
      all.add(cat(op_name(kind), "_", scalar_name(scalar)), scalar, scalar, lanes,
              [&](Builder& b, ValueId x, ValueId z) { return b.binary(kind, x, z); });
    for (Scalar to : {Scalar::kF32, Scalar::kS32, Scalar::kU8, Scalar::kPred})
      all.add(cat("convert_", scalar_name(scalar), "_", scalar_name(to)), scalar, to, lanes,
              [&](Builder& b, ValueId x, ValueId) { return b.convert(x, to); });
  }
  for (OpKind kind :
       {kFloor, kRoundEven, kSqrt, kRsqrt, kExp, kLog, kTanh, kLogistic, kErf, kSin, kSign})
    all.add(std::string(op_name(kind)), Scalar::kF32, Scalar::kF32, std::max(1, target.lanes(32)),
            [&](Builder& b, ValueId x, ValueId) { return b.unary(kind, x); });
  all.add("dot", Scalar::kS8, Scalar::kS32, 16, [](Builder& b, ValueId x, ValueId z) {
    const ValueId sum = b.dot_accumulate(b.constant_int({Scalar::kS32, 1}, 0), x, z);
    return b.splat(sum, 16);
  });
  all.add("matrix", Scalar::kS8, Scalar::kS32, 16, [](Builder& b, ValueId x, ValueId z) {
    const ValueId sum = b.matrix_accumulate(b.zero({Scalar::kS32, 4}), x, z);
    return b.shuffle(sum, sum, {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3});
  });
  return all.program;
}

TEST_CASE("every preset compiles everything without surprises") {
  for (const std::string& name : preset_names()) {
    if (preset(name)->backend != "cpu") continue;
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
    std::erase(compiled->defined, kOwnCopy);
    CHECK(compiled->defined ==
          std::vector<std::string>{planning::run_symbol(program.signature, plan, target)});
    CHECK(compiled->code_bytes > 0);
    CHECK(compiled->stack_bytes >= 0);
    // A chip without an FPU calls helpers; LLVM's own idea of the processor must not bring the FPU
    // back.
    const bool calls = std::ranges::any_of(compiled->undefined, [](const std::string& symbol) {
      return symbol == "__aeabi_fadd" || symbol == "__addsf3";
    });
    CHECK(calls == !target.f32_unit);
    CHECK(compiled->files.at(ArtifactKind::kArchive).size() >
          compiled->files.at(ArtifactKind::kObject).size());
  }
}

// Different kernels that each use all of these once: x * n goes into each function.
Program uses_of_functions(int kernels, int lanes) {
  ProgramOfFormulas all;
  all.program.signature.prefix = "net_";
  all.program.signature.stem = "net";
  for (int n = 1; n <= kernels; ++n)
    all.add(cat("functions_", n), Scalar::kF32, Scalar::kF32, lanes,
            [&](Builder& b, ValueId x, ValueId z) {
              const Type type{Scalar::kF32, static_cast<uint16_t>(lanes)};
              const ValueId scaled = b.mul(x, b.constant_float(type, n));
              return b.add(b.unary(OpKind::kTanh, scaled),
                           b.add(b.unary(OpKind::kSin, scaled), b.binary(OpKind::kPow, z, scaled)));
            });
  return all.program;
}

TEST_CASE("a math function that is used often stands in the code once, at -Os") {
  for (const char* name :
       {"cortex-m4f", "cortex-m0", "rv32imc", "cortex-m55", "s390x-linux", "cortex-a53",
        "cortex-m55 vectors", "cortex-a53 vectors", "riscv64v-linux vectors"}) {
    INFO(name);
    const std::string_view chip =
        std::string_view(name).substr(0, std::string_view(name).find(' '));
    Target target = require(complete_target(*preset(chip)));
    target.options.level = Level::kOs;
    const int lanes = chip == name ? 1 : target.lanes(32);
    CHECK((lanes > 1) == (chip != name));
    const auto compiled = [&](int kernels) {
      Program program = uses_of_functions(kernels, lanes);
      if (Status status = legalize(program, target); !status) FAIL(status.error().to_string());
      for (const Kernel& kernel : program.kernels)
        if (Status status = verify_legal(kernel, target); !status) FAIL(status.error().to_string());
      const planning::Plan plan = require(planning::plan(program, target));
      return require(
          compile(program, plan, target, {{ArtifactKind::kObject, ArtifactKind::kLlvmIr}}));
    };
    const auto functions_of = [](const Artifacts& artifacts) {
      const auto bytes = artifacts.files.at(ArtifactKind::kLlvmIr).joined();
      const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      int found = 0;
      for (size_t at = text.find("@math."); at != std::string_view::npos;
           at = text.find("@math.", at + 1))
        found += text.substr(text.rfind('\n', at) + 1).starts_with("define ") ? 1 : 0;
      return found;
    };
    // Three uses of each are written out, four are calls.
    const Artifacts few = compiled(3), many = compiled(4), more = compiled(12);
    CHECK(functions_of(few) == 0);
    CHECK(functions_of(many) == 3);
    CHECK(functions_of(more) == 3);
    CHECK(many.code_bytes < few.code_bytes);
    // A kernel is little more than its calls.
    CHECK((more.code_bytes - many.code_bytes) / 8 < few.code_bytes / 6);
    CHECK(more.defined.size() == 1);
    // Where speed is asked for, vectors compute in place.
    target.options.level = Level::kO2;
    if (lanes > 1) CHECK(functions_of(compiled(40)) == 0);
  }
}

TEST_CASE("called and written out, math functions give the same numbers") {
  // One number, a vector of fewer lanes than a register has, one of more.
  const int lanes = GENERATE(1, 2, 32);
  INFO(lanes << " lanes");
  std::vector<std::vector<std::byte>> arguments, results[2];
  for (int way = 0; way < 2; ++way) {
    Target target = host_target();
    target.options.level = way == 0 ? Level::kO2 : Level::kOs;
    Program program = uses_of_functions(5, lanes);
    REQUIRE(legalize(program, target));
    const planning::Plan plan = require(planning::plan(program, target));
    const Artifacts artifacts = require(compile(program, plan, target));
    const auto loaded =
        require(load(artifacts.files.at(ArtifactKind::kObject).joined(), program, plan, target));
    if (arguments.empty())
      for (size_t k = 0; k < program.arguments.size(); ++k) {
        std::vector<float> values(64);
        for (size_t i = 0; i < values.size(); ++i)
          values[i] = 0.37f * static_cast<float>(i) - 3 + static_cast<float>(k);
        arguments.push_back(to_bytes(values));
      }
    results[way] = require(loaded->run(arguments));
  }
  CHECK(results[0] == results[1]);
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

TEST_CASE("large weights are the same bytes through LLVM and past it") {
  planning::ProgramMaker m;
  const auto x = m.argument(1 << 18);
  std::vector<int32_t> weights(1 << 18);
  for (size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<int32_t>(i * 2654435761u);
  m.result(m.combine(m.combine(x, m.constant({5, 6, 7})), m.constant(weights)));
  m.program.signature.prefix = "net_";
  for (const char* name : {"cortex-m4f", "rv32imc", "s390x-linux", "cortex-a53"}) {
    INFO(name);
    const Target target = require(complete_target(*preset(name)));
    Program program = m.program;
    REQUIRE(legalize(program, target));
    const planning::Plan plan = require(planning::plan(program, target));
    REQUIRE(plan.constant_bytes >= 1 << 20);
    const auto compiled = [&](std::set<ArtifactKind> more, bool in_process) {
      more.insert({ArtifactKind::kObject, ArtifactKind::kArchive});
      return require(compile(program, plan, target, {more, in_process}));
    };
    const Artifacts past = compiled({}, false), through = compiled({ArtifactKind::kLlvmIr}, false);
    for (ArtifactKind kind : {ArtifactKind::kObject, ArtifactKind::kArchive}) {
      // Weights in a piece of their own, not copied.
      CHECK(past.files.at(kind).pieces().size() >= 3);
      CHECK(through.files.at(kind).pieces().size() == 1);
      CHECK(past.files.at(kind) == through.files.at(kind));
    }
    CHECK(past.weights_bytes == plan.constant_bytes);
    CHECK(compiled({}, true).files == past.files);
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
    const auto object = artifacts.files.at(ArtifactKind::kObject).joined();
    return memmem(object.data(), object.size(), bytes, 8) != nullptr;
  };
  CHECK(holds("s390x-linux", "\x01\x02\x03\x04\x05\x06\x07\x08"));
  CHECK(holds("cortex-m4f", "\x04\x03\x02\x01\x08\x07\x06\x05"));
}

TEST_CASE("an empty constant takes no other's place in the pool") {
  planning::ProgramMaker m;
  m.result(m.constant({}));
  m.result(m.constant({7, 8}));
  m.program.signature.prefix = "net_";
  const Target target = require(complete_target(*preset("cortex-m4f")));
  REQUIRE(legalize(m.program, target));
  const planning::Plan plan = require(planning::plan(m.program, target));
  const Artifacts artifacts = require(compile(m.program, plan, target));
  const std::vector<std::byte> object = artifacts.files.at(ArtifactKind::kObject).joined();
  CHECK(memmem(object.data(), object.size(), "\7\0\0\0\10\0\0\0", 8) != nullptr);
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
  for (const char* triple : {"aarch64_be-none-elf", "powerpc-linux-gnu", "powerpc64le-linux-gnu",
                             "mips-linux-gnu", "sparc64-linux-gnu"}) {
    INFO(triple);
    const Target target = require(target_for_triple(triple));
    Program program = many_formulas(target);
    if (Status status = legalize(program, target); !status) FAIL(status.error().to_string());
    const auto compiled = compile(program, require(planning::plan(program, target)), target);
    if (!compiled) FAIL_CHECK(compiled.error().to_string());
  }
}

TEST_CASE("a preset has what LLVM says of its triple, processor and features") {
  for (const std::string& name : preset_names()) {
    const Target row = *preset(name);
    if (row.triple.empty() || row.backend != "cpu") continue;
    INFO(name);
    const Target asked =
        require(target_for_triple(row.triple, row.cpu, row.features, row.float_abi));
    for (const IsaInfo& info : kIsaTable) {
      INFO(info.name);
      CHECK(row.has(info.isa) == asked.has(info.isa));
    }
    CHECK(row.out_of_order == asked.out_of_order);
    CHECK(row.masked_vectors == asked.masked_vectors);
    CHECK(row.multiply_by_lane == asked.multiply_by_lane);
    CHECK(row.f16_conversion == asked.f16_conversion);
    CHECK(row.f32_unit == asked.f32_unit);
    CHECK(row.f64_unit == asked.f64_unit);
    CHECK(row.float_vectors == asked.float_vectors);
    CHECK(row.hardware_divide == asked.hardware_divide);
    CHECK(row.cache_bytes == asked.cache_bytes);
    CHECK(row.flash_constrained == asked.flash_constrained);
    CHECK(row.ram_constrained == asked.ram_constrained);
    CHECK(row.load_reach == asked.load_reach);
    CHECK(row.strength_reduction == asked.strength_reduction);
    CHECK(row.pipelined == asked.pipelined);
    CHECK(row.call_bytes == asked.call_bytes);
  }
}

TEST_CASE("a processor's name implies its extensions") {
  const Target haswell = require(target_for_triple("x86_64-unknown-linux-gnu", "haswell"));
  CHECK(haswell.has(Isa::kAvx2));
  CHECK(haswell.masked_vectors);
  CHECK_FALSE(haswell.has(Isa::kAvx512F));
  const Target plain = require(target_for_triple("x86_64-unknown-linux-gnu"));
  CHECK(plain.has(Isa::kSse2));
  CHECK_FALSE(plain.has(Isa::kSse41));
  CHECK(plain.call_bytes == 8);
  CHECK(require(target_for_triple("aarch64-none-elf", "cortex-a76")).has(Isa::kDotprod));
  CHECK_FALSE(require(target_for_triple("aarch64-none-elf", "cortex-a53")).has(Isa::kDotprod));
  CHECK(require(target_for_triple("thumbv7em-none-eabi", "cortex-m4")).has(Isa::kDsp));
  CHECK_FALSE(require(target_for_triple("thumbv7m-none-eabi", "cortex-m3")).has(Isa::kDsp));
  CHECK(require(target_for_triple("thumbv7m-none-eabi", "cortex-m3")).has(Isa::kThumb2));
  CHECK_FALSE(require(target_for_triple("thumbv6m-none-eabi", "cortex-m0")).has(Isa::kThumb2));
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
  CHECK(row("riscv64-unknown-elf", "", "+m,+f,+d", FloatAbi::kHard).abi == "lp64d");
  CHECK(row("riscv32-unknown-elf", "", "+m,+f", FloatAbi::kHard).abi == "ilp32f");
  CHECK_FALSE(target_for_triple("riscv32-unknown-elf", "", "+m", FloatAbi::kHard));
  // A unit is what Armv7E-M, which has DSP, and Armv8-M's mainline may have.
  CHECK(row("thumbv8m.main-none-eabihf", "cortex-m33", "-dsp", FloatAbi::kHard).f32_unit);
  CHECK_FALSE(target_for_triple("thumbv7m-none-eabi", "cortex-m3", "+vfp4d16sp"));
  CHECK_FALSE(target_for_triple("aarch64-none-elf", "", "", FloatAbi::kSoft));
}

TEST_CASE("unknown names are diagnostics") {
  const auto message = [](Result<Target> result) {
    return result ? std::string() : result.error().to_string();
  };
  CHECK_THAT(message(target_for_triple("quux-none-elf")),
             Catch::Contains("error[target]: unknown target 'quux-none-elf'"));
  CHECK_THAT(message(target_for_triple("aarch64-none-elf", "cortex-z9")),
             Catch::Contains("unknown processor 'cortex-z9'"));
  CHECK_THAT(message(target_for_triple("riscv64-unknown-elf", "generic-rv32")),
             Catch::Contains("'generic-rv32' is one of 32 bits"));
  CHECK_THAT(message(target_for_triple("riscv32-unknown-elf", "sifive-u74")),
             Catch::Contains("'sifive-u74' is one of 64 bits"));
  CHECK_THAT(message(target_for_triple("aarch64-none-elf", "", "+warp")),
             Catch::Contains("unknown feature '+warp'"));
  CHECK_THAT(message(target_for_triple("aarch64-none-elf", "", "neon")),
             Catch::Contains("unknown feature 'neon'"));
  CHECK_THAT(message(target_for_triple("aarch64-none-elf", "", "xneon")),
             Catch::Contains("unknown feature 'xneon'"));
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
