// A TensorFlow Lite model as plain values, all indices checked: what the walk over the file gives.
// Constants stay where they lie in the file, which must outlive the model.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "hlo/primitive_type.h"
#include "import/tflite/flatbuffer.h"
#include "support/result.h"

namespace hlocc::import::tflite {

// Numbers of schema.fbs that are looked at by themselves.
inline constexpr int kUint8Type = 3, kInt8Type = 9, kResourceType = 13;
inline constexpr int kCustomOp = 32;

struct Quantization {
  std::vector<float> scales;
  std::vector<int64_t> zero_points;  // as many as scales
  int dimension = 0;

  bool is_there() const { return !scales.empty(); }
  bool is_per_channel() const { return scales.size() > 1; }
};

// One level of a sparse tensor: dense with a size, or compressed rows.
struct SparseLevel {
  bool dense = true;
  int64_t size = 0;
  std::vector<int64_t> segments, indices;
};
struct Sparsity {
  std::vector<int32_t> order, blocks;
  std::vector<SparseLevel> levels;
};

struct Tensor {
  std::string name;
  int type = 0;  // TensorType's number
  std::vector<int64_t> shape;
  // With -1 where the size is the caller's; empty: none is.
  std::vector<int32_t> signature;
  Quantization quantization;
  std::optional<Sparsity> sparsity;
  // Quantised UINT8, which is read as INT8 of a zero point that is 128 less.
  bool was_unsigned = false;
  bool is_variable = false;
  bool is_constant = false;
  Bytes data;

  float scale() const { return quantization.is_there() ? quantization.scales[0] : 0; }
  int32_t zero_point() const {
    return quantization.is_there() ? static_cast<int32_t>(quantization.zero_points[0]) : 0;
  }
};

struct Operator {
  int code = 0;        // BuiltinOperator's number
  std::string custom;  // the name of a custom one
  int version = 1;
  std::vector<int32_t> inputs, outputs, intermediates;  // -1: left out
  FlatTable options;
  Bytes custom_options;
};

struct Subgraph {
  std::string name;
  std::vector<Tensor> tensors;
  std::vector<int32_t> inputs, outputs;
  std::vector<Operator> operators;
};

struct NamedTensor {
  std::string name;
  int32_t tensor = 0;
};
struct Signature {
  std::string key;
  int32_t subgraph = 0;
  std::vector<NamedTensor> inputs, outputs;
};

struct Model {
  std::vector<Subgraph> subgraphs;
  std::vector<Signature> signatures;
  // Whether inputs have other sizes than the file says: sizes of results are then computed.
  bool is_resized = false;
};

// "INT8"; "type 99" for a number that the schema does not have.
std::string tensor_type_name(int type);
// What the elements become; none for strings, resources, variants and what HLO lacks.
std::optional<hlo::PrimitiveType> element_type(int type);

// `file` must outlive the model: options are read from it when operators are translated.
Result<Model> read_flat_model(FlatFile& file);

}  // namespace hlocc::import::tflite
