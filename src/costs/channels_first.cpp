// See channels_first.h.
#include "costs/channels_first.h"

#include <algorithm>

namespace hlocc::costs {
namespace {

// The share of lanes that so many neighbours fill.
double filled(int64_t count, int64_t lanes) {
  return static_cast<double>(count) / static_cast<double>((count + lanes - 1) / lanes * lanes);
}

bool is_winograd_form(const hlo::ConvolutionAttributes& a, int64_t inputs, int64_t outputs,
                      int64_t lanes) {
  const hlo::WindowDimension &high = a.window.dimensions[0], &wide = a.window.dimensions[1];
  return high.size == 3 && wide.size == 3 && high.stride == 1 && high.window_dilation == 1 &&
         wide.window_dilation == 1 && a.feature_group_count == 1 && inputs >= lanes &&
         outputs >= lanes;
}

}  // namespace

bool is_channels_first(const ConvolutionForm& form, const Target& target) {
  const hlo::ConvolutionAttributes& a = form.attributes;
  const hlo::Dimensions spatial{2, 3};
  if (!target.out_of_order || !target.masked_vectors || target.options.for_size()) return false;
  if (a.input_batch != 0 || a.input_feature != 1 || a.input_spatial != spatial ||
      a.output_batch != 0 || a.output_feature != 1 || a.output_spatial != spatial ||
      a.batch_group_count != 1)
    return false;
  for (const hlo::Shape* shape : {&form.input, &form.filter, &form.output})
    if (shape->element_type != hlo::PrimitiveType::kF32 || shape->has_dynamic_dimensions() ||
        shape->element_count() == 0)
      return false;
  return true;
}

bool serves_channels_first(const ConvolutionForm& form, const Target& target) {
  constexpr int64_t kLargest = 8, kMostRows = 8;
  if (!is_channels_first(form, target)) return false;
  const auto& windows = form.attributes.window.dimensions;
  for (const hlo::WindowDimension& w : windows)
    if (w.size > kLargest || w.base_dilation != 1 || w.window_reversal || w.padding_low < 0 ||
        w.padding_low > kMostRows || w.padding_high > kMostRows)
      return false;
  return windows[1].stride == 1;
}

bool channels_first_pays(const ConvolutionForm& form, const Target& target) {
  // Shares of the peak that each way reaches; transposes take a third of a cycle an element.
  constexpr double kChannelsFirst = 0.8, kFeatures = 0.93, kAlong = 0.7, kWinograd = 1.8;
  constexpr int64_t kMostTaps = 25, kMostSpread = 4;
  const hlo::ConvolutionAttributes& a = form.attributes;
  const hlo::Dimensions &in = form.input.dimensions, &out = form.output.dimensions;
  const int64_t inputs = in[1] / a.feature_group_count, outputs = out[1] / a.feature_group_count;
  if (inputs == 1 && outputs <= kMostSpread) return true;
  const int64_t lanes = target.lanes(32),
                taps = a.window.dimensions[0].size * a.window.dimensions[1].size;
  if (taps > kMostTaps || inputs * taps < lanes) return false;
  const double pixels = static_cast<double>(out[2] * out[3]);
  const double cycles =
      pixels * static_cast<double>(out[1] * inputs * taps) / static_cast<double>(2 * lanes);
  double rate = kFeatures * filled(outputs, lanes);
  if (is_winograd_form(a, inputs, outputs, lanes)) rate = kWinograd;
  if (inputs >= lanes && outputs < lanes) rate = std::max(rate, kAlong);
  const double transposes =
      (pixels * static_cast<double>(out[1]) + static_cast<double>(in[1] * in[2] * in[3])) / 3;
  return cycles / (kChannelsFirst * filled(out[3], lanes)) < cycles / rate + transposes;
}

ChannelsFirstTile choose_channels_first_tile(const Target& target, int64_t taps,
                                             int64_t group_outputs, int64_t width) {
  // Sums that the registers hold, and no more than so many multiply-adds spelled out in a tile.
  constexpr int64_t kMostSteps = 256, kMostFeatures = 9, kMostRows = 8;
  ChannelsFirstTile tile{.lanes = target.lanes(32)};
  while (tile.lanes / 2 >= width) tile.lanes /= 2;
  const int64_t registers = std::max(target.vector_registers, 2);
  const int64_t sums = std::clamp<int64_t>(kMostSteps / taps, 1, registers * 27 / 32);
  const int64_t most = std::min(sums, kMostFeatures), tiles = (group_outputs + most - 1) / most;
  tile.outputs = static_cast<int>((group_outputs + tiles - 1) / tiles);
  tile.height =
      static_cast<int>(tile.outputs == 1 ? (registers >= 32 ? kMostRows : 6)
                                         : std::clamp<int64_t>(sums / tile.outputs, 1, kMostRows));
  return tile;
}

bool product_pays(const Target& target, int64_t pixels, int64_t inputs, int64_t outputs) {
  const int64_t lanes = target.lanes(32);
  const double product = static_cast<double>(inputs * outputs) / (2.0 * static_cast<double>(lanes));
  const double idle = static_cast<double>((pixels + lanes - 1) / lanes * lanes - pixels) /
                      static_cast<double>(pixels);
  return idle * product < static_cast<double>(inputs + outputs) / 3;
}

}  // namespace hlocc::costs
