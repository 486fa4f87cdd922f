// Walks the steps. Values that planning merged have one place, so that binding while state or the
// results of a branch needs no code; a plan that keeps them apart is refused.
#include "backends/cpu/run_function.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "backends/common/run_checks.h"
#include "backends/common/run_pieces.h"
#include "backends/llvm/target_machine.h"
#include "kernel/instance.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "planning/interface.h"
#include "planning/timed_steps.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

using kernel::ProgramValueId;
using kernel::ValueRole;
using planning::Place;

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
  void return_if_null(llvm::Value* pointer);
  void load_arguments();
  llvm::Value* load_argument(size_t leaf);
  void deliver_results();
  void deliver_result(size_t leaf);
  Status emit_steps(const kernel::Steps& steps);
  Status emit_steps(const kernel::Steps& steps, size_t begin, size_t end);
  Status emit_branch(const kernel::Steps& steps, int others);
  template <typename Inside>
  llvm::Function* function_beside_run(std::string_view suffix, llvm::FunctionType* type,
                                      const Inside& inside);
  template <typename Inside>
  void emit_piece(const Inside& inside);
  void mark(int32_t step);
  Status emit_step(const kernel::Launch& launch);
  llvm::Function* threads_hook();
  llvm::Function* range_function(const kernel::Launch& launch);
  Status emit_step(const kernel::Copy& copy);
  Status emit_step(const kernel::WhileStep& step);
  Status emit_step(const kernel::ConditionalStep& step);
  Status emit_step(const kernel::UserCall& call);
  Status emit_step(const kernel::Transfer& transfer);
  Status emit_step(const kernel::Submit& submit);
  Status emit_step(const kernel::Wait& wait);
  void call_hook(const char* name, const std::vector<llvm::Value*>& arguments);
  llvm::Function* cache_hook(const char* name);
  void keep_cache(const char* name, llvm::Value* begin, int64_t bytes);
  llvm::Value* number(int64_t value) { return builder_.getInt32(static_cast<uint32_t>(value)); }
  llvm::Value* size(int64_t bytes) { return llvm::ConstantInt::getSigned(index_type(), bytes); }

  llvm::Value* slot(int64_t offset) { return offset_by(instance_, offset); }
  llvm::Value* offset_by(llvm::Value* pointer, int64_t bytes);
  llvm::Value* place_pointer(const Place& place);
  llvm::Value* value_pointer(ProgramValueId id);
  llvm::Value* pointer_array(std::span<const ProgramValueId> ids);
  llvm::Value* is_true(ProgramValueId pred);
  llvm::Type* index_type() { return builder_.getIntNTy(target_.pointer_bits); }
  void copy_bytes(llvm::Value* to, llvm::Value* from, int64_t bytes);
  llvm::BasicBlock* new_block(const char* name) {
    return llvm::BasicBlock::Create(module_.getContext(), name, function_);
  }
  template <typename Then>
  void emit_if(llvm::Value* condition, const Then& then);

  llvm::Module& module_;
  const kernel::Program& program_;
  const planning::Plan& plan_;
  const RunParts& parts_;
  const Target& target_;
  kernel::InstanceLayout layout_;
  const bool in_pieces_;
  bool in_piece_ = false;
  llvm::IRBuilder<> builder_;
  llvm::Function* function_ = nullptr;
  llvm::Value *instance_ = nullptr, *arena_ = nullptr;
  std::vector<llvm::Value*> arguments_;  // by leaf: where its value is read
  struct Coming {
    llvm::Value* to;
    int64_t bytes;
  };
  int32_t profile_step_ = 0;                   // the number of the next one: planning/timed_steps.h
  llvm::Value* identity_ = nullptr;            // what the profile's hook is told of the model
  std::map<int, std::vector<Coming>> coming_;  // by queue: what it brings to this memory
};

llvm::Value* RunEmitter::offset_by(llvm::Value* pointer, int64_t bytes) {
  if (bytes == 0) return pointer;
  return builder_.CreateGEP(builder_.getInt8Ty(), pointer,
                            llvm::ConstantInt::getSigned(index_type(), bytes));
}

