// The walk over a file: onnx.proto's messages become structs, a row for each field with its
// published number. Graphs stand in attributes of nodes and are as deep as the file says, up to a
// limit.
#include "import/onnx/model.h"

#include "support/text.h"

namespace hlocc::import::onnx {
namespace {

using enum hlo::PrimitiveType;

struct TypeRow {
  const char* name;
  std::optional<hlo::PrimitiveType> type;
};
// By TensorProto.DataType's number.
constexpr TypeRow types[] = {
    {"UNDEFINED", std::nullopt},
    {"FLOAT", kF32},
    {"UINT8", kU8},
    {"INT8", kS8},
    {"UINT16", kU16},
    {"INT16", kS16},
    {"INT32", kS32},
    {"INT64", kS64},
    {"STRING", std::nullopt},
    {"BOOL", kPred},
    {"FLOAT16", kF16},
    {"DOUBLE", kF64},
    {"UINT32", kU32},
    {"UINT64", kU64},
    {"COMPLEX64", kC64},
    {"COMPLEX128", kC128},
    {"BFLOAT16", kBF16},
    {"FLOAT8E4M3FN", kF8E4M3FN},
    {"FLOAT8E4M3FNUZ", kF8E4M3FNUZ},
    {"FLOAT8E5M2", kF8E5M2},
    {"FLOAT8E5M2FNUZ", kF8E5M2FNUZ},
    {"UINT4", kU4},
    {"INT4", kS4},
    {"FLOAT4E2M1", kF4E2M1FN},
};

class ModelReader {
 public:
  explicit ModelReader(Document& document) : document_(document) {}

  Model read(Bytes bytes) {
    Model out;
    bool has_graph = false;
    fields(bytes, "",
           {{1, "ir_version", &out.ir_version},
            {7, "graph", one([&](Bytes inside, const std::string& path) {
               has_graph = true;
               out.graph = graph(inside, path);
             })},
            {8, "opset_import", opsets(out.opsets)},
            {25, "functions", many([&](Bytes inside, const std::string& path) {
               out.functions.push_back(function(inside, path));
             })}});
    if (!has_graph) document_.fail("graph", "is missing");
    if (out.opsets.empty()) document_.fail("opset_import", "is missing");
    return out;
  }

 private:
  using Rows = std::initializer_list<FieldRow>;
  static Single one(ReadMessage read) { return {std::move(read)}; }
  static Repeated many(ReadMessage read) { return {std::move(read)}; }
  void fields(Bytes bytes, const std::string& path, Rows rows) {
    read_message(document_, bytes, path, rows);
  }

  Repeated opsets(Opsets& out) {
    return many([this, &out](Bytes bytes, const std::string& path) {
      std::string domain;
      int64_t version = 0;
      fields(bytes, path, {{1, "domain", &domain}, {2, "version", &version}});
      if (version < 1) document_.fail(path + ".version", cat("is ", version));
      out[domain == "ai.onnx" ? "" : domain] = version;
    });
  }

  Graph graph(Bytes bytes, const std::string& path) {
    Graph out;
    out.path = path;
    if (++depth_ > kMostNestedGraphs) {
      document_.fail(error(DiagnosticKind::kLimit,
                           cat(path, " lies in more than ", kMostNestedGraphs, " graphs")));
      return out;
    }
    const auto infos = [this](std::vector<ValueInfo>& list) {
      return many([this, &list](Bytes inside, const std::string& where) {
        list.push_back(value_info(inside, where));
      });
    };
    fields(bytes, path,
           {{1, "node", nodes(out.nodes)},
            {2, "name", &out.name},
            {5, "initializer", many([&](Bytes inside, const std::string& where) {
               out.initializers.push_back(tensor(inside, where));
             })},
            {15, "sparse_initializer", many([&](Bytes inside, const std::string& where) {
               out.sparse_initializers.push_back(sparse(inside, where));
             })},
            {11, "input", infos(out.inputs)},
            {12, "output", infos(out.outputs)}});
    --depth_;
    return out;
  }

  Repeated nodes(std::vector<Node>& out) {
    return many(
        [this, &out](Bytes bytes, const std::string& path) { out.push_back(node(bytes, path)); });
  }

  Repeated attributes(std::vector<Attribute>& out) {
    return many([this, &out](Bytes bytes, const std::string& path) {
      out.push_back(attribute(bytes, path));
    });
  }

  Node node(Bytes bytes, const std::string& path) {
    Node out;
    out.path = path;
    fields(bytes, path,
           {{1, "input", &out.inputs},
            {2, "output", &out.outputs},
            {3, "name", &out.name},
            {4, "op_type", &out.op},
            {5, "attribute", attributes(out.attributes)},
            {7, "domain", &out.domain},
            {8, "overload", &out.overload}});
    if (out.domain == "ai.onnx") out.domain.clear();
    if (out.op.empty()) document_.fail(path + ".op_type", "is missing");
    return out;
  }

