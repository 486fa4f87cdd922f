// The upper words of products on NEON, as they stand in LLVM's IR: what is known again to be one,
// and what differs from it in one word.
#include "backends/llvm/idioms/high_product.h"

#include <catch2/catch.hpp>

#include "kernel/legalize/site.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

constexpr std::string_view kProduct =
    "define <4 x i32> @f(<4 x i32> %x, <4 x i32> %y, <4 x i32> %z, <2 x i32> %half) {\n"
    "%x0 = shufflevector <4 x i32> %x, <4 x i32> poison, <2 x i32> <i32 0, i32 1>\n"
    "%y0 = shufflevector <4 x i32> %y, <4 x i32> poison, <2 x i32> <i32 0, i32 1>\n"
    "%x2 = shufflevector <4 x i32> %x, <4 x i32> poison, <2 x i32> <i32 2, i32 3>\n"
    "%y2 = shufflevector <4 x i32> %y, <4 x i32> poison, <2 x i32> <i32 2, i32 3>\n"
    "%p = call <2 x i64> @llvm.aarch64.neon.smull.v2i64(<2 x i32> %x0, <2 x i32> %y0)\n"
    "%q = call <2 x i64> @llvm.aarch64.neon.smull.v2i64(<2 x i32> %x2, <2 x i32> %y2)\n"
    "%pw = bitcast <2 x i64> %p to <4 x i32>\n"
    "%qw = bitcast <2 x i64> %q to <4 x i32>\n"
    "%u = shufflevector <4 x i32> %pw, <4 x i32> %qw, <4 x i32> <i32 1, i32 3, i32 5, i32 7>\n"
    "ret <4 x i32> %u\n}\n"
    "declare <2 x i64> @llvm.aarch64.neon.smull.v2i64(<2 x i32>, <2 x i32>)\n"
    "declare <2 x i64> @llvm.aarch64.neon.umull.v2i64(<2 x i32>, <2 x i32>)\n"
    "declare <2 x i64> @llvm.arm.neon.vmulls.v2i64(<2 x i32>, <2 x i32>)\n";

// "x y": the names of what the result is the high product of; "" if it is none. Each `from` stands
// in the text of kProduct, and all of its places become `to`.
std::string sides(const std::vector<std::pair<std::string_view, std::string_view>>& changes) {
  std::string text(kProduct);
  for (const auto& [from, to] : changes) {
    REQUIRE(text.find(from) != text.npos);
    for (size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  }
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  const std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, problem, context);
  INFO(problem.getMessage().str());
  REQUIRE(module != nullptr);
  auto* result = llvm::cast<llvm::ReturnInst>(module->getFunction("f")->front().getTerminator());
  const HighProductSides found = neon_high_product(result->getReturnValue());
  CHECK((found.left == nullptr) == (found.right == nullptr));
  return found.left == nullptr
             ? ""
             : cat(found.left->getName().str(), " ", found.right->getName().str());
}

TEST_CASE("a high product of NEON is known by all of its parts", "[backends]") {
  CHECK(sides({}) == "x y");
  CHECK(sides({{"%x, <4 x i32> poison", "%z, <4 x i32> poison"}}) == "z y");
  CHECK(sides({{"call <2 x i64> @llvm.aarch64.neon.smull",
                "call <2 x i64> @llvm.arm.neon.vmulls"}}) == "x y");
}

TEST_CASE("what differs in a word is no high product", "[backends]") {
  const std::string_view smull = "call <2 x i64> @llvm.aarch64.neon.smull";
  CHECK(sides({{smull, "call <2 x i64> @llvm.aarch64.neon.umull"}}).empty());
  // One half of the other kind, by itself.
  CHECK(sides({{"%q = call <2 x i64> @llvm.aarch64.neon.smull",
                "%q = call <2 x i64> @llvm.aarch64.neon.umull"}})
            .empty());
  // Lower words, or halves the other way round.
  CHECK(sides({{"i32 1, i32 3, i32 5, i32 7", "i32 0, i32 2, i32 4, i32 6"}}).empty());
  CHECK(sides({{"<4 x i32> %pw, <4 x i32> %qw", "<4 x i32> %qw, <4 x i32> %pw"}}).empty());
  // Other lanes of one side of one product.
  CHECK(sides({{"%x0 = shufflevector <4 x i32> %x, <4 x i32> poison, <2 x i32> <i32 0, i32 1>",
                "%x0 = shufflevector <4 x i32> %x, <4 x i32> poison, <2 x i32> <i32 1, i32 0>"}})
            .empty());
  CHECK(sides({{"%y2 = shufflevector <4 x i32> %y, <4 x i32> poison, <2 x i32> <i32 2, i32 3>",
                "%y2 = shufflevector <4 x i32> %y, <4 x i32> poison, <2 x i32> <i32 2, i32 2>"}})
            .empty());
  // Halves of no vector, and of different ones.
  CHECK(sides({{"(<2 x i32> %x0, ", "(<2 x i32> %half, "}}).empty());
  CHECK(sides({{", <2 x i32> %y0)", ", <2 x i32> %half)"}}).empty());
  CHECK(sides({{"(<2 x i32> %x2, ", "(<2 x i32> %half, "}}).empty());
  CHECK(sides({{", <2 x i32> %y2)", ", <2 x i32> %half)"}}).empty());
  CHECK(
      sides({{"%x2 = shufflevector <4 x i32> %x,", "%x2 = shufflevector <4 x i32> %z,"}}).empty());
  CHECK(
      sides({{"%y2 = shufflevector <4 x i32> %y,", "%y2 = shufflevector <4 x i32> %z,"}}).empty());
  // No product at all.
  CHECK(sides({{"<2 x i64> %p to", "<2 x i64> zeroinitializer to"}}).empty());
  CHECK(sides({{"<4 x i32> %pw, <4 x i32> %qw", "<4 x i32> %z, <4 x i32> %qw"}}).empty());
  CHECK(sides({{"ret <4 x i32> %u", "ret <4 x i32> %x"}}).empty());
}

}  // namespace
}  // namespace hlocc::backends
