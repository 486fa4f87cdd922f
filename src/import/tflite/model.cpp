// The walk over a file: tables become structs, and indices are held against the lists that they
// index.
#include "import/tflite/model.h"

#include <algorithm>

#include "import/limits.h"
#include "import/tflite/schema.h"
#include "support/text.h"

namespace hlocc::import::tflite {
namespace {

using enum hlo::PrimitiveType;

struct TypeRow {
  const char* name;
  std::optional<hlo::PrimitiveType> type;
};
// By TensorType's number.
constexpr TypeRow types[] = {
    {"FLOAT32", kF32},
    {"FLOAT16", kF16},
    {"INT32", kS32},
    {"UINT8", kU8},
    {"INT64", kS64},
    {"STRING", std::nullopt},
    {"BOOL", kPred},
    {"INT16", kS16},
    {"COMPLEX64", kC64},
    {"INT8", kS8},
    {"FLOAT64", kF64},
    {"COMPLEX128", kC128},
    {"UINT64", kU64},
    {"RESOURCE", std::nullopt},
    {"VARIANT", std::nullopt},
    {"UINT32", kU32},
    {"UINT16", kU16},
    {"INT4", kS4},
    {"BFLOAT16", kBF16},
    {"INT2", kS2},
    {"UINT4", kU4},
    {"FLOAT8_E4M3FN", kF8E4M3FN},
    {"FLOAT8_E5M2", kF8E5M2},
};

class ModelReader {
 public:
  explicit ModelReader(FlatFile& file) : file_(file) {}

  Result<Model> read() {
    const FlatTable root = file_.root();
    const auto version = root.number<uint32_t>(schema::Model::version);
    if (!file_.failure() && version != 3)
      return error(DiagnosticKind::kFormat,
                   cat("is a TensorFlow Lite model of version ", version, ", not 3"));
    read_buffers(root);
    codes_ = root.tables(schema::Model::operator_codes);
    const std::vector<FlatTable> graphs = root.tables(schema::Model::subgraphs);
    subgraph_count_ = graphs.size();
    for (const FlatTable& graph : graphs) read_subgraph(graph);
    for (const FlatTable& signature : root.tables(schema::Model::signature_defs))
      read_signature(signature);
    if (!file_.failure() && model_.subgraphs.empty())
      root.fail(schema::Model::subgraphs, "is empty");
    if (file_.failure()) return *file_.failure();
    return std::move(model_);
  }

 private:
  // Data lies in the buffer, or, in files beyond 2 GB, behind the FlatBuffer.
  void read_buffers(const FlatTable& root) {
    for (const FlatTable& buffer : root.tables(schema::Model::buffers)) {
      Bytes data = buffer.bytes(schema::Buffer::data);
      const auto offset = buffer.number<uint64_t>(schema::Buffer::offset),
                 size = buffer.number<uint64_t>(schema::Buffer::size);
      if (data.empty() && offset > 1) {
        if (file_.holds(offset, size))
          data = file_.bytes().subspan(offset, size);
        else
          buffer.fail(schema::Buffer::offset, "leads beyond the end of the file");
      }
      buffers_.push_back(data);
    }
  }

  // Indices below `count`; -1 where one may be left out.
  std::vector<int32_t> indices(const FlatTable& table, Field field, size_t count, bool optional) {
    std::vector<int32_t> out = table.numbers<int32_t>(field);
    for (const int32_t index : out)
      if (index >= static_cast<int64_t>(count) || index < (optional ? -1 : 0)) {
        table.fail(field, cat("names tensor ", index, " of ", count));
        return {};
      }
    return out;
  }

  void read_subgraph(const FlatTable& table) {
    using Fields = schema::SubGraph;
    Subgraph graph;
    graph.name = table.text(Fields::name);
    for (const FlatTable& tensor : table.tables(Fields::tensors))
      graph.tensors.push_back(read_tensor(tensor));
    const size_t count = graph.tensors.size();
    graph.inputs = indices(table, Fields::inputs, count, false);
    graph.outputs = indices(table, Fields::outputs, count, false);
    for (const FlatTable& op : table.tables(Fields::operators)) {
      if (file_.failure()) return;
      graph.operators.push_back(read_operator(op, count));
    }
    model_.subgraphs.push_back(std::move(graph));
  }

