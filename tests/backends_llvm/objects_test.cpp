// What is read of objects that LLVM makes for each family: the processor that they say they are
// for, how floats are passed, their sections and symbols.
#include <sys/mman.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "backends/llvm/generic_target.h"
#include "backends/llvm/object/condition_codes.h"
#include "backends/llvm/object/elf_reader.h"
#include "backends/llvm/object/lazy_bytes.h"
#include "backends/llvm/object/own_copy.h"
#include "backends/llvm/target_machine.h"
#include "llvm/CodeGen/TargetLowering.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include "support/golden.h"
#include "support/require.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

using tests::require;

std::string text_of_elf(const ElfFacts& facts) {
  std::string out =
      cat("  ", facts.machine, facts.big_endian ? " big" : " little",
          facts.is_linked ? " linked" : " object", ", floats '", facts.float_abi, "', isa '",
          facts.isa, "'", facts.is_microcontroller ? ", a microcontroller" : "", "\n ");
  for (const auto& [name, value] : facts.attributes) out += cat(" ", name, "=", value);
  out += "\n";
  for (const ElfSection& section : facts.sections)
    if (section.allocated)
      out +=
          cat("  section ", section.name, section.writable ? " w" : "",
              section.executable ? " x" : "", section.content.empty() ? " empty" : "",
              static_cast<uint64_t>(section.content.size()) == section.bytes ? "" : " other", "\n");
  for (const ElfSymbol& symbol : facts.symbols)
    if (symbol.is_global)
      out += cat("  symbol ", symbol.name, symbol.is_defined ? "" : " undefined",
                 symbol.is_function ? " function" : "", symbol.is_object ? " object" : "", "\n");
  return out;
}

TEST_CASE("objects say for which processor they are") {
  std::string out;
  for (const char* name :
       {"cortex-m0", "cortex-m3", "cortex-m4", "cortex-m4f", "cortex-m33", "cortex-m55",
        "cortex-a53", "armv7-linux", "rv32imc", "rv32imafc", "rv64gc", "riscv64-linux",
        "s390x-linux", "hexagon-v67", "x86_64-linux"}) {
    const Target target = require(complete_target(*preset(name)));
    const Emitted made = require(emit_own_copy(target));
    const std::vector<ElfFacts> read = require(read_elf(made.bytes, "a.o"));
    REQUIRE(read.size() == 1);
    out += cat(std::string(name), "\n", text_of_elf(read[0]));
  }
  tests::check_golden("golden/objects.txt", out);
}

// A function of the chip that holds so much assembly, made to an object.
Result<Emitted> with_assembly(std::initializer_list<const char*> texts) {
  const Target target = require(complete_target(*preset("cortex-m4")));
  const auto machine = require(make_target_machine(target));
  llvm::LLVMContext context;
  llvm::Module module("assembly", context);
  prepare_module(module, target, *machine);
  auto* const type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), false);
  llvm::Function* const function =
      llvm::Function::Create(type, llvm::Function::ExternalLinkage, "f", module);
  set_function_attributes(*function, target);
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(context, "entry", function));
  for (const char* text : texts)
    b.CreateCall(llvm::InlineAsm::get(type, text, "", /*hasSideEffects=*/true), {});
  b.CreateRetVoid();
  return emit_object(module, *machine, target);
}

TEST_CASE("the first error of the code generator is told, warnings are not") {
  CHECK(with_assembly({"nop"}).ok());
  CHECK(with_assembly({".warning \"careful\""}).ok());
  const Result<Emitted> broken = with_assembly({".error \"one\"", ".error \"two\""});
  REQUIRE_FALSE(broken.ok());
  CHECK(broken.error().kind == DiagnosticKind::kInternal);
  CHECK_THAT(broken.error().message, Catch::Contains("one"));
  CHECK(broken.error().message.find("two") == std::string::npos);
}

