// See depthwise_windows.h. Costs are instructions an output, as counted in the kernels of
// networks.
#include "costs/depthwise_windows.h"

#include <algorithm>

#include "costs/code.h"
#include "costs/convolution.h"
#include "kernel/legalize/packed_words.h"
#include "support/rounding.h"

namespace hlocc::costs {
namespace {

// Two-dimensional, features last, one feature of bytes an input feature, weights known; windows
// without dilation.
bool is_byte_image(const ConvolutionSite& site) {
  const hlo::ConvolutionAttributes& a = site.form.attributes;
  if (site.groups() < 2 || site.group_inputs() != 1 || site.group_outputs() != 1 ||
      !site.filter_is_row_major() || site.filter == nullptr || !site.filter_in_memory ||
      !site.input_in_memory || site.sum != kernel::Scalar::kS32)
    return false;
  const auto is_plain = [](const hlo::Shape& shape, int64_t batch, const hlo::Dimensions& spatial) {
    return shape.element_count() > 0 && batch == 0 && spatial == hlo::Dimensions{1, 2};
  };
  if (!is_plain(site.form.input, a.input_batch, a.input_spatial) ||
      !is_plain(site.form.output, a.output_batch, a.output_spatial))
    return false;
  return std::ranges::all_of(a.window.dimensions, [](const hlo::WindowDimension& w) {
    return w.window_dilation == 1 && w.base_dilation == 1 && w.padding_low >= 0;
  });
}

bool both_are(const ConvolutionSite& site, hlo::PrimitiveType type) {
  return site.form.input.element_type == type && site.form.filter.element_type == type;
}

bool claims_mve(const ConvolutionSite& site, const Target& target) {
  return target.has(Isa::kMve) && site.groups() >= 4 &&
         (both_are(site, hlo::PrimitiveType::kS8) || both_are(site, hlo::PrimitiveType::kU8));
}

constexpr WindowKernel kWindowKernels[] = {{kernel::MicroKernel::kDotAccumulate16, 16, claims_mve}};

// The strip of output rows whose windows so many loads cover, and what an output of it costs.
WindowsPlan with_vectors(const ConvolutionSite& site, const WindowKernel& kernel, int vectors) {
  const hlo::WindowDimension &rows = site.window(0), &columns = site.window(1);
  WindowsPlan w;
  w.kernel = &kernel;
  w.vectors = vectors;
  const int64_t reach = int64_t{vectors} * kernel.lanes - rows.size,
                highest = columns.size > 1 ? reach / (columns.size - 1) : reach + rows.size;
  if (highest < rows.size) return w;
  const int64_t fits = (highest - rows.size) / rows.stride + 1;
  w.strip = static_cast<int>(std::min(fits, site.output_extent(0)));
  w.height = static_cast<int>((w.strip - 1) * rows.stride + rows.size);
  w.columns = (site.output_extent(1) - 1) * columns.stride + columns.size;
  w.sums = 4;
  w.channels = site.groups() >= 8 ? 8 : 4;
  w.piece = w.columns * w.height;
  // Loads reach past a window, and so past the last one.
  const int64_t last = (w.columns - columns.size) * w.height + (w.strip - 1) * rows.stride;
  w.scratch =
      round_up((w.channels - 1) * w.piece + last + int64_t{vectors} * kernel.lanes, kernel.lanes);
  constexpr double kFinish = 4, kBrought = 0.5, kLoopOfRow = 12;
  const auto width = static_cast<double>(site.output_extent(1));
  const double brought = static_cast<double>(site.input_extent(1)) * w.height / (w.strip * width);
  w.cycles = 2.0 * vectors + kFinish + kBrought * brought + kLoopOfRow / (w.sums * width) +
             kLoopOfRow * w.height / (w.strip * width * w.channels);
  return w;
}

// Of an output as vectors across features make it.
double cycles_across(const ConvolutionSite& site) {
  constexpr double kProduct = 1.2, kFinish = 4;
  return kProduct * static_cast<double>(site.window(0).size * site.window(1).size) + kFinish;
}

}  // namespace

int stacked_taps(const ConvolutionSite& site, const Target& target) {
  const auto is_byte = [](const hlo::Shape& shape) {
    return shape.element_type == hlo::PrimitiveType::kS8 ||
           shape.element_type == hlo::PrimitiveType::kU8;
  };
  if (!is_byte_image(site) || !is_byte(site.form.input) || !is_byte(site.form.filter) ||
      target.options.for_size() || site.window(0).size < 2 ||
      site.window(0).size > kWidestUnrolled || site.window(1).size > kWidestUnrolled)
    return 1;
  if (kernel::has_packed_words(target)) return 2;
  // Eights of features fill words, and all rows of a window are one four.
  const bool in_fours = target.has(Isa::kHvx) && site.window(0).size <= 4 && site.groups() % 8 == 0;
  return in_fours ? 4 : 1;
}

std::optional<WindowsPlan> WindowsPlan::of(const ConvolutionSite& site, const Target& target,
                                           std::optional<kernel::MicroKernel> wanted) {
  if (!is_byte_image(site)) return std::nullopt;
  std::optional<WindowsPlan> best;
  for (const WindowKernel& kernel : kWindowKernels) {
    if (!kernel.claims(site, target) || (wanted && kernel.id != *wanted)) continue;
    constexpr int kMostVectors = 4;
    for (int vectors = 1; vectors <= kMostVectors; ++vectors) {
      const WindowsPlan windows = with_vectors(site, kernel, vectors);
      if (windows.scratch > 0 && (!best || windows.cycles < best->cycles)) best = windows;
    }
  }
  const bool pays = best && !target.options.for_size() && best->cycles < cycles_across(site);
  return pays || wanted ? best : std::nullopt;
}

}  // namespace hlocc::costs
