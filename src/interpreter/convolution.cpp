// convolution: input as (batch, spatial..., features), kernel as (spatial..., input features,
// output features), result as (batch, spatial..., features), whatever the labels say; then, for
// each output position, the sum over the kernel's positions that fall on real input elements
// (padding and dilation holes add nothing).
#include "interpreter/accumulate.h"
#include "interpreter/families.h"
#include "interpreter/strided.h"
#include "interpreter/taps.h"

namespace hlocc::interpreter {
namespace {

using hlo::Instruction;
using hlo::Op;
using hlo::Opcode;

struct Geometry {
  const hlo::ConvolutionAttributes& c;
  Dimensions input_order, kernel_order, output_order;
  Dimensions input_spatial, kernel_spatial, output_spatial;  // extents
  int64_t batch, output_batch, input_features, group_features, output_features;
  std::vector<DimensionTaps> taps;

  Geometry(const hlo::ConvolutionAttributes& c, const Dimensions& input, const Dimensions& kernel,
           const Dimensions& output)
      : c(c),
        input_order(
            concatenated(concatenated({c.input_batch}, c.input_spatial), {c.input_feature})),
        kernel_order(
            concatenated(c.kernel_spatial, {c.kernel_input_feature, c.kernel_output_feature})),
        output_order(
            concatenated(concatenated({c.output_batch}, c.output_spatial), {c.output_feature})),
        input_spatial(pick(input, c.input_spatial)),
        kernel_spatial(pick(kernel, c.kernel_spatial)),
        output_spatial(pick(output, c.output_spatial)),
        batch(input[c.input_batch]),
        output_batch(output[c.output_batch]),
        input_features(input[c.input_feature]),
        group_features(kernel[c.kernel_input_feature]),
        output_features(output[c.output_feature]) {
    for (size_t d = 0; d < output_spatial.size(); ++d)
      taps.push_back(taps_of(c.window.dimensions[d], input_spatial[d], output_spatial[d]));
  }
};

// One kernel position on one input position: every group's input features times its columns of the
// kernel.
template <typename Sum>
void add_tap(const Geometry& g, const Sum* input, int64_t batch_stride, const Sum* kernel,
             Sum* output) {
  const int64_t groups = g.c.feature_group_count, batch_groups = g.c.batch_group_count;
  const int64_t per_group = g.output_features / std::max(groups, batch_groups);
  for (int64_t group = 0; group < std::max(groups, batch_groups); ++group) {
    // Feature groups take consecutive features, batch groups consecutive batches.
    const Sum* in =
        batch_groups > 1 ? input + group * batch_stride : input + group * g.group_features;
    for (int64_t f = 0; f < g.group_features; ++f) {
      const Sum x = in[f];
      const Sum* column = kernel + f * g.output_features + group * per_group;
      Sum* out = output + group * per_group;
      for (int64_t o = 0; o < per_group; ++o) multiply_add(out[o], x, column[o]);
    }
  }
}

template <typename Sum>
void convolve(const Geometry& g, const Sum* input, const Sum* kernel, Sum* output) {
  const Dimensions input_strides = hlo::row_major_strides(g.input_spatial);
  const Dimensions kernel_strides = hlo::row_major_strides(g.kernel_spatial);
  const int64_t image = product(g.input_spatial) * g.input_features;
  const int64_t kernel_block = g.group_features * g.output_features;
  const size_t rank = g.output_spatial.size();
  for (int64_t n = 0; n < g.output_batch; ++n) {
    Dimensions position(rank, 0);
    do {
      // The product of the taps of all dimensions.
      Dimensions counts(rank), tap(rank, 0);
      for (size_t d = 0; d < rank; ++d)
        counts[d] = static_cast<int64_t>(g.taps[d][position[d]].size());
      if (product(counts) > 0) {
        do {
          int64_t in = 0, k = 0;
          for (size_t d = 0; d < rank; ++d) {
            const Tap& t = g.taps[d][position[d]][tap[d]];
            in += t.input * input_strides[d];
            k += t.window * kernel_strides[d];
          }
          add_tap(g, input + n * image + in * g.input_features, g.output_batch * image,
                  kernel + k * kernel_block, output);
        } while (next_index(tap, counts));
      }
      output += g.output_features;
    } while (next_index(position, g.output_spatial));
  }
}

}  // namespace

Result<Literal> evaluate(Op<Opcode::kConvolution>, Context&, const Instruction& instruction,
                         Operands operands) {
  const Dimensions& output = instruction.shape.dimensions;
  const Geometry g(instruction.get<hlo::ConvolutionAttributes>(), operands[0].shape().dimensions,
                   operands[1].shape().dimensions, output);
  return visit_sum_type(
      instruction.shape.element_type,
      [&]<typename Sum>(std::type_identity<Sum>) -> Result<Literal> {
        std::vector<Sum> sums(static_cast<size_t>(instruction.shape.element_count()));
        if (!sums.empty())
          convolve(g, reordered<Sum>(operands[0], g.input_order).data(),
                   reordered<Sum>(operands[1], g.kernel_order).data(), sums.data());
        std::vector<Sum> ordered(sums.size());
        const Dimensions box = pick(output, g.output_order);
        strided_copy(box, sizeof(Sum), reinterpret_cast<std::byte*>(ordered.data()),
                     {0, pick(hlo::row_major_strides(output), g.output_order)},
                     reinterpret_cast<const std::byte*>(sums.data()),
                     {0, hlo::row_major_strides(box)});
        return literal_from(instruction.shape, ordered);
      });
}

}  // namespace hlocc::interpreter
