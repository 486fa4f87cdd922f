// The attributes of each struct of hlo/attributes.h as HLO text names them: one overload a struct,
// one line an attribute. The printer and the text parser both visit them, so that a name is written
// once. A visitor has
//   v.required(name, field)            always printed, must be there;
//   v.printed(name, field)             always printed, may be missing;
//   v.optional(name, field[, default]) printed when it is not the default (none given: zero,
//   empty);
// for fields of the types below and int64_t, int, bool, float, std::string, Dimensions, Window, and
// the vectors of pads, replica groups, pairs, aliasings and shapes; v.comparison_type(), the
// default of compare, and v.opcode(). Fields that have a form of their own in text are wrapped in
// the small structs that follow.
#pragma once
#include "hlo/attributes.h"
#include "ops/text/printer_names.h"

namespace hlocc::ops {

// One number, printed as a list of one: dimensions={1}.
struct ListOfOne {
  int64_t& value;
};
// slice={[0:4:2], [1:3]}.
struct SliceRanges {
  hlo::SliceAttributes& slice;
};
// dim_labels=b01f_01io->b01f.
struct DimLabels {
  hlo::ConvolutionAttributes& convolution;
};
// operand_precision={default,highest}.
struct PrecisionList {
  std::vector<int>& values;
};
// A number with names, or an enum class of one byte.
struct Named {
  int value;
  std::span<const std::string_view> names;
  void* target;
  void (*set)(void* target, int value);
};
template <typename T>
Named named(T& value, std::span<const std::string_view> names) {
  return {static_cast<int>(value), names, &value,
          [](void* target, int v) { *static_cast<T*>(target) = static_cast<T>(v); }};
}
// fusion's kind=kLoop: a word without quotes.
struct Word {
  std::string& value;
};

template <typename V>
void visit_fields(hlo::NoAttributes&, V&&) {}
// The number and the value of these two are operands in text.
template <typename V>
void visit_fields(hlo::ParameterAttributes&, V&&) {}
template <typename V>
void visit_fields(hlo::ConstantAttributes&, V&&) {}
template <typename V>
void visit_fields(hlo::IotaAttributes& a, V&& v) {
  v.required("iota_dimension", a.dimension);
}
template <typename V>
void visit_fields(hlo::DimensionsAttributes& a, V&& v) {
  v.printed("dimensions", a.dimensions);
}
// The function travels as a frontend attribute.
template <typename V>
void visit_fields(hlo::MapAttributes& a, V&& v) {
  v.printed("dimensions", a.dimensions);
}
template <typename V>
void visit_fields(hlo::SliceAttributes& a, V&& v) {
  v.required("slice", SliceRanges{a});
}
template <typename V>
void visit_fields(hlo::DynamicSliceAttributes& a, V&& v) {
  v.required("dynamic_slice_sizes", a.sizes);
}
template <typename V>
void visit_fields(hlo::PadAttributes& a, V&& v) {
  v.optional("padding", a.dimensions);
}
template <typename V>
void visit_fields(hlo::GatherAttributes& a, V&& v) {
  v.required("offset_dims", a.offset_dims);
  v.required("collapsed_slice_dims", a.collapsed_slice_dims);
  v.required("start_index_map", a.start_index_map);
  v.optional("operand_batching_dims", a.operand_batching_dims);
  v.optional("start_indices_batching_dims", a.start_indices_batching_dims);
  v.required("index_vector_dim", a.index_vector_dim);
  v.required("slice_sizes", a.slice_sizes);
  v.optional("indices_are_sorted", a.indices_are_sorted);
}
template <typename V>
void visit_fields(hlo::ScatterAttributes& a, V&& v) {
  v.required("update_window_dims", a.update_window_dims);
  v.required("inserted_window_dims", a.inserted_window_dims);
  v.required("scatter_dims_to_operand_dims", a.scatter_dims_to_operand_dims);
  v.optional("input_batching_dims", a.input_batching_dims);
  v.optional("scatter_indices_batching_dims", a.scatter_indices_batching_dims);
  v.required("index_vector_dim", a.index_vector_dim);
  v.optional("indices_are_sorted", a.indices_are_sorted);
  v.optional("unique_indices", a.unique_indices);
}
template <typename V>
void visit_fields(hlo::TupleIndexAttributes& a, V&& v) {
  v.required("index", a.index);
}
template <typename V>
void visit_fields(hlo::PrecisionConfig& a, V&& v) {
  v.optional("operand_precision", PrecisionList{a.operand_precision});
  v.optional("algorithm", named(a.algorithm, kAlgorithmNames));
}
template <typename V>
void visit_fields(hlo::DotAttributes& a, V&& v) {
  v.optional("lhs_batch_dims", a.lhs_batch);
  v.printed("lhs_contracting_dims", a.lhs_contracting);
  v.optional("rhs_batch_dims", a.rhs_batch);
  v.printed("rhs_contracting_dims", a.rhs_contracting);
  visit_fields(a.precision, v);
}
template <typename V>
void visit_fields(hlo::RaggedDotAttributes& a, V&& v) {
  visit_fields(a.dot, v);
  v.printed("lhs_ragged_dims", a.lhs_ragged);
  v.printed("rhs_group_dims", a.rhs_group);
}
template <typename V>
void visit_fields(hlo::ConvolutionAttributes& a, V&& v) {
  v.optional("window", a.window);
  v.required("dim_labels", DimLabels{a});
  v.optional("feature_group_count", a.feature_group_count, 1);
  v.optional("batch_group_count", a.batch_group_count, 1);
  visit_fields(a.precision, v);
}
template <typename V>
void visit_fields(hlo::WindowAttributes& a, V&& v) {
  v.optional("window", a.window);
}
template <typename V>
void visit_fields(hlo::SortAttributes& a, V&& v) {
  v.printed("dimensions", ListOfOne{a.dimension});
  v.optional("is_stable", a.is_stable);
}
template <typename V>
void visit_fields(hlo::TopKAttributes& a, V&& v) {
  v.required("k", a.k);
  v.printed("largest", a.largest);
}
template <typename V>
void visit_fields(hlo::ScanAttributes& a, V&& v) {
  v.required("dimensions", ListOfOne{a.dimension});
  v.required("num_carries", a.num_carries);
  v.optional("is_reverse", a.is_reverse);
  v.optional("is_associative", named(a.is_associative, kTriStateNames));
}
template <typename V>
void visit_fields(hlo::FftAttributes& a, V&& v) {
  v.required("fft_type", named(a.type, kFftTypeNames));
  v.required("fft_length", a.length);
}
template <typename V>
void visit_fields(hlo::CholeskyAttributes& a, V&& v) {
  v.optional("lower", a.lower);
}
template <typename V>
void visit_fields(hlo::TriangularSolveAttributes& a, V&& v) {
  v.optional("left_side", a.left_side);
  v.optional("lower", a.lower);
  v.optional("unit_diagonal", a.unit_diagonal);
  v.printed("transpose_a", named(a.transpose_a, kTransposeNames));
}
template <typename V>
void visit_fields(hlo::BatchNormAttributes& a, V&& v) {
  v.required("epsilon", a.epsilon);
  v.required("feature_index", a.feature_index);
}
template <typename V>
void visit_fields(hlo::RngBitGeneratorAttributes& a, V&& v) {
  v.required("algorithm", named(a.algorithm, kRngAlgorithmNames));
}
template <typename V>
void visit_fields(hlo::RngAttributes& a, V&& v) {
  v.required("distribution", named(a.distribution, kRngDistributionNames));
}
template <typename V>
void visit_fields(hlo::RngStateAttributes& a, V&& v) {
  v.required("delta", a.delta);
}
template <typename V>
void visit_fields(hlo::CompareAttributes& a, V&& v) {
  v.required("direction", named(a.direction, kDirectionNames));
  v.optional("type", named(a.type, kComparisonTypeNames), static_cast<int>(v.comparison_type()));
}
template <typename V>
void visit_fields(hlo::ReducePrecisionAttributes& a, V&& v) {
  v.required("exponent_bits", a.exponent_bits);
  v.required("mantissa_bits", a.mantissa_bits);
}
template <typename V>
void visit_fields(hlo::ResultAccuracyAttributes& a, V&& v) {
  v.optional("result_accuracy", a);
}
template <typename V>
void visit_fields(hlo::CallAttributes& a, V&& v) {
  v.optional("is_composite", a.is_composite);
}
template <typename V>
void visit_fields(hlo::FusionAttributes& a, V&& v) {
  v.optional("kind", Word{a.kind});
}
// backend_config follows last in the text and is written by the printer itself.
template <typename V>
void visit_fields(hlo::CustomCallAttributes& a, V&& v) {
  v.required("custom_call_target", a.target);
  v.optional("operand_layout_constraints", a.operand_shapes_with_layout);
  v.optional("custom_call_has_side_effect", a.has_side_effect);
  v.optional("output_to_operand_aliasing", a.output_operand_aliasing);
  v.optional("api_version", named(a.api_version, kApiVersionNames));
}
template <typename V>
void visit_fields(hlo::CollectiveAttributes& a, V&& v) {
  v.optional("channel_id", a.channel_id);
  v.optional("replica_groups", a.replica_groups);
  // A permute of nothing says so.
  if (v.opcode() == hlo::Opcode::kCollectivePermute ||
      v.opcode() == hlo::Opcode::kCollectivePermuteStart)
    v.printed("source_target_pairs", a.source_target_pairs);
  else
    v.optional("source_target_pairs", a.source_target_pairs);
  v.optional("dimensions", a.dimensions);
  v.optional("constrain_layout", a.constrain_layout);
  v.optional("use_global_device_ids", a.use_global_device_ids);
  v.optional("is_host_transfer", a.is_host_transfer);
}
template <typename V>
void visit_fields(hlo::AsyncAttributes& a, V&& v) {
  v.optional("async_execution_thread", a.execution_thread);
}

}  // namespace hlocc::ops
