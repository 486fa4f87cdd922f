// The body is a kernel over memory, as all bodies are; inlined into a function of values, it reads
// and writes slots of the stack that the passes turn into registers.
#include "backends/llvm/math_call.h"

#include "backends/llvm/kernel_emitter.h"
#include "backends/llvm/target_machine.h"
#include "backends/llvm/types.h"
#include "kernel/legalize/math_functions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

llvm::Function* make_function(llvm::Module& module, const std::string& name, kernel::OpKind kind,
                              kernel::Scalar scalar, const Target& target,
                              llvm::TargetMachine& machine) {
  const Result<kernel::Kernel> kernel = kernel::math_function(kind, scalar, target);
  if (!kernel) return nullptr;
  const Result<llvm::Function*> body =
      emit_kernel(module, *kernel, {name + "_body", {}, false}, target, machine);
  if (!body) return nullptr;

  llvm::IRBuilder<> builder(module.getContext());
  llvm::Type* type = register_type(module.getContext(), {scalar, 1}, target.pointer_bits);
  const std::vector<llvm::Type*> operands(static_cast<size_t>(kernel::op_operands(kind)), type);
  auto* function = llvm::Function::Create(llvm::FunctionType::get(type, operands, false),
                                          llvm::Function::InternalLinkage, name, module);
  set_function_attributes(*function, target);
  function->setDSOLocal(true);
  function->setDoesNotAccessMemory();
  function->addFnAttr(llvm::Attribute::WillReturn);
  function->addFnAttr(llvm::Attribute::NoInline);
  builder.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "entry", function));
  std::vector<llvm::Value*> slots;
  for (size_t i = 0; i <= operands.size(); ++i) slots.push_back(builder.CreateAlloca(type));
  for (size_t i = 0; i < operands.size(); ++i)
    builder.CreateStore(function->getArg(static_cast<unsigned>(i)), slots[i]);
  llvm::CallInst* call = builder.CreateCall(*body, slots);
  builder.CreateRet(builder.CreateLoad(type, slots.back()));
  llvm::InlineFunctionInfo info;
  const bool inlined = llvm::InlineFunction(*call, info).isSuccess();
  HLOCC_CHECK(inlined, "the body of " + name + " stays a function of its own");
  (*body)->eraseFromParent();
  return function;
}

}  // namespace

llvm::Value* call_math_function(llvm::IRBuilder<>& builder, kernel::OpKind kind,
                                kernel::Scalar scalar, std::span<llvm::Value* const> operands,
                                const Target& target, llvm::TargetMachine& machine) {
  llvm::Module& module = *builder.GetInsertBlock()->getModule();
  const std::string name =
      cat(kMathFunctionPrefix, kernel::op_name(kind), "_", kernel::scalar_name(scalar));
  llvm::Function* function = module.getFunction(name);
  if (function == nullptr) function = make_function(module, name, kind, scalar, target, machine);
  return function == nullptr
             ? nullptr
             : builder.CreateCall(function, llvm::ArrayRef(operands.data(), operands.size()));
}

}  // namespace hlocc::backends
