// convolution: plans it, hands the plan to its emitter, and what all of them ask of a convolution.
#include "lowering/convolution/convolution_row.h"

#include <set>

#include "costs/executions.h"
#include "costs/padded_input.h"
#include "lowering/contraction/known_bias.h"
#include "lowering/convolution/winograd.h"
#include "ops/same_element.h"
#include "ops/window_math.h"

namespace hlocc::lowering {

using hlo::Instruction;
using hlo::InstructionId;
using kernel::Scalar;
using kernel::Type;
using kernel::ValueId;

Taps Convolution::taps(int d, const Affine& o) const {
  return taps_on_input(e, window(d), input_extent(d), output_extent(d), o);
}

std::pair<int64_t, int64_t> Convolution::inside(int d) const {
  return ops::windows_inside(window(d), input_extent(d), output_extent(d));
}

Element Convolution::load_input(const Affine& batch, const std::vector<Affine>& at,
                                const Affine& feature, int lanes) const {
  Index index;
  index.at.resize(form.input.rank());
  index.at[form.attributes.input_batch] = batch;
  index.at[form.attributes.input_feature] = feature;
  for (int d = 0; d < spatial(); ++d) index.at[form.attributes.input_spatial[d]] = at[d];
  return converted(e.operand(i, 0, index.along(form.attributes.input_feature, lanes)));
}

Element Convolution::load_filter(const std::vector<Affine>& taps, const Affine& in,
                                 const Affine& out, int lanes) const {
  Index index;
  index.at.resize(form.filter.rank());
  index.at[form.attributes.kernel_input_feature] = in;
  index.at[form.attributes.kernel_output_feature] = out;
  for (int d = 0; d < spatial(); ++d)
    index.at[form.attributes.kernel_spatial[d]] =
        window(d).window_reversal ? taps[d].times(-1).plus(window(d).size - 1) : taps[d];
  return converted(e.operand(i, 1, index.along(form.attributes.kernel_output_feature, lanes)));
}

Element Convolution::load_filter(const std::vector<Affine>& taps, const Affine& in,
                                 const Affine& group, const Tile& tile, int v) const {
  if (weights && weights->holds(tile))
    return converted({weights->load(e, tile, group, step_of(taps, in), v)});
  if (made) return {made->load(tile, step_of(taps, in), v)};
  return load_filter(taps, in,
                     group.times(group_outputs()).plus(tile.column).plus(int64_t{v} * tile.lanes),
                     tile.lanes);
}

Affine Convolution::step_of(const std::vector<Affine>& taps, const Affine& in) const {
  Affine tap;
  for (int d = 0; d < spatial(); ++d) tap = tap.times(window(d).size).plus(taps[d]);
  return tap.times(group_inputs()).plus(in);
}

ReductionLanes Convolution::reduction_lanes() const {
  if (!filter_is_row_major() || form.attributes.input_feature != form.input.rank() - 1 ||
      !Weights::can_be_packed(e, i.operands[1]))
    return {};
  const int64_t depth = form.filter.element_count() / form.filter.dimensions.back();
  return costs::choose_reduction_lanes(e.target(), sum, depth, group_inputs(), group_outputs());
}

void Convolution::begin_with_bias(bool corrected) {
  const auto known = known_bias(e, id, form.attributes.output_feature, corrected);
  if (!known) return;
  id = known->sum;
  bias = known->numbers;
}

void Convolution::pack_filter(const std::vector<ColumnRun>& runs) {
  if (filter_is_row_major() && !weights)
    weights =
        Weights::pack(e, i.operands[1], form.filter.element_count() / form.filter.dimensions.back(),
                      groups(), runs);
}

void Convolution::reserve_panel(const std::vector<ColumnRun>& runs) {
  if (made || is_complex() || e.group().is_external(i.operands[1])) return;
  hlo::Dimensions sizes;
  for (int d = 0; d < spatial(); ++d) sizes.push_back(window(d).size);
  sizes.push_back(group_inputs());
  made.emplace(e, sum, std::move(sizes), runs,
               [this](std::vector<Affine> at, const Affine& feature, int lanes) {
                 const Affine in = at.back();
                 at.pop_back();
                 return load_filter(at, in, feature, lanes).re;
               });
}

Element Convolution::converted(Element x) const {
  x.re = e.b.convert(x.re, sum);
  if (is_complex()) x.im = x.is_complex() ? e.b.convert(x.im, sum) : e.b.zero(e.b.type(x.re));
  return x;
}

void Convolution::finish(const Affine& batch, const std::vector<Affine>& at, const Affine& feature,
                         int lanes, Element value) const {
  Index index;
  index.at.resize(form.output.rank());
  index.at[form.attributes.output_batch] = batch;
  index.at[form.attributes.output_feature] = feature;
  for (int d = 0; d < spatial(); ++d) index.at[form.attributes.output_spatial[d]] = at[d];
  index.along(form.attributes.output_feature, lanes);
  value.re = e.b.convert(value.re, e.scalar(form.output));
  if (is_complex()) value.im = e.b.convert(value.im, e.scalar(form.output));
  e.bind(id, index, value);
  store ? store(index) : e.store_roots(index);
  e.unbind(id);
}

namespace {

// What instructions ask of the convolution's elements, so that these may be counted through.
struct Counted {
  bool pixels = true, elements = true;
};

// Of the given ones and all that they are made of, up to instruction `until` and the inputs.
Counted counted(const Group& group, std::vector<InstructionId> open, InstructionId until,
                const hlo::Shape& output) {
  Counted all;
  std::set<InstructionId> seen(open.begin(), open.end());
  while (!open.empty()) {
    const InstructionId id = open.back();
    open.pop_back();
    if (id == until || group.is_external(id)) continue;
    const Instruction& i = group[id];
    const bool one = i.shape.element_count() == 1, elementwise = ops::is_elementwise(group, i),
               per_element = one || (elementwise && i.shape.dimensions == output.dimensions);
    if (i.opcode == hlo::Opcode::kBroadcast) {
      const hlo::Dimensions& kept = i.get<hlo::DimensionsAttributes>().dimensions;
      all.pixels &= one || kept.empty() || kept == hlo::Dimensions{output.rank() - 1};
      all.elements &= kept.empty();
    } else {
      all.pixels &= per_element || (elementwise && i.shape.rank() == 1);
      all.elements &= per_element;
    }
    for (const InstructionId operand : i.operands)
      if (seen.insert(operand).second) open.push_back(operand);
  }
  return all;
}

}  // namespace

bool Convolution::input_counts() const {
  const InstructionId input = i.operands[0];
  return e.is_kept(input) ||
         counted(e.group(), {input}, hlo::kNone, e.group()[input].shape).elements;
}

namespace {

// Loops over rows execute convolutions of few rows; what a program says itself counts once.
double executions_of(const Emitter& e) {
  if (!e.target().decisions.rows_above) return 1;
  return costs::executions(*e.group().module, *e.group().body);
}

costs::ConvolutionSite site_of(const Emitter& e, InstructionId id, const Instruction& i) {
  const Group& group = e.group();
  const Counted behind = counted(group, group.roots, id, i.shape),
                before = counted(group, i.operands, id, i.shape);
  return {.form = {i.get<hlo::ConvolutionAttributes>(), e.shape(i.operands[0]),
                   e.shape(i.operands[1]), i.shape},
          .sum = accumulator_of(e.scalar(i.shape)),
          .module = *group.module,
          .filter = e.constant_of(i.operands[1]),
          .filter_in_memory = group.is_external(i.operands[1]),
          .input_in_memory = group.is_external(i.operands[0]),
          .masks_pass = e.masks_pass(),
          .pixels_count = behind.pixels,
          .sources_count = before.pixels,
          .elements_count = behind.elements && before.elements,
          .executions = executions_of(e)};
}

// Convolution `id` as instruction `i` says it.
Convolution convolution_as(Emitter& e, InstructionId id, const Instruction& i) {
  Convolution c{site_of(e, id, i), e, id, i};
  e.choice.of_bytes = are_bytes(e, i);
  return c;
}

void emit_convolution(Convolution c, const costs::ConvolutionPlan& plan) {
  c.e.choice.algorithm = costs::algorithm_of(plan);
  std::visit([&](const auto& one) { emit(c, one); }, plan);
}

}  // namespace

Convolution convolution_of(Emitter& e, InstructionId id) {
  return convolution_as(e, id, e.instruction(id));
}

void schedule(hlo::Op<hlo::Opcode::kConvolution>, Emitter& e, InstructionId id) {
  const Group& group = e.group();
  if (!group.is_external(e.instruction(id).operands[0]))
    if (const auto unpadded = costs::without_pad(*group.body, e.instruction(id));
        unpadded && group.is_external(unpadded->convolution.operands[0])) {
      Convolution c = convolution_as(e, id, unpadded->convolution);
      const costs::ConvolutionPlan plan = costs::plan_convolution(c, e.target());
      if (costs::serves_outside(plan)) {
        c.outside = unpadded->outside;
        return emit_convolution(std::move(c), plan);
      }
    }
  Convolution c = convolution_of(e, id);
  const costs::ConvolutionPlan plan = costs::plan_convolution(c, e.target());
  emit_convolution(std::move(c), plan);
}

}  // namespace hlocc::lowering