llvm::Value* RunEmitter::place_pointer(const Place& place) {
  if (place.region == planning::Region::kArena) return offset_by(arena_, place.offset);
  if (place.region == planning::Region::kState) return slot(layout_.state_offset() + place.offset);
  // Without a byte of constants there is no section, and what lies there is empty.
  if (parts_.weights == nullptr) return llvm::ConstantPointerNull::get(builder_.getPtrTy());
  return offset_by(parts_.weights, parts_.pool_offset + place.offset);
}

llvm::Value* RunEmitter::value_pointer(ProgramValueId id) {
  const kernel::ProgramValue& value = plan_.values[id];
  if (value.role == ValueRole::kArgument && in_pieces_)
    return load_argument(static_cast<size_t>(value.leaf));
  if (value.role == ValueRole::kArgument && arguments_[value.leaf] != nullptr)
    return arguments_[value.leaf];
  return place_pointer(plan_.places[id]);
}

void RunEmitter::copy_bytes(llvm::Value* to, llvm::Value* from, int64_t bytes) {
  const llvm::MaybeAlign byte_aligned(1);
  builder_.CreateMemCpy(to, byte_aligned, from, byte_aligned, static_cast<uint64_t>(bytes));
}

template <typename Then>
void RunEmitter::emit_if(llvm::Value* condition, const Then& then) {
  llvm::BasicBlock *inside = new_block("then"), *join = new_block("join");
  builder_.CreateCondBr(condition, inside, join);
  builder_.SetInsertPoint(inside);
  then();
  builder_.CreateBr(join);
  builder_.SetInsertPoint(join);
}

Result<llvm::Function*> RunEmitter::emit() {
  llvm::Type* pointer = builder_.getPtrTy();
  auto* type = llvm::FunctionType::get(builder_.getInt32Ty(), {pointer}, false);
  function_ =
      llvm::Function::Create(type, llvm::Function::ExternalLinkage,
                             planning::run_symbol(program_.signature, plan_, target_), module_);
  function_->setDSOLocal(true);
  set_function_attributes(*function_, target_);
  builder_.SetInsertPoint(new_block("entry"));
  instance_ = function_->getArg(0);
  return_if_null(instance_);
  arena_ = builder_.CreateLoad(pointer, slot(layout_.arena_slot()));
  return_if_null(arena_);
  load_arguments();
  HLOCC_TRY(check_bindings(plan_));
  mark(kProfileBegin);
  HLOCC_TRY(emit_steps(plan_.steps));
  mark(kProfileEnd);
  deliver_results();
  builder_.CreateRet(builder_.getInt32(0));
  return function_;
}

void RunEmitter::return_if_null(llvm::Value* pointer) {
  llvm::BasicBlock *leave = new_block("null"), *go_on = new_block("given");
  builder_.CreateCondBr(builder_.CreateIsNull(pointer), leave, go_on);
  builder_.SetInsertPoint(leave);
  builder_.CreateRet(builder_.getInt32(kErrorNull));
  builder_.SetInsertPoint(go_on);
}

// An argument is read where it is, in the arena or in a buffer of the caller's; nothing is written
// through its value.
void RunEmitter::load_arguments() {
  arguments_.assign(program_.arguments.size(), nullptr);
  // Pieces load what they read.
  if (in_pieces_) return;
  for (size_t leaf = 0; leaf < program_.arguments.size(); ++leaf)
    if (plan_.values[program_.arguments[leaf]].role == ValueRole::kArgument)
      arguments_[leaf] = load_argument(leaf);
}

llvm::Value* RunEmitter::load_argument(size_t leaf) {
  return builder_.CreateLoad(builder_.getPtrTy(),
                             slot(layout_.argument_slot(static_cast<int>(leaf))));
}

void RunEmitter::deliver_results() {
  const size_t all = program_.results.size();
  const auto deliver = [&](size_t begin, size_t end) {
    for (size_t leaf = begin; leaf < end; ++leaf) deliver_result(leaf);
  };
  if (!in_pieces_) return deliver(0, all);
  for (size_t begin = 0; begin < all; begin += kMostStepsInPiece)
    emit_piece([&] { deliver(begin, std::min(all, begin + kMostStepsInPiece)); });
}

