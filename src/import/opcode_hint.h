// Help for a reader that met a word that is no opcode.
#pragma once
#include <string>
#include <string_view>

#include "support/diagnostic.h"

namespace hlocc::import {

// "unknown opcode 'ad'", with the nearest opcode that exists as a note. Not located.
Diagnostic unknown_opcode(std::string_view name);

}  // namespace hlocc::import
