// The one place where JSON becomes text: names in it are bytes of files, which need not be UTF-8.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace hlocc::package {

// Indented by two, without a line break at the end; `on_one_line`: not indented. Bytes that are no
// UTF-8 become U+FFFD; what turns a line round is escaped.
std::string json_text(const nlohmann::ordered_json& json, bool on_one_line = false);

}  // namespace hlocc::package
