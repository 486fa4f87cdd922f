// See facts_json.h.
#include "package/facts_json.h"

#include "package/c_types.h"

namespace hlocc::package {

using nlohmann::ordered_json;

ordered_json leaves_json(const std::vector<kernel::Leaf>& leaves,
                         const std::vector<std::string>& hlo_names) {
  ordered_json out = ordered_json::array();
  for (const kernel::Leaf& leaf : leaves) {
    ordered_json row;
    row["index"] = leaf.index;
    row["name"] = leaf.name;
    row["type"] = std::string(hlo::type_name(leaf.shape.element_type));
    row["shape"] = leaf.shape.dimensions;
    row["bytes"] = leaf.bytes();
    row["donated"] = leaf.donated;
    row["hlo_name"] =
        static_cast<size_t>(leaf.index) < hlo_names.size() ? hlo_names[leaf.index] : "";
    row["partner"] = leaf.donated ? ordered_json(leaf.partner) : ordered_json(nullptr);
    row["count"] = leaf.shape.element_count();
    row["layout"] = minor_to_major(leaf.shape);
    row["strides"] = strides_of(leaf.shape);
    const CType type = c_type(leaf.shape);
    row["c_type"] = std::string(type.name);
    row["c_type_per_element"] = type.per_element;
    row["packed_bits"] = type.packed_bits;
    out.push_back(std::move(row));
  }
  return out;
}

ordered_json calls_json(const std::vector<planning::UserFunction>& functions) {
  ordered_json out = ordered_json::array();
  const auto types = [&](const std::vector<planning::UserFunction::Array>& arrays) {
    ordered_json list = ordered_json::array();
    for (const planning::UserFunction::Array& array : arrays)
      list.push_back(
          {{"type", std::string(scalar_name(array.element))}, {"count", array.elements}});
    return list;
  };
  for (const planning::UserFunction& function : functions)
    out.push_back({{"symbol", function.symbol},
                   {"operands", types(function.operands)},
                   {"results", types(function.results)}});
  return out;
}

ordered_json build_json(const std::vector<BuildLine>& lines) {
  ordered_json out;
  for (const BuildLine& row : lines) out[row.compiler][row.step] = row.line;
  return out;
}

const char* float_abi_name(FloatAbi abi) {
  static constexpr const char* names[] = {"default", "soft", "softfp", "hard"};
  return names[static_cast<int>(abi)];
}

}  // namespace hlocc::package
