// Calls of the user's functions and of the hooks of devices, with tables of addresses on the stack.
#include <algorithm>

#include "backends/cpu/run_emitter.h"
#include "backends/cpu/run_hooks.h"

namespace hlocc::backends {

llvm::Value* RunEmitter::array(llvm::Type* element, llvm::ArrayRef<llvm::Value*> values) {
  llvm::IRBuilder<> entry(&function_->getEntryBlock(), function_->getEntryBlock().begin());
  llvm::Value* array =
      entry.CreateAlloca(llvm::ArrayType::get(element, std::max<size_t>(values.size(), 1)));
  for (size_t i = 0; i < values.size(); ++i)
    builder_.CreateStore(values[i],
                         offset_by(array, static_cast<int64_t>(i) * target_.pointer_bits / 8));
  return array;
}

llvm::Value* RunEmitter::pointer_array(const std::vector<RunAddress>& addresses) {
  std::vector<llvm::Value*> pointers;
  for (const RunAddress& address : addresses) pointers.push_back(pointer(address));
  return array(builder_.getPtrTy(), pointers);
}

void RunEmitter::emit(const RunUserCall& call) {
  llvm::Type* pointer = builder_.getPtrTy();
  auto* type = llvm::FunctionType::get(builder_.getVoidTy(), {pointer, pointer}, false);
  builder_.CreateCall(module_.getOrInsertFunction(call.symbol, type),
                      {pointer_array(call.operands), pointer_array(call.results)});
}

void RunEmitter::call_device(const char* name, llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::Value* const code = call_hook(device_hook(module_, target_, name), arguments);
  return_if(builder_.CreateIsNotNull(code), code);
}

void RunEmitter::emit(const RunTransfer& transfer) {
  call_device(transfer.sends ? "hlocc_device_put" : "hlocc_device_get",
              {instance_, number(transfer.queue), number(transfer.memory), size(transfer.offset),
               pointer(transfer.here), size(transfer.bytes)});
}

void RunEmitter::emit(const RunSubmit& submit) {
  std::vector<llvm::Value*> offsets;
  for (const int64_t offset : submit.offsets) offsets.push_back(size(offset));
  llvm::Value* const table = array(index_type(), offsets);
  call_device("hlocc_device_submit", {instance_, number(submit.queue), number(submit.memory),
                                      builder_.CreateGlobalString(submit.part), table,
                                      number(static_cast<int64_t>(submit.operands)),
                                      number(static_cast<int64_t>(submit.results))});
}

void RunEmitter::emit(const RunWait& wait) {
  call_device("hlocc_device_wait", {instance_, number(wait.queue)});
}

void RunEmitter::emit(const RunCache& cache) {
  const char* const name = cache.clean ? "hlocc_device_clean" : "hlocc_device_invalidate";
  builder_.CreateCall(device_hook(module_, target_, name),
                      {pointer(cache.begin), size(cache.bytes)});
}

}  // namespace hlocc::backends
