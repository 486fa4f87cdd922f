// See own_copy.h. The function copies four words at a time, then single ones, then bytes; places
// that lie otherwise in their words than each other go by bytes. Arenas, states and callers'
// buffers are aligned, so that this is rare.
#include "backends/llvm/object/own_copy.h"

#include "backends/llvm/target_machine.h"
#include "llvm/CodeGen/TargetLowering.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include "target/memory_functions.h"

namespace hlocc::backends {
namespace {

class CopyEmitter {
 public:
  CopyEmitter(llvm::Module& module, const Target& target)
      : builder_(module.getContext()),
        size_(builder_.getIntNTy(static_cast<unsigned>(target.pointer_bits))) {
    llvm::Type* pointer = builder_.getPtrTy();
    function_ =
        llvm::Function::Create(llvm::FunctionType::get(pointer, {pointer, pointer, size_}, false),
                               // Libraries that are linked whole bring one each.
                               llvm::Function::WeakAnyLinkage, kOwnCopy, module);
    set_function_attributes(*function_, target);
  }

  void emit() {
    llvm::IntegerType* byte = builder_.getInt8Ty();
    const uint64_t word = size_->getIntegerBitWidth() / 8;
    builder_.SetInsertPoint(new_block());
    Rest rest{function_->getArg(0), function_->getArg(1), function_->getArg(2)};
    llvm::Value* addresses = builder_.CreateOr(builder_.CreatePtrToInt(rest.to, size_),
                                               builder_.CreatePtrToInt(rest.from, size_));
    llvm::Value* is_aligned =
        builder_.CreateICmpEQ(builder_.CreateAnd(addresses, word - 1), number(0));
    llvm::BasicBlock *entry = builder_.GetInsertBlock(), *words = new_block(), *bytes = new_block();
    builder_.CreateCondBr(is_aligned, words, bytes);
    builder_.SetInsertPoint(words);
    const Rest after = copy_while_left(copy_while_left(rest, size_, 4), size_, 1);
    llvm::BasicBlock* end = builder_.GetInsertBlock();
    builder_.CreateBr(bytes);
    builder_.SetInsertPoint(bytes);
    copy_while_left(either(after, end, rest, entry), byte, 1);
    builder_.CreateRet(function_->getArg(0));
  }

 private:
  // What is still to be copied.
  struct Rest {
    llvm::Value *to, *from, *bytes;
  };

  llvm::BasicBlock* new_block() {
    return llvm::BasicBlock::Create(builder_.getContext(), "", function_);
  }
  llvm::Value* number(uint64_t value) { return llvm::ConstantInt::get(size_, value); }
  llvm::PHINode* either(llvm::Value* a, llvm::BasicBlock* from_a, llvm::Value* b,
                        llvm::BasicBlock* from_b) {
    llvm::PHINode* out = builder_.CreatePHI(a->getType(), 2);
    out->addIncoming(a, from_a);
    out->addIncoming(b, from_b);
    return out;
  }
  Rest either(const Rest& a, llvm::BasicBlock* from_a, const Rest& b, llvm::BasicBlock* from_b) {
    return {either(a.to, from_a, b.to, from_b), either(a.from, from_a, b.from, from_b),
            either(a.bytes, from_a, b.bytes, from_b)};
  }

  // `units` of the type at a time, as long as so many are left. All are read before one is written,
  // for instructions that move several.
  Rest copy_while_left(const Rest& before, llvm::IntegerType* unit, uint64_t units);

  llvm::IRBuilder<> builder_;
  llvm::IntegerType* size_;
  llvm::Function* function_ = nullptr;
};

CopyEmitter::Rest CopyEmitter::copy_while_left(const Rest& before, llvm::IntegerType* unit,
                                               uint64_t units) {
  const uint64_t width = unit->getBitWidth() / 8;
  llvm::Value* step = number(units * width);
  llvm::BasicBlock *entry = builder_.GetInsertBlock(), *loop = new_block(), *end = new_block();
  builder_.CreateCondBr(builder_.CreateICmpUGE(before.bytes, step), loop, end);
  builder_.SetInsertPoint(loop);
  const Rest now = either(before, entry, before, loop);
  const auto place = [&](llvm::Value* base, uint64_t i) {
    return builder_.CreateInBoundsGEP(unit, base, number(i));
  };
  std::vector<llvm::Value*> values;
  for (uint64_t i = 0; i < units; ++i)
    values.push_back(builder_.CreateAlignedLoad(unit, place(now.from, i), llvm::Align(width)));
  for (uint64_t i = 0; i < units; ++i)
    builder_.CreateAlignedStore(values[i], place(now.to, i), llvm::Align(width));
  const Rest next{place(now.to, units), place(now.from, units),
                  builder_.CreateSub(now.bytes, step)};
  builder_.CreateCondBr(builder_.CreateICmpUGE(next.bytes, step), loop, end);
  for (const auto& [phi, value] : {std::pair(now.to, next.to), std::pair(now.from, next.from),
                                   std::pair(now.bytes, next.bytes)})
    llvm::cast<llvm::PHINode>(phi)->setIncomingValueForBlock(loop, value);
  builder_.SetInsertPoint(end);
  return either(before, entry, next, loop);
}

}  // namespace

void call_own_copy(const llvm::Module& module, const llvm::TargetMachine& machine,
                   const Target& target) {
  // WebAssembly's code generator knows the types of the functions that it calls by their names.
  if (!target.bare_metal || machine.getTargetTriple().isWasm()) return;
  for (const llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    const llvm::TargetLowering* lowering = machine.getSubtargetImpl(function)->getTargetLowering();
    // LLVM's own targets set such names where they make the object; there is no option for it.
    const_cast<llvm::TargetLowering*>(lowering)->setLibcallName(llvm::RTLIB::MEMCPY,
                                                                kOwnCopy.data());
  }
}

Result<Emitted> emit_own_copy(const Target& target) {
  Target plain = target;
  plain.options = {};
  HLOCC_TRY_ASSIGN(const std::unique_ptr<llvm::TargetMachine> machine, make_target_machine(plain));
  llvm::LLVMContext context;
  llvm::Module module("hlocc", context);
  prepare_module(module, plain, *machine);
  CopyEmitter(module, plain).emit();
  return emit_object(module, *machine, plain);
}

}  // namespace hlocc::backends
