// convolution: chooses the schedule, and what all of them ask of a convolution.
#include "lowering/convolution/convolution_row.h"

#include <algorithm>

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
  index.at.resize(input.rank());
  index.at[attributes.input_batch] = batch;
  index.at[attributes.input_feature] = feature;
  for (int d = 0; d < spatial(); ++d) index.at[attributes.input_spatial[d]] = at[d];
  return converted(e.operand(i, 0, index.along(attributes.input_feature, lanes)));
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
  return converted(e.operand(i, 1, index.along(attributes.kernel_output_feature, lanes)));
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

Along Convolution::features_along() const {
  if (!site.filter_is_row_major() || attributes.input_feature != input.rank() - 1 ||
      !Weights::can_be_packed(e, i.operands[1]))
    return {};
  const int64_t depth = filter.element_count() / filter.dimensions.back();
  return costs::columns_along(e.target(), sum, depth, group_inputs(), group_outputs());
}

void Convolution::pack_filter(const std::vector<ColumnRun>& runs) {
  if (site.filter_is_row_major() && !weights)
    weights = Weights::pack(e, i.operands[1], filter.element_count() / filter.dimensions.back(),
                            groups(), runs);
}

void Convolution::reserve_panel(const std::vector<ColumnRun>& runs) {
  if (made || complex || e.group().is_external(i.operands[1])) return;
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
  index.along(attributes.output_feature, lanes);
  value.re = e.b.convert(value.re, e.scalar(output));
  if (complex) value.im = e.b.convert(value.im, e.scalar(output));
  e.bind(id, index, value);
  store ? store(index) : e.store_roots(index);
  e.unbind(id);
}

namespace {

// What the other instructions of the group ask of the convolution's elements.
void look_around(const Emitter& e, InstructionId id, InstructionId input,
                 costs::ConvolutionSite& site) {
  const hlo::Shape& output = site.form.output;
  const InstructionId given = e.instruction(id).operands[0], pad = given == input ? id : given;
  site.pixels_count = site.elements_count = true;
  for (const InstructionId other : inner_instructions(e.group())) {
    if (other == pad) continue;
    const Instruction& i = e.instruction(other);
    const bool elementwise = ops::is_elementwise(e.group(), i),
               per_element = i.shape.dimensions == output.dimensions && elementwise,
               per_feature = i.shape.rank() == 1 && elementwise;
    const bool one = i.shape.element_count() == 1;
    const bool is_broadcast = i.opcode == hlo::Opcode::kBroadcast;
    const hlo::Dimensions kept =
        is_broadcast ? i.get<hlo::DimensionsAttributes>().dimensions : hlo::Dimensions{};
    const bool of_features = kept.empty() || kept == hlo::Dimensions{output.rank() - 1};
    site.pixels_count &= one || (is_broadcast ? of_features : per_feature || per_element);
    site.elements_count &= is_broadcast ? kept.empty() : one || per_element;
  }
}

costs::ConvolutionSite site_of(const Emitter& e, InstructionId id, const Instruction& i) {
  const Group& group = e.group();
  costs::ConvolutionSite site{.form = {i.get<hlo::ConvolutionAttributes>(), e.shape(i.operands[0]),
                                       e.shape(i.operands[1]), i.shape},
                              .sum = accumulator_of(e.scalar(i.shape)),
                              .module = *group.module,
                              .filter = e.constant_of(i.operands[1]),
                              .filter_in_memory = group.is_external(i.operands[1]),
                              .input_in_memory = group.is_external(i.operands[0]),
                              .masks_pass = e.masks_pass()};
  look_around(e, id, i.operands[0], site);
  return site;
}

// The emitter of each row of costs/convolution.h.
struct WayEmitter {
  std::string_view name;
  void (*emit)(const Convolution&);
  // Sums begin with Convolution::bias. Not where the tiles are large: the numbers of their columns
  // would wait in registers, or in the stack, around the whole reduction.
  bool begins_anywhere = false;
};
constexpr WayEmitter kEmitters[] = {
    {"winograd", convolve_winograd},
    {"planes", convolve_planes},
    {"plain", convolve_plain},
    {"pointwise", convolve_pointwise},
    {"flat", convolve_flat},
    {"depthwise", convolve_depthwise, true},
    {"dense", convolve_dense},
    {"packed", convolve_packed, true},
    {"windows", [](const Convolution& c) { convolve_windows(c); }},
};

// Convolution `id` as instruction `i` says it.
Convolution convolution_as(Emitter& e, InstructionId id, const Instruction& i) {
  return {e,
          id,
          i,
          i.get<hlo::ConvolutionAttributes>(),
          e.shape(i.operands[0]),
          e.shape(i.operands[1]),
          i.shape,
          accumulator_of(e.scalar(i.shape)),
          hlo::is_complex(i.shape.element_type),
          site_of(e, id, i)};
}

}  // namespace

Convolution convolution_of(Emitter& e, InstructionId id) {
  return convolution_as(e, id, e.instruction(id));
}

bool has_emitter(std::string_view way) {
  return std::ranges::find(kEmitters, way, &WayEmitter::name) != std::end(kEmitters);
}

namespace {

void emit_convolution(Convolution c) {
  const std::string_view name = costs::choose_way(c.site, c.e.target()).name;
  c.e.choice.schedule = name;
  const WayEmitter& way = *std::ranges::find(kEmitters, name, &WayEmitter::name);
  if (way.begins_anywhere)
    if (const auto bias = known_bias(c.e, c.id, c.attributes.output_feature)) {
      c.id = bias->sum;
      c.bias = bias->numbers;
    }
  way.emit(c);
}

}  // namespace

void schedule(hlo::Op<hlo::Opcode::kConvolution>, Emitter& e, InstructionId id) {
  const Group& group = e.group();
  if (!group.is_external(e.instruction(id).operands[0]))
    if (const auto unpadded = costs::without_pad(*group.body, e.instruction(id));
        unpadded && group.is_external(unpadded->convolution.operands[0])) {
      Convolution c = convolution_as(e, id, unpadded->convolution);
      if (costs::choose_way(c.site, e.target()).any_outside) {
        c.site.outside = unpadded->outside;
        return emit_convolution(std::move(c));
      }
    }
  emit_convolution(convolution_of(e, id));
}

}  // namespace hlocc::lowering
