// See facts_json.h.
#include "package/facts_json.h"

namespace hlocc::package {

using nlohmann::ordered_json;

ordered_json leaves_json(const std::vector<kernel::Leaf>& leaves) {
  ordered_json out = ordered_json::array();
  for (const kernel::Leaf& leaf : leaves) {
    ordered_json row;
    row["index"] = leaf.index;
    row["name"] = leaf.name;
    row["type"] = std::string(hlo::type_name(leaf.shape.element_type));
    row["shape"] = leaf.shape.dimensions;
    row["bytes"] = leaf.bytes();
    row["donated"] = leaf.donated;
    out.push_back(std::move(row));
  }
  return out;
}

const char* float_abi_name(FloatAbi abi) {
  static constexpr const char* names[] = {"default", "soft", "softfp", "hard"};
  return names[static_cast<int>(abi)];
}

}  // namespace hlocc::package
