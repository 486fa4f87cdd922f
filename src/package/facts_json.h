// Facts that the manifest and the tool's JSON state alike.
#pragma once
#include <nlohmann/json.hpp>

#include "kernel/program.h"
#include "target/target.h"

namespace hlocc::package {

nlohmann::ordered_json leaves_json(const std::vector<kernel::Leaf>& leaves);
const char* float_abi_name(FloatAbi abi);

}  // namespace hlocc::package