TEST_CASE("a function without a frame is none of those that have one") {
  for (const char* chip : {"rv32imc", "riscv64-linux"})
    CHECK(require(emit_own_copy(require(complete_target(*preset(chip))))).frames.empty());
}

// What a chip's code generator says once it was told of the module: the name of its copies, and
// whether it has one comparison for "less or greater".
std::pair<std::string, bool> generator_of(const Target& target) {
  const auto machine = require(make_target_machine(target));
  llvm::LLVMContext context;
  llvm::Module module("told", context);
  prepare_module(module, target, *machine);
  auto* const type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), false);
  llvm::Function* const function =
      llvm::Function::Create(type, llvm::Function::ExternalLinkage, "f", module);
  set_function_attributes(*function, target);
  llvm::IRBuilder<>(llvm::BasicBlock::Create(context, "entry", function)).CreateRetVoid();
  call_own_copy(module, *machine, target);
  mend_condition_codes(module, *machine);
  const llvm::TargetLowering& lowering = *machine->getSubtargetImpl(*function)->getTargetLowering();
  const auto expands =
      lowering.getCondCodeAction(llvm::ISD::SETONE, llvm::MVT::f32) == llvm::TargetLowering::Expand;
  return {lowering.getLibcallName(llvm::RTLIB::MEMCPY), !expands};
}

TEST_CASE("copies have a name of ours where there is no system, and WebAssembly's their own") {
  const auto name = [](const Target& target) { return generator_of(target).first; };
  CHECK(name(require(complete_target(*preset("cortex-m4")))) == "hlocc_memcpy");
  CHECK(name(require(complete_target(*preset("x86_64-linux")))) == "memcpy");
  Target wasm = require(target_for_triple("wasm32-unknown-unknown", "", "+simd128"));
  wasm.bare_metal = true;
  CHECK(name(wasm) == "memcpy");
}

TEST_CASE("less or greater is taken apart on Hexagon alone") {
  for (const char* chip : {"cortex-a53", "x86_64-linux"})
    CHECK(generator_of(require(complete_target(*preset(chip)))).second);
  CHECK_FALSE(generator_of(require(complete_target(*preset("hexagon-v67")))).second);
}

// Of those that the bytes lie in.
size_t pages_in_memory(const LazyBytes& bytes) {
  const std::span<const std::byte> all = bytes;
  std::vector<unsigned char> resident((all.size() + 4095) / 4096);
  REQUIRE(::mincore(const_cast<std::byte*>(all.data()), all.size(), resident.data()) == 0);
  return static_cast<size_t>(
      std::ranges::count_if(resident, [](unsigned char page) { return (page & 1) != 0; }));
}

TEST_CASE("zeros take no memory") {
  LazyBytes bytes;
  bytes.append(std::vector<std::byte>(100, std::byte{1}));
  bytes.append(std::vector<std::byte>(2 << 20));
  CHECK(pages_in_memory(bytes) < 16);
}

TEST_CASE("bytes come back as they were appended") {
  LazyBytes bytes;
  std::vector<std::byte> wanted;
  const auto append = [&](size_t count, auto value_at) {
    std::vector<std::byte> more(count);
    for (size_t i = 0; i < count; ++i) more[i] = static_cast<std::byte>(value_at(i));
    bytes.append(more);
    wanted.insert(wanted.end(), more.begin(), more.end());
    const std::span<const std::byte> all = bytes;
    CHECK(std::ranges::equal(all, wanted));
  };
  append(0, [](size_t) { return 7; });
  append(5000, [](size_t) { return 7; });
  append(4096, [](size_t i) { return i == 4095; });
  append(4096, [](size_t i) { return i; });
  append(2 << 20, [](size_t) { return 0; });
  append(100, [](size_t i) { return 255 - i; });
  bytes.overwrite(1 << 20, {wanted.data(), 100});
  std::copy_n(wanted.begin(), 100, wanted.begin() + (1 << 20));
  CHECK(std::ranges::equal(std::span<const std::byte>(bytes), wanted));
}

}  // namespace
}  // namespace hlocc::backends