  Attribute attribute(Bytes bytes, const std::string& path) {
    Attribute out;
    out.path = path;
    fields(bytes, path,
           {{1, "name", &out.name},
            {2, "f", &out.f},
            {3, "i", &out.i},
            {4, "s", &out.s},
            {5, "t", one([&](Bytes inside, const std::string& where) {
               out.tensor = std::make_shared<TensorData>(tensor(inside, where));
             })},
            {6, "g", one([&](Bytes inside, const std::string& where) {
               out.graph = std::make_shared<Graph>(graph(inside, where));
             })},
            {7, "floats", &out.floats},
            {8, "ints", &out.ints},
            {9, "strings", &out.texts},
            {20, "type", &out.type},
            {21, "ref_attr_name", &out.reference},
            {22, "sparse_tensor", one([&](Bytes inside, const std::string& where) {
               out.sparse = std::make_shared<SparseData>(sparse(inside, where));
             })}});
    if (out.name.empty()) document_.fail(path + ".name", "is missing");
    const bool lacks = (out.type == Attribute::kTensor && !out.tensor) ||
                       (out.type == Attribute::kGraph && !out.graph) ||
                       (out.type == Attribute::kSparseTensor && !out.sparse);
    if (lacks && out.reference.empty()) document_.fail(path, "has no value of its type");
    return out;
  }

  TensorData tensor(Bytes bytes, const std::string& path) {
    TensorData out;
    out.path = path;
    int64_t location = 0;
    std::optional<Bytes> segment;
    fields(bytes, path,
           {{1, "dims", &out.dims},
            {2, "data_type", &out.type},
            {3, "segment", &segment},
            {4, "float_data", &out.floats},
            {5, "int32_data", &out.words},
            {7, "int64_data", &out.longs},
            {8, "name", &out.name},
            {9, "raw_data", &out.raw},
            {10, "double_data", &out.doubles},
            {11, "uint64_data", &out.unsigned_longs},
            {13, "external_data", many([&](Bytes inside, const std::string& where) {
               std::string key, value;
               fields(inside, where, {{1, "key", &key}, {2, "value", &value}});
               out.external[key] = value;
             })},
            {14, "data_location", &location}});
    if (segment) document_.fail(path + ".segment", "is a part of a tensor, which no reader takes");
    if (location != 0 && location != 1)
      document_.fail(path + ".data_location", cat("is ", location));
    out.is_external = location == 1;
    return out;
  }

  SparseData sparse(Bytes bytes, const std::string& path) {
    SparseData out;
    const auto into = [this](TensorData& data) {
      return one(
          [this, &data](Bytes inside, const std::string& where) { data = tensor(inside, where); });
    };
    fields(bytes, path,
           {{1, "values", into(out.values)},
            {2, "indices", into(out.indices)},
            {3, "dims", &out.dims}});
    return out;
  }

  ValueInfo value_info(Bytes bytes, const std::string& path) {
    ValueInfo out;
    out.path = path;
    const auto other = [&](const char* kind) {
      return one([&out, kind](Bytes, const std::string&) { out.kind = kind; });
    };
    fields(bytes, path,
           {{1, "name", &out.name}, {2, "type", one([&](Bytes type, const std::string& where) {
                                       fields(type, where,
                                              {{1, "tensor_type", tensor_type(out)},
                                               {4, "sequence_type", other("a sequence")},
                                               {5, "map_type", other("a map")},
                                               {7, "opaque_type", other("an opaque value")},
                                               {8, "sparse_tensor_type", other("a sparse tensor")},
                                               {9, "optional_type", other("an optional value")}});
                                     })}});
    return out;
  }

  Single tensor_type(ValueInfo& out) {
    return one([this, &out](Bytes bytes, const std::string& path) {
      fields(bytes, path,
             {{1, "elem_type", &out.type}, {2, "shape", one([&](Bytes shape, const auto& where) {
                                              out.has_shape = true;
                                              out.shape.clear();
                                              fields(shape, where, {{1, "dim", dimension(out)}});
                                            })}});
    });
  }

  Repeated dimension(ValueInfo& out) {
    return many([this, &out](Bytes bytes, const std::string& path) {
      Dimension one;
      fields(bytes, path, {{1, "dim_value", &one.size}, {2, "dim_param", &one.name}});
      if (one.size && *one.size < -1)
        document_.fail(path + ".dim_value", cat("is ", *one.size, ", and no size is below 0"));
      // Some exporters write -1 for what is open.
      if (one.size == -1) one.size.reset();
      out.shape.push_back(std::move(one));
    });
  }

  Function function(Bytes bytes, const std::string& path) {
    Function out;
    out.path = path;
    fields(bytes, path,
           {{1, "name", &out.name},
            {4, "input", &out.inputs},
            {5, "output", &out.outputs},
            {6, "attribute", &out.attributes},
            {7, "node", nodes(out.nodes)},
            {9, "opset_import", opsets(out.opsets)},
            {10, "domain", &out.domain},
            {11, "attribute_proto", attributes(out.defaults)},
            {13, "overload", &out.overload}});
    if (out.domain == "ai.onnx") out.domain.clear();
    for (const Attribute& one : out.defaults)
      if (!one.reference.empty())
        document_.fail(one.path + ".ref_attr_name", "is set, and a default has a value");
    return out;
  }

  Document& document_;
  int depth_ = 0;
};

}  // namespace

std::string tensor_type_name(int64_t type) {
  if (type >= 0 && type < static_cast<int64_t>(std::size(types))) return types[type].name;
  return cat("type ", type);
}

std::optional<hlo::PrimitiveType> element_type(int64_t type) {
  if (type < 0 || type >= static_cast<int64_t>(std::size(types))) return std::nullopt;
  return types[type].type;
}

int64_t tensor_type_of(hlo::PrimitiveType type) {
  for (size_t i = 0; i < std::size(types); ++i)
    if (types[i].type == type) return static_cast<int64_t>(i);
  return 0;
}

Model read_model_proto(Document& document, Bytes bytes) {
  return ModelReader(document).read(bytes);
}

}  // namespace hlocc::import::onnx
