// Weights of few bits with scales, as weight-only quantisation spells them: groups of rows with a
// zero point each, tables whose rows are looked up and have a scale each, and filters with a scale
// a feature. Numbers are such that every sum is exact in f32.
#include "fuzz/quantized.h"

namespace hlocc::fuzz {
namespace {

using enum hlo::PrimitiveType;

Id whole_numbers(Builder& b, PrimitiveType type, const Dimensions& dims, int64_t low,
                 int64_t high) {
  Literal literal = Literal::zeros(Shape::array(type, dims));
  for (int64_t i = 0; i < literal.element_count(); ++i)
    set_number(literal, i, static_cast<double>(b.random.between(low, high)));
  return b.constant(std::move(literal));
}
Id integers_of_type(Builder& b, PrimitiveType type, const Dimensions& dims) {
  const int64_t all = int64_t{1} << hlo::type_bits(type), low = is_signed(type) ? -all / 2 : 0;
  return converted(b, whole_numbers(b, type, dims, low, low + all - 1), kF32);
}
Id powers_of_two(Builder& b, const Dimensions& dims) {
  Literal literal = Literal::zeros(Shape::array(kF32, dims));
  for (int64_t i = 0; i < literal.element_count(); ++i) set_number(literal, i, power_of_two(b, 4));
  return b.constant(std::move(literal));
}
Id along(Builder& b, Id x, const Dimensions& mapping, const Dimensions& dims) {
  return b.emit(Opcode::kBroadcast, {x}, hlo::DimensionsAttributes{mapping}, {},
                Shape::array(kF32, dims));
}

// x times (q - z) * s.
Id zero_points(Builder& b, PrimitiveType) {
  const int64_t group = b.random.of(std::vector<int64_t>{8, 12, 16, 32}),
                groups = b.random.between(1, 4), depth = group * groups,
                columns = b.random.between(256 / depth + 1, 400 / depth),
                rows = b.random.chance(80) ? 1 : 2;
  const bool turned = b.random.chance(30);
  const Dimensions dims = turned ? Dimensions{columns, groups, group}
                                 : Dimensions{groups, group, columns},
                   few = turned ? Dimensions{columns, groups} : Dimensions{groups, columns},
                   mapping = turned ? Dimensions{0, 1} : Dimensions{0, 2};
  const PrimitiveType type = b.random.of(std::vector<PrimitiveType>{kU4, kS4, kU8, kS8});
  const Id zeros = along(b, whole_numbers(b, kF32, few, -8, 15), mapping, dims);
  Id w = b.emit(b.random.chance(85) ? Opcode::kSubtract : Opcode::kAdd,
                {integers_of_type(b, type, dims), zeros});
  w = b.emit(Opcode::kMultiply, {w, along(b, powers_of_two(b, few), mapping, dims)});
  w = b.emit(Opcode::kReshape, {w}, {}, {},
             Shape::array(kF32, turned ? Dimensions{columns, depth} : Dimensions{depth, columns}));
  // Half a step beside integers.
  Id x = converted(b, b.value_like(kS8, {rows, depth}), kF32);
  x = b.emit(Opcode::kAdd, {x, splat(b, kF32, 0.5, {rows, depth})});
  return b.emit(Opcode::kDot, {x, w},
                hlo::DotAttributes{.lhs_contracting = {1}, .rhs_contracting = {turned ? 1 : 0}}, {},
                Shape::array(kF32, {}));
}

Id scaled_rows(Builder& b, PrimitiveType) {
  const int64_t rows = b.random.between(4, 60), columns = b.random.between(256 / rows, 400 / rows),
                count = b.random.between(1, 6);
  if (columns == 0 || columns * count > b.max_elements()) return kNone;
  const PrimitiveType type = b.random.of(std::vector<PrimitiveType>{kS4, kS8, kU4});
  const bool of_rows = b.random.chance(75);
  const Id scales =
      along(b, powers_of_two(b, {of_rows ? rows : columns}), {of_rows ? 0 : 1}, {rows, columns});
  const Id table = b.emit(Opcode::kMultiply, {integers_of_type(b, type, {rows, columns}), scales});
  hlo::GatherAttributes gather;
  gather.offset_dims = {1};
  gather.collapsed_slice_dims = gather.start_index_map = {0};
  gather.index_vector_dim = 1;
  gather.slice_sizes = {1, columns};
  return b.emit(Opcode::kGather, {table, b.indices(kS32, {count, 1}, -1, rows)}, gather);
}

// A convolution whose filter has a scale a feature: of one or two dimensions, in groups, with
// strides and borders.
Id small_filter(Builder& b, PrimitiveType) {
  const int64_t rank = b.random.between(1, 2), most = rank == 1 ? 9 : 4;
  const bool depthwise = b.random.chance(30);
  const int64_t features = b.random.between(8, 24),
                inputs = depthwise ? features : b.random.between(4, 16);
  hlo::ConvolutionAttributes a;
  Dimensions input{1}, filter;
  int64_t places = 1;
  for (int64_t d = 0; d < rank; ++d) {
    const int64_t size = b.random.chance(25) ? 1 : b.random.between(2, most),
                  extent = size + b.random.between(0, 6);
    hlo::WindowDimension w;
    w.size = size;
    w.stride = b.random.chance(30) ? 2 : 1;
    w.padding_low = b.random.between(0, size - 1);
    w.padding_high = b.random.between(0, size - 1);
    a.window.dimensions.push_back(w);
    input.push_back(extent);
    filter.push_back(size);
    places *= extent;
    a.input_spatial.push_back(d + 1);
    a.output_spatial.push_back(d + 1);
    a.kernel_spatial.push_back(d);
  }
  if (places * std::max(inputs, features) > b.max_elements()) return kNone;
  input.push_back(inputs);
  filter.push_back(depthwise ? 1 : inputs);
  filter.push_back(features);
  a.input_batch = a.output_batch = 0;
  a.input_feature = a.output_feature = rank + 1;
  a.kernel_input_feature = rank;
  a.kernel_output_feature = rank + 1;
  a.feature_group_count = depthwise ? features : 1;
  const PrimitiveType type = b.random.of(std::vector<PrimitiveType>{kS4, kS8, kU4});
  const Id scales = along(b, powers_of_two(b, {features}), {rank + 1}, filter);
  const Id w = b.emit(Opcode::kMultiply, {integers_of_type(b, type, filter), scales});
  const Id x = converted(b, b.value_like(kS8, input), kF32);
  return b.emit(Opcode::kConvolution, {x, w}, std::move(a), {}, Shape::array(kF32, {}));
}

}  // namespace

void add_small_weights(std::vector<Proposal>& rows) {
  rows.push_back({"small_weights_zeros", 0, zero_points});
  rows.push_back({"small_weights_rows", 0, scaled_rows});
  rows.push_back({"small_weights_filter", 0, small_filter});
}

}  // namespace hlocc::fuzz
