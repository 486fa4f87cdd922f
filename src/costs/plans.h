// Algorithms (kernel/algorithms.def) as values: a variant of their plans, in the order of the rows.
#pragma once
#include <optional>
#include <variant>

namespace hlocc::costs {

// So that a list of plans may be written with a comma before each.
template <typename, typename... Plans>
using OneOf = std::variant<Plans...>;

}  // namespace hlocc::costs
