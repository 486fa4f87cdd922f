// What a verb says on stdout. Names of models, files and devices in it are bytes of any kind; what
// a terminal would take for a command is written as \xNN.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace hlocc::driver {

// As printf does.
[[gnu::format(printf, 1, 2)]] void print(const char* format, ...);
void print_text(std::string_view text);
// Byte by byte: a program that something else reads.
void print_program(std::string_view text);
void print_json(const nlohmann::ordered_json& json);

// The last thing that the tool does: all that it printed must have reached stdout. What did not is
// an environment error, and the exit code of a verb that was done until then.
int finish_output(int code, bool json);

}  // namespace hlocc::driver
