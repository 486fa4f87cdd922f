// Kernels and programs that are unsound in their branches, loops and launches: what the verifiers
// say, and that texts, which are printed of them, too, name what is missing.
#include <catch2/catch.hpp>

#include "kernel/builder.h"
#include "kernel/program.h"
#include "kernel/verifier.h"

namespace hlocc::kernel {
namespace {

using Catch::Contains;

// y[0] = x[0] < 0 ? 1 : 2, by a branch; and a while that counts to x[0].
Kernel branching() {
  Builder b("branching");
  const Type word{Scalar::kS32, 1};
  const BufferId x = b.buffer({.name = "x", .element = Scalar::kS32, .elements = 4});
  const BufferId y =
      b.buffer({.name = "y", .element = Scalar::kS32, .elements = 4, .direction = Direction::kOut});
  const ValueId read = b.load(x, Affine::constant(0));
  const Values chosen = b.if_else(
      b.compare(Predicate::kLt, read, b.zero(word)),
      [&] { return Values{b.constant_int(word, 1)}; },
      [&] { return Values{b.constant_int(word, 2)}; });
  b.store(y, Affine::constant(0), chosen[0]);
  const Values counted = b.while_loop(
      {b.zero(word)},
      [&](std::span<const ValueId> at) { return b.compare(Predicate::kLt, at[0], read); },
      [&](std::span<const ValueId> at) { return Values{b.add(at[0], b.constant_int(word, 1))}; });
  b.store(y, Affine::constant(1), counted[0]);
  b.loop(2, [&](ValueId i) { b.store(y, Affine::of(i, -1, 3), b.load(x, Affine::of(i))); });
  return b.finish();
}

Op& op_of(Kernel& kernel, OpKind kind) {
  for (Op& op : kernel.body.ops)
    if (op.kind == kind) return op;
  FAIL("no such op");
  return kernel.body.ops[0];
}

template <typename Change>
std::string complaint_after(Change change) {
  Kernel kernel = branching();
  change(kernel);
  const Status status = verify(kernel);
  return status.ok() ? "" : status.error().message;
}

// y = x, word by word, without scratch.
Program one_launch() {
  Builder b("copied");
  const BufferId x = b.buffer({.name = "x", .element = Scalar::kS32, .elements = 4});
  const BufferId y =
      b.buffer({.name = "y", .element = Scalar::kS32, .elements = 4, .direction = Direction::kOut});
  b.loop(4, [&](ValueId i) { b.store(y, Affine::of(i), b.load(x, Affine::of(i))); });
  Program p;
  p.values = {{.name = "x",
               .element = Scalar::kS32,
               .elements = 4,
               .role = ValueRole::kArgument,
               .leaf = 0},
              {.name = "y", .element = Scalar::kS32, .elements = 4}};
  p.arguments = {0};
  p.results = {1};
  p.kernels = {b.finish()};
  p.steps.push_back({Launch{.kernel = 0, .operands = {0, 1}}, {}});
  return p;
}

template <typename Change>
Status launched_after(Change change) {
  Program program = one_launch();
  change(program, std::get<Launch>(program.steps[0].what));
  return verify(program);
}

}  // namespace

TEST_CASE("branches and loops have two regions, and a condition that is one truth value") {
  CHECK(complaint_after([](Kernel&) {}) == "");
  for (const OpKind kind : {OpKind::kIf, OpKind::kWhile}) {
    const char* const said = kind == OpKind::kIf ? "odd if" : "odd while";
    CHECK_THAT(complaint_after([&](Kernel& k) { op_of(k, kind).regions.pop_back(); }),
               Contains(said));
    CHECK_THAT(complaint_after(
                   [&](Kernel& k) { op_of(k, kind).regions.push_back(op_of(k, kind).regions[0]); }),
               Contains(said));
  }
  for (const Type type : {Type{Scalar::kU8, 1}, Type{Scalar::kPred, 2}})
    CHECK_THAT(complaint_after([&](Kernel& k) {
                 k.types.push_back(type);
                 const auto value = static_cast<ValueId>(k.types.size()) - 1;
                 k.body.ops.insert(
                     k.body.ops.begin(),
                     {.kind = OpKind::kConstant, .results = {value}, .payload = Constant{{0}}});
                 op_of(k, OpKind::kIf).operands = {value};
               }),
               Contains("odd if"));
  const auto count = static_cast<ValueId>(branching().types.size());
  for (const ValueId value : {-1, -2, count, count + 1})
    CHECK_THAT(complaint_after([&](Kernel& k) { op_of(k, OpKind::kIf).results = {value}; }),
               Contains("no such value"));
}

TEST_CASE("a constant has no operands, and a body no arguments") {
  CHECK_THAT(complaint_after([](Kernel& k) {
               Op& constant = op_of(k, OpKind::kConstant);
               constant.operands = {k.body.ops[0].result()};
             }),
             Contains("1 operands"));
  CHECK_THAT(complaint_after([](Kernel& k) {
               k.types.push_back({Scalar::kS32, 1});
               k.body.arguments = {static_cast<ValueId>(k.types.size()) - 1};
             }),
             Contains("region arguments"));
}

TEST_CASE("a value has a lane") {
  CHECK_THAT(complaint_after([](Kernel& k) {
               k.types.push_back({Scalar::kS32, 0});
               k.body.ops.push_back({.kind = OpKind::kConstant,
                                     .results = {static_cast<ValueId>(k.types.size()) - 1},
                                     .payload = Constant{{0}}});
             }),
             Contains("has no lanes"));
}

TEST_CASE("the text of an unsound kernel names what is missing") {
  const auto text_after = [](const auto& change) {
    Kernel kernel = branching();
    change(kernel);
    return to_text(kernel);
  };
  const auto count = static_cast<ValueId>(branching().types.size());
  for (const ValueId value : {-1, count})
    CHECK_THAT(text_after([&](Kernel& k) {
                 op_of(k, OpKind::kStore).operands = {value};
                 std::get<Access>(op_of(k, OpKind::kStore).payload).stored = kNone;
                 k.body.yields = {value};
               }),
               Contains("%undefined" + std::to_string(value)));
  // An argument more than the loop has first values.
  CHECK_THAT(text_after([](Kernel& k) {
               k.types.push_back({Scalar::kS32, 1});
               op_of(k, OpKind::kLoop)
                   .regions[0]
                   .arguments.push_back(static_cast<ValueId>(k.types.size()) - 1);
             }),
             Contains("carry("));
  CHECK_THAT(text_after([](Kernel& k) {
               std::get<Access>(op_of(k, OpKind::kStore).payload).lane_stride = -1;
             }),
             Contains("stride -1"));
}

TEST_CASE("launches of values that are none, or of none at all") {
  CHECK(launched_after([](Program&, Launch&) {}).ok());
  // Values without elements for a buffer that has some.
  const Status empty = launched_after([](Program& p, Launch&) {
    for (ProgramValue& value : p.values) value.elements = 0;
  });
  REQUIRE(!empty.ok());
  CHECK_THAT(empty.error().message, Contains("has more than 0"));
  for (const int operand : {-1, 1, 2, 3}) {
    const Status status = launched_after(
        [&](Program&, Launch& l) { l.overlaps.push_back({.result = 1, .operand = operand}); });
    REQUIRE(!status.ok());
    CHECK_THAT(status.error().message, Contains("an overlap"));
  }
  for (const int result : {-1, 0, 2, 3})
    CHECK(!launched_after([&](Program&, Launch& l) {
             l.overlaps.push_back({.result = result, .operand = 0});
           }).ok());
}

TEST_CASE("a complaint about a step names its instructions, if it has any") {
  for (const bool known : {false, true}) {
    const Status status = launched_after([&](Program& p, Launch& l) {
      l.kernel = 7;
      if (known) p.steps[0].origin.hlo = {"%copy.1"};
    });
    REQUIRE(!status.ok());
    CHECK((status.error().to_string().find("in %copy.1") != std::string::npos) == known);
    CHECK((status.error().to_string().find("note") != std::string::npos) == known);
  }
}

TEST_CASE("the text of an unsound program names values that are none") {
  for (const ProgramValueId id : {-1, 2, 3}) {
    Program program = one_launch();
    program.steps.push_back({Copy{0, id}, {}});
    CHECK_THAT(to_text(program), Contains("%bad" + std::to_string(id)));
  }
}

}  // namespace hlocc::kernel
