// Regions and control flow. Loops are emitted turned round: the test stands at the end, on a
// running pointer where the counter has no other use. Unrolled loops and loops of one iteration are
// repeated here.
#include "backends/llvm/emit/emitter.h"
#include "backends/llvm/idioms/tile_order.h"
#include "llvm/IR/Intrinsics.h"
#include "support/check.h"

namespace hlocc::backends {
namespace {

using kernel::Affine;
using kernel::Loop;
using kernel::Op;
using kernel::OpKind;
using kernel::Region;
using kernel::ValueId;

// Everything defined in the region has no value until it is emitted (again).
void forget(const Region& region, std::vector<llvm::Value*>& values) {
  for (ValueId id : region.arguments) values[id] = nullptr;
  for (const Op& op : region.ops) {
    for (ValueId id : op.results) values[id] = nullptr;
    for (const Region& inner : op.regions) forget(inner, values);
  }
}

std::span<const ValueId> carried_arguments(const Region& body) {
  return std::span(body.arguments).subspan(1);
}

int64_t trip_count(int64_t lower, int64_t upper, int64_t step) {
  return upper <= lower ? 0 : (upper - lower + step - 1) / step;
}

}  // namespace

void Emitter::emit_region(const Region& region) {
  for (const Op& op : region.ops) emit_op(op);
}

void Emitter::emit_op(const Op& op) {
  switch (op.kind) {
    case OpKind::kLoop: return emit_loop(op);
    case OpKind::kIf: return emit_if(op);
    case OpKind::kWhile: return emit_while(op);
    case OpKind::kStore: return emit_store(op);
    case OpKind::kPrefetch: return emit_prefetch(op);
    case OpKind::kLoad: values_[op.result()] = emit_load(op); return;
    case OpKind::kConstant: values_[op.result()] = emit_constant(op); return;
    default: values_[op.result()] = emit_value(op); return;
  }
}

std::vector<llvm::Value*> Emitter::values_of(std::span<const ValueId> ids) const {
  std::vector<llvm::Value*> out;
  for (ValueId id : ids) out.push_back(value(id));
  return out;
}

llvm::BasicBlock* Emitter::new_block(const char* name) {
  return llvm::BasicBlock::Create(builder_.getContext(), name, &function_);
}

std::vector<llvm::PHINode*> Emitter::make_phis(std::span<const ValueId> ids,
                                               std::span<llvm::Value* const> initial,
                                               llvm::BasicBlock* from) {
  std::vector<llvm::PHINode*> phis;
  for (size_t i = 0; i < ids.size(); ++i) {
    phis.push_back(builder_.CreatePHI(type_of(kernel_.type(ids[i])), 2));
    phis.back()->addIncoming(initial[i], from);
    values_[ids[i]] = phis.back();
  }
  return phis;
}

void Emitter::emit_loop(const Op& op) {
  const Loop& loop = op.loop();
  const Affine lower = pointers_.folded(loop.lower), upper = pointers_.folded(loop.upper);
  std::optional<int64_t> trips;
  if (lower.is_constant() && upper.is_constant())
    trips = trip_count(lower.offset, upper.offset, loop.step);
  if (trips && *trips <= 1) return emit_once(op, lower.offset, *trips);
  emit_rolled_loop(op, trips);
}

void Emitter::emit_once(const Op& op, int64_t lower, int64_t trips) {
  const Region& body = op.regions[0];
  std::vector<llvm::Value*> carried = values_of(op.operands);
  if (trips == 1) {
    values_[body.arguments[0]] =
        llvm::ConstantInt::getSigned(builder_.getIntNTy(target_.pointer_bits), lower);
    for (size_t i = 0; i < carried.size(); ++i) values_[body.arguments[i + 1]] = carried[i];
    emit_region(body);
    carried = values_of(body.yields);
  }
  for (size_t i = 0; i < carried.size(); ++i) values_[op.results[i]] = carried[i];
}

// The pointers that run with the loop's counter, each with the phi of its place in this iteration.
std::vector<RunningPointer> Emitter::start_pointers(const Op& op, llvm::BasicBlock* before,
                                                    llvm::BasicBlock* iteration) {
  const Loop& loop = op.loop();
  const Region& body = op.regions[0];
  const ValueId counter = body.arguments[0];
  std::vector<RunningPointer> running;
  for (RunningPointer& one : pointers_.pointers_with(body, counter)) {
    Affine start = Affine::constant(one.lowest);
    for (const Affine::Term& term : one.key.terms) {
      if (term.value != counter)
        start = start.plus(Affine::of(term.value, term.scale));
      else
        start = start.plus(loop.lower.times(term.scale)), one.step_bytes = term.scale * loop.step;
    }
    one.step_bytes *= pointers_.element_bytes(one.key.buffer);
    one.start = pointers_.address(one.key.buffer, start);
    llvm::PHINode* phi = llvm::PHINode::Create(builder_.getPtrTy(), 2, "p", iteration);
    phi->addIncoming(one.start, before);
    one.pointer = phi;
    running.push_back(std::move(one));
  }
  return running;
}

void Emitter::emit_rolled_loop(const Op& op, std::optional<int64_t> trips) {
  const Loop& loop = op.loop();
  const Region& body = op.regions[0];
  const std::vector<llvm::Value*> initial = values_of(op.operands);
  llvm::BasicBlock* guard = builder_.GetInsertBlock();
  llvm::BasicBlock *before = guard, *iteration = new_block("loop"), *exit = new_block("exit");
  if (!trips) {
    before = new_block("enter");
    llvm::Value* any =
        builder_.CreateICmpSLT(pointers_.number(loop.lower), pointers_.number(loop.upper));
    builder_.CreateCondBr(any, before, exit);
    builder_.SetInsertPoint(before);
  }
  forget(body, values_);
  llvm::Value* first = pointers_.number(loop.lower);
  // The branch comes first, so that later code can be put in front of it.
  builder_.SetInsertPoint(builder_.CreateBr(iteration));
  const ValueId counter_id = body.arguments[0];
  llvm::PHINode* counter = llvm::PHINode::Create(first->getType(), 2, "i", iteration);
  values_[counter_id] = counter;

  std::vector<RunningPointer> running = start_pointers(op, before, iteration);
  builder_.SetInsertPoint(iteration);
  const size_t mark = pointers_.mark();
  for (const RunningPointer& one : running) pointers_.add(one);
  const std::vector<llvm::PHINode*> phis = make_phis(carried_arguments(body), initial, before);
  emit_region(body);
  std::map<const llvm::Value*, llvm::Value*> last;
  for (size_t i = 0; i < running.size(); ++i)
    last[running[i].pointer] = pointers_[mark + i].pointer;
  pointers_.release(mark);

  llvm::BasicBlock* latch = builder_.GetInsertBlock();
  const std::vector<llvm::Value*> yielded = values_of(body.yields);
  for (size_t i = 0; i < phis.size(); ++i) phis[i]->addIncoming(yielded[i], latch);
  std::erase_if(running, [](const RunningPointer& one) {
    auto* phi = llvm::cast<llvm::PHINode>(one.pointer);
    return phi->use_empty() && (phi->eraseFromParent(), true);
  });
  for (const RunningPointer& one : running) {
    auto* phi = llvm::cast<llvm::PHINode>(one.pointer);
    llvm::Value* step = llvm::ConstantInt::getSigned(first->getType(), one.step_bytes);
    llvm::Value* next = builder_.CreateGEP(builder_.getInt8Ty(), last.at(phi), step);
    phi->addIncoming(beside_sums_ ? in_odd_register(builder_, next) : next, latch);
  }
  counter->addIncoming(first, before);
  llvm::Value* again = exit_test(loop, counter, running, trips, before);
  values_[counter_id] = nullptr;
  builder_.CreateCondBr(again, iteration, exit);
  builder_.SetInsertPoint(exit);
  for (size_t i = 0; i < op.results.size(); ++i) {
    values_[op.results[i]] = yielded[i];
    if (trips) continue;
    llvm::PHINode* result = builder_.CreatePHI(yielded[i]->getType(), 2);
    result->addIncoming(initial[i], guard);
    result->addIncoming(yielded[i], latch);
    values_[op.results[i]] = result;
  }
}

// True while there is another iteration. Completes the counter's phi, or removes it when a pointer
// can stand for it.
llvm::Value* Emitter::exit_test(const Loop& loop, llvm::PHINode* counter,
                                std::span<const RunningPointer> running,
                                std::optional<int64_t> trips, llvm::BasicBlock* before) {
  llvm::BasicBlock* latch = builder_.GetInsertBlock();
  if (counter->use_empty() && !running.empty() && trips) {
    counter->eraseFromParent();
    const RunningPointer& one = running.front();
    builder_.SetInsertPoint(before->getTerminator());
    llvm::Value* bytes = llvm::ConstantInt::getSigned(builder_.getIntNTy(target_.pointer_bits),
                                                      one.step_bytes * *trips);
    llvm::Value* end = builder_.CreateGEP(builder_.getInt8Ty(), one.start, bytes);
    builder_.SetInsertPoint(latch);
    return builder_.CreateICmpNE(
        llvm::cast<llvm::PHINode>(one.pointer)->getIncomingValueForBlock(latch), end);
  }
  llvm::Value* next =
      builder_.CreateNSWAdd(counter, llvm::ConstantInt::getSigned(counter->getType(), loop.step));
  counter->addIncoming(next, latch);
  builder_.SetInsertPoint(before->getTerminator());
  llvm::Value* end =
      trips ? pointers_.number(loop.lower.plus(loop.step * *trips)) : pointers_.number(loop.upper);
  builder_.SetInsertPoint(latch);
  return trips ? builder_.CreateICmpNE(next, end) : builder_.CreateICmpSLT(next, end);
}

void Emitter::emit_if(const Op& op) {
  llvm::BasicBlock *blocks[2] = {new_block("then"), new_block("else")}, *join = new_block("join");
  builder_.CreateCondBr(value(op.operands[0]), blocks[0], blocks[1]);
  std::vector<llvm::Value*> yielded[2];
  llvm::BasicBlock* ends[2];
  for (int side = 0; side < 2; ++side) {
    builder_.SetInsertPoint(blocks[side]);
    if (static_cast<size_t>(side) < op.regions.size()) {
      emit_region(op.regions[side]);
      yielded[side] = values_of(op.regions[side].yields);
    }
    ends[side] = builder_.GetInsertBlock();
    builder_.CreateBr(join);
  }
  builder_.SetInsertPoint(join);
  for (size_t i = 0; i < op.results.size(); ++i) {
    llvm::PHINode* phi = builder_.CreatePHI(yielded[0][i]->getType(), 2);
    for (int side = 0; side < 2; ++side) phi->addIncoming(yielded[side][i], ends[side]);
    values_[op.results[i]] = phi;
  }
}

void Emitter::emit_while(const Op& op) {
  const Region &condition = op.regions[0], &body = op.regions[1];
  const std::vector<llvm::Value*> initial = values_of(op.operands);
  llvm::BasicBlock *before = builder_.GetInsertBlock(), *head = new_block("while"),
                   *iteration = new_block("iteration"), *exit = new_block("exit");
  forget(condition, values_);
  forget(body, values_);
  builder_.CreateBr(head);
  builder_.SetInsertPoint(head);
  const std::vector<llvm::PHINode*> phis = make_phis(condition.arguments, initial, before);
  emit_region(condition);
  builder_.CreateCondBr(value(condition.yields[0]), iteration, exit);
  builder_.SetInsertPoint(iteration);
  for (size_t i = 0; i < phis.size(); ++i) values_[body.arguments[i]] = phis[i];
  emit_region(body);
  const std::vector<llvm::Value*> next = values_of(body.yields);
  for (size_t i = 0; i < phis.size(); ++i) phis[i]->addIncoming(next[i], builder_.GetInsertBlock());
  builder_.CreateBr(head);
  builder_.SetInsertPoint(exit);
  for (size_t i = 0; i < phis.size(); ++i) values_[op.results[i]] = phis[i];
}

}  // namespace hlocc::backends
