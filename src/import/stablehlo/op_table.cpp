// See op_table.h.
#include "import/stablehlo/op_table.h"

#include <unordered_map>

#include "import/stablehlo/ops.h"

namespace hlocc::import::stablehlo {
namespace {

constexpr OpRow op_rows[] = {
#define HLOCC_STABLEHLO_PLAIN(name, opcode) {name, "", ops::plain, Opcode::opcode},
#define HLOCC_STABLEHLO_MATH(name, opcode) {name, "", ops::math, Opcode::opcode},
#define HLOCC_STABLEHLO_OP(name, pretty, function) {name, pretty, ops::function, Opcode::kTuple},
#include "import/stablehlo/ops.def"
};

}  // namespace

const OpRow* find_op(std::string_view name) {
  static const auto& by_name = *[] {
    auto* map = new std::unordered_map<std::string_view, const OpRow*>;
    for (const OpRow& row : op_rows) map->emplace(row.name, &row);
    return map;
  }();
  const auto found = by_name.find(name);
  return found == by_name.end() ? nullptr : found->second;
}

}  // namespace hlocc::import::stablehlo
