// See frame_marks.h.
#include "backends/llvm/object/frame_marks.h"

#include <iterator>

#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

namespace hlocc::backends {
namespace {

using Marks = FrameMarksMover::Marks;

bool is_of_prologue(const llvm::MachineInstr& instruction) {
  return instruction.getFlag(llvm::MachineInstr::FrameSetup);
}

// Those of epilogues are not needed: what follows one in the code is another block's body, or
// nothing.
class TakeMarks : public llvm::MachineFunctionPass {
 public:
  explicit TakeMarks(std::shared_ptr<Marks> marks)
      : MachineFunctionPass(id_), marks_(std::move(marks)) {}

  bool runOnMachineFunction(llvm::MachineFunction& function) override {
    std::vector<unsigned>& taken = (*marks_)[function.getFunctionNumber()];
    std::vector<llvm::MachineInstr*> gone;
    for (llvm::MachineBasicBlock& block : function)
      for (llvm::MachineInstr& instruction : block) {
        if (!instruction.isCFIInstruction()) continue;
        if (is_of_prologue(instruction)) taken.push_back(instruction.getOperand(0).getCFIIndex());
        gone.push_back(&instruction);
      }
    for (llvm::MachineInstr* instruction : gone) instruction->eraseFromParent();
    return !gone.empty();
  }

 private:
  static char id_;
  std::shared_ptr<Marks> marks_;
};
char TakeMarks::id_ = 0;

class PutMarks : public llvm::MachineFunctionPass {
 public:
  explicit PutMarks(std::shared_ptr<Marks> marks)
      : MachineFunctionPass(id_), marks_(std::move(marks)) {}

  bool runOnMachineFunction(llvm::MachineFunction& function) override {
    const std::vector<unsigned>& taken = (*marks_)[function.getFunctionNumber()];
    if (taken.empty()) return false;
    for (llvm::MachineBasicBlock& block : function) {
      auto last = block.end();
      for (auto at = block.begin(); at != block.end(); ++at)
        if (is_of_prologue(*at)) last = at;
      if (last == block.end()) continue;
      const llvm::TargetInstrInfo* instructions = function.getSubtarget().getInstrInfo();
      for (const unsigned index : taken)
        llvm::BuildMI(block, std::next(last), llvm::DebugLoc(),
                      instructions->get(llvm::TargetOpcode::CFI_INSTRUCTION))
            .addCFIIndex(index);
      return true;
    }
    return false;
  }

 private:
  static char id_;
  std::shared_ptr<Marks> marks_;
};
char PutMarks::id_ = 0;

}  // namespace

void FrameMarksMover::add(llvm::Pass* pass) {
  const llvm::StringRef name = pass->getPassName();
  if (wanted_ && name.ends_with("Assembly Printer")) passes_.add(new PutMarks(marks_));
  passes_.add(pass);
  if (wanted_ && name.starts_with("Prologue/Epilogue Insertion"))
    passes_.add(new TakeMarks(marks_));
}

}  // namespace hlocc::backends
