// The terminal that a person reads stderr on, if there is one: what it is asked to do beside
// showing text. Files and pipes are never told of colours, nor of lines that are wiped.
#pragma once
#include <cstdio>
#include <string>
#include <string_view>

namespace hlocc::driver {

// stderr, if a person reads it there and it understands how lines are wiped; else null.
std::FILE* terminal_of_user();

// True if stderr is such a terminal and NO_COLOR is not set, or empty (no-color.org).
bool has_colours();

enum class Colour { kBold, kRed, kCyan, kMagenta };
// `text` between the sequences that begin and end a colour, where stderr has colours; else `text`.
std::string coloured(std::string_view text, Colour colour);

}  // namespace hlocc::driver
