// A fusion of one concatenation, or of one slice, of neighbours becomes a step that joins values
// (kernel::Join): planning lets parts lie in wholes, so that windows of rows need no copies
// (transforms/rows/joined_rows.h). Anything else is a kernel.
#include <algorithm>

#include "lowering/program/in_place.h"
#include "lowering/program/layer.h"
#include "lowering/program/program_builder.h"
#include "support/product.h"

namespace hlocc::lowering {
namespace {

using hlo::Instruction;
using hlo::InstructionId;
using hlo::Opcode;

bool joins_neighbours(const Group& group) {
  const Instruction& root = group.root();
  const auto is_external = [&](InstructionId id) { return group.is_external(id); };
  if (group.roots.size() != 1 || root.operands.empty() ||
      !std::ranges::all_of(root.operands, is_external))
    return false;
  if (root.opcode == Opcode::kSlice) return is_run(group[root.operands[0]].shape, root);
  if (root.opcode != Opcode::kConcatenate) return false;
  const auto dimension = static_cast<size_t>(root.get<hlo::DimensionsAttributes>().dimensions[0]);
  return product(std::span(root.shape.dimensions).first(dimension)) == 1;
}

// Of the first element that a run takes.
int64_t first_element(const hlo::Shape& from, const hlo::SliceAttributes& slice) {
  int64_t first = 0;
  for (size_t d = 0; d < from.dimensions.size(); ++d)
    first = first * from.dimensions[d] + slice.starts[d];
  return first;
}

}  // namespace

bool ProgramBuilder::lower_join(Scope& scope, InstructionId id, const Group& group) {
  if (!joins_neighbours(group)) return false;
  const Instruction &fusion = scope.computation[id], &root = group.root();
  kernel::Join join;
  for (InstructionId external : root.operands) {
    const ValueIds& leaves =
        scope.values[fusion.operands[static_cast<size_t>(group.externals.at(external))]];
    const hlo::Shape& shape = group[external].shape;
    const int64_t elements =
        root.opcode == Opcode::kSlice ? root.shape.element_count() : shape.element_count();
    if (leaves.size() != 1 || elements == 0) return false;
    const kernel::ProgramValue& value = program.values[static_cast<size_t>(leaves[0])];
    if (value.role != kernel::ValueRole::kTemporary) return false;
    const int64_t size = value.bytes() / shape.element_count();
    const int64_t first =
        root.opcode == Opcode::kSlice ? first_element(shape, root.get<hlo::SliceAttributes>()) : 0;
    join.runs.push_back({leaves[0], first * size, elements * size});
  }
  scope.values[id] = group_results(fusion, group);
  join.to = scope.values[id][0];
  scope.steps.push_back({std::move(join), origin_of(group, text_file())});
  return true;
}

}  // namespace hlocc::lowering
