// See json_text.h.
#include "package/json_text.h"

#include <nlohmann/json.hpp>

#include "support/foreign_text.h"

namespace hlocc::package {

std::string json_text(const nlohmann::ordered_json& json, bool on_one_line) {
  return json_for_terminal(json.dump(on_one_line ? -1 : 2, ' ', false,
                                     nlohmann::ordered_json::error_handler_t::replace));
}

}  // namespace hlocc::package
