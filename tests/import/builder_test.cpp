// What is asked of operands while a graph is built.
#include "import/build/builder.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "import/build/numbers.h"
#include "support/text.h"

namespace hlocc::import {
namespace {

using hlo::Dimensions;
using hlo::Opcode;

constexpr PrimitiveType kFloat = PrimitiveType::kF32;

// What is built of x, f32[2,3], y, f32[1,3], and i, s32[2,2]: the instructions behind them, by
// opcode and shape.
using Built =
    std::function<void(Builder&, hlo::InstructionId x, hlo::InstructionId y, hlo::InstructionId i)>;
std::string built(const Built& build) {
  hlo::Module module;
  Builder b(module);
  b.begin("main");
  const auto x = b.parameter(0, Shape::array(kFloat, {2, 3}), "x"),
             y = b.parameter(1, Shape::array(kFloat, {1, 3}), "y"),
             i = b.parameter(2, Shape::array(PrimitiveType::kS32, {2, 2}), "i");
  build(b, x, y, i);
  if (b.failure()) return b.failure()->message;
  std::string out;
  const hlo::Computation& made = module.computations[static_cast<size_t>(b.end(x))];
  for (size_t at = 3; at < made.instructions.size(); ++at)
    out += cat(out.empty() ? "" : " ", hlo::opcode_name(made.instructions[at].opcode), " ",
               made.instructions[at].shape);
  return out;
}

TEST_CASE("a dimension that an operand lacks is a failure, and its size is 1") {
  for (const auto& [dimension, size] : {std::pair{0, 2}, {1, 3}, {-1, 0}, {2, 0}}) {
    INFO(dimension);
    hlo::Module module;
    Builder b(module);
    b.begin("main");
    const InstructionId x = b.parameter(0, Shape::array(PrimitiveType::kF32, {2, 3}), "x");
    CHECK(b.size(x, dimension) == (size == 0 ? 1 : size));
    CHECK(b.failure().has_value() == (size == 0));
    if (size != 0) continue;
    CHECK(b.failure()->kind == DiagnosticKind::kShape);
    CHECK(b.failure()->message.find("f32[2,3]") != std::string::npos);
  }
}

TEST_CASE("what changes nothing is not built") {
  struct Row {
    Built build;
    std::string_view told;
  };
  const Dimensions whole = {2, 3}, none = {0, 0}, ones = {1, 1};
  const Row rows[] = {
      {[&](Builder& b, auto x, auto, auto) {
         b.broadcast(x, whole, {0, 1});
       },
       ""},
      {[&](Builder& b, auto, auto, auto i) {
         b.broadcast(i, {2, 2}, {0, 1});
       },
       ""},
      {[&](Builder& b, auto, auto, auto i) {
         b.broadcast(i, {2, 2}, {1, 0});
       },
       "broadcast s32[2,2]"},
      {[&](Builder& b, auto x, auto, auto) {
         b.broadcast(x, {2, 3, 4}, {0, 1});
       },
       "broadcast f32[2,3,4]"},
      {[&](Builder& b, auto x, auto, auto) { b.broadcast_to(x, whole); }, ""},
      {[&](Builder& b, auto, auto y, auto) { b.broadcast_to(y, whole); },
       "reshape f32[3] broadcast f32[2,3]"},
      {[&](Builder& b, auto, auto y, auto) {
         b.broadcast_to(y, {4, 1, 3});
       },
       "broadcast f32[4,1,3]"},
      {[&](Builder& b, auto x, auto, auto) { b.slice(x, none, whole, ones); }, ""},
      {[&](Builder& b, auto x, auto, auto) {
         b.slice(x, {0, 1}, whole, ones);
       },
       "slice f32[2,2]"},
      {[&](Builder& b, auto x, auto, auto) {
         b.slice(x, none, {1, 3}, ones);
       },
       "slice f32[1,3]"},
      {[&](Builder& b, auto x, auto, auto) {
         b.slice(x, none, whole, {2, 1});
       },
       "slice f32[1,3]"},
      {[&](Builder& b, auto x, auto, auto) { b.slice(x, 1, 0, 3); }, ""},
      {[&](Builder& b, auto x, auto, auto) { b.concatenate({x}, 0); }, ""},
      {[&](Builder& b, auto x, auto y, auto) {
         b.concatenate({x, y}, 0);
       },
       "concatenate f32[3,3]"},
      {[&](Builder& b, auto x, auto, auto) { b.convert(x, kFloat); }, ""},
      {[&](Builder& b, auto x, auto, auto) { b.reshape(x, whole); }, ""},
      {[&](Builder& b, auto x, auto, auto) {
         b.transpose(x, {0, 1});
       },
       ""},
      {[&](Builder& b, auto x, auto, auto) { b.reverse(x, {}); }, ""},
      {[&](Builder& b, auto x, auto, auto i) { b.take(x, i, 1); }, "gather f32[2,2,2]"},
      {[&](Builder& b, auto x, auto, auto i) { b.take(x, i, 0); }, "gather f32[2,2,3]"},
  };
  for (const Row& row : rows) {
    INFO(row.told << " " << &row - rows);
    CHECK(built(row.build) == row.told);
  }
}

TEST_CASE("parts that are taken have the dimensions of the indices in the dimension's place") {
  struct Row {
    int64_t dimension;
    Dimensions sizes, offsets;
  };
  for (const Row& row :
       {Row{0, {2, 3, 6, 7}, {2, 3}}, Row{1, {5, 2, 3, 7}, {0, 3}}, Row{2, {5, 6, 2, 3}, {0, 1}}}) {
    INFO(row.dimension);
    hlo::Module module;
    Builder b(module);
    b.begin("main");
    const auto x = b.parameter(0, Shape::array(kFloat, {5, 6, 7}), "x"),
               i = b.parameter(1, Shape::array(PrimitiveType::kS32, {2, 3}), "i");
    const auto taken = b.take(x, i, row.dimension);
    REQUIRE_FALSE(b.failure());
    CHECK(b.sizes(taken) == row.sizes);
    const hlo::Computation& main = module.computations[static_cast<size_t>(b.end(taken))];
    CHECK(main[taken].get<hlo::GatherAttributes>().offset_dims == row.offsets);
  }
}

TEST_CASE("numbers beyond 64 bits become the nearest integers that doubles have") {
  const auto integer = [](double value) {
    return literal_of(PrimitiveType::kS64, value).data<int64_t>()[0];
  };
  CHECK(integer(-7.9) == -7);
  CHECK(integer(INFINITY) == INT64_MAX - 1023);
  CHECK(integer(1e30) == INT64_MAX - 1023);
  CHECK(integer(-INFINITY) == INT64_MIN);
  CHECK(integer(NAN) == 0);
}

TEST_CASE("of one truth value, and of no other") {
  hlo::Module module;
  Builder b(module);
  b.begin("main");
  struct Row {
    Shape shape;
    bool is_one;
  };
  int64_t number = 0;
  for (const Row& row : {Row{Shape::scalar(PrimitiveType::kPred), true},
                         Row{Shape::array(PrimitiveType::kPred, {1, 1}), true},
                         Row{Shape::array(PrimitiveType::kPred, {2}), false},
                         Row{Shape::array(PrimitiveType::kPred, {0}), false},
                         Row{Shape::scalar(PrimitiveType::kS8), false}}) {
    INFO(cat(row.shape));
    CHECK(b.is_one_truth(b.parameter(number++, row.shape, "x")) == row.is_one);
  }
}

TEST_CASE("sizes that NumPy's rule broadcasts, in either order") {
  using Sizes = std::optional<Dimensions>;
  struct Row {
    Dimensions a, b;
    Sizes both;
  };
  const Row rows[] = {{{2, 3}, {2, 3}, Dimensions{2, 3}},
                      {{2, 3}, {3}, Dimensions{2, 3}},
                      {{2, 1}, {3}, Dimensions{2, 3}},
                      {{2, 3}, {1, 1}, Dimensions{2, 3}},
                      {{4, 1, 3}, {2, 1}, Dimensions{4, 2, 3}},
                      {{1}, {0}, Dimensions{0}},
                      {{}, {5}, Dimensions{5}},
                      {{2, 3}, {2}, std::nullopt},
                      {{0}, {2}, std::nullopt},
                      {{2}, {3}, std::nullopt}};
  for (const Row& row : rows) {
    INFO(&row - rows);
    CHECK(broadcast_sizes(row.a, row.b) == row.both);
    CHECK(broadcast_sizes(row.b, row.a) == row.both);
  }
}

// The first failure stays, and neither instructions nor computations come after it.
TEST_CASE("behind a failure nothing is built, and the first one is told") {
  hlo::Module module;
  Builder b(module);
  b.begin("main");
  const auto x = b.parameter(0, Shape::array(kFloat, {2, 3}), "x");
  const auto i = b.parameter(1, Shape::array(PrimitiveType::kS32, {2}), "i");
  b.fail(error(DiagnosticKind::kType, "first"));
  CHECK(b.parameter_number(i) == 0);
  CHECK(b.add(Opcode::kNegate, {i}) == 0);
  CHECK(b.constant(Literal::zeros(Shape::scalar(kFloat))) == 0);
  CHECK(b.reduce(Opcode::kAdd, x, {0}) == 0);
  CHECK(b.reduce_window(Opcode::kAdd, x, {}) == 0);
  CHECK(b.take(x, i, 0) == 0);
  CHECK(b.row(x, i) == 0);
  CHECK(b.with_row(x, i, i) == 0);
  CHECK(b.scatter(x, i, x, {}, Opcode::kAdd) == 0);
  CHECK(b.scatter(x, i, x, {}, std::nullopt) == 0);
  CHECK(b.broadcast_to(i, {7, 7}) == i);
  CHECK(b.loop(3, {x, i}, [](auto, const auto& state) { return state; }) ==
        std::vector<hlo::InstructionId>{x, i});
  CHECK(module.computations.empty());
  CHECK(b.failure()->message == "first");
  const hlo::ComputationId main = b.end(x);
  CHECK(module.computations[static_cast<size_t>(main)].instructions.size() == 2);
}

}  // namespace
}  // namespace hlocc::import
