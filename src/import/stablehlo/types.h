// Types of MLIR as shapes: tensor<2x3xf32>, tuple<...>, !stablehlo.token.
#pragma once
#include <vector>

#include "hlo/shape.h"
#include "import/stablehlo/source.h"

namespace hlocc::import::stablehlo {

Result<hlo::Shape> parse_type(Source& source);
// (type, type), and a lone type where `lone` says so.
Status parse_type_list(Source& source, std::vector<hlo::Shape>& out, bool lone = false);

}  // namespace hlocc::import::stablehlo
