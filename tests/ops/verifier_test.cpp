// Every rule of the verifier that knows no single op, broken on purpose in a program that is right
// otherwise.
#include "ops/check/verifier.h"

#include <catch2/catch.hpp>

#include "ops/programs.h"
#include "support/text.h"

using namespace hlocc;
using namespace hlocc::ops::testing;
using Catch::Matchers::Contains;
using enum hlocc::hlo::Opcode;

namespace {

// entry(x: f32[2,3], y: f32[2,3]) = (x + y, reduce(x + y)), with a called reducer.
Program sound_program() {
  Program program;
  const ComputationId sum = program.reducer(kAdd, "f32");
  const InstructionId x = program.parameter("f32[2,3]"), y = program.parameter("f32[2,3]");
  const InstructionId add = program.add(kAdd, "f32[2,3]", {x, y});
  const InstructionId zero =
      program.add(kConstant, "f32[]", {},
                  ConstantAttributes{Literal::zeros(Shape::scalar(PrimitiveType::kF32))});
  const InstructionId total =
      program.add(kReduce, "f32[3]", {add, zero}, DimensionsAttributes{{0}}, {sum});
  program.add(kTuple, "(f32[2,3], f32[3])", {add, total});
  program.finish();
  return program;
}

// Applies a change to the sound program and gives the verifier's answer: "" or "kind: message".
template <typename Change>
std::string after(Change change) {
  Program program = sound_program();
  change(program.module);
  const Status status = ops::verify(program.module);
  if (status.ok()) return "";
  CHECK(!status.error().notes.empty());
  return cat(diagnostic_kind_name(status.error().kind), ": ", status.error().message);
}

}  // namespace

TEST_CASE("a sound program passes, whatever its layouts") {
  CHECK(after([](Module&) {}) == "");
  CHECK(after([](Module& m) { m.computations[0][2].shape.layout.minor_to_major = {0, 1}; }) == "");
  CHECK(after([](Module& m) { m.entry_parameters[1].layout.minor_to_major = {0, 1}; }) == "");
}

TEST_CASE(
    "the message names instruction, computation and both shapes, the location the file and line") {
  Program program = sound_program();
  program.module.file = "model.hlo";
  program.entry()[2].shape = shape("f32[2,4]");
  program.entry()[2].line = 12;
  const Status status = ops::verify(program.module);
  REQUIRE(!status.ok());
  CHECK(status.error().kind == DiagnosticKind::kShape);
  CHECK(status.error().to_string() ==
        "model.hlo:12: error[shape]: %add.2 (add) in computation %main: states the shape f32[2,4], "
        "but its operands and "
        "attributes give f32[2,3]\nnote: correct the shape, or the operands and attributes that it "
        "follows from\n");
}

TEST_CASE("entry, roots and names") {
  CHECK_THAT(after([](Module& m) { m.entry = kNone; }),
             Contains("structure: module test: has no entry computation"));
  CHECK_THAT(after([](Module& m) { m.entry = 7; }), Contains("no entry"));
  CHECK_THAT(after([](Module& m) { m.computations[0].root = 99; }),
             Contains("structure: computation %main: the root"));
  CHECK_THAT(after([](Module& m) { m.computations[1].root = kNone; }),
             Contains("called computation %add_f32 has no root"));
  CHECK_THAT(after([](Module& m) { m.computations.push_back({.name = "empty"}); }),
             Contains("has no instructions"));
  CHECK_THAT(after([](Module& m) { m.computations[1].name = "main"; }),
             Contains("two computations are called %main"));
  CHECK_THAT(after([](Module& m) { m.computations[1].name = ""; }),
             Contains("a computation has no name"));
  CHECK_THAT(after([](Module& m) { m.computations[0][2].name = "p0"; }),
             Contains("two instructions are called %p0"));
  CHECK_THAT(after([](Module& m) { m.computations[0][2].name = ""; }),
             Contains("an instruction has no name"));
}

TEST_CASE("parameter numbers are dense and listed") {
  const auto number = [](int64_t n) {
    return [n](Module& m) { m.computations[0][1].get<ParameterAttributes>().number = n; };
  };
  CHECK_THAT(after(number(0)), Contains("two parameters have number 0"));
  CHECK_THAT(after(number(2)), Contains("parameter number 1 is missing"));
  CHECK_THAT(after(number(-1)), Contains("%p1 is parameter -1"));
  CHECK_THAT(after(number(int64_t{1} << 60)), Contains("without gaps"));
  CHECK_THAT(after([](Module& m) {
               m.computations[0].parameters = {1, 0};
             }),
             Contains("list of parameters"));
}

TEST_CASE("ids, arity and attributes follow the op table") {
  CHECK_THAT(after([](Module& m) { m.computations[0][2].operands[1] = 99; }),
             Contains("operand id 99"));
  CHECK_THAT(after([](Module& m) { m.computations[0][2].operands[1] = -1; }),
             Contains("operand id -1"));
  CHECK_THAT(after([](Module& m) { m.computations[0][2].control_predecessors = {99}; }),
             Contains("predecessor 99"));
  CHECK_THAT(after([](Module& m) { m.computations[0][2].operands.pop_back(); }),
             Contains("arity: %add.2 (add) in computation %main: takes 2 operands, not 1"));
  CHECK_THAT(after([](Module& m) { m.computations[0][4].called = {}; }), Contains("arity"));
  CHECK_THAT(after([](Module& m) { m.computations[0][2].called = {1}; }),
             Contains("calls 0 computations, not 1"));
  CHECK_THAT(after([](Module& m) { m.computations[0][4].called = {5}; }),
             Contains("called computation 5"));
  CHECK_THAT(
      after([](Module& m) { m.computations[0][2].attributes = IotaAttributes{}; }),
      Contains("attribute: %add.2 (add) in computation %main: holds the attributes of another op"));
}

