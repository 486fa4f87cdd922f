// What a firmware meets beside the code itself: which compilers the library fits, no note about the
// stack that linkers on bare metal complain about, the stack that the compiler's helpers take.
#include <cstring>

#include "backends/common/helper_stack.h"
#include "backends/common/stack.h"
#include "backends/cpu/compile.h"
#include "backends/llvm/core_facts.h"
#include "backends/llvm/generic_target.h"
#include "backends/llvm/object/elf_reader.h"
#include "backends/llvm/target_machine.h"
#include "backends_llvm/jit_kernel.h"
#include "kernel/legalize/legalize.h"
#include "llvm/Target/TargetMachine.h"
#include "planning/random_programs.h"

namespace hlocc::backends {
namespace {

Target complete(const std::string& name) {
  Result<Target> target = complete_target(*preset(name));
  if (!target) FAIL(target.error().to_string());
  return *target;
}

CoreNeeds needs_of(const Target& target) {
  Result<std::unique_ptr<llvm::TargetMachine>> machine = make_target_machine(target);
  if (!machine) FAIL(machine.error().to_string());
  return core_needs(target, **machine);
}
CoreNeeds needs_of(const std::string& name) { return needs_of(complete(name)); }

bool needs(const CoreNeeds& core, CoreFact fact) { return core.has(fact); }

TEST_CASE("targets know what a compiler must say of its core") {
  using enum CoreFact;
  const CoreNeeds m0 = needs_of("cortex-m0"), m4 = needs_of("cortex-m4"),
                  m4f = needs_of("cortex-m4f"), m7 = needs_of("cortex-m7");
  CHECK(m0.family == CoreFamily::kArm);
  CHECK((needs(m0, kArmProfileM) && needs(m0, kArmV6M) && needs(m0, kArmSoftFloat)));
  CHECK_FALSE((needs(m0, kArmThumb2) || needs(m0, kArmV7) || needs(m0, kArmF32)));
  CHECK((needs(m4, kArmDsp) && needs(m4, kArmThumb2) && needs(m4, kArmSoftFloat)));
  CHECK_FALSE((needs(m4, kArmF32) || needs(m4, kArmV8)));
  CHECK((needs(m4f, kArmF32) && needs(m4f, kArmHardFloat)));
  CHECK_FALSE(needs(m4f, kArmF64));
  CHECK(needs(m7, kArmF64));
  Target m23 = complete("cortex-m0");
  m23.triple = "thumbv8m.base-none-eabi", m23.cpu = "cortex-m23";
  CHECK((needs(needs_of(m23), kArmV8Base) && !needs(needs_of(m23), kArmV8)));
  CHECK_FALSE((needs(m0, kArmV8Base) || needs(needs_of(m23), kArmV7)));
  CHECK((needs(needs_of("cortex-m33"), kArmV8) && needs(needs_of("cortex-m55"), kArmMveFloat)));
  const CoreNeeds imac = needs_of("rv32imac"), imafc = needs_of("rv32imafc");
  CHECK((needs(imac, kRiscv32) && needs(imac, kRiscvM) && needs(imac, kRiscvA) &&
         needs(imac, kRiscvC) && needs(imac, kRiscvSoftAbi)));
  CHECK_FALSE(needs(imac, kRiscvF));
  CHECK((needs(imafc, kRiscvF) && needs(imafc, kRiscvSingleAbi)));
  // What runs under an operating system asks for family and convention alone.
  CHECK(needs_of("armv7-linux").facts == std::vector<CoreFact>{kArmHardFloat});
  CHECK(needs_of("riscv64v-linux").facts ==
        std::vector<CoreFact>{kRiscv64, kRiscvI, kRiscvDoubleAbi});
  CHECK(needs_of("s390x-linux").family == CoreFamily::kSystemZ);
}

Artifacts artifacts_of(const Target& target) {
  planning::ProgramMaker m;
  m.result(m.scale(m.argument(4)));
  m.program.signature.prefix = "net_";
  REQUIRE(kernel::legalize(m.program, target));
  const planning::Plan plan = *planning::plan(m.program, target);
  Result<Artifacts> made =
      compile(m.program, plan, target, {{ArtifactKind::kAssembly, ArtifactKind::kObject}});
  if (!made) FAIL(made.error().to_string());
  return *made;
}

// The type of the section's header, or -1 where there is none; ELF of 32 and 64 bits in this
// machine's byte order.
int64_t type_of_stack_note(const std::vector<std::byte>& object, bool is_64) {
  const auto number = [&](size_t at, size_t bytes) {
    uint64_t value = 0;
    std::memcpy(&value, object.data() + at, bytes);
    return value;
  };
  const size_t headers = number(is_64 ? 0x28 : 0x20, is_64 ? 8 : 4),
               each = number(is_64 ? 0x3a : 0x2e, 2), count = number(is_64 ? 0x3c : 0x30, 2),
               names = number(is_64 ? 0x3e : 0x32, 2);
  const auto offset = [&](size_t section) {
    return number(headers + section * each + (is_64 ? 0x18 : 0x10), is_64 ? 8 : 4);
  };
  for (size_t i = 0; i < count; ++i) {
    const char* name = reinterpret_cast<const char*>(object.data()) + offset(names) +
                       number(headers + i * each, 4);
    if (std::string_view(name) == ".note.GNU-stack")
      return static_cast<int64_t>(number(headers + i * each + 4, 4));
  }
  return -1;
}

TEST_CASE("bare-metal files say nothing about the stack") {
  for (const char* name : {"cortex-m4f", "rv32imac", "rv64gc"}) {
    const Target target = complete(name);
    const Artifacts made = artifacts_of(target);
    INFO(name);
    CHECK(type_of_stack_note(made.files.at(ArtifactKind::kObject).joined(),
                             target.pointer_bits == 64) <= 0);
    const std::vector<std::byte> text = made.files.at(ArtifactKind::kAssembly).joined();
    const std::string_view assembly(reinterpret_cast<const char*>(text.data()), text.size());
    CHECK(assembly.find("net_run") != std::string_view::npos);
    CHECK(assembly.find("GNU-stack") == std::string_view::npos);
  }
  CHECK(type_of_stack_note(
            artifacts_of(complete("cortex-a53")).files.at(ArtifactKind::kObject).joined(), true) ==
        1);
}

TEST_CASE("the stack includes the helpers, or says that it is a lower bound") {
  const auto measured = [](const Target& target, std::vector<std::string> undefined) {
    Artifacts artifacts;
    artifacts.core = needs_of(target.name);
    artifacts.frames = {{"net_k_a", 40}, {"net_k_b", 24}, {"net_run", 16}};
    artifacts.undefined = std::move(undefined);
    measure_stack({{"net_run"}, "math.", false}, target, artifacts);
    return artifacts;
  };
  const Target m0 = complete("cortex-m0"), m4f = complete("cortex-m4f");
  const auto helper_stack = [](const Target& target, const std::string& symbol) {
    return backends::helper_stack(target, needs_of(target.name), symbol);
  };
  CHECK(measured(m4f, {}).stack_bytes == 56);
  CHECK_FALSE(measured(m4f, {}).stack_is_lower_bound);
  CHECK(measured(m4f, {"hlocc_memcpy"}).stack_bytes == 56 + *helper_stack(m4f, "hlocc_memcpy"));
  CHECK(measured(m0, {"__aeabi_fadd", "__aeabi_ldivmod"}).stack_bytes ==
        56 + *helper_stack(m0, "__aeabi_ldivmod"));
  CHECK_FALSE(measured(m0, {"__aeabi_fadd", "hlocc_memcpy"}).stack_is_lower_bound);
  CHECK(*helper_stack(m0, "__aeabi_fmul") > *helper_stack(m4f, "__aeabi_fmul"));
  CHECK(measured(m4f, {"memcpy"}).stack_is_lower_bound);
  // A function of the user's, and libraries of an operating system.
  CHECK(measured(m4f, {"my_filter"}).stack_is_lower_bound);
  CHECK(measured(complete("cortex-a53"), {"memcpy"}).stack_is_lower_bound);
  CHECK_FALSE(helper_stack(m4f, "my_filter").has_value());
  // What computes in doubles, or divides them, takes more than what does so in floats.
  for (const char* name : {"cortex-m0", "cortex-m3"}) {
    const Target target = complete(name);
    for (const auto& [wide, narrow] :
         {std::pair("__aeabi_ddiv", "__aeabi_fdiv"), std::pair("__aeabi_dmul", "__aeabi_fmul"),
          std::pair("__aeabi_ldivmod", "__aeabi_idiv"), std::pair("__aeabi_d2lz", "__aeabi_i2f")}) {
      INFO(name << ": " << wide);
      CHECK(*helper_stack(target, wide) >= *helper_stack(target, narrow));
    }
  }
  CHECK(*helper_stack(m0, "__aeabi_ddiv") > *helper_stack(m0, "__aeabi_fdiv"));
  CHECK(*helper_stack(m0, "__aeabi_ldivmod") > *helper_stack(m0, "__aeabi_lmul"));
  // Code that tells a profile of its steps calls a function that nobody knows here.
  Target profiled = m4f;
  CHECK_FALSE(artifacts_of(profiled).stack_is_lower_bound);
  profiled.options.profile = true;
  CHECK(artifacts_of(profiled).stack_is_lower_bound);
}

TEST_CASE("machines that push return addresses have one for each call on the way") {
  for (const auto& [name, bytes] :
       {std::pair("i686-linux", 4), std::pair("x86_64-linux", 8), std::pair("cortex-m4f", 0)}) {
    INFO(name);
    const Target target = complete(name);
    const auto deepest = [&](bool calls_functions) {
      Artifacts artifacts;
      artifacts.frames = {{"net_run", 16}, {"net_k_a", 40}};
      if (calls_functions) artifacts.frames.push_back({"math.exp", 8});
      measure_stack({{"net_run"}, "math.", calls_functions}, target, artifacts);
      return artifacts.stack_bytes;
    };
    CHECK(deepest(false) == 56 + 2 * bytes);
    CHECK(deepest(true) == 64 + 3 * bytes);
    Artifacts cut;
    cut.frames = {{"net_run", 16}, {"net_run_piece", 24}, {"net_run_piece.7", 32}, {"net_k_a", 40}};
    measure_stack({{"net_run"}, "math.", false, true}, target, cut);
    CHECK(cut.stack_bytes == 16 + 32 + 40 + 3 * bytes);
  }
}

TEST_CASE("symbols of Thumb code have the addresses of its instructions") {
  const Artifacts made = artifacts_of(complete("cortex-m4f"));
  const Result<std::vector<ElfFacts>> files =
      read_elf(made.files.at(ArtifactKind::kObject).joined(), "net.o");
  REQUIRE(files.ok());
  int functions = 0;
  for (const ElfSymbol& symbol : files->at(0).symbols)
    if (symbol.is_function && symbol.is_defined) {
      ++functions;
      INFO(symbol.name);
      CHECK(symbol.address % 2 == 0);
    }
  CHECK(functions >= 2);
}

}  // namespace
}  // namespace hlocc::backends
