// Pieces of the tool's pages that are the same on each: text made safe, numbers, cells, the frame.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "kernel/origin.h"

namespace hlocc::driver {

// 1234567 -> 1 234 567, with blanks that do not break.
std::string grouped(int64_t number);
// "12.500%", of nothing 0.
std::string percent(double part, double whole);

// Cells of a table whose headlines sort it.
std::string head_cell(const char* name, bool number);
std::string cell(int64_t number);
std::string cell(const std::string& text);
// A layer as text has it (layer_text.h); a pointer on it shows all instructions.
std::string layer_cell(const std::string& layer, const kernel::Origin& origin);

// A whole page around its body; `title` is text, not HTML.
std::string page_around(const std::string& title, const std::string& body);

}  // namespace hlocc::driver
