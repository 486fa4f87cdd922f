// An ONNX model as plain values, as the walk over the file gives it. Names of values are looked up
// when nodes are translated; weights stay where they lie in the file, which must outlive the model.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hlo/primitive_type.h"
#include "import/onnx/message.h"

namespace hlocc::import::onnx {

using Integers = std::vector<int64_t>;

// Graphs and functions, one inside another.
inline constexpr int kMostNestedGraphs = 16;

// TensorProto.
struct TensorData {
  std::string name, path;
  int64_t type = 0;  // TensorProto.DataType's number
  Integers dims;
  std::optional<Bytes> raw;
  std::vector<float> floats;
  std::vector<double> doubles;
  // int32_data, which has narrow types, too; int64_data; uint64_data.
  Integers words, longs, unsigned_longs;
  bool is_external = false;
  std::map<std::string, std::string> external;
};

// SparseTensorProto.
struct SparseData {
  TensorData values, indices;
  Integers dims;
};

struct Graph;

// AttributeProto. `type` says which member counts.
struct Attribute {
  enum Type : uint8_t {
    kFloat = 1,
    kInteger = 2,
    kText = 3,
    kTensor = 4,
    kGraph = 5,
    kFloats = 6,
    kIntegers = 7,
    kTexts = 8,
    kTensors = 9,
    kGraphs = 10,
    kSparseTensor = 11
  };
  std::string name, path;
  int64_t type = 0;
  float f = 0;
  int64_t i = 0;
  std::string s;
  std::shared_ptr<TensorData> tensor;
  std::shared_ptr<SparseData> sparse;
  std::shared_ptr<Graph> graph;
  std::vector<float> floats;
  Integers ints;
  std::vector<std::string> texts;
  // The attribute of the function that it stands for.
  std::string reference;
};

struct Node {
  std::string path, name, op, domain, overload;
  std::vector<std::string> inputs, outputs;  // "": left out
  std::vector<Attribute> attributes;
};

// A size, or its name, or neither.
struct Dimension {
  std::optional<int64_t> size;
  std::string name;
};

// ValueInfoProto. `kind` is empty for a tensor, and says what else it is: "a sequence".
struct ValueInfo {
  std::string name, path, kind;
  int64_t type = 0;
  bool has_shape = false;
  std::vector<Dimension> shape;
};

struct Graph {
  std::string name, path;
  std::vector<Node> nodes;
  std::vector<TensorData> initializers;
  std::vector<SparseData> sparse_initializers;
  std::vector<ValueInfo> inputs, outputs;
};

using Opsets = std::map<std::string, int64_t>;  // by domain; "": the standard one

// FunctionProto: nodes that a node of its name stands for.
struct Function {
  std::string path, name, domain, overload;
  std::vector<std::string> inputs, outputs, attributes;
  std::vector<Attribute> defaults;
  std::vector<Node> nodes;
  Opsets opsets;
};

struct Model {
  int64_t ir_version = 0;
  Graph graph;
  Opsets opsets;
  std::vector<Function> functions;
};

// "FLOAT"; "type 99" for a number that the schema does not have.
std::string tensor_type_name(int64_t type);
// What the elements become; none for strings and what HLO lacks.
std::optional<hlo::PrimitiveType> element_type(int64_t type);
// The number of an element type.
int64_t tensor_type_of(hlo::PrimitiveType type);

Model read_model_proto(Document& document, Bytes bytes);

}  // namespace hlocc::import::onnx
