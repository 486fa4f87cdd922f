// What convolutions, windows and pads say about dimensions in HLO text, numbers and letters side by
// side; part of the overload set of fields.cpp.
#pragma once
#include "import/text/cursor.h"
#include "ops/text/printer_fields.h"

namespace hlocc::import {

// {size=3x3 stride=2x2 pad=0_1x0_1 ...}
Status parse_value(TextCursor& cursor, hlo::Window& window);
// low_high[_interior] for each dimension, separated by 'x'.
Status parse_value(TextCursor& cursor, std::vector<hlo::PaddingDimension>& pads);
// b01f_01io->b01f
Status parse_value(TextCursor& cursor, ops::DimLabels dim_labels);

}  // namespace hlocc::import
