// The text form of numbers and literals: what stands inside constant(...). Floats are written with
// the fewest digits that read back as the same bits, NaNs with their payload.
#pragma once
#include <optional>
#include <string>

#include "hlo/literal.h"

namespace hlocc::ops {

// Appends the literal in nested braces; tuples in parentheses. More than `max_elements` in an array
// become {...}; negative: all are written.
void append_literal(std::string& out, const hlo::Literal& literal, int64_t max_elements = -1);

// Appends one real or integer element of the type, read from `element` (storage_bytes(type) bytes);
// not complex.
void append_number(std::string& out, hlo::PrimitiveType type, const std::byte* element);

// Reads such a number ("-1.5e3", "inf", "-nan", "nan(0x1234)", "true", "17") into `element`. False
// if it is no number of the type or, finite, out of its range.
bool parse_number(std::string_view text, hlo::PrimitiveType type, std::byte* element);

}  // namespace hlocc::ops
