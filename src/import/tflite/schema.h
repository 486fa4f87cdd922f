// The fields of TensorFlow Lite's published schema (version 3) that we read: a struct a table, a
// constant a field, with its id and its name.
#pragma once
#include "import/tflite/flatbuffer.h"

namespace hlocc::import::tflite::schema {

struct Model {
  static constexpr Field version{0, "version"}, operator_codes{1, "operator_codes"},
      subgraphs{2, "subgraphs"}, description{3, "description"}, buffers{4, "buffers"},
      signature_defs{7, "signature_defs"};
};
struct OperatorCode {
  static constexpr Field deprecated_builtin_code{0, "deprecated_builtin_code"},
      custom_code{1, "custom_code"}, version{2, "version"}, builtin_code{3, "builtin_code"};
};
struct SubGraph {
  static constexpr Field tensors{0, "tensors"}, inputs{1, "inputs"}, outputs{2, "outputs"},
      operators{3, "operators"}, name{4, "name"};
};
struct Tensor {
  static constexpr Field shape{0, "shape"}, type{1, "type"}, buffer{2, "buffer"}, name{3, "name"},
      quantization{4, "quantization"}, is_variable{5, "is_variable"}, sparsity{6, "sparsity"},
      shape_signature{7, "shape_signature"}, external_buffer{10, "external_buffer"};
};
struct QuantizationParameters {
  static constexpr Field scale{2, "scale"}, zero_point{3, "zero_point"},
      details_type{4, "details_type"}, quantized_dimension{6, "quantized_dimension"};
};
struct SparsityParameters {
  static constexpr Field traversal_order{0, "traversal_order"}, block_map{1, "block_map"},
      dim_metadata{2, "dim_metadata"};
};
struct DimensionMetadata {
  static constexpr Field format{0, "format"}, dense_size{1, "dense_size"},
      array_segments_type{2, "array_segments_type"}, array_segments{3, "array_segments"},
      array_indices_type{4, "array_indices_type"}, array_indices{5, "array_indices"};
};
// Int32Vector, Uint16Vector, Uint8Vector.
struct SparseIndexVector {
  static constexpr Field values{0, "values"};
};
struct Buffer {
  static constexpr Field data{0, "data"}, offset{1, "offset"}, size{2, "size"};
};
struct Operator {
  static constexpr Field opcode_index{0, "opcode_index"}, inputs{1, "inputs"},
      outputs{2, "outputs"}, builtin_options{4, "builtin_options"},
      custom_options{5, "custom_options"}, intermediates{8, "intermediates"},
      large_custom_options_offset{9, "large_custom_options_offset"},
      builtin_options_2{12, "builtin_options_2"};
};
struct SignatureDef {
  static constexpr Field inputs{0, "inputs"}, outputs{1, "outputs"},
      signature_key{2, "signature_key"}, subgraph_index{4, "subgraph_index"};
};
struct TensorMap {
  static constexpr Field name{0, "name"}, tensor_index{1, "tensor_index"};
};

// --- options of operators ---
// Conv2DOptions, DepthwiseConv2DOptions and TransposeConvOptions begin alike.
struct Conv2DOptions {
  static constexpr Field padding{0, "padding"}, stride_w{1, "stride_w"}, stride_h{2, "stride_h"},
      activation{3, "fused_activation_function"}, dilation_w{4, "dilation_w_factor"},
      dilation_h{5, "dilation_h_factor"};
};
struct DepthwiseConv2DOptions {
  static constexpr Field padding{0, "padding"}, stride_w{1, "stride_w"}, stride_h{2, "stride_h"},
      depth_multiplier{3, "depth_multiplier"}, activation{4, "fused_activation_function"},
      dilation_w{5, "dilation_w_factor"}, dilation_h{6, "dilation_h_factor"};
};
struct Pool2DOptions {
  static constexpr Field padding{0, "padding"}, stride_w{1, "stride_w"}, stride_h{2, "stride_h"},
      filter_w{3, "filter_width"}, filter_h{4, "filter_height"},
      activation{5, "fused_activation_function"};
};
struct FullyConnectedOptions {
  static constexpr Field activation{0, "fused_activation_function"},
      weights_format{1, "weights_format"}, keep_num_dims{2, "keep_num_dims"};
};
// AddOptions, SubOptions, MulOptions, DivOptions.
struct BinaryOptions {
  static constexpr Field activation{0, "fused_activation_function"},
      pot_scale_int16{1, "pot_scale_int16"};
};
struct SoftmaxOptions {
  static constexpr Field beta{0, "beta"};
};
struct ConcatenationOptions {
  static constexpr Field axis{0, "axis"}, activation{1, "fused_activation_function"};
};
struct ReshapeOptions {
  static constexpr Field new_shape{0, "new_shape"};
};
struct L2NormOptions {
  static constexpr Field activation{0, "fused_activation_function"};
};
struct ReducerOptions {
  static constexpr Field keep_dims{0, "keep_dims"};
};
struct SqueezeOptions {
  static constexpr Field squeeze_dims{0, "squeeze_dims"};
};
struct StridedSliceOptions {
  static constexpr Field begin_mask{0, "begin_mask"}, end_mask{1, "end_mask"},
      ellipsis_mask{2, "ellipsis_mask"}, new_axis_mask{3, "new_axis_mask"},
      shrink_axis_mask{4, "shrink_axis_mask"}, offset{5, "offset"};
};
struct SplitOptions {
  static constexpr Field num_splits{0, "num_splits"};
};
struct PackOptions {
  static constexpr Field values_count{0, "values_count"}, axis{1, "axis"};
};
struct UnpackOptions {
  static constexpr Field num{0, "num"}, axis{1, "axis"};
};
struct GatherOptions {
  static constexpr Field axis{0, "axis"}, batch_dims{1, "batch_dims"};
};
// DepthToSpaceOptions, SpaceToDepthOptions.
struct BlockOptions {
  static constexpr Field block_size{0, "block_size"};
};
struct LeakyReluOptions {
  static constexpr Field alpha{0, "alpha"};
};
struct MirrorPadOptions {
  static constexpr Field mode{0, "mode"};
};
struct ResizeBilinearOptions {
  static constexpr Field align_corners{2, "align_corners"},
      half_pixel_centers{3, "half_pixel_centers"};
};
struct ResizeNearestNeighborOptions {
  static constexpr Field align_corners{0, "align_corners"},
      half_pixel_centers{1, "half_pixel_centers"};
};
struct BatchMatMulOptions {
  static constexpr Field adj_x{0, "adj_x"}, adj_y{1, "adj_y"};
};
struct CumsumOptions {
  static constexpr Field exclusive{0, "exclusive"}, reverse{1, "reverse"};
};
struct GeluOptions {
  static constexpr Field approximate{0, "approximate"};
};
struct OneHotOptions {
  static constexpr Field axis{0, "axis"};
};
struct SvdfOptions {
  static constexpr Field rank{0, "rank"}, activation{1, "fused_activation_function"};
};
struct SequenceLstmOptions {
  static constexpr Field activation{0, "fused_activation_function"}, cell_clip{1, "cell_clip"},
      proj_clip{2, "proj_clip"}, time_major{3, "time_major"},
      diagonal{5, "diagonal_recurrent_tensors"};
};
struct VarHandleOptions {
  static constexpr Field container{0, "container"}, shared_name{1, "shared_name"};
};
struct CallOnceOptions {
  static constexpr Field init_subgraph{0, "init_subgraph_index"};
};
struct IfOptions {
  static constexpr Field then_subgraph{0, "then_subgraph_index"},
      else_subgraph{1, "else_subgraph_index"};
};
struct WhileOptions {
  static constexpr Field cond_subgraph{0, "cond_subgraph_index"},
      body_subgraph{1, "body_subgraph_index"};
};

}  // namespace hlocc::import::tflite::schema
