// Values as JSON: nested arrays as their shape is nested, numbers with the digits of HLO's text,
// and what JSON has no numbers for (nan, inf) as strings.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "hlo/literal.h"

namespace hlocc::driver {

nlohmann::ordered_json literal_json(const hlo::Literal& literal);

}  // namespace hlocc::driver