TEST_CASE("operands stand before users, and nothing depends on itself") {
  CHECK_THAT(after([](Module& m) {
               std::swap(m.computations[0].instructions[2], m.computations[0].instructions[3]);
               m.computations[0][4].operands = {3, 2};
               m.computations[0][2].control_predecessors = {3};
             }),
             Contains("stands before %add.2, which it needs"));
  CHECK_THAT(after([](Module& m) {
               m.computations[0][2].operands = {4, 0};
             }),
             Contains("depends on itself through"));
  CHECK_THAT(after([](Module& m) {
               m.computations[0][2].operands = {2, 0};
             }),
             Contains("depends on itself"));
  CHECK_THAT(after([](Module& m) { m.computations[0][2].control_predecessors = {5}; }),
             Contains("depends on itself"));
}

TEST_CASE("computations do not call themselves") {
  CHECK_THAT(
      after([](Module& m) {
        Instruction call = make(kCall, shape("(f32[2,3], f32[3])"), {0, 1}, CallAttributes{}, {0});
        m.computations[0].add(call);
      }),
      Contains("computation %main: calls itself"));
}

TEST_CASE("a deep chain of calls and of instructions needs no deep stack") {
  Program program;
  InstructionId last = program.parameter("f32[]");
  for (int i = 0; i < 100000; ++i) last = program.add(kNegate, "f32[]", {last});
  ComputationId callee = program.body("leaf", {"f32[]"}, kNegate, "f32[]");
  for (int i = 0; i < 20000; ++i) {
    const ComputationId caller = program.computation(cat("caller", i));
    const InstructionId parameter = program.parameter("f32[]", caller);
    program.add(kCall, "f32[]", {parameter}, {}, {callee}, caller);
    callee = caller;
  }
  program.add(kCall, "f32[]", {last}, {}, {callee});
  CHECK(ops::verify(program.finish()).ok());
}

TEST_CASE("shapes make sense by themselves") {
  const auto with = [](auto change) {
    return after([&](Module& m) { change(m.computations[0][0].shape); });
  };
  CHECK_THAT(with([](Shape& s) { s.dimensions = {-1, 3}; }), Contains("shape: %p0"));
  CHECK_THAT(with([](Shape& s) {
               s.dimensions = {int64_t{1} << 40, int64_t{1} << 40};
             }),
             Contains("limit: %p0"));
  CHECK_THAT(with([](Shape& s) { s.dimensions = {0, INT64_MAX}; }), Contains("limit: %p0"));
  CHECK_THAT(with([](Shape& s) {
               s.dimensions = {kUnboundedSize, 3};
             }),
             Contains("unsupported: %p0"));
  CHECK_THAT(with([](Shape& s) { s.dynamic = {true}; }), Contains("shape: %p0"));
  CHECK_THAT(with([](Shape& s) { s.layout.minor_to_major = {0, 0}; }), Contains("attribute: %p0"));
  CHECK_THAT(with([](Shape& s) { s.layout.minor_to_major = {0}; }), Contains("attribute: %p0"));
  CHECK_THAT(with([](Shape& s) { s.layout.element_bits = 4; }), Contains("attribute: %p0"));
  CHECK_THAT(with([](Shape& s) { s.tuple = {shape("f32[]")}; }), Contains("shape: %p0"));
  CHECK_THAT(with([](Shape& s) {
               for (int i = 0; i < 200; ++i) s = Shape::make_tuple({s});
             }),
             Contains("limit: %p0"));
}

TEST_CASE("element types and attribute values reach the verifier") {
  CHECK_THAT(after([](Module& m) { m.computations[0][2].opcode = kAnd; }),
             Contains("type: %add.2 (and)"));
  CHECK_THAT(
      after([](Module& m) { m.computations[0][4].get<DimensionsAttributes>().dimensions = {2}; }),
      Contains("attribute: %reduce.4"));
  CHECK_THAT(after([](Module& m) { m.computations[1][0].shape = shape("f32[1]"); }),
             Contains("shape: "));
}

TEST_CASE("entry layouts and donations") {
  CHECK_THAT(after([](Module& m) { m.entry_parameters.pop_back(); }),
             Contains("the entry layout has 1 parameters"));
  CHECK_THAT(after([](Module& m) { m.entry_parameters[0] = shape("f32[3,2]"); }),
             Contains("entry parameter 0"));
  CHECK_THAT(after([](Module& m) { m.entry_result = shape("f32[3]"); }),
             Contains("the entry result"));
  CHECK_THAT(after([](Module& m) {
               m.entry_parameters[0].layout.minor_to_major = {5, 1};
             }),
             Contains("attribute"));
  const auto aliases = [](std::vector<Alias> list) {
    return [list](Module& m) { m.aliases = list; };
  };
  CHECK(after(aliases({{{0}, 1, {}}})) == "");
  CHECK_THAT(after(aliases({{{2}, 1, {}}})), Contains("names result {2}"));
  CHECK_THAT(after(aliases({{{0}, 2, {}}})), Contains("names parameter 2"));
  CHECK_THAT(after(aliases({{{0}, 1, {0}}})), Contains("names parameter 1 {0}"));
  CHECK_THAT(after(aliases({{{1}, 1, {}}})),
             Contains("a donated parameter is f32[2,3], the result that takes its memory f32[3]"));
  CHECK_THAT(after(aliases({{{0}, 1, {}}, {{0}, 0, {}}})), Contains("result {0} is aliased twice"));
  CHECK_THAT(after(aliases({{{0}, 1, {}}, {{1}, 1, {}}})), Contains("equally many bytes"));
}