  Tensor read_tensor(const FlatTable& table) {
    using Fields = schema::Tensor;
    Tensor tensor;
    tensor.name = table.text(Fields::name);
    tensor.type = table.number<int8_t>(Fields::type);
    for (const int32_t size : table.numbers<int32_t>(Fields::shape)) tensor.shape.push_back(size);
    if (static_cast<int64_t>(tensor.shape.size()) > kMaxRank)
      table.fail(Fields::shape, cat("has ", tensor.shape.size(), " dimensions"));
    tensor.signature = table.numbers<int32_t>(Fields::shape_signature);
    if (!tensor.signature.empty() && tensor.signature.size() != tensor.shape.size())
      table.fail(Fields::shape_signature, "has another number of dimensions than the shape");
    tensor.is_variable = table.flag(Fields::is_variable);
    if (table.number<uint32_t>(Fields::external_buffer) != 0)
      table.fail(Fields::external_buffer, "lies in another file, which is not read");
    const auto buffer = table.number<uint32_t>(Fields::buffer);
    if (buffer >= buffers_.size() && buffer != 0)
      table.fail(Fields::buffer, cat("names buffer ", buffer, " of ", buffers_.size()));
    // Buffer 0 is empty by convention.
    else if (buffer != 0)
      tensor.data = buffers_[buffer];
    tensor.is_constant = !tensor.data.empty();
    read_quantization(table.table(Fields::quantization), tensor);
    make_signed(tensor);
    const FlatTable sparsity = table.table(Fields::sparsity);
    if (sparsity.is_there()) tensor.sparsity = read_sparsity(sparsity);
    return tensor;
  }

  static void make_signed(Tensor& tensor) {
    const bool is_byte = std::ranges::all_of(tensor.quantization.zero_points,
                                             [](int64_t zero) { return zero >= 0 && zero < 256; });
    if (tensor.type != kUint8Type || !tensor.quantization.is_there() || !is_byte) return;
    tensor.was_unsigned = true;
    tensor.type = kInt8Type;
    for (int64_t& zero : tensor.quantization.zero_points) zero -= 128;
  }

  void read_quantization(const FlatTable& table, Tensor& tensor) {
    using Fields = schema::QuantizationParameters;
    Quantization& out = tensor.quantization;
    out.scales = table.numbers<float>(Fields::scale);
    out.zero_points = table.numbers<int64_t>(Fields::zero_point);
    out.dimension = table.number<int32_t>(Fields::quantized_dimension);
    if (table.number<uint8_t>(Fields::details_type) > 1)
      table.fail(Fields::details_type, "is quantisation by blocks, which is not read");
    // One zero point may stand for all.
    if (out.zero_points.size() <= 1)
      out.zero_points.resize(out.scales.size(), out.zero_points.empty() ? 0 : out.zero_points[0]);
    if (out.zero_points.size() != out.scales.size())
      table.fail(Fields::zero_point, cat("has ", out.zero_points.size(), " elements for ",
                                         out.scales.size(), " scales"));
    for (const int64_t zero : out.zero_points)
      if (zero < INT32_MIN || zero > INT32_MAX)
        table.fail(Fields::zero_point, cat("has ", zero, ", beyond 32 bits"));
    if (!out.is_per_channel()) return;
    const auto rank = static_cast<int>(tensor.shape.size());
    if (out.dimension < 0 || out.dimension >= rank ||
        tensor.shape[out.dimension] != static_cast<int64_t>(out.scales.size()))
      table.fail(Fields::quantized_dimension,
                 cat("is ", out.dimension, ", which has no ", out.scales.size(), " channels"));
  }

  std::vector<int64_t> index_vector(const FlatTable& table, Field type, Field values) {
    const FlatTable vector = table.table(values);
    const auto widened = [](auto narrow) {
      return std::vector<int64_t>(narrow.begin(), narrow.end());
    };
    using schema::SparseIndexVector;
    switch (table.number<uint8_t>(type)) {
      case 1: return widened(vector.numbers<int32_t>(SparseIndexVector::values));
      case 2: return widened(vector.numbers<uint16_t>(SparseIndexVector::values));
      case 3: return widened(vector.numbers<uint8_t>(SparseIndexVector::values));
      default: table.fail(type, "is no type of index vectors"); return {};
    }
  }

