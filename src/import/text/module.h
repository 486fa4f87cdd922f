// HLO text -> Module: the whole grammar of XLA's parser, and a little more tolerant.
#pragma once
#include <string>
#include <string_view>

#include "hlo/module.h"
#include "import/elided.h"
#include "support/result.h"

namespace hlocc::import {

Result<hlo::Module> read_module_text(std::string_view text, const std::string& file,
                                     Elided& elided);

}  // namespace hlocc::import
