// Which loads become pairs: two floats side by side that one block reads, with no write between
// them, where registers are left and the chip has such a load.
#include "backends/llvm/idioms/pair_loads.h"

#include <catch2/catch.hpp>

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

// `body` of a function of pointers p and q and a float f after the pass, for the chip.
std::string paired(std::string_view body, std::string_view chip = "cortex-m4f") {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  const std::string text =
      cat("target datalayout = \"e-m:e-p:32:32-Fi8-i64:64-v128:64:128-a:0:32-n32-S64\"\n",
          "define float @f(ptr %p, ptr %q, float %f) {\n", body, "}\n");
  const std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, problem, context);
  REQUIRE(module != nullptr);
  pair_loads(*module, *preset(chip));
  REQUIRE(!llvm::verifyModule(*module));
  std::string out;
  llvm::raw_string_ostream stream(out);
  module->print(stream, nullptr);
  return out;
}

int count(std::string_view text, std::string_view what) {
  int found = 0;
  for (size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++found;
  return found;
}
bool has(std::string_view text, std::string_view what) { return text.find(what) != text.npos; }

// The sum of the floats at two distances from p, with something between the loads.
std::string sum_of(int first, int second, std::string_view between = "") {
  return cat("%a = getelementptr i8, ptr %p, i32 ", std::to_string(first),
             "\n%x = load float, ptr %a, align 4\n", between, "%b = getelementptr i8, ptr %p, i32 ",
             std::to_string(second), "\n%y = load float, ptr %b, align 4\n",
             "%s = fadd float %x, %y\nret float %s\n");
}

TEST_CASE("floats side by side are loaded together") {
  CHECK(has(paired(sum_of(8, 12)), "\"vldr d0, [$2, #8]\", \"={s0},={s1},r\"(ptr %p)"));
  CHECK(!has(paired(sum_of(8, 12)), "load float"));
  CHECK(has(paired(sum_of(12, 8)), "\"vldr d0, [$2, #8]\""));
  CHECK(has(paired(sum_of(-4, 0)), "\"vldr d0, [$2, #-4]\""));
  CHECK(has(paired(sum_of(1020, 1024)), "#1020"));
  // Beyond its reach the address is computed.
  CHECK(has(paired(sum_of(1024, 1028)), "\"vldr d0, [$2, #0]\""));
  // So it is where the distance is none of whole words.
  CHECK(has(paired(sum_of(2, 6)), "\"vldr d0, [$2, #0]\""));
  for (const char* chip : {"cortex-m7", "cortex-m33"})
    CHECK(has(paired(sum_of(0, 4), chip), "vldr"));
}

TEST_CASE("what is no pair") {
  CHECK(!has(paired(sum_of(8, 16)), "vldr"));
  CHECK(!has(paired(sum_of(8, 8)), "vldr"));
  CHECK(!has(paired(sum_of(0, 4, "store float %f, ptr %q, align 4\n")), "vldr"));
  for (const char* chip : {"cortex-m4", "cortex-m3", "cortex-m0", "cortex-m55", "rv32imafc"})
    CHECK(!has(paired(sum_of(0, 4), chip), "vldr"));
  const auto with = [](std::string text, std::string_view from, std::string_view to) {
    return text.replace(text.find(from), from.size(), to);
  };
  CHECK(!has(paired(with(sum_of(0, 4), "%a, align 4", "%a, align 2")), "vldr"));
  CHECK(!has(paired(with(sum_of(0, 4), "load float", "load volatile float")), "vldr"));
  // Another base, and a number that another block reads.
  CHECK(!has(
      paired(with(sum_of(0, 4), "%b = getelementptr i8, ptr %p", "%b = getelementptr i8, ptr %q")),
      "vldr"));
  CHECK(!has(paired("%x = load float, ptr %p, align 4\n%a = getelementptr i8, ptr %p, i32 4\n"
                    "%y = load float, ptr %a, align 4\n%s = fadd float %x, %y\nbr label %next\n"
                    "next:\n%t = fadd float %s, %x\nret float %t\n"),
             "vldr"));
  // So does the next iteration, at its beginning.
  CHECK(!has(paired("br label %loop\nloop:\n%u = phi float [ %f, %0 ], [ %x, %loop ]\n"
                    "%x = load float, ptr %p, align 4\n%a = getelementptr i8, ptr %p, i32 4\n"
                    "%y = load float, ptr %a, align 4\n%w = fadd float %u, %y\n"
                    "%c = fcmp olt float %w, 4.0\nbr i1 %c, label %loop, label %end\n"
                    "end:\nret float %w\n"),
             "vldr"));
}

// So many pairs, all loaded before any is read; and so many floats that are read behind them.
std::string many(int pairs, int others) {
  std::string text;
  for (int n = 0; n < others; ++n)
    text += cat("%o", std::to_string(n), " = fmul float %f, ", std::to_string(n), ".0\n");
  for (int n = 0; n < 2 * pairs; ++n)
    text +=
        cat("%a", std::to_string(n), " = getelementptr i8, ptr %p, i32 ", std::to_string(4 * n),
            "\n%x", std::to_string(n), " = load float, ptr %a", std::to_string(n), ", align 4\n");
  std::string sum = "%f";
  const auto add = [&](std::string_view name, int n) {
    const std::string next = cat("%s", name.substr(1), std::to_string(n));
    text += cat(next, " = fadd float ", sum, ", ", name, std::to_string(n), "\n");
    sum = next;
  };
  for (int n = 0; n < 2 * pairs; ++n) add("%x", n);
  for (int n = 0; n < others; ++n) add("%o", n);
  return cat(text, "ret float ", sum, "\n");
}

TEST_CASE("pairs as far as there are registers") {
  CHECK(count(paired(many(3, 0)), "vldr d") == 3);
  CHECK(has(paired(many(3, 0)), "vldr d2, [$2, #16]"));
  CHECK(count(paired(many(9, 0)), "vldr d") == 8);
  CHECK(count(paired(many(4, 20)), "vldr d") == 4);
  CHECK(count(paired(many(4, 40)), "vldr d") == 0);
  // Of two pairs the first needs a register more than there is, or has the last one.
  std::vector<int> by_others;
  for (int others = 23; others < 31; ++others)
    by_others.push_back(count(paired(many(2, others)), "vldr d"));
  CHECK(by_others == std::vector{2, 2, 2, 2, 1, 1, 0, 0});
}

TEST_CASE("the first instruction of a block may be a pair's") {
  CHECK(has(paired("%x = load float, ptr %p, align 4\n%a = getelementptr i8, ptr %p, i32 4\n"
                   "%y = load float, ptr %a, align 4\n%s = fadd float %x, %y\nret float %s\n"),
            "vldr d0"));
}

TEST_CASE("the registers of a pair serve the next one when it has been read") {
  std::string text, sum = "%f";
  for (int n = 0; n < 6; ++n) {
    const std::string name = std::to_string(n);
    text += cat("%a", name, " = getelementptr i8, ptr %p, i32 ", std::to_string(4 * n), "\n%x",
                name, " = load float, ptr %a", name, ", align 4\n");
    if (n % 2 == 0) continue;
    const std::string before = std::to_string(n - 1);
    text += cat("%s", before, " = fadd float ", sum, ", %x", before, "\n%s", name,
                " = fadd float %s", before, ", %x", name, "\n");
    sum = cat("%s", name);
  }
  CHECK(count(paired(cat(text, "ret float ", sum, "\n")), "vldr d0") == 3);
}

// What the loop around the block adds to is held through it.
TEST_CASE("floats that only pass through a block count") {
  const auto loop = [](int sums) {
    std::string before, after, total = "%f";
    for (int n = 0; n < sums; ++n) {
      const std::string name = std::to_string(n);
      before += cat("%o", name, " = fmul float %f, ", name, ".0\n");
      after += cat("%t", name, " = fadd float ", total, ", %o", name, "\n");
      total = cat("%t", name);
    }
    return cat(before, "br label %loop\nloop:\n%u = phi float [ %f, %0 ], [ %w, %loop ]\n",
               "%x = load float, ptr %p, align 4\n%v = fadd float %u, %x\n",
               "%a = getelementptr i8, ptr %p, i32 4\n%y = load float, ptr %a, align 4\n",
               "%w = fadd float %v, %y\n%c = fcmp olt float %w, 4.0\n",
               "br i1 %c, label %loop, label %end\nend:\n", after, "ret float ", total, "\n");
  };
  CHECK(has(paired(loop(20)), "vldr d0"));
  CHECK(!has(paired(loop(40)), "vldr d0"));
}

// A block with a pair, then one with 40 numbers of a type, which the last block adds up.
std::string before_many(std::string_view type, std::string_view zero, std::string_view add) {
  std::string made, used;
  for (int n = 0; n < 40; ++n) {
    made += cat("%o", n, " = load volatile ", type, ", ptr %q, align 4\n");
    used += cat("%t", n, " = ", add, " ", type, " %o", n, ", ",
                n == 0 ? std::string(zero) : cat("%t", n - 1), "\n");
  }
  return cat("%x = load float, ptr %p, align 4\n%a = getelementptr i8, ptr %p, i32 4\n",
             "%y = load float, ptr %a, align 4\n%s = fadd float %x, %y\n",
             "store float %s, ptr %q, align 4\nbr label %more\nmore:\n", made,
             "br label %end\nend:\n", used, "store volatile ", type,
             " %t39, ptr %q, align 4\nret float %f\n");
}

TEST_CASE("floats that are made behind a block do not count in it") {
  CHECK(has(paired(before_many("float", "0.0", "fadd")), "vldr d0"));
}

TEST_CASE("whole numbers that pass through a block do not count") {
  std::string before, after;
  for (int n = 0; n < 40; ++n) {
    before += cat("%o", n, " = load volatile i32, ptr %q, align 4\n");
    after += cat("store volatile i32 %o", n, ", ptr %q, align 4\n");
  }
  CHECK(has(paired(cat(before, "br label %pair\npair:\n",
                       "%x = load float, ptr %p, align 4\n%a = getelementptr i8, ptr %p, i32 4\n",
                       "%y = load float, ptr %a, align 4\n%s = fadd float %x, %y\n",
                       "br label %end\nend:\n", after, "ret float %s\n")),
            "vldr d0"));
}

}  // namespace
}  // namespace hlocc::backends