  Sparsity read_sparsity(const FlatTable& table) {
    using Fields = schema::SparsityParameters;
    using Level = schema::DimensionMetadata;
    Sparsity out;
    out.order = table.numbers<int32_t>(Fields::traversal_order);
    out.blocks = table.numbers<int32_t>(Fields::block_map);
    for (const FlatTable& level : table.tables(Fields::dim_metadata)) {
      SparseLevel read;
      read.dense = level.number<int8_t>(Level::format) == 0;
      read.size = level.number<int32_t>(Level::dense_size);
      if (!read.dense) {
        read.segments = index_vector(level, Level::array_segments_type, Level::array_segments);
        read.indices = index_vector(level, Level::array_indices_type, Level::array_indices);
      }
      out.levels.push_back(std::move(read));
    }
    return out;
  }

  Operator read_operator(const FlatTable& table, size_t tensors) {
    using Fields = schema::Operator;
    Operator op;
    const auto index = table.number<uint32_t>(Fields::opcode_index);
    if (index >= codes_.size()) {
      table.fail(Fields::opcode_index, cat("names operator code ", index, " of ", codes_.size()));
      return op;
    }
    // Codes beyond 127 stand in the newer field alone.
    const FlatTable& code = codes_[index];
    op.code = std::max<int>(code.number<int32_t>(schema::OperatorCode::builtin_code),
                            code.number<int8_t>(schema::OperatorCode::deprecated_builtin_code));
    op.version = code.number<int32_t>(schema::OperatorCode::version, 1);
    if (op.code == kCustomOp) op.custom = code.text(schema::OperatorCode::custom_code);
    op.inputs = indices(table, Fields::inputs, tensors, true);
    op.outputs = indices(table, Fields::outputs, tensors, true);
    op.intermediates = indices(table, Fields::intermediates, tensors, true);
    op.options = table.table(Fields::builtin_options);
    op.custom_options = table.bytes(Fields::custom_options);
    if (table.number<uint64_t>(Fields::large_custom_options_offset) > 1)
      table.fail(Fields::large_custom_options_offset, "lies behind the FlatBuffer");
    return op;
  }

  std::vector<NamedTensor> read_names(const FlatTable& table, Field field, size_t tensors) {
    std::vector<NamedTensor> out;
    for (const FlatTable& one : table.tables(field)) {
      const auto tensor = one.number<uint32_t>(schema::TensorMap::tensor_index);
      if (tensor >= tensors)
        one.fail(schema::TensorMap::tensor_index, cat("names tensor ", tensor, " of ", tensors));
      out.push_back({one.text(schema::TensorMap::name), static_cast<int32_t>(tensor)});
    }
    return out;
  }

  void read_signature(const FlatTable& table) {
    using Fields = schema::SignatureDef;
    Signature out;
    const auto subgraph = table.number<uint32_t>(Fields::subgraph_index);
    if (subgraph >= model_.subgraphs.size()) {
      table.fail(Fields::subgraph_index,
                 cat("names subgraph ", subgraph, " of ", model_.subgraphs.size()));
      return;
    }
    const size_t tensors = model_.subgraphs[subgraph].tensors.size();
    out.key = table.text(Fields::signature_key);
    out.subgraph = static_cast<int32_t>(subgraph);
    out.inputs = read_names(table, Fields::inputs, tensors);
    out.outputs = read_names(table, Fields::outputs, tensors);
    model_.signatures.push_back(std::move(out));
  }

  FlatFile& file_;
  Model model_;
  std::vector<Bytes> buffers_;
  std::vector<FlatTable> codes_;
  size_t subgraph_count_ = 0;
};

}  // namespace

std::string tensor_type_name(int type) {
  return type >= 0 && type < static_cast<int>(std::size(types)) ? types[type].name
                                                                : cat("type ", type);
}

std::optional<hlo::PrimitiveType> element_type(int type) {
  return type >= 0 && type < static_cast<int>(std::size(types)) ? types[type].type : std::nullopt;
}

Result<Model> read_flat_model(FlatFile& file) { return ModelReader(file).read(); }

}  // namespace hlocc::import::tflite
