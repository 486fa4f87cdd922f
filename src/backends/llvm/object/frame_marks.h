// Descriptions of frames, for debuggers, that move no instruction. LLVM puts them between the
// instructions of a prologue before AArch64's second scheduling, which goes around them: with line
// tables the code would be another. Here they are taken out before it and put back behind the
// prologue when all instructions have their place, so that they hold in the function's body.
#pragma once
#include <map>
#include <memory>
#include <vector>

#include "llvm/IR/LegacyPassManager.h"

namespace hlocc::backends {

// Hands passes on to another manager, where it is `wanted` with two more around the scheduling.
class FrameMarksMover : public llvm::legacy::PassManagerBase {
 public:
  // Indices of MachineFunction::getFrameInstructions, by the function's number.
  using Marks = std::map<unsigned, std::vector<unsigned>>;

  FrameMarksMover(llvm::legacy::PassManagerBase& passes, bool wanted)
      : passes_(passes), wanted_(wanted) {}
  void add(llvm::Pass* pass) override;

 private:
  llvm::legacy::PassManagerBase& passes_;
  const bool wanted_;
  std::shared_ptr<Marks> marks_ = std::make_shared<Marks>();
};

}  // namespace hlocc::backends
