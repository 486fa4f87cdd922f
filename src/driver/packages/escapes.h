// What a text of somebody else's becomes in each kind of file, so that it is that text there and
// nothing else: no end of a string, no variable, no tag. escapes.def says which kind a file is of.
#pragma once
#include <string_view>

#include "driver/packages/template_text.h"

namespace hlocc::driver {

// For a file of that name or path.
Escape escape_for(std::string_view path);

}  // namespace hlocc::driver
