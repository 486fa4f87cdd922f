// See run_hooks.h. Integers of 32 bits are passed as C passes int32_t: there are processors whose
// registers are wider.
#include "backends/cpu/run_hooks.h"

#include "backends/common/run_checks.h"
#include "backends/llvm/target_machine.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace hlocc::backends {
namespace {

llvm::Function* weak_function(llvm::Module& module, const Target& target, const char* name,
                              llvm::Type* result, llvm::ArrayRef<llvm::Type*> types) {
  llvm::Function* made = llvm::Function::Create(llvm::FunctionType::get(result, types, false),
                                                llvm::Function::WeakAnyLinkage, name, module);
  set_function_attributes(*made, target);
  for (unsigned i = 0; i < types.size(); ++i)
    if (types[i]->isIntegerTy(32)) made->addParamAttr(i, llvm::Attribute::SExt);
  return made;
}

llvm::BasicBlock* block(llvm::Function* function, const char* name) {
  return llvm::BasicBlock::Create(function->getContext(), name, function);
}

}  // namespace

llvm::Function* profile_hook(llvm::Module& module, const Target& target) {
  if (llvm::Function* known = module.getFunction(kProfileHook)) return known;
  llvm::IRBuilder<> b(module.getContext());
  llvm::Function* hook =
      weak_function(module, target, kProfileHook, b.getVoidTy(), {b.getPtrTy(), b.getInt32Ty()});
  b.SetInsertPoint(block(hook, "none"));
  b.CreateRetVoid();
  return hook;
}

llvm::Function* threads_hook(llvm::Module& module, const Target& target) {
  if (llvm::Function* known = module.getFunction(kThreadsHook)) return known;
  llvm::IRBuilder<> b(module.getContext());
  llvm::Type *pointer = b.getPtrTy(), *number = b.getInt32Ty();
  llvm::Function* hook =
      weak_function(module, target, kThreadsHook, b.getVoidTy(), {number, pointer, pointer});
  auto* body_type = llvm::FunctionType::get(b.getVoidTy(), {pointer, number}, false);
  auto *entry = block(hook, "entry"), *head = block(hook, "head"), *turn = block(hook, "turn"),
       *exit = block(hook, "exit");
  b.SetInsertPoint(entry);
  b.CreateBr(head);
  b.SetInsertPoint(head);
  llvm::PHINode* range = b.CreatePHI(number, 2);
  b.CreateCondBr(b.CreateICmpSLT(range, hook->getArg(0)), turn, exit);
  b.SetInsertPoint(turn);
  b.CreateCall(body_type, hook->getArg(1), {hook->getArg(2), range})
      ->addParamAttr(1, llvm::Attribute::SExt);
  range->addIncoming(b.getInt32(0), entry);
  range->addIncoming(b.CreateAdd(range, b.getInt32(1)), turn);
  b.CreateBr(head);
  b.SetInsertPoint(exit);
  b.CreateRetVoid();
  return hook;
}

llvm::Function* device_hook(llvm::Module& module, const Target& target, const char* name,
                            std::span<llvm::Type* const> types) {
  if (llvm::Function* known = module.getFunction(name)) return known;
  llvm::IRBuilder<> b(module.getContext());
  llvm::Function* hook = weak_function(module, target, name, b.getInt32Ty(),
                                       llvm::ArrayRef(types.data(), types.size()));
  hook->addRetAttr(llvm::Attribute::SExt);
  b.SetInsertPoint(block(hook, "none"));
  b.CreateRet(b.getInt32(kErrorDevice));
  return hook;
}

llvm::Function* cache_hook(llvm::Module& module, const Target& target, const char* name) {
  if (llvm::Function* known = module.getFunction(name)) return known;
  llvm::IRBuilder<> b(module.getContext());
  llvm::Type* size = b.getIntNTy(target.pointer_bits);
  llvm::Function* hook =
      llvm::Function::Create(llvm::FunctionType::get(b.getVoidTy(), {b.getPtrTy(), size}, false),
                             llvm::Function::WeakAnyLinkage, name, module);
  set_function_attributes(*hook, target);
  b.SetInsertPoint(block(hook, "none"));
  b.CreateRetVoid();
  return hook;
}

}  // namespace hlocc::backends
