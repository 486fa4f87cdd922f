// Literals in HLO text: what stands inside constant(...).
#pragma once
#include "hlo/literal.h"
#include "import/elided.h"
#include "import/text/cursor.h"

namespace hlocc::import {

// The literal's type and sizes are those of `shape`; its text is in row-major order whatever the
// layout.
Result<hlo::Literal> parse_literal(TextCursor& cursor, const hlo::Shape& shape, Elided& elided);
// With its shape in front, (s32[] 1, f32[2]{0} {1, 2}): reads over it.
Status skip_shaped_literal(TextCursor& cursor);

}  // namespace hlocc::import