void RunEmitter::deliver_result(size_t leaf) {
  if (program_.signature.results[leaf].donated) return;
  const Place& place = plan_.result_places[leaf];
  llvm::Value* home = place_pointer(place);
  llvm::Value* wanted =
      builder_.CreateLoad(builder_.getPtrTy(), slot(layout_.result_slot(static_cast<int>(leaf))));
  emit_if(builder_.CreateICmpNE(wanted, home), [&] { copy_bytes(wanted, home, place.bytes); });
}

// A function of the object's own that finds its places as run does; its first parameter is the
// instance.
template <typename Inside>
llvm::Function* RunEmitter::function_beside_run(std::string_view suffix, llvm::FunctionType* type,
                                                const Inside& inside) {
  llvm::Function* const run = function_;
  const auto place = builder_.saveIP();
  const auto held = std::tuple(instance_, arena_, arguments_);
  const std::string symbol = planning::run_symbol(program_.signature, plan_, target_);
  function_ =
      llvm::Function::Create(type, llvm::Function::InternalLinkage, cat(symbol, suffix), module_);
  set_function_attributes(*function_, target_);
  builder_.SetInsertPoint(new_block("entry"));
  instance_ = function_->getArg(0);
  arena_ = builder_.CreateLoad(builder_.getPtrTy(), slot(layout_.arena_slot()));
  load_arguments();
  inside();
  builder_.CreateRetVoid();
  llvm::Function* const made = std::exchange(function_, run);
  std::tie(instance_, arena_, arguments_) = held;
  builder_.restoreIP(place);
  return made;
}

template <typename Inside>
void RunEmitter::emit_piece(const Inside& inside) {
  auto* type = llvm::FunctionType::get(builder_.getVoidTy(), {builder_.getPtrTy()}, false);
  in_piece_ = true;
  llvm::Function* const piece = function_beside_run(piece_prefix(""), type, inside);
  in_piece_ = false;
  piece->addFnAttr(llvm::Attribute::NoInline);
  builder_.CreateCall(piece, {instance_});
}

Status RunEmitter::emit_steps(const kernel::Steps& steps) {
  if (!in_pieces_) return emit_steps(steps, 0, steps.size());
  const std::vector<RunPiece> pieces = pieces_of(steps);
  for (const RunPiece& piece : pieces) {
    if (piece.alone || pieces.size() == 1) {
      HLOCC_TRY(emit_steps(steps, piece.begin, piece.end));
      continue;
    }
    Status status;
    emit_piece([&] { status = emit_steps(steps, piece.begin, piece.end); });
    HLOCC_TRY(std::move(status));
  }
  return {};
}

Status RunEmitter::emit_steps(const kernel::Steps& steps, size_t begin, size_t end) {
  for (size_t i = begin; i < end; ++i) {
    if (planning::takes_time(steps[i], plan_)) mark(profile_step_++);
    HLOCC_TRY(std::visit([&](const auto& what) { return emit_step(what); }, steps[i].what));
  }
  return {};
}

// Tells a profile what begins now. The weak definition does nothing: whoever counts defines the
// function (runtime_stub/hlocc_profile.h).
void RunEmitter::mark(int32_t step) {
  if (!target_.options.profile) return;
  llvm::Function* hook = module_.getFunction(kProfileHook);
  if (hook == nullptr) {
    auto* type = llvm::FunctionType::get(builder_.getVoidTy(),
                                         {builder_.getPtrTy(), builder_.getInt32Ty()}, false);
    hook = llvm::Function::Create(type, llvm::Function::WeakAnyLinkage, kProfileHook, module_);
    set_function_attributes(*hook, target_);
    // As C passes int32_t: there are processors whose registers are wider.
    hook->addParamAttr(1, llvm::Attribute::SExt);
    llvm::IRBuilder<>(llvm::BasicBlock::Create(module_.getContext(), "none", hook)).CreateRetVoid();
  }
  if (identity_ == nullptr)
    identity_ = builder_.CreateGlobalString(planning::profile_identity(program_, plan_, target_),
                                            "profile");
  builder_.CreateCall(hook, {identity_, number(step)})
      ->setAttributes(hook->getAttributes().removeFnAttributes(module_.getContext()));
}

