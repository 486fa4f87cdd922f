// What lowering makes of whole programs: control flow, state, packed leaves.
#include <cstring>

#include "interpreter/interpreter.h"
#include "kernel/evaluate/evaluator.h"
#include "lowering/harness.h"
#include "lowering/program/lower.h"
#include "planning/execute.h"
#include "transforms/pipeline.h"

namespace hlocc::tests {

TEST_CASE("loops and branches", "[lowering]") {
  agrees(
      "HloModule test\n"
      "body { t = (s32[], f32[4], f32[4]) parameter(0)\n i = s32[] get-tuple-element(t), index=0\n "
      "x = f32[4] get-tuple-element(t), index=1\n"
      "  k = f32[4] get-tuple-element(t), index=2\n one = s32[] constant(1)\n j = s32[] add(i, "
      "one)\n y = f32[4] add(x, k)\n"
      "  ROOT r = (s32[], f32[4], f32[4]) tuple(j, y, k) }\n"
      "more { t = (s32[], f32[4], f32[4]) parameter(0)\n i = s32[] get-tuple-element(t), index=0\n "
      "n = s32[] constant(3)\n"
      "  ROOT r = pred[] compare(i, n), direction=LT }\n"
      "ENTRY main { a = f32[4] parameter(0)\n b = f32[4] parameter(1)\n z = s32[] constant(0)\n"
      "  t = (s32[], f32[4], f32[4]) tuple(z, a, b)\n w = (s32[], f32[4], f32[4]) while(t), "
      "condition=more, body=body\n"
      "  ROOT r = f32[4] get-tuple-element(w), index=1 }");
  for (const char* selector : {"pred[]", "s32[]"})
    agrees(
        "HloModule test\nyes { a = f32[3] parameter(0)\n ROOT r = f32[3] add(a, a) }\nno { a = "
        "f32[3] parameter(0)\n"
        "ROOT r = f32[3] multiply(a, a) }\nENTRY main { p = " +
        std::string(selector) +
        " parameter(0)\n a = f32[3] parameter(1)\n"
        "b = f32[3] parameter(2)\n ROOT r = f32[3] conditional(p, a, b), " +
        (selector[0] == 'p' ? "true_computation=yes, false_computation=no }"
                            : "branch_computations={yes, no} }"));
}

TEST_CASE("one argument may be several results", "[lowering]") {
  agrees(
      "a = f32[4] parameter(0)\n b = f32[2,2] reshape(a)\n c = f32[4] add(a, a)\n"
      "ROOT r = (f32[4], f32[2,2], f32[4], f32[4]) tuple(a, b, c, c)");
  agrees(
      "a = (f32[4], (s32[], pred[3])) parameter(0)\n b = (s32[], pred[3]) get-tuple-element(a), "
      "index=1\n"
      "c = s32[] get-tuple-element(b), index=0\n t = (s32[]) tuple(c)\n ROOT r = ((s32[]), (s32[], "
      "pred[3])) tuple(t, b)");
}

TEST_CASE("the random counter moves on in order and survives runs", "[lowering]") {
  const hlo::Module module = module_from(
      "a = u64[2] rng-get-and-update-state(), delta=3\n b = u64[2] rng-get-and-update-state(), "
      "delta=-1\n"
      "c = u64[2] rng-get-and-update-state(), delta=5\n ROOT r = (u64[2], u64[2], u64[2]) tuple(c, "
      "b, a)");
  for (const Machine& machine : machines()) {
    const kernel::Program program = lowered(module, machine.target);
    int states = 0;
    for (const kernel::ProgramValue& value : program.values)
      states += value.role == kernel::ValueRole::kState;
    CHECK(states == 1);
    const auto plan = planning::plan(program, machine.target);
    REQUIRE(plan.ok());
    kernel::ProgramState planned_state;
    interpreter::RunState expected_state;
    kernel::ProgramState state;
    for (int run = 0; run < 3; ++run) {
      const auto expected = interpreter::run(module, {}, &expected_state);
      REQUIRE(expected.ok());
      const auto got = kernel::evaluate(program, {}, &state);
      REQUIRE(got.ok());
      const auto planned = planning::execute(program, *plan, {}, &planned_state);
      REQUIRE(planned.ok());
      for (size_t i = 0; i < 3; ++i) {
        const hlo::Literal leaf = hlo::leaves(*expected)[i];
        const std::vector<std::byte> bytes(leaf.bytes().begin(), leaf.bytes().end());
        CHECK(bytes == (*got)[i]);
        CHECK(bytes == (*planned)[i]);
      }
    }
  }
}

TEST_CASE("the random counter carries into its high word", "[lowering]") {
  const hlo::Module module = module_from(
      "a = u64[2] rng-get-and-update-state(), delta=-1\n ROOT b = u64[2] "
      "rng-get-and-update-state(), delta=1");
  const auto expected = interpreter::run(module, {});
  REQUIRE(expected.ok());
  CHECK(run_program(lowered(module, machines()[0].target), {})[0] == *expected);
}

namespace {

struct Packed {
  const char* type;
  int bits;
  std::vector<int> elements;
  std::vector<int> bytes;
};

std::vector<std::byte> as_bytes(const std::vector<int>& values) {
  std::vector<std::byte> bytes;
  for (int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

}  // namespace

TEST_CASE("packed leaves come and go low part first", "[lowering]") {
  const Packed cases[] = {
      {"s4", 4, {1, 2, 3, -1, -8}, {0x21, 0xF3, 0x08}},
      {"u4", 4, {15, 0, 7}, {0x0F, 0x07}},
      {"s2", 2, {1, -1, -2, 0, 1}, {0x2D, 0x01}},
      {"u2", 2, {3, 2, 1, 0}, {0x1B}},
  };
  for (const Packed& each : cases)
    for (const Machine& machine : machines()) {
      const std::string count = std::to_string(each.elements.size()), type = each.type;
      const std::string packed = type + "[" + count + "]{0:E(" + std::to_string(each.bits) + ")}";
      const hlo::Module module = module_from(
          "HloModule test, entry_computation_layout={(" + packed + ")->(" + packed + ", s32[" +
          count + "]{0}, " + packed + ")}\n" + "ENTRY main {\n a = " + packed +
          " parameter(0)\n w = s32[" + count + "] convert(a)\n b = " + type + "[" + count +
          "] subtract(a, a)\n c = " + type + "[" + count + "] add(a, b)\n ROOT r = (" + packed +
          ", s32[" + count + "], " + packed + ") tuple(c, w, a)\n}\n");
      const kernel::Program program = lowered(module, machine.target);
      const auto got =
          kernel::evaluate(program, std::vector<std::vector<std::byte>>{as_bytes(each.bytes)});
      REQUIRE(got.ok());
      CHECK((*got)[0] == as_bytes(each.bytes));
      CHECK((*got)[2] == as_bytes(each.bytes));
      std::vector<int32_t> wide(each.elements.size());
      std::memcpy(wide.data(), (*got)[1].data(), (*got)[1].size());
      CHECK(wide == std::vector<int32_t>(each.elements.begin(), each.elements.end()));
    }
}

TEST_CASE("packed leaves of another order", "[lowering]") {
  hlo::Module module = module_from(
      "HloModule test, entry_computation_layout={(s4[2,3]{0,1:E(4)})->(s32[2,3]{1,0}, "
      "s4[2,3]{0,1:E(4)})}\n"
      "ENTRY main {\n a = s4[2,3]{0,1:E(4)} parameter(0)\n w = s32[2,3] convert(a)\n b = s4[2,3] "
      "negate(a)\n"
      "ROOT r = (s32[2,3], s4[2,3]) tuple(w, b)\n}\n");
  const kernel::Signature signature = signature_of(module);
  for (const Machine& machine : machines()) {
    const auto passed = transforms::run_passes(module, machine.target);
    REQUIRE(passed.ok());
    const auto program = lowering::lower(*passed, signature, machine.target);
    REQUIRE(program.ok());
    // Column by column: 1 4, 2 5, 3 -6.
    const auto got = kernel::evaluate(
        *program, std::vector<std::vector<std::byte>>{as_bytes({0x41, 0x52, 0xA3})});
    REQUIRE(got.ok());
    std::vector<int32_t> wide(6);
    std::memcpy(wide.data(), (*got)[0].data(), 24);
    CHECK(wide == std::vector<int32_t>{1, 2, 3, 4, 5, -6});
    CHECK((*got)[1] == as_bytes({0xCF, 0xBE, 0x6D}));
  }
}

}  // namespace hlocc::tests
