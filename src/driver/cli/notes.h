// What a verb says on stderr beside its result. -q and --json silence it.
#pragma once
#include <string>

#include "driver/cli/command_line.h"

namespace hlocc::driver {

// False with -q and with --json, where stderr holds nothing but the error.
bool wants_notes(const CommandLine& line);

// A line each, if notes are wanted and `text` is not empty.
void say_note(const CommandLine& line, const std::string& text);
void say_warning(const CommandLine& line, const std::string& text);

}  // namespace hlocc::driver
