// See global_pools.h.
#include "transforms/rows/global_pools.h"

#include "hlo/dimensions.h"
#include "transforms/rows/row_schedule.h"

namespace hlocc::transforms {

using hlo::Computation;
using hlo::Instruction;
using hlo::InstructionId;
using hlo::Opcode;

namespace {

// The dimensions that one window takes up; none if there are several windows along one, or borders.
hlo::Dimensions taken_whole(const Computation& c, const Instruction& pool) {
  const hlo::Dimensions& from = c.operand(pool, 0).shape.dimensions;
  const auto& window = pool.get<hlo::WindowAttributes>().window.dimensions;
  hlo::Dimensions gone;
  for (size_t d = 0; d < window.size(); ++d) {
    const hlo::WindowDimension& w = window[d];
    if (w.padding_low != 0 || w.padding_high != 0 || w.window_dilation != 1 || w.base_dilation != 1)
      return {};
    if (w.size == 1 && w.stride == 1) continue;
    if (w.size != from[d]) return {};
    gone.push_back(static_cast<int64_t>(d));
  }
  return gone;
}

}  // namespace

bool reduce_global_pools(hlo::Module& module, hlo::ComputationId computation) {
  Computation& c = module.computations[computation];
  bool is_changed = false;
  const auto count = static_cast<InstructionId>(c.instructions.size());
  for (InstructionId id = 0; id < count; ++id) {
    const Instruction pool = c[id];
    if (pool.opcode != Opcode::kReduceWindow || pool.operands.size() != 2) continue;
    const hlo::Dimensions gone = taken_whole(c, pool);
    if (gone.empty()) continue;
    hlo::Shape shape = hlo::Shape::array(pool.shape.element_type, {});
    for (int64_t d = 0; d < pool.shape.rank(); ++d)
      if (!hlo::contains(gone, d)) shape.dimensions.push_back(pool.shape.dimensions[d]);
    Instruction reduction = hlo::make(Opcode::kReduce, hlo::with_default_layout(shape),
                                      pool.operands, hlo::DimensionsAttributes{gone}, pool.called);
    if (!reduces_rows(module, c, reduction)) continue;
    reduction.name = pool.name + ".sum";
    reduction.metadata = pool.metadata;
    reduction.line = pool.line;
    const InstructionId sum = c.add(std::move(reduction));
    Instruction image = hlo::make(Opcode::kReshape, pool.shape, {sum});
    image.name = pool.name + ".image";
    image.metadata = pool.metadata;
    c.replace_uses(id, c.add(std::move(image)));
    is_changed = true;
  }
  return is_changed;
}

}  // namespace hlocc::transforms
