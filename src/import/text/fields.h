// The values of attributes in HLO text, and the visitor that puts them into an instruction's struct
// by the names of ops/text/printer_fields.h.
#pragma once
#include <set>

#include "hlo/attributes.h"
#include "hlo/opcode.h"
#include "import/text/cursor.h"

namespace hlocc::import {

// The struct that the opcode's row names, with the defaults that text implies.
hlo::Attributes default_attributes(hlo::Opcode opcode, hlo::PrimitiveType first_operand);

// If the struct has an attribute of this name, reads its value from the cursor, which stands behind
// '='. False: no such.
Result<bool> parse_field(TextCursor& cursor, std::string_view name, hlo::Attributes& attributes);

// A required attribute that is not among those seen, or empty.
std::string missing_field(hlo::Attributes& attributes,
                          const std::set<std::string, std::less<>>& seen);

// {1,2,3}.
Result<hlo::Dimensions> parse_dimension_list(TextCursor& cursor);

}  // namespace hlocc::import
