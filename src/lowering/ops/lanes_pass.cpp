// Whether an index op answers for a vector of neighbours as for one element: lanes pass on to its
// operands along a dimension that stays whole.
#include <algorithm>

#include "lowering/emitter/dispatch.h"
#include "lowering/emitter/index_ops.h"

namespace hlocc::lowering {

using hlo::Instruction;
using hlo::Opcode;
using kernel::kNone;

bool lanes_pass(const Emitter& e, const Instruction& i, int lane_dim) {
  const auto all_operands = [&](int dim) {
    for (hlo::InstructionId operand : i.operands)
      if (!e.vectorizable(operand, e.shape(operand).rank() == 0 ? kNone : dim)) return false;
    return true;
  };
  if (hlo::info(i.opcode).family == hlo::Family::kElementwise) return all_operands(lane_dim);
  const int last = i.shape.rank() - 1;
  switch (i.opcode) {
    case Opcode::kConstant:
    case Opcode::kIota: return true;
    case Opcode::kCopy: return all_operands(lane_dim);
    case Opcode::kBitcastConvert: {
      const hlo::PrimitiveType from = e.shape(i.operands[0]).element_type,
                               to = i.shape.element_type;
      const bool is_number = !hlo::is_pred(from) && !hlo::is_pred(to) && !hlo::is_complex(from);
      return is_number && hlo::type_bits(from) == hlo::type_bits(to) && all_operands(lane_dim);
    }
    case Opcode::kBroadcast: {
      const auto& map = i.get<hlo::DimensionsAttributes>().dimensions;
      const auto at = std::find(map.begin(), map.end(), lane_dim);
      return e.vectorizable(i.operands[0],
                            at == map.end() ? kNone : static_cast<int>(at - map.begin()));
    }
    case Opcode::kTranspose:
      return e.vectorizable(
          i.operands[0], static_cast<int>(i.get<hlo::DimensionsAttributes>().dimensions[lane_dim]));
    case Opcode::kSlice: {
      const auto& slice = i.get<hlo::SliceAttributes>();
      return (slice.strides.empty() || slice.strides[lane_dim] == 1) &&
             e.vectorizable(i.operands[0], lane_dim);
    }
    case Opcode::kGather: {
      const hlo::Shape& from = e.shape(i.operands[0]);
      const int along = gathered_dimension(i.get<hlo::GatherAttributes>(), from.rank(), lane_dim);
      return along != kNone && e.vectorizable(i.operands[0], along);
    }
    case Opcode::kReverse: {
      const auto& dims = i.get<hlo::DimensionsAttributes>().dimensions;
      return std::find(dims.begin(), dims.end(), lane_dim) == dims.end() &&
             e.vectorizable(i.operands[0], lane_dim);
    }
    case Opcode::kDynamicSlice: return e.vectorizable(i.operands[0], lane_dim);
    case Opcode::kPad: {
      const auto& p = i.get<hlo::PadAttributes>().dimensions[lane_dim];
      return p.low == 0 && p.high == 0 && p.interior == 0 &&
             e.vectorizable(i.operands[0], lane_dim);
    }
    case Opcode::kConcatenate: {
      return i.get<hlo::DimensionsAttributes>().dimensions[0] != lane_dim && all_operands(lane_dim);
    }
    case Opcode::kReshape:
    case Opcode::kBitcast: {
      // Only a last dimension that stays as it is or is cut into equal parts: lanes must not run
      // over the end of a row.
      const hlo::Shape& from = e.shape(i.operands[0]);
      return lane_dim == last && from.rank() > 0 && i.shape.dimensions.back() > 0 &&
             from.dimensions.back() % i.shape.dimensions.back() == 0 &&
             e.vectorizable(i.operands[0], from.rank() - 1);
    }
    default: return false;
  }
}

}  // namespace hlocc::lowering