// One thread: the weak definition takes range after range. Who has more defines the function
// (runtime_stub/hlocc_threads.h).
llvm::Function* RunEmitter::threads_hook() {
  if (llvm::Function* known = module_.getFunction(kThreadsHook)) return known;
  llvm::Type *pointer = builder_.getPtrTy(), *number = builder_.getInt32Ty();
  auto* type = llvm::FunctionType::get(builder_.getVoidTy(), {number, pointer, pointer}, false);
  auto* body_type = llvm::FunctionType::get(builder_.getVoidTy(), {pointer, number}, false);
  llvm::Function* hook =
      llvm::Function::Create(type, llvm::Function::WeakAnyLinkage, kThreadsHook, module_);
  set_function_attributes(*hook, target_);
  hook->addParamAttr(0, llvm::Attribute::SExt);
  llvm::LLVMContext& context = module_.getContext();
  auto *entry = llvm::BasicBlock::Create(context, "entry", hook),
       *head = llvm::BasicBlock::Create(context, "head", hook),
       *turn = llvm::BasicBlock::Create(context, "turn", hook),
       *exit = llvm::BasicBlock::Create(context, "exit", hook);
  llvm::IRBuilder<> b(entry);
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

// void (instance, range): one range of the launch.
llvm::Function* RunEmitter::range_function(const kernel::Launch& launch) {
  auto* type = llvm::FunctionType::get(builder_.getVoidTy(),
                                       {builder_.getPtrTy(), builder_.getInt32Ty()}, false);
  return function_beside_run("_range", type, [&] {
    function_->addParamAttr(1, llvm::Attribute::SExt);
    std::vector<llvm::Value*> operands;
    for (ProgramValueId id : launch.operands) operands.push_back(value_pointer(id));
    operands.push_back(builder_.CreateSExtOrTrunc(function_->getArg(1), index_type()));
    for (const int64_t number : launch.integers)
      operands.push_back(llvm::ConstantInt::getSigned(index_type(), number));
    builder_.CreateCall(parts_.kernels[launch.kernel], operands);
  });
}

Status RunEmitter::emit_step(const kernel::Launch& launch) {
  if (launch.ranges > 1) {
    llvm::Function* const hook = threads_hook();
    builder_.CreateCall(hook, {number(launch.ranges), range_function(launch), instance_})
        ->setAttributes(hook->getAttributes().removeFnAttributes(module_.getContext()));
    return {};
  }
  std::vector<llvm::Value*> operands;
  for (ProgramValueId id : launch.operands) operands.push_back(value_pointer(id));
  for (const int64_t number : launch.integers)
    operands.push_back(llvm::ConstantInt::getSigned(index_type(), number));
  builder_.CreateCall(parts_.kernels[launch.kernel], operands);
  return {};
}

// A copy within one place brings home an argument that the caller may have elsewhere.
Status RunEmitter::emit_step(const kernel::Copy& copy) {
  llvm::Value *to = value_pointer(copy.to), *from = value_pointer(copy.from);
  const int64_t bytes = plan_.values[copy.from].bytes();
  const CopyNeed need = need_of(copy, plan_);
  if (need == CopyNeed::kAlways) copy_bytes(to, from, bytes);
  if (need == CopyNeed::kUnlessHome)
    emit_if(builder_.CreateICmpNE(to, from), [&] { copy_bytes(to, from, bytes); });
  return {};
}

llvm::Value* RunEmitter::is_true(ProgramValueId pred) {
  return builder_.CreateIsNotNull(builder_.CreateLoad(builder_.getInt8Ty(), value_pointer(pred)));
}

Status RunEmitter::emit_step(const kernel::WhileStep& step) {
  llvm::BasicBlock *head = new_block("while"), *turn = new_block("turn"), *exit = new_block("exit");
  builder_.CreateBr(head);
  builder_.SetInsertPoint(head);
  HLOCC_TRY(emit_steps(step.condition));
  builder_.CreateCondBr(is_true(step.condition_value), turn, exit);
  builder_.SetInsertPoint(turn);
  HLOCC_TRY(emit_steps(step.body));
  builder_.CreateBr(head);
  builder_.SetInsertPoint(exit);
  return {};
}

Status RunEmitter::emit_step(const kernel::ConditionalStep& step) {
  llvm::Value* selector = nullptr;
  const int last = static_cast<int>(step.branches.size()) - 1;
  const bool is_pred = plan_.values[step.selector].element == kernel::Scalar::kPred;
  if (is_pred)
    selector =
        builder_.CreateSelect(is_true(step.selector), builder_.getInt32(0), builder_.getInt32(1));
  else
    selector = builder_.CreateAlignedLoad(builder_.getInt32Ty(), value_pointer(step.selector),
                                          llvm::Align(4));
  llvm::BasicBlock* exit = new_block("chosen");
  llvm::BasicBlock* fallback = new_block("branch");
  llvm::SwitchInst* choice = builder_.CreateSwitch(selector, fallback, last);
  for (int branch = 0; branch <= last; ++branch) {
    llvm::BasicBlock* block = branch == last ? fallback : new_block("branch");
    if (branch != last) choice->addCase(builder_.getInt32(branch), block);
    builder_.SetInsertPoint(block);
    HLOCC_TRY(emit_branch(step.branches[branch], last));
    builder_.CreateBr(exit);
  }
  builder_.SetInsertPoint(exit);
  return {};
}

// Beside many others a branch is a piece of its own.
Status RunEmitter::emit_branch(const kernel::Steps& steps, int others) {
  const bool cut = in_pieces_ && !in_piece_ && others >= kMostBranchesInOne;
  if (!cut || pieces_of(steps).size() != 1 || pieces_of(steps)[0].alone) return emit_steps(steps);
  Status status;
  emit_piece([&] { status = emit_steps(steps); });
  return status;
}

llvm::Value* RunEmitter::pointer_array(std::span<const ProgramValueId> ids) {
  llvm::Type* pointer = builder_.getPtrTy();
  llvm::IRBuilder<> entry(&function_->getEntryBlock(), function_->getEntryBlock().begin());
  llvm::Value* array =
      entry.CreateAlloca(llvm::ArrayType::get(pointer, std::max<size_t>(ids.size(), 1)));
  for (size_t i = 0; i < ids.size(); ++i)
    builder_.CreateStore(value_pointer(ids[i]),
                         offset_by(array, static_cast<int64_t>(i) * target_.pointer_bits / 8));
  return array;
}

Status RunEmitter::emit_step(const kernel::UserCall& call) {
  llvm::Type* pointer = builder_.getPtrTy();
  auto* type = llvm::FunctionType::get(builder_.getVoidTy(), {pointer, pointer}, false);
  builder_.CreateCall(module_.getOrInsertFunction(call.symbol, type),
                      {pointer_array(call.operands), pointer_array(call.results)});
  return {};
}

// A weak definition that says there is no device: whoever has one defines the function.
void RunEmitter::call_hook(const char* name, const std::vector<llvm::Value*>& arguments) {
  std::vector<llvm::Type*> types;
  for (const llvm::Value* argument : arguments) types.push_back(argument->getType());
  llvm::Function* hook = module_.getFunction(name);
  if (hook == nullptr) {
    hook = llvm::Function::Create(llvm::FunctionType::get(builder_.getInt32Ty(), types, false),
                                  llvm::Function::WeakAnyLinkage, name, module_);
    set_function_attributes(*hook, target_);
    // As C passes int32_t: there are processors whose registers are wider.
    for (unsigned i = 0; i < arguments.size(); ++i)
      if (types[i]->isIntegerTy(32)) hook->addParamAttr(i, llvm::Attribute::SExt);
    hook->addRetAttr(llvm::Attribute::SExt);
    llvm::IRBuilder<> inside(llvm::BasicBlock::Create(module_.getContext(), "none", hook));
    inside.CreateRet(inside.getInt32(kErrorDevice));
  }
  llvm::CallInst* code = builder_.CreateCall(hook, arguments);
  code->setAttributes(hook->getAttributes().removeFnAttributes(module_.getContext()));
  llvm::BasicBlock *leave = new_block("failed"), *go_on = new_block("began");
  builder_.CreateCondBr(builder_.CreateIsNotNull(code), leave, go_on);
  builder_.SetInsertPoint(leave);
  builder_.CreateRet(code);
  builder_.SetInsertPoint(go_on);
}

// Without a cache, or where the device sees it, there is nothing to do.
llvm::Function* RunEmitter::cache_hook(const char* name) {
  if (llvm::Function* known = module_.getFunction(name)) return known;
  auto* type =
      llvm::FunctionType::get(builder_.getVoidTy(), {builder_.getPtrTy(), index_type()}, false);
  llvm::Function* hook =
      llvm::Function::Create(type, llvm::Function::WeakAnyLinkage, name, module_);
  set_function_attributes(*hook, target_);
  llvm::IRBuilder<>(llvm::BasicBlock::Create(module_.getContext(), "none", hook)).CreateRetVoid();
  return hook;
}

void RunEmitter::keep_cache(const char* name, llvm::Value* begin, int64_t bytes) {
  builder_.CreateCall(cache_hook(name), {begin, size(bytes)});
}

Status RunEmitter::emit_step(const kernel::Transfer& transfer) {
  const Place &from = plan_.places[transfer.from], &to = plan_.places[transfer.to];
  if (from.memory != 0 && to.memory != 0)
    return error(DiagnosticKind::kUnsupported, cat("a transfer between the memories ", from.memory,
                                                   " and ", to.memory, " of two devices"));
  if (from.bytes == 0) return {};
  const bool sends = from.memory == 0;
  const Place& far = sends ? to : from;
  llvm::Value* near = value_pointer(sends ? transfer.from : transfer.to);
  keep_cache(sends ? "hlocc_device_clean" : "hlocc_device_invalidate", near, from.bytes);
  call_hook(sends ? "hlocc_device_put" : "hlocc_device_get",
            {instance_, number(transfer.queue), number(far.memory), size(far.offset), near,
             size(from.bytes)});
  if (!sends) coming_[transfer.queue].push_back({near, from.bytes});
  return {};
}

Status RunEmitter::emit_step(const kernel::Submit& submit) {
  std::vector<ProgramValueId> ids = submit.operands;
  ids.insert(ids.end(), submit.results.begin(), submit.results.end());
  llvm::IRBuilder<> entry(&function_->getEntryBlock(), function_->getEntryBlock().begin());
  llvm::Value* offsets =
      entry.CreateAlloca(llvm::ArrayType::get(index_type(), std::max<size_t>(ids.size(), 1)));
  for (size_t i = 0; i < ids.size(); ++i)
    builder_.CreateStore(size(plan_.places[ids[i]].offset),
                         offset_by(offsets, static_cast<int64_t>(i) * target_.pointer_bits / 8));
  const int memory = ids.empty() ? 1 : plan_.places[ids[0]].memory;
  call_hook("hlocc_device_submit", {instance_, number(submit.queue), number(memory),
                                    builder_.CreateGlobalString(submit.part), offsets,
                                    number(static_cast<int64_t>(submit.operands.size())),
                                    number(static_cast<int64_t>(submit.results.size()))});
  return {};
}

Status RunEmitter::emit_step(const kernel::Wait& wait) {
  call_hook("hlocc_device_wait", {instance_, number(wait.queue)});
  for (const Coming& one : coming_[wait.queue])
    keep_cache("hlocc_device_invalidate", one.to, one.bytes);
  coming_.erase(wait.queue);
  return {};
}

}  // namespace

Result<llvm::Function*> emit_run(llvm::Module& module, const kernel::Program& program,
                                 const planning::Plan& plan, const RunParts& parts,
                                 const Target& target) {
  return RunEmitter(module, program, plan, parts, target).emit();
}

}  // namespace hlocc::backends
