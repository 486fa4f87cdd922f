// See run_hooks.h. Integers of 32 bits are passed as C passes int32_t: there are processors whose
// registers are wider.
#include "backends/cpu/run_hooks.h"

#include "backends/common/device_hooks.h"
#include "backends/common/run_checks.h"
#include "backends/llvm/target_machine.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "support/text.h"

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
  auto *entry = block(hook, "entry"), *head = block(hook, "head"),
       *iteration = block(hook, "iteration"), *exit = block(hook, "exit");
  b.SetInsertPoint(entry);
  b.CreateBr(head);
  b.SetInsertPoint(head);
  llvm::PHINode* range = b.CreatePHI(number, 2);
  b.CreateCondBr(b.CreateICmpSLT(range, hook->getArg(0)), iteration, exit);
  b.SetInsertPoint(iteration);
  b.CreateCall(body_type, hook->getArg(1), {hook->getArg(2), range})
      ->addParamAttr(1, llvm::Attribute::SExt);
  range->addIncoming(b.getInt32(0), entry);
  range->addIncoming(b.CreateAdd(range, b.getInt32(1)), iteration);
  b.CreateBr(head);
  b.SetInsertPoint(exit);
  b.CreateRetVoid();
  return hook;
}

llvm::Function* device_hook(llvm::Module& module, const Target& target, const char* name) {
  if (llvm::Function* known = module.getFunction(name)) return known;
  const DeviceHook& row = device_hook_of(name);
  llvm::IRBuilder<> b(module.getContext());
  const auto type_of = [&](std::string_view text) -> llvm::Type* {
    if (text.find('*') != std::string_view::npos) return b.getPtrTy();
    if (text.find("size_t") != std::string_view::npos) return b.getIntNTy(target.pointer_bits);
    return text == "void" ? b.getVoidTy() : b.getInt32Ty();
  };
  std::vector<llvm::Type*> types;
  for (const std::string& one : split(std::string(row.parameters), ','))
    types.push_back(type_of(one));
  llvm::Type* const result = type_of(row.result);
  llvm::Function* hook = weak_function(module, target, name, result, types);
  b.SetInsertPoint(block(hook, "none"));
  if (result->isVoidTy()) {
    b.CreateRetVoid();
  } else if (result->isPointerTy()) {
    b.CreateRet(llvm::ConstantPointerNull::get(b.getPtrTy()));
  } else {
    hook->addRetAttr(llvm::Attribute::SExt);
    b.CreateRet(b.getInt32(static_cast<uint32_t>(row.otherwise)));
  }
  return hook;
}

}  // namespace hlocc::backends
