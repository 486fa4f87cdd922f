// HloModuleProto -> Module.
#pragma once
#include <string>

#include "hlo/module.h"
#include "import/elided.h"
#include "import/proto/wire.h"
#include "support/result.h"

namespace hlocc::import {

Result<hlo::Module> read_module_proto(Bytes bytes, const std::string& file, Elided& elided);

}  // namespace hlocc::import
