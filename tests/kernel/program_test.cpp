// Programs: sizes of leaves, the verifier's rules, the text, and what each kind of step means.
#include "kernel/program.h"

#include <catch2/catch.hpp>
#include <cstring>

#include "kernel/builder.h"
#include "kernel/evaluate/evaluator.h"

namespace hlocc::kernel {
namespace {

using Bytes = std::vector<std::byte>;

Bytes bytes(std::vector<int32_t> values) {
  Bytes out(values.size() * 4);
  std::memcpy(out.data(), values.data(), out.size());
  return out;
}

// y = x + k, elementwise on s32[n].
Kernel add_constant(int k, int64_t n) {
  Builder b("add" + std::to_string(k));
  const BufferId x = b.buffer({.name = "x", .element = Scalar::kS32, .elements = n});
  const BufferId y =
      b.buffer({.name = "y", .element = Scalar::kS32, .elements = n, .direction = Direction::kOut});
  b.loop(n, [&](ValueId i) {
    b.store(y, Affine::of(i),
            b.add(b.load(x, Affine::of(i)), b.constant_int({Scalar::kS32, 1}, k)));
  });
  return b.finish();
}

// p = x[0] < limit.
Kernel less_than(int limit, int64_t n) {
  Builder b("less");
  const BufferId x = b.buffer({.name = "x", .element = Scalar::kS32, .elements = n});
  const BufferId y = b.buffer(
      {.name = "p", .element = Scalar::kPred, .elements = 1, .direction = Direction::kOut});
  b.store(y, Affine::constant(0),
          b.compare(Predicate::kLt, b.load(x, Affine::constant(0)),
                    b.constant_int({Scalar::kS32, 1}, limit)));
  return b.finish();
}

// Writes row `r` of a result with the number of the row.
Kernel write_row(int64_t row, int64_t n) {
  Builder b("row");
  const BufferId y =
      b.buffer({.name = "y", .element = Scalar::kS32, .elements = n, .direction = Direction::kOut});
  const ValueId r = b.parameter();
  b.loop(row, [&](ValueId i) {
    b.store(y, Affine::of(r, row).plus(Affine::of(i)), b.convert(r, Scalar::kS32));
  });
  return b.finish();
}

struct Made {
  Program p;
  ProgramValueId value(int64_t n, ValueRole role = ValueRole::kTemporary,
                       Scalar element = Scalar::kS32, int leaf = kNone) {
    p.values.push_back({.name = "v" + std::to_string(p.values.size()),
                        .element = element,
                        .elements = n,
                        .role = role,
                        .leaf = leaf});
    return static_cast<ProgramValueId>(p.values.size() - 1);
  }
  ProgramValueId argument(int64_t n) {
    p.arguments.push_back(
        value(n, ValueRole::kArgument, Scalar::kS32, static_cast<int>(p.arguments.size())));
    return p.arguments.back();
  }
};

std::vector<Bytes> run(const Program& program, std::vector<Bytes> arguments) {
  const Status status = verify(program);
  if (!status) FAIL(status.error().to_string());
  auto results = evaluate(program, arguments);
  if (!results) FAIL(results.error().to_string());
  return *results;
}

Made counting_while() {
  Made m;
  m.p.kernels = {add_constant(1, 1), less_than(10, 1), add_constant(5, 1)};
  const ProgramValueId start = m.argument(1), i = m.value(1), next = m.value(1), end = m.value(1);
  const ProgramValueId p = m.value(1, ValueRole::kTemporary, Scalar::kPred);
  // (a, b) -> (b, a + 1): the turns swap.
  const ProgramValueId a0 = m.value(1), b = m.value(1), end_b = m.value(1);
  m.p.steps.push_back({Launch{.kernel = 2, .operands = {start, a0}}, {{"init.5"}}});
  m.p.steps.push_back({WhileStep{.initial = {start, a0},
                                 .carried = {i, b},
                                 .next = {b, next},
                                 .result = {end, end_b},
                                 .condition = {{Launch{.kernel = 1, .operands = {i, p}}, {}}},
                                 .condition_value = p,
                                 .body = {{Launch{.kernel = 0, .operands = {i, next}}, {}}}},
                       {{"while.1"}}});
  m.p.results = {end, end_b};
  return m;
}

TEST_CASE("a while step hands all values on at once") {
  const Made m = counting_while();
  // (0,5) (5,1) (1,6) (6,2) (2,7) (7,3) (3,8) (8,4) (4,9) (9,5) (5,10) (10,6)
  CHECK(run(m.p, {bytes({0})}) == std::vector<Bytes>{bytes({10}), bytes({6})});
}

TEST_CASE("the text of a program shows steps as a tree") {
  const std::string text = to_text(counting_while().p);
  CHECK_THAT(text, Catch::Contains("  launch add5(in %v0, out %v5)  // init.5\n"
                                   "  while (%v1 = %v0, %v6 = %v5) {  // while.1\n"
                                   "    launch less(in %v1, out %v4)\n"
                                   "  } %v4 do {\n"
                                   "    launch add1(in %v1, out %v2)\n"
                                   "    next %v6, %v2\n"
                                   "  } -> %v3, %v7\n"));
}

TEST_CASE("the text of a program names kernels that there are, and memories but the first") {
  const auto launched = [](KernelId kernel) {
    Made m;
    m.p.kernels = {add_constant(5, 1), add_constant(1, 1)};
    const ProgramValueId x = m.argument(1), y = m.value(1);
    m.p.values[static_cast<size_t>(y)].memory = 2;
    m.p.steps.push_back({Launch{.kernel = kernel, .operands = {x, y}}, {}});
    return to_text(m.p);
  };
  using Catch::Contains;
  CHECK_THAT(launched(0), Contains("launch add5(in %v0, out %v1)"));
  CHECK_THAT(launched(1), Contains("launch add1(in %v0, out %v1)"));
  // The verifier writes of programs that are not sound.
  CHECK_THAT(launched(2), Contains("launch kernel 2(%v0, %v1)"));
  CHECK_THAT(launched(-1), Contains("launch kernel -1(%v0, %v1)"));
  CHECK_THAT(launched(0), Contains("value %v0: s32[1] argument\n"));
  CHECK_THAT(launched(0), Contains("value %v1: s32[1] temporary in memory 2\n"));
}

TEST_CASE("a conditional takes the branch of its selector, the last when out of range") {
  Made m;
  m.p.kernels = {add_constant(1, 1), add_constant(2, 1), add_constant(3, 1)};
  const ProgramValueId x = m.argument(1), result = m.value(1);
  ConditionalStep choice{.selector = x, .results = {result}};
  for (int b = 0; b < 3; ++b) {
    const ProgramValueId y = m.value(1);
    choice.branches.push_back({{Launch{.kernel = b, .operands = {x, y}}, {}}});
    choice.yields.push_back({y});
  }
  m.p.steps.push_back({choice, {}});
  m.p.results = {result};
  CHECK(run(m.p, {bytes({0})})[0] == bytes({1}));
  CHECK(run(m.p, {bytes({1})})[0] == bytes({3}));
  CHECK(run(m.p, {bytes({2})})[0] == bytes({5}));
  CHECK(run(m.p, {bytes({-1})})[0] == bytes({2}));
  CHECK(run(m.p, {bytes({9})})[0] == bytes({12}));
}

TEST_CASE("a join puts runs of bytes one behind the other") {
  Made m;
  m.p.kernels = {add_constant(1, 3)};
  const ProgramValueId x = m.argument(3), y = m.value(3), joined = m.value(4);
  m.p.steps.push_back({Launch{.kernel = 0, .operands = {x, y}}, {}});
  m.p.steps.push_back({Join{{{y, 4, 8}, {y, 0, 8}}, joined}, {{"window.1"}}});
  m.p.results = {joined};
  CHECK(run(m.p, {bytes({1, 2, 3})})[0] == bytes({3, 4, 2, 3}));
  CHECK_THAT(to_text(m.p), Catch::Contains("  join %v2 = %v1[4, 12), %v1[0, 8)  // window.1\n"));
}

TEST_CASE("an update starts from another value's bytes") {
  Made m;
  m.p.kernels = {write_row(2, 6)};
  const ProgramValueId x = m.argument(6), y = m.value(6);
  m.p.steps.push_back(
      {Launch{.kernel = 0, .operands = {y}, .integers = {2}, .updates = {{0, x}}}, {}});
  m.p.results = {y, x};
  const auto results = run(m.p, {bytes({7, 7, 7, 7, 7, 7})});
  CHECK(results[0] == bytes({7, 7, 7, 7, 2, 2}));
  CHECK(results[1] == bytes({7, 7, 7, 7, 7, 7}));
}

TEST_CASE("state without a leaf keeps its bytes between runs") {
  Made m;
  Builder b("count");
  const BufferId s = b.buffer({.name = "s",
                               .element = Scalar::kS32,
                               .elements = 1,
                               .direction = Direction::kInOut,
                               .space = Space::kState});
  b.store(s, Affine::constant(0),
          b.add(b.load(s, Affine::constant(0)), b.constant_int({Scalar::kS32, 1}, 3)));
  m.p.kernels = {b.finish()};
  const ProgramValueId state = m.value(1, ValueRole::kState), copy = m.value(1);
  m.p.values[static_cast<size_t>(state)].data = std::make_shared<const Bytes>(bytes({100}));
  m.p.steps = {{Launch{.kernel = 0, .operands = {state}}, {}}, {Copy{state, copy}, {}}};
  m.p.results = {copy};
  REQUIRE(verify(m.p));
  ProgramState kept;
  CHECK(evaluate(m.p, {}, &kept).value()[0] == bytes({103}));
  CHECK(evaluate(m.p, {}, &kept).value()[0] == bytes({106}));
  // What a caller has no bytes of begins as the program says.
  ProgramState empty;
  empty.values.resize(m.p.values.size());
  CHECK(evaluate(m.p, {}, &empty).value()[0] == bytes({103}));
  // A donated argument, or what is no state, wants an update.
  const auto refused = [&](const std::function<void(ProgramValue&)>& change) {
    Program other = m.p;
    change(other.values[static_cast<size_t>(state)]);
    const Status status = verify(other);
    return status.ok() ? "" : status.error().message;
  };
  for (const auto& refusal : {refused([](ProgramValue& v) { v.leaf = 0; }),
                              refused([](ProgramValue& v) { v.role = ValueRole::kTemporary; })})
    CHECK_THAT(refusal, Catch::Contains("is read and written, but no update"));
}

TEST_CASE("leaves are packed only where the layout says so") {
  hlo::Shape shape = hlo::Shape::array(hlo::PrimitiveType::kS4, {5});
  CHECK(Leaf{.shape = shape}.bytes() == 5);
  shape.layout.element_bits = 4;
  CHECK(Leaf{.shape = shape}.bytes() == 3);
}

TEST_CASE("the program verifier names what is wrong") {
  Made m;
  m.p.kernels = {add_constant(1, 4)};
  const ProgramValueId x = m.argument(4), y = m.value(4);
  m.p.steps = {{Launch{.kernel = 0, .operands = {x, y}}, {{"add.1"}}}};
  m.p.results = {y};
  const auto complaint = [&] {
    const Status status = verify(m.p);
    return status ? std::string() : status.error().to_string();
  };
  CHECK(complaint() == "");
  SECTION("reading before writing") {
    std::get<Launch>(m.p.steps[0].what).operands = {y, x};
    CHECK_THAT(complaint(), Catch::Contains("value 1 (v1) is read where it is not defined") &&
                                Catch::Contains("in add.1"));
  }
  SECTION("two definitions") {
    m.p.steps.push_back(m.p.steps[0]);
    CHECK_THAT(complaint(), Catch::Contains("defined twice"));
  }
  SECTION("a value of another size") {
    m.p.values[static_cast<size_t>(y)].elements = 5;
    CHECK_THAT(complaint(), Catch::Contains("s32[5] for add1's y: s32[4]"));
  }
  SECTION("a parameter without an integer") {
    m.p.kernels.push_back(write_row(1, 4));
    m.p.steps = {{Launch{.kernel = 1, .operands = {y}}, {}}};
    CHECK_THAT(complaint(), Catch::Contains("integers don't fit the parameters"));
  }
  SECTION("an update from the value that it makes") {
    m.p.kernels.push_back(write_row(1, 4));
    m.p.steps = {{Launch{.kernel = 1, .operands = {y}, .integers = {0}, .updates = {{0, y}}}, {}}};
    CHECK_THAT(complaint(), Catch::Contains("an update from the value that it makes"));
  }
  SECTION("a result that nobody makes") {
    m.p.steps.clear();
    CHECK_THAT(complaint(), Catch::Contains("is read where it is not defined"));
  }
}

}  // namespace
}  // namespace hlocc::kernel
