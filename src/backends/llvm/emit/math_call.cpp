// The body is a kernel over memory, as all bodies are; inlined into a function of values, it reads
// and writes slots of the stack that the passes turn into registers.
#include "backends/llvm/emit/math_call.h"

#include "backends/llvm/emit/kernel_emitter.h"
#include "backends/llvm/emit/types.h"
#include "backends/llvm/target_machine.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

kernel::Type type_of(const kernel::MathFunction& kind) {
  return {kind.scalar, static_cast<uint16_t>(kind.lanes)};
}

llvm::Function* make_function(llvm::Module& module, const std::string& name,
                              const kernel::MathFunction& kind, const Target& target,
                              llvm::TargetMachine& machine) {
  const Result<kernel::Kernel> kernel =
      kernel::math_function(kind.kind, kind.scalar, target, kind.lanes);
  if (!kernel) return nullptr;
  const Result<llvm::Function*> body =
      emit_kernel(module, *kernel, {name + "_body", {}, false}, target, machine);
  if (!body) return nullptr;

  llvm::IRBuilder<> builder(module.getContext());
  llvm::Type* type = register_type(module.getContext(), type_of(kind), target.pointer_bits);
  const std::vector<llvm::Type*> operands(static_cast<size_t>(kernel::op_operands(kind.kind)),
                                          type);
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

int lanes_of(const llvm::Value* value) {
  const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
  return type == nullptr ? 1 : static_cast<int>(type->getNumElements());
}

// `lanes` lanes of a value from lane `first` on; a number of its own if that is one.
llvm::Value* part(llvm::IRBuilder<>& builder, llvm::Value* value, int first, int lanes) {
  if (lanes == lanes_of(value)) return value;
  if (lanes == 1) return builder.CreateExtractElement(value, static_cast<uint64_t>(first));
  return builder.CreateShuffleVector(value, llvm::createSequentialMask(first, lanes, 0));
}

llvm::Value* together(llvm::IRBuilder<>& builder, std::vector<llvm::Value*> parts) {
  if (parts.size() == 1) return parts[0];
  if (lanes_of(parts[0]) > 1) return llvm::concatenateVectors(builder, parts);
  auto* type = llvm::FixedVectorType::get(parts[0]->getType(), static_cast<unsigned>(parts.size()));
  llvm::Value* all = llvm::PoisonValue::get(type);
  for (size_t i = 0; i < parts.size(); ++i) all = builder.CreateInsertElement(all, parts[i], i);
  return all;
}

}  // namespace

llvm::Value* call_math_function(llvm::IRBuilder<>& builder, const kernel::MathFunction& kind,
                                std::span<llvm::Value* const> operands, const Target& target,
                                llvm::TargetMachine& machine) {
  llvm::Module& module = *builder.GetInsertBlock()->getModule();
  const std::string name =
      cat(kMathFunctionPrefix, kernel::op_name(kind.kind), "_", to_string(type_of(kind)));
  llvm::Function* function = module.getFunction(name);
  if (function == nullptr) function = make_function(module, name, kind, target, machine);
  if (function == nullptr) return nullptr;
  std::vector<llvm::Value*> results;
  for (int first = 0; first < lanes_of(operands[0]); first += kind.lanes) {
    std::vector<llvm::Value*> parts;
    for (llvm::Value* operand : operands)
      parts.push_back(part(builder, operand, first, kind.lanes));
    results.push_back(builder.CreateCall(function, parts));
  }
  return together(builder, std::move(results));
}

}  // namespace hlocc::backends
