// Spells the primitives of backends/common/run_plan.h in LLVM IR: control flow and kernels in
// run_function.cpp, calls of the user's functions and of devices in run_calls.cpp.
#pragma once
#include <string_view>
#include <vector>

#include "backends/common/run_pieces.h"
#include "backends/common/run_plan.h"
#include "backends/cpu/run_function.h"
#include "kernel/instance.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace hlocc::backends {

class RunEmitter {
 public:
  RunEmitter(llvm::Module& module, const kernel::Program& program, const planning::Plan& plan,
             const RunParts& parts, const Target& target)
      : module_(module),
        program_(program),
        plan_(plan),
        parts_(parts),
        target_(target),
        layout_(kernel::instance_layout(program.signature, plan.state_bytes, target.pointer_bits)),
        in_pieces_(runs_in_pieces(program, plan)),
        builder_(module.getContext()) {}

  Result<llvm::Function*> emit();

 private:
  void return_if(llvm::Value* condition, llvm::Value* code);
  void emit_keep();
  void load_arenas();
  void load_arguments();
  llvm::Value* load_slot(int64_t offset);
  template <typename Inside>
  llvm::Function* function_beside_run(std::string_view suffix, llvm::FunctionType* type,
                                      const Inside& inside);
  llvm::Function* range_function(const RunLaunch& step);
  void begin_function();
  void set_lines(const kernel::Origin* origin);

  void emit(const RunSteps& steps);
  void emit(const RunMark& mark);
  void emit(const RunLaunch& step);
  void emit(const RunCopy& copy);
  void emit(const RunUserCall& call);
  void emit(const RunTransfer& transfer);
  void emit(const RunSubmit& submit);
  void emit(const RunWait& wait);
  void emit(const RunCache& cache);
  void emit(const RunLoop& loop);
  void emit(const RunChoice& choice);
  void emit(const RunInner& inner);
  void call_kernel(const RunLaunch& step, llvm::Value* range);
  llvm::CallInst* call_hook(llvm::Function* hook, llvm::ArrayRef<llvm::Value*> arguments);
  void call_device(const char* name, llvm::ArrayRef<llvm::Value*> arguments);

  llvm::Value* number(int64_t value) { return builder_.getInt32(static_cast<uint32_t>(value)); }
  llvm::Value* size(int64_t bytes) { return llvm::ConstantInt::getSigned(index_type(), bytes); }
  llvm::Value* slot(int64_t offset) { return offset_by(instance_, offset); }
  llvm::Value* offset_by(llvm::Value* pointer, int64_t bytes);
  llvm::Value* pointer(const RunAddress& address);
  llvm::Value* constants(int64_t offset);
  llvm::Value* array(llvm::Type* element, llvm::ArrayRef<llvm::Value*> values);
  llvm::Value* pointer_array(const std::vector<RunAddress>& addresses);
  llvm::Value* is_true(const RunAddress& pred);
  llvm::Type* index_type() { return builder_.getIntNTy(target_.pointer_bits); }
  void copy_bytes(llvm::Value* to, llvm::Value* from, int64_t bytes);
  llvm::BasicBlock* new_block(const char* name) {
    return llvm::BasicBlock::Create(module_.getContext(), name, function_);
  }

  llvm::Module& module_;
  const kernel::Program& program_;
  const planning::Plan& plan_;
  const RunParts& parts_;
  const Target& target_;
  kernel::InstanceLayout layout_;
  const bool in_pieces_;
  llvm::IRBuilder<> builder_;
  llvm::Function* function_ = nullptr;
  llvm::Value* instance_ = nullptr;
  std::vector<llvm::Value*> arenas_;        // by slot of the instance
  std::vector<llvm::Value*> arguments_;     // by leaf: where its value is read
  const kernel::Origin* origin_ = nullptr;  // of the step that is being emitted
  llvm::Value* identity_ = nullptr;         // what the profile's hook is told of the model
};

}  // namespace hlocc::backends
