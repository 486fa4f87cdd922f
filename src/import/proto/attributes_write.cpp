// One overload of `write` for each attribute struct, in the order of attributes.h.
#include "import/proto/attributes.h"
#include "import/proto/literal.h"
#include "import/proto/shape.h"
#include "ops/text/printer_names.h"

namespace hlocc::import {
namespace {
using namespace hlo;
using Proto = proto::HloInstructionProto;

void write_window(const Window& window, proto::Window& p) {
  for (const WindowDimension& d : window.dimensions) {
    proto::WindowDimension& out = *p.add_dimensions();
    out.set_size(d.size);
    out.set_stride(d.stride);
    out.set_padding_low(d.padding_low);
    out.set_padding_high(d.padding_high);
    out.set_window_dilation(d.window_dilation);
    out.set_base_dilation(d.base_dilation);
    out.set_window_reversal(d.window_reversal);
  }
}

void write_precision(const PrecisionConfig& config, proto::PrecisionConfig& p) {
  for (int precision : config.operand_precision) p.add_operand_precision(precision);
  // XLA expects one entry an operand.
  while (p.operand_precision_size() < 2) p.add_operand_precision(0);
  p.set_algorithm(config.algorithm);
}

void write_dot_numbers(const DotAttributes& a, proto::DotDimensionNumbers& n) {
  write_dimensions(a.lhs_contracting, n.mutable_lhs_contracting_dimensions());
  write_dimensions(a.rhs_contracting, n.mutable_rhs_contracting_dimensions());
  write_dimensions(a.lhs_batch, n.mutable_lhs_batch_dimensions());
  write_dimensions(a.rhs_batch, n.mutable_rhs_batch_dimensions());
}

void write_frontend_attribute(std::string_view key, const std::string& value, Proto& p) {
  proto::FrontendAttributes::Entry& entry = *p.mutable_frontend_attributes()->add_map();
  entry.set_key(std::string(key));
  entry.set_value(value);
}

void write(const NoAttributes&, Proto&) {}
void write(const ParameterAttributes& a, Proto& p) { p.set_parameter_number(a.number); }
void write(const ConstantAttributes& a, Proto& p) {
  const std::vector<std::byte> literal = write_literal_proto(a.value);
  p.set_literal(literal.data(), literal.size());
}
void write(const IotaAttributes& a, Proto& p) { p.add_dimensions(a.dimension); }
void write(const DimensionsAttributes& a, Proto& p) {
  write_dimensions(a.dimensions, p.mutable_dimensions());
}
void write(const MapAttributes& a, Proto& p) {
  write_dimensions(a.dimensions, p.mutable_dimensions());
  if (!a.function.empty()) write_frontend_attribute(ops::kFunctionAttribute, a.function, p);
}
void write(const SliceAttributes& a, Proto& p) {
  for (size_t i = 0; i < a.starts.size(); ++i) {
    Proto::SliceDimensions& d = *p.add_slice_dimensions();
    d.set_start(a.starts[i]);
    d.set_limit(a.limits[i]);
    d.set_stride(a.strides[i]);
  }
}
void write(const DynamicSliceAttributes& a, Proto& p) {
  write_dimensions(a.sizes, p.mutable_dynamic_slice_sizes());
}
void write(const PadAttributes& a, Proto& p) {
  proto::PaddingConfig& config = *p.mutable_padding_config();
  for (const PaddingDimension& d : a.dimensions) {
    proto::PaddingConfig::PaddingConfigDimension& out = *config.add_dimensions();
    out.set_edge_padding_low(d.low);
    out.set_edge_padding_high(d.high);
    out.set_interior_padding(d.interior);
  }
}
void write(const GatherAttributes& a, Proto& p) {
  proto::GatherDimensionNumbers& n = *p.mutable_gather_dimension_numbers();
  write_dimensions(a.offset_dims, n.mutable_offset_dims());
  write_dimensions(a.collapsed_slice_dims, n.mutable_collapsed_slice_dims());
  write_dimensions(a.start_index_map, n.mutable_start_index_map());
  write_dimensions(a.operand_batching_dims, n.mutable_operand_batching_dims());
  write_dimensions(a.start_indices_batching_dims, n.mutable_start_indices_batching_dims());
  n.set_index_vector_dim(a.index_vector_dim);
  write_dimensions(a.slice_sizes, p.mutable_gather_slice_sizes());
  p.set_indices_are_sorted(a.indices_are_sorted);
}
void write(const ScatterAttributes& a, Proto& p) {
  proto::ScatterDimensionNumbers& n = *p.mutable_scatter_dimension_numbers();
  write_dimensions(a.update_window_dims, n.mutable_update_window_dims());
  write_dimensions(a.inserted_window_dims, n.mutable_inserted_window_dims());
  write_dimensions(a.scatter_dims_to_operand_dims, n.mutable_scatter_dims_to_operand_dims());
  write_dimensions(a.input_batching_dims, n.mutable_input_batching_dims());
  write_dimensions(a.scatter_indices_batching_dims, n.mutable_scatter_indices_batching_dims());
  n.set_index_vector_dim(a.index_vector_dim);
  p.set_indices_are_sorted(a.indices_are_sorted);
  p.set_unique_indices(a.unique_indices);
}
void write(const TupleIndexAttributes& a, Proto& p) { p.set_tuple_index(a.index); }
void write(const DotAttributes& a, Proto& p) {
  write_dot_numbers(a, *p.mutable_dot_dimension_numbers());
  write_precision(a.precision, *p.mutable_precision_config());
}
void write(const RaggedDotAttributes& a, Proto& p) {
  proto::RaggedDotDimensionNumbers& n = *p.mutable_ragged_dot_dimension_numbers();
  write_dot_numbers(a.dot, *n.mutable_dot_dimension_numbers());
  write_dimensions(a.lhs_ragged, n.mutable_lhs_ragged_dimensions());
  write_dimensions(a.rhs_group, n.mutable_rhs_group_dimensions());
  write_precision(a.dot.precision, *p.mutable_precision_config());
}
void write(const ConvolutionAttributes& a, Proto& p) {
  write_window(a.window, *p.mutable_window());
  proto::ConvolutionDimensionNumbers& n = *p.mutable_convolution_dimension_numbers();
  n.set_input_batch_dimension(a.input_batch);
  n.set_input_feature_dimension(a.input_feature);
  n.set_kernel_input_feature_dimension(a.kernel_input_feature);
  n.set_kernel_output_feature_dimension(a.kernel_output_feature);
  n.set_output_batch_dimension(a.output_batch);
  n.set_output_feature_dimension(a.output_feature);
  write_dimensions(a.input_spatial, n.mutable_input_spatial_dimensions());
  write_dimensions(a.kernel_spatial, n.mutable_kernel_spatial_dimensions());
  write_dimensions(a.output_spatial, n.mutable_output_spatial_dimensions());
  p.set_feature_group_count(a.feature_group_count);
  p.set_batch_group_count(a.batch_group_count);
  write_precision(a.precision, *p.mutable_precision_config());
}
void write(const WindowAttributes& a, Proto& p) { write_window(a.window, *p.mutable_window()); }
void write(const SortAttributes& a, Proto& p) {
  p.add_dimensions(a.dimension);
  p.set_is_stable(a.is_stable);
}
void write(const TopKAttributes& a, Proto& p) {
  p.set_k(a.k);
  p.set_largest(a.largest);
}
void write(const ScanAttributes& a, Proto& p) {
  p.add_dimensions(a.dimension);
  p.set_num_carries(a.num_carries);
  p.set_is_reverse(a.is_reverse);
  p.set_is_associative(a.is_associative);
}
void write(const FftAttributes& a, Proto& p) {
  p.set_fft_type(static_cast<int>(a.type));
  write_dimensions(a.length, p.mutable_fft_length());
}
void write(const CholeskyAttributes& a, Proto& p) {
  p.mutable_cholesky_options()->set_lower(a.lower);
}
void write(const TriangularSolveAttributes& a, Proto& p) {
  proto::TriangularSolveOptions& o = *p.mutable_triangular_solve_options();
  o.set_left_side(a.left_side);
  o.set_lower(a.lower);
  o.set_unit_diagonal(a.unit_diagonal);
  o.set_transpose_a(a.transpose_a);
}
void write(const BatchNormAttributes& a, Proto& p) {
  p.set_epsilon(a.epsilon);
  p.set_feature_index(a.feature_index);
}
void write(const RngBitGeneratorAttributes& a, Proto& p) {
  p.set_rng_algorithm(static_cast<int>(a.algorithm));
}
void write(const RngAttributes& a, Proto& p) {
  p.set_distribution(static_cast<int>(a.distribution));
}
void write(const RngStateAttributes& a, Proto& p) { p.set_delta(a.delta); }
void write(const CompareAttributes& a, Proto& p) {
  p.set_comparison_direction(std::string(ops::kDirectionNames[static_cast<int>(a.direction)]));
  p.set_comparison_type(std::string(ops::kComparisonTypeNames[static_cast<int>(a.type)]));
}
void write(const ReducePrecisionAttributes& a, Proto& p) {
  p.set_exponent_bits(a.exponent_bits);
  p.set_mantissa_bits(a.mantissa_bits);
}
void write(const ResultAccuracyAttributes& a, Proto& p) {
  if (a == ResultAccuracyAttributes{}) return;
  // The two are alternatives on the wire.
  if (a.atol == 0 && a.rtol == 0 && a.ulps == 0)
    return p.mutable_result_accuracy()->set_mode(a.mode);
  proto::ResultAccuracy::Tolerance& tolerance = *p.mutable_result_accuracy()->mutable_tolerance();
  tolerance.set_atol(a.atol);
  tolerance.set_rtol(a.rtol);
  tolerance.set_ulps(a.ulps);
}
void write(const CallAttributes& a, Proto& p) { p.set_is_composite(a.is_composite); }
void write(const FusionAttributes& a, Proto& p) {
  p.set_fusion_kind(a.kind.empty() ? "kCustom" : a.kind);
  if (!a.kind.empty()) return;
  write_frontend_attribute(ops::kScheduleAttribute, std::string(hlo::schedule_name(a.schedule)), p);
  if (a.serpentine) write_frontend_attribute(ops::kSerpentineAttribute, "true", p);
}
void write(const CustomCallAttributes& a, Proto& p) {
  p.set_custom_call_target(a.target);
  p.set_backend_config(a.backend_config);
  p.set_custom_call_has_side_effect(a.has_side_effect);
  p.set_custom_call_api_version(a.api_version);
  for (const CustomCallAttributes::Aliasing& alias : a.output_operand_aliasing) {
    proto::OutputOperandAliasing& out = *p.add_output_operand_aliasing();
    write_dimensions(alias.output_index, out.mutable_output_shape_index());
    out.set_operand_index(alias.operand);
    write_dimensions(alias.operand_index, out.mutable_operand_shape_index());
  }
  for (const Shape& shape : a.operand_shapes_with_layout)
    write_shape(shape, *p.add_operand_shapes_with_layout());
  p.set_constrain_layout(!a.operand_shapes_with_layout.empty());
}
void write(const CollectiveAttributes& a, Proto& p) {
  write_dimensions(a.dimensions, p.mutable_dimensions());
  for (const std::vector<int64_t>& group : a.replica_groups)
    write_dimensions(
        group, p.mutable_collective_device_list()->add_replica_groups()->mutable_replica_ids());
  for (const auto& [source, target] : a.source_target_pairs) {
    proto::SourceTarget& pair = *p.add_source_target_pairs();
    pair.set_source(source);
    pair.set_target(target);
  }
  p.set_channel_id(a.channel_id);
  p.set_use_global_device_ids(a.use_global_device_ids);
  p.set_constrain_layout(a.constrain_layout);
  p.set_is_host_transfer(a.is_host_transfer);
}
void write(const AsyncAttributes& a, Proto& p) { p.set_async_execution_thread(a.execution_thread); }

}  // namespace

void write_attributes(const Attributes& attributes, Proto& proto) {
  std::visit([&](const auto& held) { write(held, proto); }, attributes);
}

}  // namespace hlocc::import
