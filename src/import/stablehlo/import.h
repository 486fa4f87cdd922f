// StableHLO text, as JAX prints it, -> Module. Bytecode of MLIR is not read.
#pragma once
#include <string>
#include <string_view>

#include "hlo/module.h"
#include "import/elided.h"
#include "support/result.h"

namespace hlocc::import::stablehlo {

// Whether the text begins, behind comments, as a module of MLIR does.
bool is_stablehlo(std::string_view text);

Result<hlo::Module> read_stablehlo(std::string_view text, const std::string& file, Elided& elided);

}  // namespace hlocc::import::stablehlo
