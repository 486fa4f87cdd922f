// The lists of a .tflite file: each index, size and number just inside of what it counts, and just
// outside; and what a user chooses about a model.
#include "tflite/node.h"

namespace hlocc::tests {
namespace {

using T = schema::Tensor;
using G = schema::SubGraph;
using M = schema::Model;
using O = schema::Operator;

// A model of one operator, y = -x, or none; what is put here stands beside or instead of it.
struct ModelParts {
  FlatFields tensor = {};  // more of the operand
  FlatFields op = {};      // instead of the operator's operands and results
  FlatFields graph = {};   // more of the subgraph
  FlatFields root = {};    // more of the root
  std::vector<int64_t> inputs = {0}, outputs = {1};
  std::vector<FlatFields> buffers = {{}};
  bool has_operator = true;
  uint32_t version = 3, code = 0, buffer = 0;
  std::vector<int64_t> result = {2};
};

std::string bytes_of(const ModelParts& parts) {
  FlatFields x = {flat_list<int32_t>(T::shape, {2}), flat(T::type, int8_t{9}),
                  flat_bytes(T::name, "x"), flat(T::buffer, parts.buffer)};
  x.insert(x.end(), parts.tensor.begin(), parts.tensor.end());
  const FlatFields y = {flat_list<int32_t>(T::shape, parts.result), flat(T::type, int8_t{9}),
                        flat_bytes(T::name, "y")};
  FlatFields op = {flat(O::opcode_index, parts.code)};
  const FlatFields own = {flat_list<int32_t>(O::inputs, {0}), flat_list<int32_t>(O::outputs, {1})};
  const FlatFields& lists = parts.op.empty() ? own : parts.op;
  op.insert(op.end(), lists.begin(), lists.end());
  FlatFields graph = {flat_tables(G::tensors, {x, y}), flat_list<int32_t>(G::inputs, parts.inputs),
                      flat_list<int32_t>(G::outputs, parts.outputs)};
  if (parts.has_operator) graph.push_back(flat_tables(G::operators, {op}));
  graph.insert(graph.end(), parts.graph.begin(), parts.graph.end());
  // DENSIFY gives its operand.
  const FlatFields code = {flat(schema::OperatorCode::builtin_code, 124)};
  FlatFields root = {flat(M::version, parts.version), flat_tables(M::operator_codes, {code}),
                     flat_tables(M::subgraphs, {graph}), flat_tables(M::buffers, parts.buffers)};
  root.insert(root.end(), parts.root.begin(), parts.root.end());
  return flat_file(root);
}

std::string read_of(const ModelParts& parts, const import::Choices& choices = {}) {
  const std::string bytes = bytes_of(parts);
  Result<hlo::Module> module =
      import::tflite::read_tflite(import::as_bytes(bytes), "file", choices);
  if (!module) {
    const std::string malformed = "the TensorFlow Lite model is malformed: ";
    const std::string& said = module.error().message;
    return "!" + (said.starts_with(malformed) ? said.substr(malformed.size()) : said);
  }
  std::vector<Literal> arguments;
  for (const Shape& shape : module->entry_parameters)
    arguments.push_back(counted_literal(shape.element_type, shape.dimensions, {5, 6}));
  return text_of_run(*module, arguments);
}

const std::string plain = "s8[2] 5 6";

TEST_CASE("indices of a .tflite file lie within their lists") {
  const auto of_op = [](int64_t from, int64_t to) {
    return ModelParts{
        .op = {flat_list<int32_t>(O::inputs, {from}), flat_list<int32_t>(O::outputs, {to})}};
  };
  CHECK(read_of({}) == plain);
  CHECK(read_of({.version = 2}) == "!is a TensorFlow Lite model of version 2, not 3");
  CHECK(read_of({.version = 4}) == "!is a TensorFlow Lite model of version 4, not 3");
  CHECK(read_of({.inputs = {2}}) == "!subgraphs[0].inputs names tensor 2 of 2");
  CHECK(read_of({.inputs = {-1}}) == "!subgraphs[0].inputs names tensor -1 of 2");
  CHECK(read_of({.outputs = {2}}) == "!subgraphs[0].outputs names tensor 2 of 2");
  CHECK(read_of({.outputs = {0}}) == plain);
  CHECK(read_of(of_op(2, 1)) == "!subgraphs[0].operators[0].inputs names tensor 2 of 2");
  CHECK(read_of(of_op(-2, 1)) == "!subgraphs[0].operators[0].inputs names tensor -2 of 2");
  CHECK(read_of(of_op(0, 2)) == "!subgraphs[0].operators[0].outputs names tensor 2 of 2");
  const std::string densify = "!DENSIFY (version 1) of layer \"y\": ";
  CHECK(read_of(of_op(-1, 1)) == densify + "has 1 operands, or lacks one");
  CHECK(read_of(of_op(0, -1)) == "!DENSIFY (version 1) of layer \"\": has 1 results, not 1");
  CHECK(read_of(of_op(0, 0)) ==
        "!operator 0 (DENSIFY) of subgraph 0 gives tensor 0 (x), which has a value already");
  CHECK(read_of(of_op(1, 0)) ==
        "!operator 0 (DENSIFY) of subgraph 0 reads tensor 1 (y), which nothing before it gives");
  CHECK(read_of({.inputs = {}}) ==
        "!operator 0 (DENSIFY) of subgraph 0 reads tensor 0 (x), which nothing before it gives");
  CHECK(read_of({.code = 1}) ==
        "!subgraphs[0].operators[0].opcode_index names operator code 1 of 1");
  CHECK(read_of({.buffer = 1}) == "!subgraphs[0].tensors[0].buffer names buffer 1 of 1");
  CHECK(read_of({.buffers = {}}) == plain);
  const auto shaped = [](const std::vector<int64_t>& sizes) { return read_of({.result = sizes}); };
  const auto of_shape = [&](const std::string& sizes) {
    return cat(densify, "result \"y\" has the shape [", sizes, "], where the operator gives s8[2]");
  };
  CHECK(shaped({1, 2}) == "s8[1,2] 5 6");
  CHECK(shaped({-2, -1}) == of_shape("-2,-1"));
  CHECK(shaped({-1, -2, 1}) == of_shape("-1,-2,1"));
  CHECK(shaped({2, 0}) == of_shape("2,0"));
  CHECK(read_of({.has_operator = false}) == "!nothing gives the model's output \"y\"");
  const auto behind = [](uint64_t offset) {
    return ModelParts{.op = {flat_list<int32_t>(O::inputs, {0}),
                             flat_list<int32_t>(O::outputs, {1}),
                             flat(O::large_custom_options_offset, offset)}};
  };
  CHECK(read_of(behind(1)) == plain);
  CHECK(read_of(behind(2)) ==
        "!subgraphs[0].operators[0].large_custom_options_offset lies behind the FlatBuffer");
  const FlatField short_version = flat(M::version, uint8_t{3});
  const std::string bytes = flat_file({short_version});
  CHECK(import::tflite::read_tflite(import::as_bytes(bytes), "file").error().message ==
        "the TensorFlow Lite model is malformed: version lies outside its table");
}

TEST_CASE("data of a .tflite file lies in buffers, or behind an offset from 2 on") {
  const auto constant_at = [](uint64_t offset, uint64_t size, const FlatFields& more = {}) {
    FlatFields buffer = {flat(schema::Buffer::offset, offset), flat(schema::Buffer::size, size)};
    buffer.insert(buffer.end(), more.begin(), more.end());
    return ModelParts{
        .inputs = {}, .outputs = {0}, .buffers = {{}, buffer}, .has_operator = false, .buffer = 1};
  };
  const std::string nothing = "!nothing gives the model's output \"x\"";
  // "TF" stands at 4.
  CHECK(read_of(constant_at(4, 2)) == "s8[2] 84 70");
  CHECK(read_of(constant_at(2, 2)) == "s8[2] 0 0");
  CHECK(read_of(constant_at(1, 2)) == nothing);
  CHECK(read_of(constant_at(0, 2)) == nothing);
  CHECK(read_of(constant_at(4, 2, {flat_bytes(schema::Buffer::data, "\x07\x08")})) == "s8[2] 7 8");
  CHECK(read_of(constant_at(4, 1 << 20)) == "!buffers[1].offset leads beyond the end of the file");
}

TEST_CASE("tensors of a .tflite file have at most 256 dimensions, and numbers that fit") {
  using Q = schema::QuantizationParameters;
  const auto of_rank = [](int64_t rank) {
    Dimensions sizes(static_cast<size_t>(rank), 1);
    return answer_of({"DENSIFY", {}, {x(sizes)}, {y({})}, "f32[] 0"});
  };
  CHECK(of_rank(256) == "f32[] 0");
  CHECK(of_rank(257) ==
        "elsewhere: the TensorFlow Lite model is malformed: "
        "subgraphs[0].tensors[0].shape has 257 dimensions");
  const auto signature = [](const std::vector<int64_t>& sizes) {
    return ModelParts{.tensor = {flat_list<int32_t>(T::shape_signature, sizes)}};
  };
  CHECK(read_of(signature({})) == plain);
  CHECK(read_of(signature({2})) == plain);
  CHECK(read_of(signature({2, 1})) ==
        "!subgraphs[0].tensors[0].shape_signature has another number of dimensions than the shape");
  CHECK(read_of({.tensor = {flat(T::external_buffer, uint32_t{1})}}) ==
        "!subgraphs[0].tensors[0].external_buffer lies in another file, which is not read");
  const auto quantized = [](FlatFields fields) {
    return ModelParts{.tensor = {flat_table(T::quantization, std::move(fields))}};
  };
  const std::string path = "!subgraphs[0].tensors[0].quantization.";
  const auto scales = [](size_t count) {
    std::string bytes = raw(static_cast<uint32_t>(count));
    for (size_t i = 0; i < count; ++i) bytes += raw(1.f);
    return FlatField{Q::scale.id, FlatField::kVector, bytes};
  };
  const auto zeros = [](const std::vector<int64_t>& values) {
    return flat_list<int64_t>(Q::zero_point, values);
  };
  const auto along = [](int32_t dimension) { return flat(Q::quantized_dimension, dimension); };
  CHECK(read_of(quantized({flat(Q::details_type, uint8_t{1})})) == plain);
  CHECK(read_of(quantized({flat(Q::details_type, uint8_t{2})})) ==
        path + "details_type is quantisation by blocks, which is not read");
  CHECK(read_of(quantized({scales(1), zeros({INT32_MIN}), along(7)})) == plain);
  CHECK(read_of(quantized({scales(1), zeros({int64_t{INT32_MIN} - 1})})) ==
        path + "zero_point has -2147483649, beyond 32 bits");
  CHECK(read_of(quantized({scales(1), zeros({INT32_MAX})})) == plain);
  CHECK(read_of(quantized({scales(1), zeros({int64_t{INT32_MAX} + 1})})) ==
        path + "zero_point has 2147483648, beyond 32 bits");
  CHECK(read_of(quantized({scales(2), zeros({3})})) == plain);
  CHECK(read_of(quantized({scales(2), zeros({3, 4})})) == plain);
  CHECK(read_of(quantized({scales(1), zeros({3, 4})})) ==
        path + "zero_point has 2 elements for 1 scales");
  CHECK(read_of(quantized({scales(2), along(-1)})) ==
        path + "quantized_dimension is -1, which has no 2 channels");
  CHECK(read_of(quantized({scales(2), along(1)})) ==
        path + "quantized_dimension is 1, which has no 2 channels");
  CHECK(read_of(quantized({scales(3), along(0)})) ==
        path + "quantized_dimension is 0, which has no 3 channels");
}

TEST_CASE("signatures of a .tflite file name what there is, and the user one of them") {
  using S = schema::SignatureDef;
  const auto named = [](const std::string& name, uint32_t tensor) {
    return FlatFields{flat_bytes(schema::TensorMap::name, name),
                      flat(schema::TensorMap::tensor_index, tensor)};
  };
  const auto signature = [&](const std::string& key, uint32_t graph, uint32_t tensor) {
    return FlatFields{flat_tables(S::inputs, {named("in", tensor)}),
                      flat_bytes(S::signature_key, key), flat(S::subgraph_index, graph)};
  };
  const auto with = [](std::vector<FlatFields> signatures) {
    return ModelParts{.root = {flat_tables(M::signature_defs, std::move(signatures))}};
  };
  const auto chosen = [](const std::string& key) {
    import::Choices choices;
    choices.signature = key;
    return choices;
  };
  CHECK(read_of(with({signature("f", 0, 0)})) == plain);
  CHECK(read_of(with({signature("f", 1, 0)})) ==
        "!signature_defs[0].subgraph_index names subgraph 1 of 1");
  CHECK(read_of(with({signature("f", 0, 1)})) == plain);
  CHECK(read_of(with({signature("f", 0, 2)})) ==
        "!signature_defs[0].inputs[0].tensor_index names tensor 2 of 2");
  const ModelParts two = with({signature("f", 0, 0), signature("g", 0, 0)});
  CHECK(read_of(two) == "!the model has 2 signatures");
  CHECK(read_of(two, chosen("g")) == plain);
  CHECK(read_of(two, chosen("h")) == "!--signature: the model has no \"h\"");
  CHECK(read_of({}, chosen("h")) == "!--signature: the model has no \"h\"");
  CHECK(read_of(with({signature("f", 0, 0)}), chosen("h")) ==
        "!--signature: the model has no \"h\"");
  const auto name_of = [](const ModelParts& parts) {
    const std::string bytes = bytes_of(parts);
    const auto module = import::tflite::read_tflite(import::as_bytes(bytes), "file");
    REQUIRE(module.ok());
    return module->computations[module->entry].instructions[0].name;
  };
  CHECK(name_of(with({signature("f", 0, 0)})) == "in");
  CHECK(name_of(with({signature("f", 0, 1)})) == "x");
  CHECK(name_of({}) == "x");
}

TEST_CASE("--dim gives sizes that a .tflite file leaves open") {
  const auto sized = [](const std::string& name, int64_t size) {
    import::Choices choices;
    choices.dimensions = {{name, size}};
    return choices;
  };
  const ModelParts open = {.tensor = {flat_list<int32_t>(T::shape_signature, {-1})}};
  const ModelParts fixed = {.tensor = {flat_list<int32_t>(T::shape_signature, {2})}};
  const std::string none_open = ": the model leaves no such size open";
  CHECK(read_of(open) == plain);
  CHECK(read_of(open, sized("0", 3)) == "s8[3] 5 6 2");
  CHECK(read_of(open, sized("x:0", 3)) == "s8[3] 5 6 2");
  CHECK(read_of(open, sized("0", 2)) == plain);
  ModelParts flat_result = open;
  flat_result.result = {1, 2};
  CHECK(read_of(flat_result, sized("0", 2)) == "s8[1,2] 5 6");
  CHECK(read_of(flat_result, sized("0", 3)) ==
        "!DENSIFY (version 1) of layer \"y\": result \"y\" has the shape [1,2], where the operator "
        "gives s8[3], of the sizes that --dim says");
  CHECK(read_of(open, sized("1", 3)) == "!--dim 1=3" + none_open);
  CHECK(read_of(open, sized("y:0", 3)) == "!--dim y:0=3" + none_open);
  CHECK(read_of(fixed, sized("0", 3)) == "!--dim 0=3" + none_open);
}

TEST_CASE("a .tflite file is known by its fifth to eighth bytes") {
  const auto known = [](const std::string& bytes) {
    return import::tflite::is_tflite(import::as_bytes(bytes));
  };
  CHECK(known("0000TFL3"));
  CHECK(known("0000TFL3 and more"));
  CHECK_FALSE(known("0000TFL"));
  CHECK_FALSE(known("000TFL3"));
  CHECK_FALSE(known("0000TFL2"));
}

}  // namespace
}  // namespace hlocc::tests
