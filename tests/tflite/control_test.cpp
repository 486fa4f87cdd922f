// TensorFlow Lite's IF and WHILE: what their subgraphs give, what those read that does not come
// from outside, and subgraphs that do not fit their operator.
#include "tflite/graphs.h"

namespace hlocc::tests {
namespace {

FlatFields branches(int32_t yes, int32_t no) {
  return {flat(schema::IfOptions::then_subgraph, yes), flat(schema::IfOptions::else_subgraph, no)};
}
FlatFields loops(int32_t condition, int32_t body) {
  return {flat(schema::WhileOptions::cond_subgraph, condition),
          flat(schema::WhileOptions::body_subgraph, body)};
}

NodeTensor a_truth(double value, const Dimensions& sizes = {}) {
  return given(kPred, sizes, {value});
}
const NodeTensor a_real = x({}, {3});

// The operand of its own, with itself by an operator.
GraphText with_itself(const std::string& op) { return {{a_real, y({})}, {1}, {{op, {0, 0}, {1}}}}; }

TEST_CASE("TFLite's IF gives what the branch gives that its condition takes") {
  const std::string who = "!IF (version 1) of layer \"c\": ";
  const GraphText sum = with_itself("ADD"), product = with_itself("MUL");
  const auto of = [&](const NodeTensor& which, const std::vector<GraphText>& subgraphs,
                      const FlatFields& options = branches(1, 2)) {
    std::vector<GraphText> graphs = {{{which, a_real, y({})}, {2}, {{"IF", {0, 1}, {2}, options}}}};
    graphs.insert(graphs.end(), subgraphs.begin(), subgraphs.end());
    return answer_of_graphs(graphs);
  };
  CHECK(of(a_truth(1), {sum, product}) == "f32[] 6");
  CHECK(of(a_truth(0), {sum, product}) == "f32[] 9");
  CHECK(of(a_truth(0, {1}), {sum, product}) == "f32[] 9");
  CHECK(of(a_truth(1), {sum, product}, branches(2, 1)) == "f32[] 9");
  CHECK(of(a_truth(1), {sum, product}, branches(1, 3)) == who + "names subgraph 3 of 3");
  CHECK(of(a_truth(1), {sum, product}, branches(3, 1)) == who + "names subgraph 3 of 3");
  CHECK(of(a_truth(1), {sum, product}, branches(1, -1)) == who + "names subgraph -1 of 3");
  CHECK(of(x({}), {sum, product}) == who + "a condition that is no one truth value");
  CHECK(of(a_truth(1, {2}), {sum, product}) == who + "a condition that is no one truth value");

  // A branch may give its operand or a constant; what nothing gives is no result.
  const GraphText same = {{a_real}, {0}, {}},
                  constant_one = {{a_real, constant(kF32, {}, {7})}, {1}, {}};
  CHECK(of(a_truth(1), {same, constant_one}) == "f32[] 3");
  CHECK(of(a_truth(0), {same, constant_one}) == "f32[] 7");
  CHECK(of(a_truth(0), {same, {{a_real, y({})}, {1}, {}}}) ==
        who + "nothing gives output \"b\" of subgraph 2");
  CHECK(of(a_truth(0), {same, {{a_real, y({})}, {1}, {{"ADD", {0}, {1}}}}}) ==
        "!ADD (version 1) of layer \"b\": has 1 operands, or lacks one");

  // Other numbers of values, and other types and sizes.
  CHECK(of(a_truth(0), {same, {{constant(kF32, {}, {7})}, {0}, {}}}) ==
        who + "subgraph 2 takes 0 values, not 1");
  CHECK(of(a_truth(0), {same, {{a_real, a_real}, {0}, {}}}) ==
        who + "subgraph 2 takes 2 values, not 1");
  const std::string branch =
      who + "% (conditional) in computation %main: the result of branch %else is ";
  CHECK(of(a_truth(0), {same, {{a_real}, {0, 0}, {}}}) ==
        branch + "(f32[], f32[]) and must be (f32[])");
  CHECK(of(a_truth(0), {{{a_real}, {0, 0}, {}}, {{a_real}, {0, 0}, {}}}) == who + "gives 2 values");
  CHECK(of(a_truth(0), {{{a_real}, {}, {}}, {{a_real}, {}, {}}}) == who + "gives 0 values");
  const GraphText whole = {{a_real, gives(kS32, {})}, {1}, {{"CAST", {0}, {1}}}};
  CHECK(of(a_truth(0), {same, whole}) == branch + "(s32[]) and must be (f32[])");
  CHECK(of(a_truth(0), {whole, whole}) ==
        who + "result \"c\" is FLOAT32, where the operator gives s32[]");
}

TEST_CASE("TFLite's WHILE runs its body as long as its condition holds") {
  const std::string who = "!WHILE (version 1) of layer \"c\": ";
  const NodeTensor count = given(kS32, {}, {1});
  // (a, b) to (a + 1, b + b) while a < 4.
  const GraphText body = {{count, a_real, one(1), gives(kS32, {}), y({})},
                          {3, 4},
                          {{"ADD", {0, 2}, {3}}, {"ADD", {1, 1}, {4}}}};
  const auto below = [&](const NodeTensor& limit, const NodeTensor& result) {
    return GraphText{{count, a_real, limit, result}, {3}, {{"LESS", {0, 2}, {3}}}};
  };
  const GraphText below_4 = below(one(4), gives(kPred, {}));
  const auto of = [&](const std::vector<GraphText>& subgraphs,
                      const FlatFields& options = loops(1, 2)) {
    std::vector<GraphText> graphs = {
        {{count, a_real, gives(kS32, {}), y({})}, {2, 3}, {{"WHILE", {0, 1}, {2, 3}, options}}}};
    graphs.insert(graphs.end(), subgraphs.begin(), subgraphs.end());
    return answer_of_graphs(graphs);
  };
  CHECK(of({below_4, body}) == "s32[] 4; f32[] 24");
  CHECK(of({body, below_4}, loops(2, 1)) == "s32[] 4; f32[] 24");
  CHECK(of({below(n({4}), gives(kPred, {1})), body}) == "s32[] 4; f32[] 24");
  CHECK(of({below(one(1), gives(kPred, {})), body}) == "s32[] 1; f32[] 3");
  const std::string no_truth = who + "a condition that gives no one truth value";
  CHECK(of({below(n({4, 4}), gives(kPred, {2})), body}) == no_truth);
  CHECK(of({{{count, a_real}, {0}, {}}, body}) == no_truth);
  CHECK(of({{{count, a_real}, {}, {}}, body}) == no_truth);
  CHECK(of({{{count, a_real, constant(kPred, {}, {0})}, {2, 2}, {}}, body}) == no_truth);
  CHECK(of({{{count, a_real, constant(kPred, {}, {0})}, {2}, {}}, body}) == "s32[] 1; f32[] 3");
  CHECK(of({{{count}, {0}, {}}, body}) == who + "subgraph 1 takes 1 values, not 2");
  CHECK(of({below_4, {{count}, {0}, {}}}) == who + "subgraph 2 takes 1 values, not 2");
  const std::string of_body = who + "% (while) in computation %main: the result of body %body is ";
  CHECK(of({below_4, {{count, a_real}, {0}, {}}}) ==
        of_body + "(s32[]) and must be (s32[], f32[])");
  CHECK(of({below_4, {{count, a_real}, {1, 0}, {}}}) ==
        of_body + "(f32[], s32[]) and must be (s32[], f32[])");
  CHECK(of({below_4, body}, loops(1, 3)) == who + "names subgraph 3 of 3");
  CHECK(of({below_4, body}, loops(3, 2)) == who + "names subgraph 3 of 3");
  CHECK(of({below_4, body}, loops(-1, 2)) == who + "names subgraph -1 of 3");
}

TEST_CASE("TFLite's IF and WHILE take values, each there") {
  const GraphText leaf = with_itself("ADD");
  const NodeTensor handle = numbered(y({1}), 13);
  const GraphOp var_handle = {"VAR_HANDLE", {}, {1}};
  const auto of = [&](const GraphOp& op, const std::vector<GraphOp>& before = {}) {
    GraphText entry = {{a_truth(1), handle, y({}), a_real}, {2}, before};
    entry.ops.push_back(op);
    return answer_of_graphs({entry, leaf, leaf});
  };
  const FlatFields both = branches(1, 2);
  const std::string who = "!IF (version 1) of layer \"c\": ";
  CHECK(of({"IF", {0, 3}, {2}, both}) == "f32[] 6");
  CHECK(of({"IF", {0, -1}, {2}, both}) == who + "lacks an operand");
  CHECK(of({"IF", {}, {2}, both}) == who + "lacks an operand");
  CHECK(of({"IF", {0}, {2}, both}) == who + "subgraph 1 takes 1 values, not 0");
  CHECK(of({"IF", {0, 1}, {2}, both}, {var_handle}) == who + "handles of variables as operands");
  CHECK(of({"IF", {0, 3}, {-1}, both}, {{"NEG", {3}, {2}}}) == "f32[] -3");
  CHECK(of({"IF", {0, 3}, {2, 2}, both}) == who + "gives 1 values");
  CHECK(of({"IF", {0, 3}, {}, both}) == "!IF (version 1) of layer \"\": gives 1 values");
  CHECK(of({"WHILE", {-1}, {2}, loops(1, 1)}) ==
        "!WHILE (version 1) of layer \"c\": lacks an operand");
}

// So many branches, one inside another; then a graph that gives its operand.
std::string nested_branches(int depth) {
  const NodeTensor yes = constant(kPred, {}, {1});
  std::vector<GraphText> graphs;
  for (int32_t i = 0; i < depth; ++i)
    graphs.push_back({{yes, a_real, y({})}, {2}, {{"IF", {0, 1}, {2}, branches(i + 1, depth)}}});
  graphs.push_back({{a_real}, {0}, {}});
  return answer_of_graphs(graphs);
}

TEST_CASE("TFLite's subgraphs stand in one another sixteen deep") {
  const std::string deep = "!IF (version 1) of layer \"c\": subgraphs so deep inside one another";
  CHECK(nested_branches(1) == "f32[] 3");
  CHECK(nested_branches(16) == "f32[] 3");
  CHECK(nested_branches(17) == deep);
  // A subgraph that names itself.
  CHECK(answer_of_graphs({{{constant(kPred, {}, {1}), a_real, y({})},
                           {2},
                           {{"IF", {0, 1}, {2}, branches(0, 0)}}}}) == deep);
}

TEST_CASE("TFLite's operators in a subgraph are named with their place") {
  const auto of = [&](const GraphText& inner) {
    return answer_of_graphs(
        {{{a_truth(1), a_real, y({})}, {2}, {{"IF", {0, 1}, {2}, branches(1, 1)}}}, inner});
  };
  CHECK(of({{a_real, y({}), y({})}, {2}, {{"ADD", {0, 1}, {2}}}}) ==
        "!operator 0 (ADD) of subgraph 1 reads tensor 1 (b), which nothing before it gives");
  CHECK(of({{a_real, y({}), y({})}, {2}, {{"NEG", {0}, {1}}, {"NEG", {1}, {2}}}}) == "f32[] 3");
  CHECK(of({{a_real, y({}), y({})}, {2}, {{"NEG", {0}, {2}}, {"NEG", {0}, {2}}}}) ==
        "!operator 1 (NEG) of subgraph 1 gives tensor 2 (c), which has a value already");
  // State of kernels is the entry's.
  const GraphText svdf = {{x({1, 1}), constant(kF32, {1, 1}, {2}), constant(kF32, {1, 2}, {1, 1}),
                           variable(kF32, {1, 2}), y({1, 1})},
                          {4},
                          {{"SVDF", {0, 1, 2, -1, 3}, {4}, {flat(schema::SvdfOptions::rank, 1)}}}};
  GraphText outer = {
      {a_truth(1), x({1, 1}), y({1, 1})}, {2}, {{"IF", {0, 1}, {2}, branches(1, 1)}}};
  CHECK(answer_of_graphs({svdf}) == "f32[1,1] 0; f32[1,2] 0 0");
  CHECK(answer_of_graphs({outer, svdf}) ==
        "!SVDF (version 1) of layer \"e\": state inside a loop or a branch");
}

TEST_CASE("TFLite's kernels keep nothing in a subgraph") {
  // What CIRCULAR_BUFFER keeps is beside its tensors.
  const NodeTensor slice = given(kS8, {1, 1, 1, 1}, {7}), five = gives(kS8, {1, 5, 1, 1});
  const GraphText buffer = {{slice, five}, {1}, {{"CIRCULAR_BUFFER", {0}, {1}}}};
  const GraphText outer = {{a_truth(1), slice, five}, {2}, {{"IF", {0, 1}, {2}, branches(1, 1)}}};
  CHECK(answer_of_graphs({buffer}) == "s8[1,5,1,1] 0 0 0 0 7; s8[1,5,1,1] 0 0 0 0 7");
  CHECK(answer_of_graphs({outer, buffer}) ==
        "!custom CIRCULAR_BUFFER (version 1) of layer \"b\": state inside a loop or a branch");
}

TEST_CASE("TFLite's branches take no values where theirs are constants") {
  const auto gives_number = [](double value) {
    return GraphText{{constant(kF32, {}, {value})}, {0}, {}};
  };
  for (const int which : {0, 1})
    CHECK(answer_of_graphs({{{a_truth(which), y({})}, {1}, {{"IF", {0}, {1}, branches(1, 2)}}},
                            gives_number(5),
                            gives_number(6)}) == (which == 1 ? "f32[] 5" : "f32[] 6"));
}

TEST_CASE("a signature of a .tflite file chooses the subgraph that is read") {
  using S = schema::SignatureDef;
  const auto signature = [](const std::string& key, uint32_t graph, const std::string& name) {
    const FlatFields named = {flat_bytes(schema::TensorMap::name, name),
                              flat(schema::TensorMap::tensor_index, uint32_t{0})};
    return FlatFields{flat_tables(S::inputs, {named}), flat_bytes(S::signature_key, key),
                      flat(S::subgraph_index, graph)};
  };
  const std::vector<GraphText> graphs = {with_itself("ADD"), with_itself("MUL")};
  const auto of = [&](const std::vector<FlatFields>& signatures, const std::string& wanted) {
    const std::string bytes =
        model_of_graphs(graphs, {flat_tables(schema::Model::signature_defs, signatures)});
    import::Choices choices;
    choices.signature = wanted;
    const auto module = import::tflite::read_tflite(import::as_bytes(bytes), "file", choices);
    if (!module) return "!" + module.error().message;
    const std::string& name = module->entry_computation().instructions[0].name;
    return cat(name, ": ", text_of_run(*module, std::vector<Literal>{a_real.value}));
  };
  const FlatFields first = signature("sum", 0, "x"), second = signature("product", 1, "x");
  CHECK(of({}, "") == "a: f32[] 6");
  CHECK(of({second}, "") == "x: f32[] 9");
  CHECK(of({second}, "product") == "x: f32[] 9");
  CHECK(of({first, second}, "sum") == "x: f32[] 6");
  CHECK(of({first, second}, "product") == "x: f32[] 9");
  CHECK(of({first, second}, "") == "!the model has 2 signatures");
  // Without a name the tensor has its own; without a key a signature is chosen by none.
  CHECK(of({signature("sum", 0, "")}, "") == "a: f32[] 6");
  CHECK(of({signature("", 1, "x"), first}, "") == "!the model has 2 signatures");
  CHECK(
      of({signature("sum", 2, "x")}, "") ==
      "!the TensorFlow Lite model is malformed: signature_defs[0].subgraph_index names subgraph 2 "
      "of 2");
}

}  // namespace
}  // namespace hlocc::tests
