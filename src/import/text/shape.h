// Shapes in HLO text: f32[2,<=3]{1,0:T(8,128)E(4)}, (s32[], f32[2]), token[].
#pragma once
#include "hlo/shape.h"
#include "import/text/cursor.h"

namespace hlocc::import {

// Whether a shape starts here; an opcode or a name may start with the same letters.
bool at_shape(TextCursor& cursor);
Result<hlo::Shape> parse_shape(TextCursor& cursor);
// In front of a literal, whose braces are none of the shape's.
Result<hlo::Shape> parse_shape_without_layout(TextCursor& cursor);

}  // namespace hlocc::import
