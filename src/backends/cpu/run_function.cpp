// Control flow, launches and copies, and the functions that they stand in.
#include "backends/cpu/run_function.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "backends/common/kernel_table.h"
#include "backends/common/run_checks.h"
#include "backends/common/run_pieces.h"
#include "backends/common/run_plan.h"
#include "backends/cpu/run_emitter.h"
#include "backends/cpu/run_hooks.h"
#include "backends/llvm/debug_info.h"
#include "backends/llvm/target_machine.h"
#include "kernel/instance.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "planning/interface.h"
#include "planning/timed_steps.h"
#include "support/text.h"

namespace hlocc::backends {
llvm::Value* RunEmitter::offset_by(llvm::Value* pointer, int64_t bytes) {
  if (bytes == 0) return pointer;
  return builder_.CreateGEP(builder_.getInt8Ty(), pointer,
                            llvm::ConstantInt::getSigned(index_type(), bytes));
}

llvm::Value* RunEmitter::constants(int64_t offset) {
  // Without a byte of constants there is no section, and what lies there is empty.
  if (parts_.weights == nullptr) return llvm::ConstantPointerNull::get(builder_.getPtrTy());
  return offset_by(parts_.weights, parts_.pool_offset + offset);
}

llvm::Value* RunEmitter::pointer(const RunAddress& address) {
  const int leaf = static_cast<int>(address.at);
  switch (address.kind) {
    case RunAddress::Kind::kArena: return offset_by(arenas_[address.arena], address.at);
    case RunAddress::Kind::kState: return slot(layout_.state_offset() + address.at);
    case RunAddress::Kind::kConstants: return constants(address.at);
    case RunAddress::Kind::kResult: return load_slot(layout_.result_slot(leaf));
    case RunAddress::Kind::kArgument: break;
  }
  // Pieces load what they read.
  return in_pieces_ ? load_slot(layout_.argument_slot(leaf)) : arguments_[leaf];
}

llvm::Value* RunEmitter::load_slot(int64_t offset) {
  return builder_.CreateLoad(builder_.getPtrTy(), slot(offset));
}

void RunEmitter::copy_bytes(llvm::Value* to, llvm::Value* from, int64_t bytes) {
  const llvm::MaybeAlign byte_aligned(1);
  builder_.CreateMemCpy(to, byte_aligned, from, byte_aligned, static_cast<uint64_t>(bytes));
}

Result<llvm::Function*> RunEmitter::emit() {
  HLOCC_TRY_ASSIGN(const RunSteps steps, run_plan(program_, plan_, target_, true));
  llvm::Type* pointer = builder_.getPtrTy();
  auto* type = llvm::FunctionType::get(builder_.getInt32Ty(), {pointer}, false);
  function_ =
      llvm::Function::Create(type, llvm::Function::ExternalLinkage,
                             planning::run_symbol(program_.signature, plan_, target_), module_);
  function_->setDSOLocal(true);
  begin_function();
  instance_ = function_->getArg(0);
  return_if(builder_.CreateIsNull(instance_), number(kErrorNull));
  load_arenas();
  for (llvm::Value* const arena : arenas_)
    return_if(builder_.CreateIsNull(arena), number(kErrorNull));
  load_arguments();
  emit(steps);
  builder_.CreateRet(builder_.getInt32(0));
  llvm::Function* const run = function_;
  if (!plan_.kept.empty()) emit_keep();
  return run;
}

// What init calls once: the weights that run reads in the arena.
void RunEmitter::emit_keep() {
  auto* type = llvm::FunctionType::get(builder_.getVoidTy(), {builder_.getPtrTy()}, false);
  function_ =
      llvm::Function::Create(type, llvm::Function::ExternalLinkage,
                             planning::keep_symbol(program_.signature, plan_, target_), module_);
  function_->setDSOLocal(true);
  begin_function();
  set_lines(nullptr);
  instance_ = function_->getArg(0);
  load_arenas();
  emit(keeping_steps(plan_));
  builder_.CreateRetVoid();
}

void RunEmitter::begin_function() {
  set_function_attributes(*function_, target_);
  if (parts_.debug != nullptr) parts_.debug->add_run(*function_, first_with_lines(plan_.steps));
  builder_.SetInsertPoint(new_block("entry"));
}

// Of what is emitted from here on: those of a step, or none.
void RunEmitter::set_lines(const kernel::Origin* origin) {
  origin_ = origin;
  if (parts_.debug == nullptr) return;
  builder_.SetCurrentDebugLocation(origin == nullptr ? llvm::DebugLoc()
                                                     : parts_.debug->step(*function_, *origin));
}

void RunEmitter::return_if(llvm::Value* condition, llvm::Value* code) {
  llvm::BasicBlock *leave = new_block("leave"), *go_on = new_block("go_on");
  builder_.CreateCondBr(condition, leave, go_on);
  builder_.SetInsertPoint(leave);
  builder_.CreateRet(code);
  builder_.SetInsertPoint(go_on);
}

void RunEmitter::load_arenas() {
  arenas_.clear();
  for (int arena = 0; arena <= layout_.more_arenas; ++arena)
    arenas_.push_back(load_slot(layout_.arena_slot(arena)));
}

// An argument is read where it is, in the arena or in a buffer of the caller's; nothing is written
// through its value.
void RunEmitter::load_arguments() {
  arguments_.assign(program_.arguments.size(), nullptr);
  if (in_pieces_) return;
  for (size_t leaf = 0; leaf < program_.arguments.size(); ++leaf)
    if (plan_.values[program_.arguments[leaf]].role == kernel::ValueRole::kArgument)
      arguments_[leaf] = load_slot(layout_.argument_slot(static_cast<int>(leaf)));
}

// A function of the object's own that finds its places as run does; its first parameter is the
// instance.
template <typename Inside>
llvm::Function* RunEmitter::function_beside_run(std::string_view suffix, llvm::FunctionType* type,
                                                const Inside& inside) {
  llvm::Function* const run = function_;
  const auto place = builder_.saveIP();
  const auto held = std::tuple(instance_, arenas_, arguments_);
  const std::string symbol = planning::run_symbol(program_.signature, plan_, target_);
  function_ =
      llvm::Function::Create(type, llvm::Function::InternalLinkage, cat(symbol, suffix), module_);
  begin_function();
  set_lines(origin_);
  instance_ = function_->getArg(0);
  load_arenas();
  load_arguments();
  inside();
  builder_.CreateRetVoid();
  llvm::Function* const made = std::exchange(function_, run);
  std::tie(instance_, arenas_, arguments_) = held;
  builder_.restoreIP(place);
  set_lines(origin_);
  return made;
}

void RunEmitter::emit(const RunInner& inner) {
  auto* type = llvm::FunctionType::get(builder_.getVoidTy(), {builder_.getPtrTy()}, false);
  llvm::Function* const piece =
      function_beside_run(piece_prefix(""), type, [&] { emit(inner.steps); });
  piece->addFnAttr(llvm::Attribute::NoInline);
  builder_.CreateCall(piece, {instance_});
}

void RunEmitter::emit(const RunSteps& steps) {
  const kernel::Origin* const outside = origin_;
  for (const RunStep& step : steps) {
    set_lines(step.origin);
    std::visit([&](const auto& what) { emit(what); }, step.what);
  }
  set_lines(outside);
}

llvm::CallInst* RunEmitter::call_hook(llvm::Function* hook,
                                      llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::CallInst* call = builder_.CreateCall(hook, arguments);
  call->setAttributes(hook->getAttributes().removeFnAttributes(module_.getContext()));
  return call;
}

void RunEmitter::emit(const RunMark& mark) {
  llvm::Function* hook = profile_hook(module_, target_);
  if (identity_ == nullptr)
    identity_ = builder_.CreateGlobalString(planning::profile_identity(program_, plan_, target_),
                                            "profile");
  call_hook(hook, {identity_, number(mark.step)});
}

// range: which one, or null.
void RunEmitter::call_kernel(const RunLaunch& step, llvm::Value* range) {
  std::vector<llvm::Value*> operands;
  for (const RunAddress& address : step.operands) operands.push_back(pointer(address));
  if (range != nullptr) operands.push_back(builder_.CreateSExtOrTrunc(range, index_type()));
  for (const int64_t number : step.launch->integers) operands.push_back(size(number));
  builder_.CreateCall(parts_.kernels[step.launch->kernel], operands);
}

// void (instance, range): one range of the launch.
llvm::Function* RunEmitter::range_function(const RunLaunch& step) {
  auto* type = llvm::FunctionType::get(builder_.getVoidTy(),
                                       {builder_.getPtrTy(), builder_.getInt32Ty()}, false);
  return function_beside_run("_range", type, [&] {
    function_->addParamAttr(1, llvm::Attribute::SExt);
    call_kernel(step, function_->getArg(1));
  });
}

void RunEmitter::emit(const RunLaunch& step) {
  if (step.launch->ranges == 1) return call_kernel(step, nullptr);
  llvm::Function* const hook = threads_hook(module_, target_);
  call_hook(hook, {number(step.launch->ranges), range_function(step), instance_});
}

void RunEmitter::emit(const RunCopy& copy) {
  llvm::Value *from = pointer(copy.from), *to = pointer(copy.to);
  if (!copy.unless_equal) return copy_bytes(to, from, copy.bytes);
  llvm::BasicBlock *inside = new_block("then"), *join = new_block("join");
  builder_.CreateCondBr(builder_.CreateICmpNE(to, from), inside, join);
  builder_.SetInsertPoint(inside);
  copy_bytes(to, from, copy.bytes);
  builder_.CreateBr(join);
  builder_.SetInsertPoint(join);
}

llvm::Value* RunEmitter::is_true(const RunAddress& pred) {
  return builder_.CreateIsNotNull(builder_.CreateLoad(builder_.getInt8Ty(), pointer(pred)));
}

void RunEmitter::emit(const RunLoop& loop) {
  llvm::BasicBlock *head = new_block("while"), *body = new_block("iteration"),
                   *exit = new_block("exit");
  builder_.CreateBr(head);
  builder_.SetInsertPoint(head);
  emit(loop.condition);
  builder_.CreateCondBr(is_true(loop.holds), body, exit);
  builder_.SetInsertPoint(body);
  emit(loop.body);
  builder_.CreateBr(head);
  builder_.SetInsertPoint(exit);
}

void RunEmitter::emit(const RunChoice& choice) {
  llvm::Value* const selector =
      choice.is_pred ? builder_.CreateSelect(is_true(choice.selector), number(0), number(1))
                     : static_cast<llvm::Value*>(builder_.CreateAlignedLoad(
                           builder_.getInt32Ty(), pointer(choice.selector), llvm::Align(4)));
  const int last = static_cast<int>(choice.branches.size()) - 1;
  llvm::BasicBlock* exit = new_block("chosen");
  llvm::BasicBlock* fallback = new_block("branch");
  llvm::SwitchInst* chosen = builder_.CreateSwitch(selector, fallback, last);
  for (int branch = 0; branch <= last; ++branch) {
    llvm::BasicBlock* block = branch == last ? fallback : new_block("branch");
    if (branch != last) chosen->addCase(builder_.getInt32(branch), block);
    builder_.SetInsertPoint(block);
    emit(choice.branches[branch]);
    builder_.CreateBr(exit);
  }
  builder_.SetInsertPoint(exit);
}

Result<llvm::Function*> emit_run(llvm::Module& module, const kernel::Program& program,
                                 const planning::Plan& plan, const RunParts& parts,
                                 const Target& target) {
  return RunEmitter(module, program, plan, parts, target).emit();
}

}  // namespace hlocc::backends
