// One overload of `read` for each attribute struct; the op table says which one an opcode takes.
#include "import/proto/attributes.h"
#include "import/proto/literal.h"
#include "import/proto/shape.h"
#include "import/replica_groups.h"
#include "ops/text/printer_names.h"
#include "support/text.h"

namespace hlocc::import {
namespace {
using namespace hlo;
using Proto = proto::HloInstructionProto;

// An enum field: its number must be one that has a name.
template <typename T>
Status read_enum(int64_t number, std::span<const std::string_view> names, std::string_view what,
                 T& out) {
  if (number < 0 || number >= static_cast<int64_t>(names.size()))
    return error(DiagnosticKind::kAttribute, cat(what, " has the unknown value ", number));
  out = static_cast<T>(number);
  return {};
}

// An enum that travels as text.
template <typename T>
Status read_enum_text(const std::string& text, std::span<const std::string_view> names,
                      std::string_view what, T& out) {
  const std::optional<int> value = ops::find_name(names, text);
  if (!value)
    return error(DiagnosticKind::kAttribute,
                 cat(what, " is '", text, "'; it must be one of ", join(names, ", ")));
  out = static_cast<T>(*value);
  return {};
}

// dimensions={d} of ops that take exactly one.
Status read_one_dimension(const Proto& p, int64_t& out) {
  if (p.dimensions_size() != 1)
    return error(DiagnosticKind::kAttribute,
                 cat("takes one dimension, the file gives ", p.dimensions_size()));
  out = p.dimensions(0);
  return {};
}

Window read_window(const proto::Window& p) {
  Window window;
  for (const proto::WindowDimension& d : p.dimensions())
    window.dimensions.push_back({d.size(), d.stride(), d.padding_low(), d.padding_high(),
                                 d.window_dilation(), d.base_dilation(), d.window_reversal()});
  return window;
}

Status read_precision(const proto::PrecisionConfig& p, PrecisionConfig& out) {
  bool any = false;
  for (int32_t value : p.operand_precision()) {
    int& precision = out.operand_precision.emplace_back();
    HLOCC_TRY(read_enum(value, ops::kPrecisionNames, "operand_precision", precision));
    any = any || precision != 0;
  }
  // Producers write "default, default" as often as nothing; both are the same.
  if (!any) out.operand_precision.clear();
  return read_enum(p.algorithm(), ops::kAlgorithmNames, "algorithm", out.algorithm);
}

Status read(const Proto&, NoAttributes&) { return {}; }
Status read(const Proto& p, ParameterAttributes& a) {
  a.number = p.parameter_number();
  return {};
}
Status read(const Proto& p, ConstantAttributes& a) {
  if (p.literal().empty())
    return error(DiagnosticKind::kElidedConstant, "has no literal: its value is not in the file");
  HLOCC_TRY_ASSIGN(a.value, read_literal_proto(as_bytes(p.literal()), "the literal"));
  return {};
}
Status read(const Proto& p, IotaAttributes& a) { return read_one_dimension(p, a.dimension); }
Status read(const Proto& p, DimensionsAttributes& a) {
  a.dimensions = to_dimensions(p.dimensions());
  return {};
}
Status read(const Proto& p, MapAttributes& a) {
  a.dimensions = to_dimensions(p.dimensions());
  return {};
}
Status read(const Proto& p, SliceAttributes& a) {
  for (const Proto::SliceDimensions& d : p.slice_dimensions()) {
    a.starts.push_back(d.start());
    a.limits.push_back(d.limit());
    a.strides.push_back(d.stride());
  }
  return {};
}
Status read(const Proto& p, DynamicSliceAttributes& a) {
  a.sizes = to_dimensions(p.dynamic_slice_sizes());
  return {};
}
Status read(const Proto& p, PadAttributes& a) {
  for (const auto& d : p.padding_config().dimensions())
    a.dimensions.push_back({d.edge_padding_low(), d.edge_padding_high(), d.interior_padding()});
  return {};
}
Status read(const Proto& p, GatherAttributes& a) {
  const proto::GatherDimensionNumbers& n = p.gather_dimension_numbers();
  a.offset_dims = to_dimensions(n.offset_dims());
  a.collapsed_slice_dims = to_dimensions(n.collapsed_slice_dims());
  a.start_index_map = to_dimensions(n.start_index_map());
  a.operand_batching_dims = to_dimensions(n.operand_batching_dims());
  a.start_indices_batching_dims = to_dimensions(n.start_indices_batching_dims());
  a.index_vector_dim = n.index_vector_dim();
  a.slice_sizes = to_dimensions(p.gather_slice_sizes());
  a.indices_are_sorted = p.indices_are_sorted();
  return {};
}
Status read(const Proto& p, ScatterAttributes& a) {
  const proto::ScatterDimensionNumbers& n = p.scatter_dimension_numbers();
  a.update_window_dims = to_dimensions(n.update_window_dims());
  a.inserted_window_dims = to_dimensions(n.inserted_window_dims());
  a.scatter_dims_to_operand_dims = to_dimensions(n.scatter_dims_to_operand_dims());
  a.input_batching_dims = to_dimensions(n.input_batching_dims());
  a.scatter_indices_batching_dims = to_dimensions(n.scatter_indices_batching_dims());
  a.index_vector_dim = n.index_vector_dim();
  a.indices_are_sorted = p.indices_are_sorted();
  a.unique_indices = p.unique_indices();
  return {};
}
Status read(const Proto& p, TupleIndexAttributes& a) {
  a.index = p.tuple_index();
  return {};
}
void read_dot_numbers(const proto::DotDimensionNumbers& n, DotAttributes& a) {
  a.lhs_contracting = to_dimensions(n.lhs_contracting_dimensions());
  a.rhs_contracting = to_dimensions(n.rhs_contracting_dimensions());
  a.lhs_batch = to_dimensions(n.lhs_batch_dimensions());
  a.rhs_batch = to_dimensions(n.rhs_batch_dimensions());
}
Status read(const Proto& p, DotAttributes& a) {
  read_dot_numbers(p.dot_dimension_numbers(), a);
  return read_precision(p.precision_config(), a.precision);
}
Status read(const Proto& p, RaggedDotAttributes& a) {
  const proto::RaggedDotDimensionNumbers& n = p.ragged_dot_dimension_numbers();
  read_dot_numbers(n.dot_dimension_numbers(), a.dot);
  a.lhs_ragged = to_dimensions(n.lhs_ragged_dimensions());
  a.rhs_group = to_dimensions(n.rhs_group_dimensions());
  return read_precision(p.precision_config(), a.dot.precision);
}
Status read(const Proto& p, ConvolutionAttributes& a) {
  const proto::ConvolutionDimensionNumbers& n = p.convolution_dimension_numbers();
  a.window = read_window(p.window());
  a.input_batch = n.input_batch_dimension();
  a.input_feature = n.input_feature_dimension();
  a.kernel_input_feature = n.kernel_input_feature_dimension();
  a.kernel_output_feature = n.kernel_output_feature_dimension();
  a.output_batch = n.output_batch_dimension();
  a.output_feature = n.output_feature_dimension();
  a.input_spatial = to_dimensions(n.input_spatial_dimensions());
  a.kernel_spatial = to_dimensions(n.kernel_spatial_dimensions());
  a.output_spatial = to_dimensions(n.output_spatial_dimensions());
  // Files from before the field was there mean one group.
  a.feature_group_count = p.feature_group_count() == 0 ? 1 : p.feature_group_count();
  a.batch_group_count = p.batch_group_count() == 0 ? 1 : p.batch_group_count();
  return read_precision(p.precision_config(), a.precision);
}
Status read(const Proto& p, WindowAttributes& a) {
  a.window = read_window(p.window());
  return {};
}
Status read(const Proto& p, SortAttributes& a) {
  a.is_stable = p.is_stable();
  return read_one_dimension(p, a.dimension);
}
Status read(const Proto& p, TopKAttributes& a) {
  a.k = p.k();
  a.largest = p.largest();
  return {};
}
Status read(const Proto& p, ScanAttributes& a) {
  a.num_carries = p.num_carries();
  a.is_reverse = p.is_reverse();
  HLOCC_TRY(read_enum(p.is_associative(), ops::kTriStateNames, "is_associative", a.is_associative));
  return read_one_dimension(p, a.dimension);
}
Status read(const Proto& p, FftAttributes& a) {
  a.length = to_dimensions(p.fft_length());
  return read_enum(p.fft_type(), ops::kFftTypeNames, "fft_type", a.type);
}
Status read(const Proto& p, CholeskyAttributes& a) {
  a.lower = p.cholesky_options().lower();
  return {};
}
Status read(const Proto& p, TriangularSolveAttributes& a) {
  const proto::TriangularSolveOptions& o = p.triangular_solve_options();
  a.left_side = o.left_side();
  a.lower = o.lower();
  a.unit_diagonal = o.unit_diagonal();
  return read_enum(o.transpose_a(), ops::kTransposeNames, "transpose_a", a.transpose_a);
}
Status read(const Proto& p, BatchNormAttributes& a) {
  a.epsilon = p.epsilon();
  a.feature_index = p.feature_index();
  return {};
}
Status read(const Proto& p, RngBitGeneratorAttributes& a) {
  return read_enum(p.rng_algorithm(), ops::kRngAlgorithmNames, "rng_algorithm", a.algorithm);
}
Status read(const Proto& p, RngAttributes& a) {
  return read_enum(p.distribution(), ops::kRngDistributionNames, "distribution", a.distribution);
}
Status read(const Proto& p, RngStateAttributes& a) {
  a.delta = p.delta();
  return {};
}
Status read(const Proto& p, CompareAttributes& a) {
  HLOCC_TRY(read_enum_text(p.comparison_direction(), ops::kDirectionNames, "comparison_direction",
                           a.direction));
  if (p.comparison_type().empty()) return {};
  return read_enum_text(p.comparison_type(), ops::kComparisonTypeNames, "comparison_type", a.type);
}
Status read(const Proto& p, ReducePrecisionAttributes& a) {
  a.exponent_bits = p.exponent_bits();
  a.mantissa_bits = p.mantissa_bits();
  return {};
}
Status read(const Proto& p, ResultAccuracyAttributes& a) {
  a.atol = p.result_accuracy().tolerance().atol();
  a.rtol = p.result_accuracy().tolerance().rtol();
  a.ulps = p.result_accuracy().tolerance().ulps();
  return read_enum(p.result_accuracy().mode(), ops::kAccuracyModeNames, "result_accuracy", a.mode);
}
Status read(const Proto& p, CallAttributes& a) {
  a.is_composite = p.is_composite();
  return {};
}
Status read(const Proto& p, FusionAttributes& a) {
  a.kind = p.fusion_kind();
  return {};
}
Status read(const Proto& p, CustomCallAttributes& a) {
  a.target = p.custom_call_target();
  a.backend_config = p.backend_config();
  a.has_side_effect = p.custom_call_has_side_effect();
  for (const proto::OutputOperandAliasing& alias : p.output_operand_aliasing())
    a.output_operand_aliasing.push_back({to_dimensions(alias.output_shape_index()),
                                         alias.operand_index(),
                                         to_dimensions(alias.operand_shape_index())});
  for (const proto::ShapeProto& shape : p.operand_shapes_with_layout()) {
    HLOCC_TRY_ASSIGN(Shape read, read_shape(shape, "operand_shapes_with_layout"));
    a.operand_shapes_with_layout.push_back(std::move(read));
  }
  return read_enum(p.custom_call_api_version(), ops::kApiVersionNames, "custom_call_api_version",
                   a.api_version);
}

Status read(const Proto& p, CollectiveAttributes& a) {
  a.dimensions = to_dimensions(p.dimensions());
  for (const proto::ReplicaGroup& group : p.replica_groups())
    a.replica_groups.emplace_back(group.replica_ids().begin(), group.replica_ids().end());
  for (const proto::ReplicaGroup& group : p.collective_device_list().replica_groups())
    a.replica_groups.emplace_back(group.replica_ids().begin(), group.replica_ids().end());
  if (a.replica_groups.empty() && p.has_iota_collective_device_list()) {
    const proto::IotaReplicaGroupListProto& iota = p.iota_collective_device_list();
    HLOCC_TRY_ASSIGN(a.replica_groups, expand_iota_groups({iota.num_replica_groups(),
                                                           iota.num_devices_per_group(),
                                                           to_dimensions(iota.iota_reshape_dims()),
                                                           {iota.iota_transpose_perm().begin(),
                                                            iota.iota_transpose_perm().end()}}));
  }
  for (const proto::SourceTarget& pair : p.source_target_pairs())
    a.source_target_pairs.emplace_back(pair.source(), pair.target());
  a.channel_id = p.channel_id();
  a.use_global_device_ids = p.use_global_device_ids();
  a.constrain_layout = p.constrain_layout();
  a.is_host_transfer = p.is_host_transfer();
  return {};
}
Status read(const Proto& p, AsyncAttributes& a) {
  a.execution_thread = p.async_execution_thread();
  return {};
}

template <typename A>
Result<Attributes> read_as(const Proto& proto) {
  A attributes;
  HLOCC_TRY(read(proto, attributes));
  return Attributes(std::move(attributes));
}

using Reader = Result<Attributes> (*)(const Proto&);
constexpr Reader readers[] = {
#define HLOCC_OPCODE(enumerator, text, family, min, max, attributes, ...) read_as<attributes>,
#include "hlo/opcodes.def"
};

}  // namespace

Result<Attributes> read_attributes(Opcode opcode, const Proto& proto) {
  return readers[static_cast<int>(opcode)](proto);
}

}  // namespace hlocc::import
