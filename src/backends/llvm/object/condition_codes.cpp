// See condition_codes.h.
#include "backends/llvm/object/condition_codes.h"

#include "llvm/CodeGen/TargetLowering.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace hlocc::backends {
namespace {

// Names what LLVM lets its own targets alone do.
struct OpenLowering : llvm::TargetLowering {
  static constexpr auto kSet = static_cast<void (llvm::TargetLoweringBase::*)(
      llvm::ArrayRef<llvm::ISD::CondCode>, llvm::MVT, LegalizeAction)>(
      &OpenLowering::setCondCodeAction);
};

}  // namespace

void mend_condition_codes(const llvm::Module& module, const llvm::TargetMachine& machine) {
  if (machine.getTargetTriple().getArch() != llvm::Triple::hexagon) return;
  for (const llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    auto* lowering =
        const_cast<llvm::TargetLowering*>(machine.getSubtargetImpl(function)->getTargetLowering());
    for (const llvm::MVT type : {llvm::MVT(llvm::MVT::f32), llvm::MVT(llvm::MVT::f64)})
      (lowering->*OpenLowering::kSet)({llvm::ISD::SETONE}, type, llvm::TargetLowering::Expand);
  }
}

}  // namespace hlocc::backends
