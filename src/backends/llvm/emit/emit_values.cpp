// Ops that make one value from others: arithmetic, comparison, conversion, lanes. One table gives
// each op its function; what has none here must have been rewritten by legalisation.
#include <array>

#include "backends/llvm/emit/emitter.h"
#include "backends/llvm/emit/math_call.h"
#include "backends/llvm/emit/value_ops.h"
#include "kernel/legalize/math_functions.h"

namespace hlocc::backends {

using kernel::Op;

llvm::Value* Emitter::emit_constant(const Op& op) {
  const kernel::Type type = kernel_.type(op.result());
  const auto& bits = std::get<kernel::Constant>(op.payload).lanes;
  llvm::Type* element = type_of(type.scalar_type());
  std::vector<llvm::Constant*> lanes;
  for (uint64_t lane : bits) {
    llvm::APInt number(64, lane);
    const unsigned width = element->getScalarSizeInBits();
    if (width < 64) number = number.trunc(width);
    if (element->isFloatTy())
      lanes.push_back(
          llvm::ConstantFP::get(element, llvm::APFloat(llvm::APFloat::IEEEsingle(), number)));
    else if (element->isDoubleTy())
      lanes.push_back(
          llvm::ConstantFP::get(element, llvm::APFloat(llvm::APFloat::IEEEdouble(), number)));
    else
      lanes.push_back(llvm::ConstantInt::get(builder_.getContext(), number));
  }
  if (!type.is_vector()) return lanes[0];
  if (lanes.size() == 1)
    return llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(type.lanes), lanes[0]);
  return llvm::ConstantVector::get(lanes);
}

llvm::Value* Emitter::emit_value(const Op& op) {
  ValueOp what{builder_, target_, op, kernel_.type(op.result()), {}, {}};
  for (kernel::ValueId id : op.operands) {
    what.operands.push_back(value(id));
    what.types.push_back(kernel_.type(id));
  }
  const EmitValue emit = value_emitter(op.kind);
  llvm::Value* result = emit == nullptr ? nullptr : emit(what);
  if (const auto function = kernel::math_function_for(op.kind, what.type, target_);
      emit == nullptr && function)
    result = call_math_function(builder_, *function, what.operands, target_, machine_);
  if (result != nullptr) return result;
  fail(op);
  return llvm::PoisonValue::get(type_of(what.type));
}

}  // namespace hlocc::backends
