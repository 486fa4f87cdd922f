// Values of constants: dense<1.0>, dense<[[1, 2], [3, 4]]>, dense<"0x..."> and
// dense_resource<name>.
#pragma once
#include "hlo/literal.h"
#include "import/stablehlo/source.h"

namespace hlocc::import::stablehlo {

// Begins at the word; a value for all places is written into each.
Result<hlo::Literal> parse_dense(Source& source, const hlo::Shape& shape);
// The one value of all places, as a scalar; nothing where there are several. The cursor is where it
// was.
Result<std::optional<hlo::Literal>> parse_splat(Source& source, const hlo::Shape& shape);
// A number, or the bits of one (0x7FC00000).
Status parse_element(Source& source, std::string_view text, hlo::PrimitiveType type,
                     std::byte* out);

}  // namespace hlocc::import::stablehlo
