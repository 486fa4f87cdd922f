// Convolutions that keep channels first: [batch, feature, rows, columns] on both sides, with lanes
// along the pixels of a row. transforms/ asks whether one stays so, lowering/ whether it may emit
// it so: one answer for both.
#pragma once
#include "hlo/attributes.h"
#include "hlo/shape.h"
#include "target/target.h"

namespace hlocc::costs {

// A convolution as its policy sees it.
struct ConvolutionForm {
  const hlo::ConvolutionAttributes& attributes;
  const hlo::Shape &input, &filter, &output;
};

// [batch, feature, rows, columns] of f32 on both sides, on a target whose masks end every vector.
bool is_channels_first(const ConvolutionForm& form, const Target& target);
// The same with windows that the schedule with channels first serves; its filter must be a finite
// constant besides.
bool serves_channels_first(const ConvolutionForm& form, const Target& target);
// Lanes along rows are faster than lanes along output features and the two transposes that those
// take.
bool channels_first_pays(const ConvolutionForm& form, const Target& target);
// A tile: a vector of pixels by rows (`height`) and output features (`outputs`).
struct ChannelsFirstTile {
  int lanes = 1, outputs = 1, height = 1;
};
ChannelsFirstTile choose_channels_first_tile(const Target& target, int64_t taps,
                                             int64_t group_outputs, int64_t width);
// A 1x1 as the product of its filter with the matrix [inputs, pixels]: fewer idle lanes than two
// transposes cost.
bool product_pays(const Target& target, int64_t pixels, int64_t inputs, int64_t outputs);

}  // namespace hlocc::costs
