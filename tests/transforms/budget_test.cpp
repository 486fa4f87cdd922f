// What passes do at the end of a budget: what is needed is refused with the name of what grew, what
// may be left out is left as it is.
#include "support/budget.h"

#include "support/text.h"
#include "transforms/support.h"

namespace hlocc::tests {
namespace {

// A computation that calls the one before it twice, and so on.
std::string doubled(int levels) {
  std::string out = "HloModule m\nc0 { x = f32[4] parameter(0)\n ROOT r = f32[4] negate(x) }\n";
  for (int i = 1; i < levels; ++i)
    out += cat("c", i, " { x = f32[4] parameter(0)\n a = f32[4] call(x), to_apply=c", i - 1,
               "\n ROOT b = f32[4] call(a), to_apply=c", i - 1, " }\n");
  return out + cat("ENTRY main { x = f32[4] parameter(0)\n ROOT r = f32[4] call(x), to_apply=c",
                   levels - 1, " }\n");
}

constexpr const char* kOneSine = "i = f32[64] iota(), iota_dimension=0\n ROOT s = f32[64] sine(i)";

}  // namespace

TEST_CASE("calls that double at each level end with the name of the computation that grew") {
  const Module module = module_from(doubled(30));
  Budget budget({.work = 1'000'000});
  const BudgetScope scope(&budget);
  const Diagnostic why = error_of(module, transforms::inline_calls);
  CHECK(why.kind == DiagnosticKind::kLimit);
  CHECK(why.message ==
        "computation %c12 with what it calls takes more than the 1000000 units of work that are "
        "allowed");
  CHECK(why.notes.back() == "--limits work=2000000 allows twice as much");
}

TEST_CASE("calls that double a few times are inlined") {
  Budget budget({.work = 1'000'000});
  const BudgetScope scope(&budget);
  CHECK(count_in_entry(after(module_from(doubled(6)), {transforms::inline_calls}),
                       Opcode::kNegate) == 32);
}

TEST_CASE("what is dear to compute stays for run time once half of all work is done") {
  const Module module = module_from(kOneSine);
  for (const int64_t spent : {400'000, 500'001}) {
    Budget budget({.work = 1'000'000});
    budget.spend(spent);
    const BudgetScope scope(&budget);
    CHECK(count_in_entry(after(module, {transforms::fold_constants}), Opcode::kSin) ==
          (spent < 500'000 ? 0 : 1));
  }
}

TEST_CASE("what would take half of all memory stays for run time") {
  const Module module = module_from(kOneSine);
  for (const int64_t held : {400'000, 500'000}) {
    Budget budget({.memory = 1'000'000});
    budget.hold(held);
    const BudgetScope scope(&budget);
    CHECK(count_in_entry(after(module, {transforms::fold_constants}), Opcode::kSin) ==
          (held < 500'000 ? 0 : 1));
  }
}

TEST_CASE("a comparator that is called too often ends the folding of a sort, not the compiler") {
  const std::string text =
      "HloModule m\nless { a = f32[] parameter(0)\n b = f32[] parameter(1)\n"
      " ROOT p = pred[] compare(a, b), direction=LT }\nENTRY main {\n"
      " i = f32[1024] iota(), iota_dimension=0\n n = f32[1024] negate(i)\n"
      " s = f32[1024] sort(n), dimensions={0}, to_apply=less\n"
      " ROOT r = f32[4] slice(s), slice={[0:4]} }";
  const Module module = module_from(text);
  for (const int64_t limit : {100'000, 10'000'000}) {
    Budget budget({.work = limit});
    const BudgetScope scope(&budget);
    CHECK(count_in_entry(after(module, {transforms::fold_constants}), Opcode::kSort) ==
          (limit == 100'000 ? 1 : 0));
  }
}

TEST_CASE("tables of a long transform are refused before they are made") {
  const Module module = module_from(
      "x = c64[65537] parameter(0)\n ROOT y = c64[65537] fft(x), fft_type=FFT, fft_length={65537}");
  Budget budget({.work = 1'000'000});
  const BudgetScope scope(&budget);
  const Diagnostic why = error_of(module, transforms::expand);
  CHECK(why.kind == DiagnosticKind::kLimit);
  CHECK(why.message.find("the tables of %y") == 0);
}

}  // namespace hlocc::tests
