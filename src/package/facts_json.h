// Facts that the manifest and the tool's JSON state alike.
#pragma once
#include <nlohmann/json.hpp>

#include "kernel/program.h"
#include "package/build_lines.h"
#include "planning/interface.h"
#include "target/target.h"

namespace hlocc::package {

// `hlo_names`: by leaf, empty where HLO has none.
nlohmann::ordered_json leaves_json(const std::vector<kernel::Leaf>& leaves,
                                   const std::vector<std::string>& hlo_names = {});
// The functions of the user's that a model calls.
nlohmann::ordered_json calls_json(const std::vector<planning::UserFunction>& functions);
// By compiler, by step; null where there are none.
nlohmann::ordered_json build_json(const std::vector<BuildLine>& lines);
const char* float_abi_name(FloatAbi abi);

}  // namespace hlocc::package
