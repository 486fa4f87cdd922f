// Kernels and programs with one damage each, and what the verifiers say of it: the first number
// that names nothing on either side, lists of another length, memory that no such value has.
#include <catch2/catch.hpp>
#include <climits>
#include <functional>

#include "kernel/builder.h"
#include "kernel/program.h"
#include "kernel/verifier.h"

namespace hlocc::kernel {
namespace {

constexpr Type kF32x1{Scalar::kF32, 1};

// y[i] = x[i] in a loop, with a mask and a branch.
Kernel sound_kernel() {
  Builder b("k");
  const BufferId x = b.buffer({.name = "x", .elements = 4});
  const BufferId y = b.buffer({.name = "y", .elements = 4, .direction = Direction::kOut});
  b.buffer({.name = "s", .elements = 4, .direction = Direction::kScratch, .space = Space::kArena});
  b.loop(4, [&](ValueId i) { b.store(y, Affine::of(i), b.load(x, Affine::of(i))); });
  return b.finish();
}

std::string said(const Kernel& kernel) {
  const Status status = verify(kernel);
  return status.ok() ? "" : status.error().message;
}
template <typename Change>
std::string kernel_after(Change change) {
  Kernel kernel = sound_kernel();
  change(kernel);
  return said(kernel);
}

Op& first_loop(Kernel& kernel) {
  for (Op& op : kernel.body.ops)
    if (op.kind == OpKind::kLoop) return op;
  FAIL("no loop");
  return kernel.body.ops[0];
}
Op& inner(Kernel& kernel, OpKind kind) {
  for (Op& op : first_loop(kernel).regions[0].ops)
    if (op.kind == kind) return op;
  FAIL("no such op");
  return kernel.body.ops[0];
}

using Catch::Matchers::Contains;

TEST_CASE("damaged buffers of a kernel") {
  CHECK(kernel_after([](Kernel&) {}) == "");
  CHECK(kernel_after([](Kernel& k) { k.buffers[2].elements = 0; }) == "");
  CHECK_THAT(kernel_after([](Kernel& k) { k.buffers[2].elements = -1; }),
             Contains("negative size"));
  for (const int alignment : {0, 1, 2, 64})
    CHECK(kernel_after([&](Kernel& k) { k.buffers[0].alignment = alignment; }) == "");
  for (const int alignment : {INT_MIN, -1, -2, 3, 12})
    CHECK_THAT(kernel_after([&](Kernel& k) { k.buffers[0].alignment = alignment; }),
               Contains("no power of two"));
  CHECK(kernel_after([](Kernel& k) { k.buffers[0].space = Space::kConstant; }) == "");
  CHECK_THAT(kernel_after([](Kernel& k) { k.buffers[1].space = Space::kConstant; }),
             Contains("is written"));
  CHECK_THAT(kernel_after([](Kernel& k) { k.buffers[2].space = Space::kConstant; }),
             Contains("constant s is written"));
  CHECK_THAT(kernel_after([](Kernel& k) { k.buffers[0].space = Space::kStack; }),
             Contains("in the kernel's own memory"));
  CHECK_THAT(kernel_after([](Kernel& k) { k.buffers.push_back({.name = "late", .elements = 1}); }),
             Contains("operand late after scratch"));
}

TEST_CASE("damaged values of a kernel") {
  const auto count = static_cast<ValueId>(sound_kernel().types.size());
  for (const ValueId value : {-1, -2, count, count + 1}) {
    CHECK_THAT(kernel_after([&](Kernel& k) { k.body.yields = {value}; }),
               Contains("no such value"));
    CHECK_THAT(kernel_after([&](Kernel& k) { k.parameters = {value}; }), Contains("no such value"));
    CHECK_THAT(kernel_after([&](Kernel& k) { inner(k, OpKind::kLoad).results = {value}; }),
               Contains("no such value"));
    CHECK_THAT(kernel_after([&](Kernel& k) { first_loop(k).regions[0].arguments = {value}; }),
               Contains("no such value"));
  }
  CHECK_THAT(kernel_after([](Kernel& k) {
               k.types.push_back(kF32x1);
               k.body.ops.insert(k.body.ops.begin(),
                                 {.kind = OpKind::kConstant,
                                  .results = {static_cast<ValueId>(k.types.size()) - 1},
                                  .payload = Constant{{0}}});
               k.body.yields = {k.body.ops[0].result()};
             }),
             Contains("the body yields"));
  CHECK_THAT(kernel_after([](Kernel& k) {
               k.types[static_cast<size_t>(first_loop(k).regions[0].arguments[0])].lanes = 0;
             }),
             Contains("region arguments"));
}

TEST_CASE("damaged accesses of a kernel") {
  const auto access = [](Kernel& k, OpKind kind) -> Access& {
    return std::get<Access>(inner(k, kind).payload);
  };
  for (const BufferId buffer : {-1, -2, 3, 4})
    CHECK_THAT(kernel_after([&](Kernel& k) { access(k, OpKind::kLoad).buffer = buffer; }),
               Contains("no such buffer"));
  CHECK(kernel_after([&](Kernel& k) { access(k, OpKind::kLoad).buffer = 2; }) == "");
  CHECK_THAT(kernel_after([&](Kernel& k) { access(k, OpKind::kStore).stored = kNone; }),
             Contains("odd access"));
  CHECK_THAT(kernel_after([&](Kernel& k) {
               access(k, OpKind::kLoad).stored = first_loop(k).regions[0].arguments[0];
             }),
             Contains("odd access"));
  CHECK_THAT(kernel_after([&](Kernel& k) {
               access(k, OpKind::kStore).otherwise = access(k, OpKind::kStore).stored;
             }),
             Contains("odd access"));
  CHECK_THAT(kernel_after([&](Kernel& k) { inner(k, OpKind::kLoad).results.clear(); }),
             Contains("wrong number of results"));
  CHECK_THAT(kernel_after([&](Kernel& k) {
               Op& load = inner(k, OpKind::kLoad);
               load.results.push_back(load.results[0]);
             }),
             Contains("wrong number of results"));
}

TEST_CASE("damaged loops of a kernel") {
  const auto loop = [](Kernel& k) -> Loop& { return std::get<Loop>(first_loop(k).payload); };
  CHECK(kernel_after([&](Kernel& k) { loop(k).step = 1; }) == "");
  for (const int64_t step : {0, -1})
    CHECK_THAT(kernel_after([&](Kernel& k) { loop(k).step = step; }), Contains("odd loop"));
  CHECK_THAT(
      kernel_after([&](Kernel& k) { first_loop(k).regions.push_back(first_loop(k).regions[0]); }),
      Contains("odd loop"));
  CHECK_THAT(kernel_after([&](Kernel& k) { first_loop(k).regions.clear(); }), Contains("odd loop"));
  CHECK_THAT(kernel_after([&](Kernel& k) { first_loop(k).payload = Constant{{0}}; }),
             Contains("odd loop"));
}

// y = -x, z = y, both of four numbers.
Kernel negated() {
  Builder b("negated");
  const BufferId x = b.buffer({.name = "x", .element = Scalar::kS32, .elements = 4});
  const BufferId y =
      b.buffer({.name = "y", .element = Scalar::kS32, .elements = 4, .direction = Direction::kOut});
  b.buffer({.name = "s",
            .element = Scalar::kS32,
            .elements = 4,
            .direction = Direction::kScratch,
            .space = Space::kArena});
  b.loop(4, [&](ValueId i) {
    b.store(y, Affine::of(i), b.unary(OpKind::kNeg, b.load(x, Affine::of(i))));
  });
  return b.finish();
}

enum : ProgramValueId { kX, kY, kZ, kFar, kDone };

Program sound_program() {
  Program p;
  const auto add = [&](const char* name, ValueRole role, int memory) {
    ProgramValue value{.name = name, .element = Scalar::kS32, .elements = 4};
    value.role = role;
    value.memory = memory;
    value.leaf = role == ValueRole::kArgument ? 0 : kNone;
    p.values.push_back(value);
  };
  add("x", ValueRole::kArgument, 0);
  add("y", ValueRole::kTemporary, 0);
  add("z", ValueRole::kTemporary, 0);
  add("far", ValueRole::kTemporary, 1);
  add("done", ValueRole::kTemporary, 1);
  const Leaf leaf{.index = 0, .shape = hlo::Shape::array(hlo::PrimitiveType::kS32, {4})};
  p.signature.arguments = p.signature.results = {leaf};
  p.arguments = {kX};
  p.results = {kZ};
  p.kernels = {negated()};
  p.steps.push_back({Launch{.kernel = 0, .operands = {kX, kY}}, {{"negate"}}});
  p.steps.push_back({Copy{kY, kZ}, {}});
  p.steps.push_back({Transfer{kY, kFar, 0}, {}});
  p.steps.push_back({Submit{"part", {kFar}, {kDone}, 0}, {}});
  p.steps.push_back({Wait{0}, {}});
  return p;
}

template <typename Change>
std::string program_after(Change change) {
  Program program = sound_program();
  change(program);
  const Status status = verify(program);
  return status.ok() ? "" : status.error().message;
}

TEST_CASE("damaged values of a program") {
  CHECK(program_after([](Program&) {}) == "");
  CHECK_THAT(program_after([](Program& p) { p.values[kZ].elements = -1; }),
             Contains("negative size"));
  CHECK_THAT(program_after([](Program& p) { p.values[kX].memory = 1; }),
             Contains("a argument in memory 1"));
  CHECK_THAT(program_after([](Program& p) { p.values[kZ].memory = -1; }),
             Contains("a temporary in memory -1"));
  const auto with_constant = [](ValueRole role, size_t bytes) {
    return program_after([&](Program& p) {
      ProgramValue value{.name = "c", .element = Scalar::kS32, .elements = 4};
      value.role = role;
      if (bytes > 0) value.data = std::make_shared<const std::vector<std::byte>>(bytes);
      p.values.push_back(value);
    });
  };
  for (const ValueRole role : {ValueRole::kConstant, ValueRole::kState}) {
    CHECK(with_constant(role, 16) == "");
    for (const size_t bytes : {0, 15, 17})
      CHECK_THAT(with_constant(role, bytes), Contains("bytes"));
  }
  CHECK(program_after([](Program& p) { p.values[kX].role = ValueRole::kState; }) ==
        "");  // an argument's, which brings its bytes
}

TEST_CASE("damaged arguments and results of a program") {
  for (const ProgramValueId id : {-1, -2, 5, 6}) {
    CHECK_THAT(program_after([&](Program& p) { p.arguments = {id}; }), Contains("is no value"));
    CHECK_THAT(program_after([&](Program& p) { p.results = {id}; }), Contains("is no value"));
    CHECK_THAT(program_after([&](Program& p) { std::get<Copy>(p.steps[1].what).from = id; }),
               Contains("no value"));
    CHECK_THAT(program_after([&](Program& p) { std::get<Copy>(p.steps[1].what).to = id; }),
               Contains("value"));
    CHECK_THAT(program_after([&](Program& p) {
                 p.steps[0].what = Launch{.kernel = 0, .operands = {kX, id}};
               }),
               Contains("no value"));
  }
  CHECK_THAT(program_after([](Program& p) { p.arguments = {kY}; }), Contains("another role"));
  CHECK_THAT(program_after([](Program& p) { p.values[kX].leaf = 1; }), Contains("another role"));
  CHECK_THAT(program_after([](Program& p) { p.values[kX].role = ValueRole::kTemporary; }),
             Contains("another role"));
  CHECK_THAT(program_after([](Program& p) { p.results = {kZ, kZ}; }), Contains("more leaves"));
  CHECK_THAT(program_after([](Program& p) {
               p.signature.results[0].shape = hlo::Shape::array(hlo::PrimitiveType::kS32, {5});
             }),
             Contains("leaf 0 has 20 bytes"));
}

TEST_CASE("damaged launches of a program") {
  const auto after = [](const std::function<void(Launch&)>& change) {
    return program_after([&](Program& p) { change(std::get<Launch>(p.steps[0].what)); });
  };
  for (const KernelId kernel : {-1, -2, 1, 2})
    CHECK_THAT(after([&](Launch& l) { l.kernel = kernel; }), Contains("no such kernel"));
  for (const int ranges : {0, -1})
    CHECK_THAT(after([&](Launch& l) { l.ranges = ranges; }), Contains("ranges"));
  CHECK_THAT(after([](Launch& l) { l.ranges = 2; }), Contains("integers don't fit"));
  for (const int64_t scratch : {0, 4})
    CHECK(after([&](Launch& l) { l.scratch = {scratch}; }) == "");
  for (const int64_t scratch : {-1, -2, 5})
    CHECK_THAT(after([&](Launch& l) { l.scratch = {scratch}; }), Contains("which has 4"));
  const auto overlap = [&](int result, int operand, int64_t bytes) {
    return after([&](Launch& l) {
      l.overlaps.push_back({.result = result, .operand = operand, .bytes = bytes});
    });
  };
  for (const int64_t bytes : {0, 16}) CHECK(overlap(1, 0, bytes) == "");
  CHECK_THAT(overlap(1, 0, -1), Contains("an overlap"));
  for (const int operand : {-1, -2, 1, 2, 3})
    CHECK_THAT(overlap(1, operand, 0), Contains("an overlap"));
  for (const int result : {-1, 0, 2, 3}) CHECK_THAT(overlap(result, 0, 0), Contains("an overlap"));
  CHECK_THAT(program_after([](Program& p) { p.values[kX].element = Scalar::kU32; }),
             Contains("for negated's x"));
  CHECK_THAT(program_after([](Program& p) { p.kernels[0].buffers[1].elements = 5; }),
             Contains("has more than 4"));
}

TEST_CASE("damaged joins of a program") {
  const auto joined = [](std::vector<Join::Run> runs) {
    return program_after([&](Program& p) { p.steps[1].what = Join{std::move(runs), kZ}; });
  };
  CHECK(joined({{kY, 0, 16}}) == "");
  CHECK(joined({{kY, 8, 8}, {kY, 0, 4}, {kY, 12, 4}}) == "");
  CHECK(joined({{kY, 0, 1}, {kY, 1, 15}}) == "");
  CHECK_THAT(joined({{kY, 0, 12}}), Contains("a join of 12 bytes to value 2 (z)"));
  CHECK_THAT(joined({}), Contains("a join of 0 bytes"));
  CHECK_THAT(joined({{kY, 4, 16}}), Contains("a join of bytes 4 to 20 of value 1 (y)"));
  CHECK_THAT(joined({{kY, -1, 16}}), Contains("a join of bytes -1"));
  CHECK_THAT(joined({{kY, 0, 16}, {kY, 0, 0}}), Contains("a join of bytes 0 to 0"));
  CHECK_THAT(joined({{kX, 0, 16}}), Contains("value 0 (x) is joined, but no temporary"));
  CHECK_THAT(joined({{kZ, 0, 16}}), Contains("read where it is not defined"));
  CHECK_THAT(program_after([](Program& p) {
               p.steps.push_back({Join{{{kFar, 0, 16}}, kZ}, {}});
             }),
             Contains("only transfers and devices"));
}

TEST_CASE("damaged queues and devices of a program") {
  const auto transfer = [](ProgramValueId from, ProgramValueId to) {
    return program_after([&](Program& p) { p.steps[2].what = Transfer{from, to, 0}; });
  };
  CHECK_THAT(transfer(kY, kY), Contains("inside of memory 0"));
  for (const int queue : {-1, -2})
    CHECK_THAT(program_after([&](Program& p) { p.steps[4].what = Wait{queue}; }),
               Contains("no queue"));
  CHECK(program_after([](Program& p) { p.steps[4].what = Wait{1}; }) == "");
  CHECK_THAT(program_after([](Program& p) { p.values[kDone].memory = 2; }),
             Contains("in memories 1 and 2"));
  CHECK_THAT(program_after([](Program& p) { p.values[kDone].memory = 0; }),
             Contains("does not lie in a device's memory"));
  CHECK_THAT(program_after([](Program& p) {
               p.steps.push_back({UserCall{"f", {kFar}, {}}, {}});
             }),
             Contains("only transfers and devices"));
}

TEST_CASE("damaged loops and choices of a program") {
  // while (p) y2 = y, and a choice between y and z.
  const auto looped = [](const std::function<void(WhileStep&, Program&)>& change) {
    return program_after([&](Program& p) {
      const auto add = [&](Scalar element, int64_t elements) {
        p.values.push_back({.name = "w", .element = element, .elements = elements});
        return static_cast<ProgramValueId>(p.values.size()) - 1;
      };
      WhileStep loop;
      loop.initial = {kY};
      loop.carried = {add(Scalar::kS32, 4)};
      loop.condition_value = add(Scalar::kPred, 1);
      loop.condition.push_back({UserCall{"more", {loop.carried[0]}, {loop.condition_value}}, {}});
      const ProgramValueId next = add(Scalar::kS32, 4);
      loop.body.push_back({Copy{loop.carried[0], next}, {}});
      loop.next = {next};
      loop.result = {add(Scalar::kS32, 4)};
      change(loop, p);
      p.steps.push_back({std::move(loop), {}});
    });
  };
  CHECK(looped([](WhileStep&, Program&) {}) == "");
  CHECK_THAT(looped([](WhileStep& l, Program&) { l.carried.push_back(l.carried[0]); }),
             Contains("odd while"));
  CHECK_THAT(looped([](WhileStep& l, Program&) { l.next.clear(); }), Contains("odd while"));
  CHECK_THAT(looped([](WhileStep& l, Program&) { l.result.clear(); }), Contains("odd while"));
  CHECK_THAT(looped([](WhileStep& l, Program&) { l.next = {-1}; }), Contains("no such value"));
  CHECK_THAT(looped([](WhileStep& l, Program& p) {
               p.values[static_cast<size_t>(l.condition_value)].elements = 0;
             }),
             Contains("no pred"));
  CHECK_THAT(looped([](WhileStep& l, Program& p) {
               p.values[static_cast<size_t>(l.condition_value)].elements = 2;
             }),
             Contains("no pred"));
  const auto chosen = [](Scalar selector, size_t branches, size_t yields) {
    return program_after([&](Program& p) {
      p.values.push_back({.name = "which", .element = selector, .elements = 1});
      p.values.push_back({.name = "result", .element = Scalar::kS32, .elements = 4});
      p.steps.push_back({UserCall{"which", {}, {5}}, {}});
      ConditionalStep choice;
      choice.selector = 5;
      choice.results = {6};
      choice.branches.resize(branches);
      choice.yields.assign(yields, {kY});
      p.steps.push_back({std::move(choice), {}});
    });
  };
  for (const Scalar selector : {Scalar::kPred, Scalar::kS32}) CHECK(chosen(selector, 2, 2) == "");
  CHECK_THAT(chosen(Scalar::kF32, 2, 2), Contains("neither pred nor s32"));
  CHECK_THAT(chosen(Scalar::kU32, 2, 2), Contains("neither pred nor s32"));
  CHECK_THAT(chosen(Scalar::kS32, 0, 0), Contains("odd conditional"));
  CHECK_THAT(chosen(Scalar::kS32, 2, 1), Contains("odd conditional"));
  CHECK_THAT(chosen(Scalar::kS32, 1, 2), Contains("odd conditional"));
}

}  // namespace
}  // namespace hlocc::kernel
