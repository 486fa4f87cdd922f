// The steps of `hlocc reduce`, with a stand-in for the failure: a module that still holds a certain
// op counts as failing.
#include "driver/reduce/steps.h"

#include <catch2/catch.hpp>

#include "driver/text_module.h"
#include "ops/check/verifier.h"

namespace hlocc::driver {
namespace {

ReduceCase case_of(const std::string& text) {
  ReduceCase out{module_of_text(text), {}};
  for (const hlo::Shape& shape : out.module.entry_parameters) {
    hlo::Literal value = hlo::Literal::zeros(shape);
    value.mutable_data<float>()[0] = 1;
    out.arguments.push_back(std::move(value));
  }
  return out;
}

bool holds(const hlo::Module& module, hlo::Opcode opcode) {
  for (const hlo::Computation& computation : module.computations)
    for (const hlo::Instruction& instruction : computation.instructions)
      if (instruction.opcode == opcode) return true;
  return false;
}

// Applies the step until it finds nothing more; every candidate must be a valid module.
ReduceCase after(ReduceStep step, ReduceCase now, hlo::Opcode culprit) {
  const Keep keep(
      [&](const ReduceCase& candidate) {
        CHECK(ops::verify(candidate.module).ok());
        CHECK(candidate.arguments.size() == candidate.module.entry_parameters.size());
        return ops::verify(candidate.module).ok() && holds(candidate.module, culprit);
      },
      [&](ReduceCase candidate) { now = std::move(candidate); });
  for (int tries = 0; tries < 50 && step(ReduceCase(now), keep); ++tries) {
  }
  return now;
}

size_t size_of(const ReduceCase& one) { return one.module.entry_computation().instructions.size(); }

const char* const kChain = R"(HloModule chain
ENTRY main {
  x = f32[6] parameter(0)
  unused = f32[4] parameter(1)
  a = f32[6] exponential(x)
  b = f32[6] sine(a)
  c = f32[6] add(b, x)
  d = f32[6] cosine(c)
  ROOT out = (f32[6], f32[6], f32[6]) tuple(a, d, c)
})";

TEST_CASE("results that do not matter are dropped") {
  const ReduceCase least = after(drop_results, case_of(kChain), hlo::Opcode::kSin);
  CHECK(least.module.entry_computation().root_instruction().opcode == hlo::Opcode::kSin);
  CHECK(size_of(least) == 3);
  CHECK(least.arguments.size() == 1);
}

TEST_CASE("what stands before the culprit becomes a parameter with its value") {
  ReduceCase least = after(drop_results, case_of(kChain), hlo::Opcode::kSin);
  least = after(cut_operands, std::move(least), hlo::Opcode::kSin);
  CHECK(size_of(least) == 2);
  CHECK(least.arguments[0].data<float>()[0] == Approx(2.7182818f));
  CHECK(least.arguments[0].data<float>()[1] == 1);
}

TEST_CASE("dimensions shrink wherever they occur") {
  const ReduceCase least = after(shrink_dimensions, case_of(kChain), hlo::Opcode::kSin);
  CHECK(least.arguments[0].element_count() == 1);
  // Also where an attribute repeats it.
  const ReduceCase sorted = after(shrink_dimensions, case_of(R"(HloModule sorted
ENTRY main {
  x = f32[6] parameter(0)
  ROOT k = (f32[6], s32[6]) topk(x), k=6, largest=true
})"),
                                  hlo::Opcode::kTopK);
  CHECK(sorted.arguments[0].element_count() == 1);
}

TEST_CASE("values become zeros") {
  const ReduceCase least = after(simplify_values, case_of(kChain), hlo::Opcode::kSin);
  CHECK(least.arguments[0].data<float>()[0] == 0);
}

TEST_CASE("loops and branches are opened") {
  const ReduceCase least = after(open_control_flow, case_of(R"(HloModule flow
branch {
  a = f32[2] parameter(0)
  ROOT b = f32[2] sine(a)
}
other {
  ROOT a = f32[2] parameter(0)
}
body {
  s = (f32[2], f32[]) parameter(0)
  x = f32[2] get-tuple-element(s), index=0
  n = f32[] get-tuple-element(s), index=1
  zero = f32[] constant(0)
  p = pred[] compare(n, zero), direction=GT
  y = f32[2] conditional(p, x, x), true_computation=branch, false_computation=other
  ROOT t = (f32[2], f32[]) tuple(y, zero)
}
condition {
  s = (f32[2], f32[]) parameter(0)
  n = f32[] get-tuple-element(s), index=1
  zero = f32[] constant(0)
  ROOT p = pred[] compare(n, zero), direction=GT
}
ENTRY main {
  x = f32[2] parameter(0)
  n = f32[] parameter(1)
  t = (f32[2], f32[]) tuple(x, n)
  ROOT w = (f32[2], f32[]) while(t), condition=condition, body=body
})"),
                                 hlo::Opcode::kSin);
  CHECK(!holds(least.module, hlo::Opcode::kWhile));
  CHECK(!holds(least.module, hlo::Opcode::kConditional));
  CHECK(holds(least.module, hlo::Opcode::kSin));
}

TEST_CASE("a case that does not fail has no symptom, and a refused one has its kind") {
  const ReduceCase fine = case_of(kChain);
  CHECK(symptom_of(fine, "interpreter", Strictness::kRules).kind.empty());
  const ReduceCase refused = case_of(R"(HloModule refused
ENTRY main {
  t = token[] after-all()
  i = ((f32[2]), token[]) infeed(t)
  d = (f32[2]) get-tuple-element(i), index=0
  ROOT x = f32[2] get-tuple-element(d), index=0
})");
  CHECK(symptom_of(refused, "interpreter", Strictness::kRules).kind == "error[unsupported]");
}

TEST_CASE("a difference that verify's rule allows is none") {
  // The last place of an exponential is the backend's own.
  ReduceCase one = case_of(R"(HloModule one
ENTRY main {
  x = f32[512] parameter(0)
  ROOT y = f32[512] exponential(x)
})");
  for (int64_t i = 0; i < 512; ++i)
    one.arguments[0].mutable_data<float>()[i] = 0.037f * static_cast<float>(i) - 9;
  one.rules = {{.exact = true}};
  CHECK(symptom_of(one, "c", Strictness::kRules).kind == "differs");
  CHECK(symptom_of(one, "c", Strictness::kClear).kind.empty());
  for (const hlo::CompareRule& rule : {hlo::CompareRule{.rtol = 1e-5}, {.ulp = 2}}) {
    one.rules = {rule};
    CHECK(symptom_of(one, "c", Strictness::kRules).kind.empty());
  }
  one.rules.clear();  // verify's defaults
  CHECK(symptom_of(one, "c", Strictness::kRules).kind.empty());
}

}  // namespace
}  // namespace hlocc::driver
