// TensorFlow Lite's variables: handles, reads, writes, and the subgraph that says what they begin
// as; each on both sides of what it is refused for. Behind the results stands what is kept.
#include "tflite/graphs.h"

namespace hlocc::tests {
namespace {

const NodeTensor a_handle = numbered(y({1}), 13);
const NodeTensor two_reals = x({2}, {3, 4});

FlatFields var_named(const std::string& name, const std::string& container = "") {
  return {flat_bytes(schema::VarHandleOptions::container, container),
          flat_bytes(schema::VarHandleOptions::shared_name, name)};
}
FlatFields begin_by(int32_t graph) { return {flat(schema::CallOnceOptions::init_subgraph, graph)}; }
Literal held(const std::vector<double>& values) {
  return literal_from(kF32, {static_cast<int64_t>(values.size())}, values);
}

// The tensors that the operators below name: two arguments, two handles, results.
std::vector<NodeTensor> graph_tensors() {
  return {two_reals, a_handle, y({2}), y({2}), a_handle, y({2})};
}
const GraphOp make_v = {"VAR_HANDLE", {}, {1}, var_named("v")};
const GraphOp make_w = {"VAR_HANDLE", {}, {4}, var_named("w")};
const GraphOp read_v = {"READ_VARIABLE", {1}, {2}};
const GraphOp write_v = {"ASSIGN_VARIABLE", {1, 0}, {}};

std::string run_with(const std::vector<GraphOp>& ops, const std::vector<Literal>& state = {},
                     const std::vector<int64_t>& outputs = {2},
                     const std::vector<GraphText>& more = {}) {
  std::vector<GraphText> graphs = {{graph_tensors(), outputs, ops}};
  graphs.insert(graphs.end(), more.begin(), more.end());
  return answer_of_graphs(graphs, state);
}

TEST_CASE("TFLite's variables are read as they were, until they are written") {
  const GraphOp again = {"READ_VARIABLE", {1}, {3}};
  CHECK(run_with({make_v, read_v}, {held({1, 2})}) == "f32[2] 1 2; f32[2] 1 2");
  CHECK(run_with({make_v, read_v, write_v}, {held({1, 2})}) == "f32[2] 1 2; f32[2] 3 4");
  CHECK(run_with({make_v, write_v, read_v}, {held({1, 2})}) == "f32[2] 3 4; f32[2] 3 4");
  CHECK(run_with({make_v, read_v, write_v, again}, {held({1, 2})}, {2, 3}) ==
        "f32[2] 1 2; f32[2] 3 4; f32[2] 3 4");
  // Nothing but the variable: one result, which takes its place.
  CHECK(run_with({make_v, write_v}, {}, {}) == "f32[2] 3 4");
  CHECK(run_with({make_v}, {}, {0}) == "f32[2] 3 4");
  // Two names are two variables, one name is one.
  const GraphOp read_w = {"READ_VARIABLE", {4}, {3}};
  CHECK(run_with({make_v, make_w, read_v, write_v, read_w}, {held({1, 2}), held({5, 6})}, {2, 3}) ==
        "f32[2] 1 2; f32[2] 5 6; f32[2] 3 4; f32[2] 5 6");
  const auto named = [&](const FlatFields& first, const FlatFields& second) {
    return run_with(
        {{"VAR_HANDLE", {}, {1}, first}, {"VAR_HANDLE", {}, {4}, second}, write_v, read_w}, {},
        {3});
  };
  const std::string same = "f32[2] 3 4; f32[2] 3 4", apart = "f32[2] 0 0; f32[2] 3 4; f32[2] 0 0";
  CHECK(named(var_named("v"), var_named("v")) == same);
  CHECK(named(var_named("v"), var_named("w")) == apart);
  CHECK(named(var_named("v", "a"), var_named("v", "a")) == same);
  CHECK(named(var_named("v", "a"), var_named("v", "b")) == apart);
  CHECK(named(var_named("v", "a"), var_named("v")) == apart);
  CHECK(named(var_named(""), var_named("")) == same);
  CHECK(named(var_named(""), var_named("variable")) == same);
}

TEST_CASE("TFLite's handles of variables are made before they are used") {
  CHECK(run_with({read_v}) ==
        "!READ_VARIABLE (version 1) of layer \"c\": the first operand is no handle of a variable");
  CHECK(run_with({write_v}, {}, {0}) ==
        "!ASSIGN_VARIABLE (version 1) of layer \"\": the first operand is no handle of a variable");
  CHECK(run_with({{"READ_VARIABLE", {0}, {2}}}) ==
        "!READ_VARIABLE (version 1) of layer \"c\": the first operand is no handle of a variable");
  CHECK(run_with({{"VAR_HANDLE", {}, {2}, var_named("v")}}) ==
        "!VAR_HANDLE (version 1) of layer \"c\": the result is no resource");
  CHECK(run_with({{"VAR_HANDLE", {0}, {1}, var_named("v")}}) ==
        "!VAR_HANDLE (version 1) of layer \"b\": has 1 operands");
  CHECK(run_with({{"VAR_HANDLE", {}, {}, var_named("v")}}) ==
        "!VAR_HANDLE (version 1) of layer \"\": has 0 results, not 1");
  CHECK(run_with({make_v, {"READ_VARIABLE", {}, {2}}}) ==
        "!READ_VARIABLE (version 1) of layer \"c\": has 0 operands, or lacks one");
  CHECK(run_with({make_v, {"READ_VARIABLE", {1, 1}, {2}}}) ==
        "!READ_VARIABLE (version 1) of layer \"c\": has 2 operands");
  CHECK(run_with({make_v, {"READ_VARIABLE", {1}, {}}}) ==
        "!READ_VARIABLE (version 1) of layer \"\": has 0 results, not 1");
  CHECK(run_with({make_v, {"ASSIGN_VARIABLE", {1}, {}}}) ==
        "!ASSIGN_VARIABLE (version 1) of layer \"\": has 1 operands, or lacks one");
  CHECK(run_with({make_v, {"ASSIGN_VARIABLE", {1, 0, 0}, {}}}) ==
        "!ASSIGN_VARIABLE (version 1) of layer \"\": has 3 operands");
  CHECK(run_with({make_v, {"ASSIGN_VARIABLE", {1, 0}, {2}}}) ==
        "!ASSIGN_VARIABLE (version 1) of layer \"c\": has 1 results, not 0");
  CHECK(run_with({make_v}, {}, {1}) == "!nothing gives the model's output \"b\"");
}

TEST_CASE("TFLite's variables keep the shape that they are first used with") {
  const auto with = [](const NodeTensor& read_as, const std::vector<GraphOp>& ops) {
    return answer_of_graphs({{{two_reals, a_handle, read_as}, {2}, ops}});
  };
  CHECK(with(y({2}), {make_v, write_v, read_v}) == "f32[2] 3 4; f32[2] 3 4");
  CHECK(with(y({1, 2}), {make_v, write_v, read_v}) == "f32[1,2] 3 4; f32[2] 3 4");
  CHECK(with(y({1, 2}), {make_v, read_v, write_v}) == "f32[1,2] 0 0; f32[1,2] 3 4");
  const std::string read = "!READ_VARIABLE (version 1) of layer \"c\": ";
  const std::string written =
      "!ASSIGN_VARIABLE (version 1) of layer \"\": variable \"v\" is first ";
  const NodeTensor whole = gives(kS32, {2});
  CHECK(with(y({3}), {make_v, write_v, read_v}) ==
        read + "result \"c\" has the shape [3], where the operator gives f32[2]");
  CHECK(with(whole, {make_v, write_v, read_v}) ==
        read + "result \"c\" is INT32, where the operator gives f32[2]");
  CHECK(with(y({3}), {make_v, read_v, write_v}) == written + "f32[3] and is assigned f32[2]");
  CHECK(with(whole, {make_v, read_v, write_v}) == written + "s32[2] and is assigned f32[2]");
  CHECK(with(numbered(y({2}), 5), {make_v, read_v}) ==
        read + "tensor \"c\" has elements of STRING, which HLO lacks");
  CHECK(with(numbered(y({2}), 23), {make_v, read_v}) ==
        read + "tensor \"c\" has elements of type 23, which HLO lacks");
}

// A graph that puts constants, or what an operator makes of one, into variable v.
GraphText begins_as(const NodeTensor& value) {
  return {{a_handle, value},
          {},
          {{"VAR_HANDLE", {}, {0}, var_named("v")}, {"ASSIGN_VARIABLE", {0, 1}, {}}}};
}
const GraphOp begin_v = {"CALL_ONCE", {}, {}, begin_by(1)};

TEST_CASE("TFLite's CALL_ONCE says what variables begin as") {
  const auto begins = [](const NodeTensor& value, const NodeTensor& result,
                         const std::vector<Literal>& state = {}) {
    return answer_of_graphs(
        {{{a_handle, result},
          {1},
          {begin_v, {"VAR_HANDLE", {}, {0}, var_named("v")}, {"READ_VARIABLE", {0}, {1}}}},
         begins_as(value)},
        state);
  };
  // What is kept is the difference to that, bit by bit.
  CHECK(begins(constant(kF32, {2}, {5, 6}), y({2})) == "f32[2] 5 6; f32[2] 0 0");
  CHECK(begins(constant(kS32, {2}, {5, 6}), gives(kS32, {2})) == "s32[2] 5 6; s32[2] 0 0");
  CHECK(begins(n({5, 6}), gives(kS32, {2}), {import::literal_of(kS32, {1, 6}, {2})}) ==
        "s32[2] 4 0; s32[2] 1 6");
  CHECK(begins(n({0, 0}), gives(kS32, {2}), {import::literal_of(kS32, {1, 6}, {2})}) ==
        "s32[2] 1 6; s32[2] 1 6");
  CHECK(begins(constant(kS8, {1}, {-5}), gives(kS8, {1})) == "s8[1] -5; s8[1] 0");
  CHECK(begins(constant(kS64, {1}, {-5}), gives(kS64, {1})) == "s64[1] -5; s64[1] 0");
  CHECK(begins(constant(kPred, {1}, {1}), gives(kPred, {1})) == "pred[1] 1; pred[1] 0");
  CHECK(begins(constant(kF64, {1}, {5}), gives(kF64, {1})) == "f64[1] 5; f64[1] 0");
  // Floats of each width: 1.5.
  const auto narrow = [&](int8_t number, PrimitiveType type, int64_t bits) {
    const NodeTensor value = {NodeTensor::kConstant, import::literal_of(type, {bits}, {1})};
    return begins(numbered(value, number), numbered(y({1}), number));
  };
  CHECK(narrow(1, kF16, 0x3e00) == "f16[1] 1.5; f16[1] 0");
  CHECK(narrow(18, kBF16, 0x3fc0) == "bf16[1] 1.5; bf16[1] 0");
  CHECK(narrow(22, kF8E5M2, 0x3e) == "f8e5m2[1] 62; f8e5m2[1] 0");
  CHECK(begins(constant(kF32, {2}, {5, 6}), y({3})) ==
        "!READ_VARIABLE (version 1) of layer \"b\": variable \"v\" begins as f32[2] and is read as "
        "f32[3]");
  CHECK(begins(n({5, 6}), y({2})) ==
        "!READ_VARIABLE (version 1) of layer \"b\": variable \"v\" begins as s32[2] and is read as "
        "f32[2]");
  CHECK(begins(n({0, 0}), y({2})) == "f32[2] 0 0; f32[2] 0 0");
}

TEST_CASE("TFLite's CALL_ONCE stands in front of what reads, in the entry alone") {
  const GraphText five = begins_as(constant(kF32, {2}, {5, 6}));
  const std::string who = "!CALL_ONCE (version 1) of layer \"\": ";
  CHECK(run_with({begin_v, make_v, read_v}, {}, {2}, {five}) == "f32[2] 5 6; f32[2] 0 0");
  CHECK(run_with({begin_v, make_v, read_v, write_v}, {}, {2}, {five}) ==
        "f32[2] 5 6; f32[2] 2.05712e-38 5.87747e-39");
  CHECK(run_with({make_v, read_v, begin_v}, {}, {2}, {five}) == "f32[2] 0 0; f32[2] 0 0");
  CHECK(run_with({begin_v, begin_v, make_v, read_v}, {}, {2}, {five}) == "f32[2] 5 6; f32[2] 0 0");
  // A variable that nothing reads is none of the module's.
  CHECK(run_with({begin_v}, {}, {0}, {five}) == "f32[2] 3 4");
  CHECK(run_with({begin_v}, {}, {0, 0}, {five}) == "f32[2] 3 4; f32[2] 3 4");
  CHECK(run_with({begin_v}) == who + "names subgraph 1 of 1");
  CHECK(run_with({{"CALL_ONCE", {}, {}, begin_by(2)}}, {}, {0}, {five}) ==
        who + "names subgraph 2 of 2");
  CHECK(run_with({{"CALL_ONCE", {}, {}, begin_by(-1)}}, {}, {0}, {five}) ==
        who + "names subgraph -1 of 2");
  CHECK(run_with({{"CALL_ONCE", {0}, {}, begin_by(1)}}, {}, {0}, {five}) == who + "has 1 operands");
  CHECK(run_with({{"CALL_ONCE", {}, {2}, begin_by(1)}}, {}, {0}, {five}) ==
        "!CALL_ONCE (version 1) of layer \"c\": has 1 results, not 0");
  CHECK(run_with({begin_v}, {}, {0}, {{{}, {}, {{"CALL_ONCE", {}, {}, begin_by(0)}}}}) ==
        who + "inside a loop, a branch or another such call");
  CHECK(run_with({{"CALL_ONCE", {}, {}, begin_by(0)}}) ==
        who + "inside a loop, a branch or another such call");
}

TEST_CASE("TFLite's variables begin as constants, and are the entry's") {
  // A value that follows from constants is known; one that a variable has is not.
  GraphText computed = {{a_handle, constant(kF32, {1}, {5}), y({1})},
                        {},
                        {{"VAR_HANDLE", {}, {0}, var_named("v")},
                         {"NEG", {1}, {2}},
                         {"ASSIGN_VARIABLE", {0, 2}, {}}}};
  const auto begun = [](const GraphText& first) {
    return answer_of_graphs(
        {{{a_handle, y({1})},
          {1},
          {begin_v, {"VAR_HANDLE", {}, {0}, var_named("v")}, {"READ_VARIABLE", {0}, {1}}}},
         first});
  };
  CHECK(begun(computed) == "f32[1] -5; f32[1] 0");
  computed.ops[1] = {"READ_VARIABLE", {0}, {2}};
  CHECK(begun(computed) ==
        "!ASSIGN_VARIABLE (version 1) of layer \"\": a variable that begins as something computed");
  // Inside a branch.
  const GraphText inner = {{two_reals, a_handle, y({2})}, {2}, {make_v, read_v}};
  const FlatFields both = {flat(schema::IfOptions::then_subgraph, 1),
                           flat(schema::IfOptions::else_subgraph, 1)};
  const GraphText outer = {
      {given(kPred, {}, {1}), two_reals, y({2})}, {2}, {{"IF", {0, 1}, {2}, both}}};
  CHECK(answer_of_graphs({inner}) == "f32[2] 0 0; f32[2] 0 0");
  CHECK(answer_of_graphs({outer, inner}) ==
        "!READ_VARIABLE (version 1) of layer \"c\": variables inside a loop or a branch");
}

}  // namespace
}  // namespace hlocc::tests
