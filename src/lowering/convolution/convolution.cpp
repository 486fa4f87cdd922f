// convolution: chooses the schedule, and what all of them ask of a convolution.
#include "lowering/convolution/convolution_row.h"

#include <algorithm>

#include "lowering/convolution/winograd.h"

namespace hlocc::lowering {

using hlo::Instruction;
using hlo::InstructionId;
using kernel::Scalar;
using kernel::Type;
using kernel::ValueId;

bool Convolution::features_last() const {
  return attributes.output_feature == output.rank() - 1 &&
         attributes.kernel_output_feature == filter.rank() - 1;
}

bool Convolution::depthwise() const {
  // A few features of each input fill vectors together; more fill their own, and scalars need no
  // company.
  const int64_t most = e.target().vector_bits > 0 ? 4 : 1;
  return groups() > 1 && group_inputs() == 1 && group_outputs() <= most && features_last() &&
         !complex && attributes.input_feature == input.rank() - 1;
}

Taps Convolution::taps(int d, const Affine& o) const {
  return taps_on_input(e, window(d), input_extent(d), output_extent(d), o);
}

std::pair<int64_t, int64_t> Convolution::inside(int d) const {
  return windows_inside(window(d), input_extent(d), output_extent(d));
}

Element Convolution::load_input(const Affine& batch, const std::vector<Affine>& at,
                                const Affine& feature, int lanes) const {
  Index index;
  index.at.resize(input.rank());
  index.at[attributes.input_batch] = batch;
  index.at[attributes.input_feature] = feature;
  for (int d = 0; d < spatial(); ++d) index.at[attributes.input_spatial[d]] = at[d];
  index.lanes = lanes;
  if (lanes > 1) index.lane_dim = static_cast<int>(attributes.input_feature);
  return converted(e.operand(i, 0, index));
}

Element Convolution::load_filter(const std::vector<Affine>& taps, const Affine& in,
                                 const Affine& out, int lanes) const {
  Index index;
  index.at.resize(filter.rank());
  index.at[attributes.kernel_input_feature] = in;
  index.at[attributes.kernel_output_feature] = out;
  for (int d = 0; d < spatial(); ++d)
    index.at[attributes.kernel_spatial[d]] =
        window(d).window_reversal ? taps[d].times(-1).plus(window(d).size - 1) : taps[d];
  index.lanes = lanes;
  if (lanes > 1) index.lane_dim = static_cast<int>(attributes.kernel_output_feature);
  return converted(e.operand(i, 1, index));
}

Element Convolution::load_filter(const std::vector<Affine>& taps, const Affine& in,
                                 const Affine& group, const Affine& column, int v, int vectors,
                                 int lanes) const {
  if (!panels)
    return load_filter(taps, in, group.times(group_outputs()).plus(column).plus(int64_t{v} * lanes),
                       lanes);
  return converted(
      {panels->load(e, panels->place(group, column), step_of(taps, in), v, vectors, lanes)});
}

Affine Convolution::step_of(const std::vector<Affine>& taps, const Affine& in) const {
  Affine tap;
  for (int d = 0; d < spatial(); ++d) tap = tap.times(window(d).size).plus(taps[d]);
  return tap.times(group_inputs()).plus(in);
}

// The filter lies as [taps, input features, output features], and taps count upwards.
bool Convolution::filter_is_row_major() const {
  const int64_t rank = filter.rank();
  bool row_major =
      attributes.kernel_output_feature == rank - 1 && attributes.kernel_input_feature == rank - 2;
  for (int d = 0; d < spatial(); ++d)
    row_major = row_major && attributes.kernel_spatial[d] == d && !window(d).window_reversal;
  return row_major;
}

Along Convolution::choose_along() const {
  if (complex || !filter_is_row_major() || attributes.input_feature != input.rank() - 1) return {};
  const int64_t depth = filter.element_count() / filter.dimensions.back();
  const Along along = costs::columns_along(e.target(), sum, depth, group_inputs(), group_outputs());
  if (along.lanes > 1 && !weight_rows)
    weight_rows = WeightRows::transpose(e, i.operands[1], depth,
                                        groups() > 1 ? filter.dimensions.back() : along.columns);
  return weight_rows ? along : Along{};
}

Element Convolution::load_filter_along(const std::vector<Affine>& taps, const Affine& in,
                                       const Affine& column, int k_lanes) const {
  Affine k;
  for (int d = 0; d < spatial(); ++d) k = k.times(window(d).size).plus(taps[d]);
  return converted({weight_rows->load(e, column, k.times(group_inputs()).plus(in), k_lanes)});
}

void Convolution::pack_filter(const std::vector<ColumnRun>& runs) const {
  if (filter_is_row_major() && !complex && !panels)
    panels = Panels::pack(e, i.operands[1], filter.element_count() / filter.dimensions.back(),
                          groups(), runs);
}

Element Convolution::converted(Element x) const {
  x.re = e.b.convert(x.re, sum);
  if (complex) x.im = x.is_complex() ? e.b.convert(x.im, sum) : e.b.zero(e.b.type(x.re));
  return x;
}

void Convolution::finish(const Affine& batch, const std::vector<Affine>& at, const Affine& feature,
                         int lanes, Element value) const {
  Index index;
  index.at.resize(output.rank());
  index.at[attributes.output_batch] = batch;
  index.at[attributes.output_feature] = feature;
  for (int d = 0; d < spatial(); ++d) index.at[attributes.output_spatial[d]] = at[d];
  index.lanes = lanes;
  if (lanes > 1) index.lane_dim = static_cast<int>(attributes.output_feature);
  value.re = e.b.convert(value.re, e.scalar(output));
  if (complex) value.im = e.b.convert(value.im, e.scalar(output));
  e.bind(id, index, value);
  store ? store(index) : e.store_roots(index);
  e.unbind(id);
}

Convolution convolution_of(Emitter& e, InstructionId id) {
  const Instruction& i = e.instruction(id);
  return {e,
          id,
          i,
          i.get<hlo::ConvolutionAttributes>(),
          e.shape(i.operands[0]),
          e.shape(i.operands[1]),
          i.shape,
          accumulator_of(e.scalar(i.shape)),
          hlo::is_complex(i.shape.element_type)};
}

void schedule(hlo::Op<hlo::Opcode::kConvolution>, Emitter& e, InstructionId id) {
  if (schedule_winograd(e, id)) return;
  const Convolution c = convolution_of(e, id);
  const bool dilated =
      std::any_of(c.attributes.window.dimensions.begin(), c.attributes.window.dimensions.end(),
                  [](const hlo::WindowDimension& w) { return w.base_dilation > 1; });
  const bool empty = c.input.element_count() == 0 || c.filter.element_count() == 0;
  if (!empty && is_planes(c)) return convolve_planes(c);
  if (c.spatial() == 0 || dilated || empty || !c.features_last() ||
      c.attributes.batch_group_count > 1)
    return convolve_plain(c);
  convolve_rows(c);
}

}  // namespace hlocc::lowering
