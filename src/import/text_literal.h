// Literals in HLO text: what stands inside constant(...).
#pragma once
#include "hlo/literal.h"
#include "import/text_cursor.h"

namespace hlocc::import {

// The literal's type and sizes are those of `shape`; its text is in row-major order whatever the
// layout.
Result<hlo::Literal> parse_literal(TextCursor& cursor, const hlo::Shape& shape);

}  // namespace hlocc::import
