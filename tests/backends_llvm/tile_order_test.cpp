// Whose instructions stay in the order of the IR: functions that were lowered to a tile with eight
// products in a block, on cores without vectors or with sums of whole vectors, where code is not
// dear. tests/lowering/choices_test.cpp says what lowering counts.
#include "backends/llvm/idioms/tile_order.h"

#include <catch2/catch.hpp>
#include <optional>

#include "backends/llvm/generic_target.h"
#include "backends/llvm/target_machine.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include "support/require.h"

namespace hlocc::backends {
namespace {

using namespace kernel;

// A kernel of so many products in a block, by that micro-kernel.
Kernel products(int count, std::optional<MicroKernel> micro_kernel, bool of_bytes = true) {
  Kernel kernel;
  kernel.choice.products = count;
  kernel.choice.micro_kernel = micro_kernel;
  kernel.choice.of_bytes = of_bytes;
  return kernel;
}

TEST_CASE("tiles that take all registers") {
  using enum MicroKernel;
  const Target m0 = *preset("cortex-m0"), m4 = *preset("cortex-m4"), m55 = *preset("cortex-m55");
  // Bytes one by one, on cores of few registers that have no better instruction.
  CHECK(has_crowded_tile(products(8, std::nullopt), m0));
  CHECK(!has_crowded_tile(products(7, std::nullopt), m0));
  CHECK(has_crowded_tile(products(8, kMultiplyAccumulateOffset), m0));
  CHECK(!has_crowded_tile(products(8, std::nullopt, false), m0));
  CHECK(has_crowded_tile(products(8, std::nullopt), *preset("cortex-m3")));
  for (const char* other : {"rv32imc", "cortex-m4", "cortex-m55", "cortex-a53"})
    CHECK(!has_crowded_tile(products(8, std::nullopt), *preset(other)));
  Target vectors = m0;
  vectors.vector_bits = 128;
  CHECK(!has_crowded_tile(products(8, std::nullopt), vectors));
  // Pairs of halves; not those that are spread on both sides.
  for (const bool of_bytes : {true, false})
    CHECK(has_crowded_tile(products(8, kDotAccumulate2, of_bytes), m4));
  CHECK(!has_crowded_tile(products(7, kDotAccumulate2), m4));
  CHECK(!has_crowded_tile(products(8, kDotAccumulate2InPlace), m4));
  CHECK(!has_crowded_tile(products(8, kDotAccumulate2, false), *preset("cortex-m3")));
  CHECK(!has_crowded_tile(products(8, kDotAccumulate2), m55));
  // Whole vectors into scalars.
  for (const MicroKernel kernel : {kDotAccumulate16, kDotAccumulate8}) {
    CHECK(has_crowded_tile(products(8, kernel), m55));
    CHECK(!has_crowded_tile(products(7, kernel), m55));
    CHECK(!has_crowded_tile(products(8, kernel), m4));
    CHECK(!has_crowded_tile(products(8, kernel), *preset("cortex-a53")));
  }
  // Of as many registers as there may be, and of one more.
  for (const int registers : {16, 17}) {
    Target other = m0;
    other.scalar_registers = registers;
    CHECK(has_crowded_tile(products(8, std::nullopt), other) == (registers == 16));
  }
  Target small = m0;
  small.options.level = Level::kOs;
  CHECK(!has_crowded_tile(products(8, std::nullopt), small));
}

// Sums and pointers are tied where one instruction is issued after the other.
TEST_CASE("tiles whose registers are tied") {
  llvm::LLVMContext context;
  llvm::Module module("tied", context);
  const auto is_tied = [&](const char* target) {
    llvm::Function* function =
        llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), false),
                               llvm::Function::ExternalLinkage, target, module);
    CHECK(!ties_registers(*function));
    keep_order(*function, *preset(target));
    return ties_registers(*function);
  };
  CHECK(is_tied("cortex-m4"));
  CHECK(is_tied("cortex-m33"));
  CHECK(!is_tied("cortex-m7"));
  CHECK(!is_tied("cortex-m55"));
  CHECK(!is_tied("cortex-m0"));
}

// Which of a pass's functions the gate lets through: the marked one, the other one.
TEST_CASE("passes that move instructions are kept from tiles in order") {
  llvm::LLVMContext context;
  struct Chip {
    const char* name;
    bool in_order;
  };
  constexpr Chip kChips[] = {{"cortex-m4", true},  {"cortex-m0", true},  {"cortex-m55", true},
                             {"cortex-m7", false}, {"cortex-m85", true}, {"cortex-a53", false}};
  for (const auto& [name, in_order] : kChips)
    for (const bool reduces : {true, false}) {
      INFO(name << (reduces ? " with" : " without") << " strength reduction");
      Target target = tests::require(complete_target(*preset(name)));
      target.strength_reduction = reduces;
      const auto machine = tests::require(make_target_machine(target));
      llvm::Module module("gated", context);
      for (const char* function : {"tile", "other"})
        llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), false),
                               llvm::Function::ExternalLinkage, function, module);
      CHECK(CodeGate(module, *machine, target).isEnabled() == !reduces);
      keep_order(*module.getFunction("tile"), target);
      CodeGate gate(module, *machine, target);
      CHECK(gate.isEnabled() == (in_order || !reduces));
      for (const char* pass : {"Machine Instruction Scheduler", "Hardware Loop Insertion"}) {
        CHECK(gate.shouldRunPass(pass, "function (tile)") == !in_order);
        CHECK(gate.shouldRunPass(pass, "function (other)"));
      }
      CHECK(gate.shouldRunPass("Greedy Register Allocator", "function (tile)"));
      for (const char* function : {"function (tile)", "function (other)"})
        CHECK(gate.shouldRunPass("Loop Strength Reduction", function) == reduces);
    }
}

}  // namespace
}  // namespace hlocc::backends
