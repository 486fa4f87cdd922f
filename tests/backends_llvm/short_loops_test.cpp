// Which loops LLVM is asked not to overlap on Hexagon: the innermost ones of up to four iterations.
// tests/data/regressions/softmax_of_two ended in a fault without.
#include "backends/llvm/idioms/short_loops.h"

#include <catch2/catch.hpp>

#include "backends/llvm/pipeline.h"
#include "backends/llvm/target_machine.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

// How many loops are marked after the passes for the chip.
int marked(const std::string& body, const char* chip = "hexagon-v67") {
  const Target target = *preset(chip);
  auto machine = make_target_machine(target);
  REQUIRE(machine.ok());
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  const std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(
      cat("define void @f(ptr %p, i32 %n) {\nentry:\n", body, "}\n"), problem, context);
  REQUIRE(module != nullptr);
  module->setTargetTriple((*machine)->getTargetTriple().str());
  module->setDataLayout((*machine)->createDataLayout());
  optimize_module(*module, **machine, target);
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream, nullptr);
  int found = 0;
  for (size_t at = text.find("llvm.loop.pipeline.disable"); at != text.npos;
       at = text.find("llvm.loop.pipeline.disable", at + 1))
    ++found;
  return found;
}

// A loop that stores at each iteration, `count` times.
std::string loop(const std::string& count) {
  return cat(
      "br label %a\n"
      "a:\n%i = phi i32 [ 0, %entry ], [ %next, %a ]\n%q = getelementptr i32, ptr %p, i32 %i\n"
      "store volatile i32 %i, ptr %q\n%next = add nuw nsw i32 %i, 1\n"
      "%more = icmp ult i32 %next, ",
      count, "\nbr i1 %more, label %a, label %exit\nexit:\nret void\n");
}

// A loop of `inner` iterations within one of `outer`.
std::string nest(const std::string& outer, const std::string& inner) {
  return cat(
      "br label %a\n"
      "a:\n%i = phi i32 [ 0, %entry ], [ %i1, %b1 ]\nbr label %b\n"
      "b:\n%j = phi i32 [ 0, %a ], [ %j1, %b ]\nstore volatile i32 %j, ptr %p\n"
      "%j1 = add nuw nsw i32 %j, 1\n%morej = icmp ult i32 %j1, ",
      inner,
      "\nbr i1 %morej, label %b, label %b1\n"
      "b1:\n%i1 = add nuw nsw i32 %i, 1\n%morei = icmp ult i32 %i1, ",
      outer, "\nbr i1 %morei, label %a, label %exit\nexit:\nret void\n");
}

TEST_CASE("loops of up to four iterations are not overlapped") {
  for (const char* count : {"2", "3", "4"}) CHECK(marked(loop(count)) == 1);
  for (const char* count : {"5", "100", "%n"}) CHECK(marked(loop(count)) == 0);
  // One that ends when data says so.
  CHECK(marked("br label %a\na:\n%x = load volatile i32, ptr %p\n%more = icmp ne i32 %x, 0\n"
               "br i1 %more, label %a, label %exit\nexit:\nret void\n") == 0);
  // At most three, however many.
  CHECK(marked("%m = and i32 %n, 3\n" + loop("%m")) == 1);
  CHECK(marked("%m = and i32 %n, 7\n" + loop("%m")) == 0);
}

TEST_CASE("loops around others are not asked about") {
  CHECK(marked(nest("2", "100")) == 0);
  CHECK(marked(nest("100", "2")) == 1);
}

TEST_CASE("other chips' loops are left as they are") {
  for (const char* chip : {"cortex-m4f", "rv32imc", "cortex-a53"})
    CHECK(marked(loop("2"), chip) == 0);
  CHECK(marked(loop("2"), "hexagon-v67-hvx") == 1);
}

}  // namespace
}  // namespace hlocc::backends
