// Which taps of a window fall on input: windows of convolutions and of pooling alike, without
// dilation of the input.
#pragma once
#include "lowering/emitter/emitter.h"

namespace hlocc::lowering {

// The taps of one window dimension that fall on input elements: [low, high), numbers or computed.
struct Taps {
  Affine low, high;
};
// At output position o, in a dimension of so many input and output positions.
Taps taps_on_input(Emitter& emitter, const hlo::WindowDimension& window, int64_t input,
                   int64_t output, const Affine& o);
// The condition that one tap falls on an input element, holes of a dilated input included, and that
// element's position.
struct Tap {
  Affine position;
  kernel::ValueId valid = kernel::kNone;  // kNone: it always does
};
Tap tap_of(Emitter& emitter, const hlo::WindowDimension& window, int64_t input, int64_t output,
           const Affine& o, const Affine& t);

}  // namespace hlocc::lowering
