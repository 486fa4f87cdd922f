// The attributes of HLO instructions: one plain struct a group of opcodes, named in their row of
// opcodes.def. Fields carry the names of xla_data.proto and of HLO text.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "hlo/literal.h"
#include "hlo/schedule.h"
#include "hlo/shape.h"

namespace hlocc::hlo {

struct NoAttributes {
  bool operator==(const NoAttributes&) const = default;
};
struct ParameterAttributes {
  int64_t number = 0;
  bool operator==(const ParameterAttributes&) const = default;
};
struct ConstantAttributes {
  Literal value;
  bool operator==(const ConstantAttributes&) const = default;
};
struct IotaAttributes {
  int64_t dimension = 0;
  bool operator==(const IotaAttributes&) const = default;
};
// broadcast, transpose, reverse, concatenate (one), reduce, get- and set-dimension-size (one), scan
// (one).
struct DimensionsAttributes {
  Dimensions dimensions;
  bool operator==(const DimensionsAttributes&) const = default;
};
// `function` names the mathematical function that the called computation approximates, where a pass
// of ours recognised one
// ("": none): code may compute it in its own way.
struct MapAttributes {
  Dimensions dimensions;
  std::string function;
  bool operator==(const MapAttributes&) const = default;
};
struct SliceAttributes {
  Dimensions starts, limits, strides;
  bool operator==(const SliceAttributes&) const = default;
};
struct DynamicSliceAttributes {
  Dimensions sizes;
  bool operator==(const DynamicSliceAttributes&) const = default;
};
struct PaddingDimension {
  int64_t low = 0, high = 0, interior = 0;
  bool operator==(const PaddingDimension&) const = default;
};
struct PadAttributes {
  std::vector<PaddingDimension> dimensions;
  bool operator==(const PadAttributes&) const = default;
};
struct GatherAttributes {
  Dimensions offset_dims, collapsed_slice_dims, start_index_map, operand_batching_dims,
      start_indices_batching_dims;
  int64_t index_vector_dim = 0;
  Dimensions slice_sizes;
  bool indices_are_sorted = false;
  bool operator==(const GatherAttributes&) const = default;
};
struct ScatterAttributes {
  Dimensions update_window_dims, inserted_window_dims, scatter_dims_to_operand_dims,
      input_batching_dims, scatter_indices_batching_dims;
  int64_t index_vector_dim = 0;
  bool indices_are_sorted = false, unique_indices = false;
  bool operator==(const ScatterAttributes&) const = default;
};
struct TupleIndexAttributes {
  int64_t index = 0;
  bool operator==(const TupleIndexAttributes&) const = default;
};
struct PrecisionConfig {
  std::vector<int> operand_precision;  // 0 default, 1 high, 2 highest
  int algorithm = 0;                   // the enum of xla_data.proto
  bool operator==(const PrecisionConfig&) const = default;
};
struct DotAttributes {
  Dimensions lhs_contracting, rhs_contracting, lhs_batch, rhs_batch;
  PrecisionConfig precision;
  bool operator==(const DotAttributes&) const = default;
};
struct RaggedDotAttributes {
  DotAttributes dot;
  Dimensions lhs_ragged, rhs_group;
  bool operator==(const RaggedDotAttributes&) const = default;
};
struct WindowDimension {
  int64_t size = 1, stride = 1, padding_low = 0, padding_high = 0, window_dilation = 1,
          base_dilation = 1;
  bool window_reversal = false;
  bool operator==(const WindowDimension&) const = default;
};
struct Window {
  std::vector<WindowDimension> dimensions;
  bool operator==(const Window&) const = default;
};
struct ConvolutionAttributes {
  Window window;
  int64_t input_batch = 0, input_feature = 0, kernel_input_feature = 0, kernel_output_feature = 0,
          output_batch = 0, output_feature = 0;
  Dimensions input_spatial, kernel_spatial, output_spatial;
  int64_t feature_group_count = 1, batch_group_count = 1;
  PrecisionConfig precision;
  bool operator==(const ConvolutionAttributes&) const = default;
};
// reduce-window, select-and-scatter.
struct WindowAttributes {
  Window window;
  bool operator==(const WindowAttributes&) const = default;
};
struct SortAttributes {
  int64_t dimension = 0;
  bool is_stable = false;
  bool operator==(const SortAttributes&) const = default;
};
struct TopKAttributes {
  int64_t k = 0;
  bool largest = true;
  bool operator==(const TopKAttributes&) const = default;
};
struct ScanAttributes {
  int64_t dimension = 0, num_carries = 0;
  bool is_reverse = false;
  int is_associative = 0;  // TriState of hlo.proto
  bool operator==(const ScanAttributes&) const = default;
};
enum class FftType : uint8_t { kFft, kIfft, kRfft, kIrfft };
struct FftAttributes {
  FftType type = FftType::kFft;
  Dimensions length;
  bool operator==(const FftAttributes&) const = default;
};
struct CholeskyAttributes {
  bool lower = false;
  bool operator==(const CholeskyAttributes&) const = default;
};
struct TriangularSolveAttributes {
  enum Transpose : uint8_t { kInvalid, kNoTranspose, kTranspose, kAdjoint };
  bool left_side = false, lower = false, unit_diagonal = false;
  Transpose transpose_a = kNoTranspose;
  bool operator==(const TriangularSolveAttributes&) const = default;
};
struct BatchNormAttributes {
  float epsilon = 0;
  int64_t feature_index = 0;
  bool operator==(const BatchNormAttributes&) const = default;
};
enum class RngAlgorithm : uint8_t { kDefault, kThreeFry, kPhilox };
struct RngBitGeneratorAttributes {
  RngAlgorithm algorithm = RngAlgorithm::kDefault;
  bool operator==(const RngBitGeneratorAttributes&) const = default;
};
enum class RngDistribution : uint8_t { kInvalid, kUniform, kNormal };
struct RngAttributes {
  RngDistribution distribution = RngDistribution::kInvalid;
  bool operator==(const RngAttributes&) const = default;
};
struct RngStateAttributes {
  int64_t delta = 0;
  bool operator==(const RngStateAttributes&) const = default;
};
enum class Direction : uint8_t { kEq, kNe, kGe, kGt, kLe, kLt };
enum class ComparisonType : uint8_t { kFloat, kTotalOrder, kSigned, kUnsigned };
struct CompareAttributes {
  Direction direction = Direction::kEq;
  ComparisonType type = ComparisonType::kFloat;
  bool operator==(const CompareAttributes&) const = default;
};
struct ReducePrecisionAttributes {
  int exponent_bits = 0, mantissa_bits = 0;
  bool operator==(const ReducePrecisionAttributes&) const = default;
};
// Transcendental unary ops; the tolerance that the program asks for. mode 0 default, 1 highest.
struct ResultAccuracyAttributes {
  int mode = 0;
  double atol = 0, rtol = 0;
  int64_t ulps = 0;
  bool operator==(const ResultAccuracyAttributes&) const = default;
};
struct CallAttributes {
  bool is_composite = false;
  bool operator==(const CallAttributes&) const = default;
};
// A group of instructions that becomes one kernel. `kind` is the text's (kLoop, kInput, kOutput,
// kCustom), empty for groups of ours, whose `schedule` our fusion pass chose. `serpentine`: the
// last operand counts the iterations of the loop around it, and every other one walks the weights
// backwards.
struct FusionAttributes {
  std::string kind;
  Schedule schedule = Schedule::kPlain;
  bool serpentine = false;
  bool operator==(const FusionAttributes&) const = default;
};
struct CustomCallAttributes {
  std::string target, backend_config;
  bool has_side_effect = false;
  int api_version = 0;
  // ((result leaf index), operand, (operand leaf index)) triples.
  struct Aliasing {
    Dimensions output_index;
    int64_t operand = 0;
    Dimensions operand_index;
    bool operator==(const Aliasing&) const = default;
  };
  std::vector<Aliasing> output_operand_aliasing;
  std::vector<Shape> operand_shapes_with_layout;
  bool operator==(const CustomCallAttributes&) const = default;
};
// Collectives, sends, receives, infeed, outfeed, async: what matters with one replica and one
// partition.
struct CollectiveAttributes {
  Dimensions dimensions;
  std::vector<std::vector<int64_t>> replica_groups;
  std::vector<std::pair<int64_t, int64_t>> source_target_pairs;
  int64_t channel_id = 0;
  bool use_global_device_ids = false, constrain_layout = false, is_host_transfer = false;
  bool operator==(const CollectiveAttributes&) const = default;
};
struct AsyncAttributes {
  std::string execution_thread;
  bool operator==(const AsyncAttributes&) const = default;
};

using AnyAttributes =
    std::variant<NoAttributes, ParameterAttributes, ConstantAttributes, IotaAttributes,
                 DimensionsAttributes, MapAttributes, SliceAttributes, DynamicSliceAttributes,
                 PadAttributes, GatherAttributes, ScatterAttributes, TupleIndexAttributes,
                 DotAttributes, RaggedDotAttributes, ConvolutionAttributes, WindowAttributes,
                 SortAttributes, TopKAttributes, ScanAttributes, FftAttributes, CholeskyAttributes,
                 TriangularSolveAttributes, BatchNormAttributes, RngBitGeneratorAttributes,
                 RngAttributes, RngStateAttributes, CompareAttributes, ReducePrecisionAttributes,
                 ResultAccuracyAttributes, CallAttributes, FusionAttributes, CustomCallAttributes,
                 CollectiveAttributes, AsyncAttributes>;

// Copied and moved by one function each: a variant's own are compiled wherever an instruction is.
struct Attributes : AnyAttributes {
  using AnyAttributes::AnyAttributes;
  Attributes() = default;
  Attributes(const Attributes&);
  Attributes(Attributes&&) noexcept;
  Attributes& operator=(const Attributes&);
  Attributes& operator=(Attributes&&) noexcept;
  ~Attributes();
};

}  // namespace hlocc::hlo
