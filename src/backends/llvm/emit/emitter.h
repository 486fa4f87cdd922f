// The emitter's state while it walks one kernel, and the parts that its files share. Values of the
// kernel are LLVM values by id; unrolled bodies are simply emitted again with other values, so that
// an id has the value of its latest iteration.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backends/llvm/emit/pointers.h"
#include "backends/llvm/emit/types.h"
#include "kernel/kernel.h"
#include "llvm/IR/IRBuilder.h"
#include "target/target.h"

namespace llvm {
class TargetMachine;
}

namespace hlocc::backends {

class Emitter {
 public:
  Emitter(llvm::Function& function, const kernel::Kernel& kernel, const Target& target,
          llvm::TargetMachine& machine);

  // The whole body, with the entry block and the return.
  void emit_body();
  // The first op that had no form, or empty.
  const std::string& failure() const { return failure_; }

 private:
  void bind_arguments();
  // --- control (emit_control.cpp) ---
  void emit_region(const kernel::Region& region);
  void emit_op(const kernel::Op& op);
  void emit_loop(const kernel::Op& op);
  void emit_once(const kernel::Op& op, int64_t lower, int64_t trips);
  std::vector<RunningPointer> start_pointers(const kernel::Op& op, llvm::BasicBlock* before,
                                             llvm::BasicBlock* iteration);
  void emit_rolled_loop(const kernel::Op& op, std::optional<int64_t> trips);
  llvm::Value* exit_test(const kernel::Loop& loop, llvm::PHINode* counter,
                         std::span<const RunningPointer> running, std::optional<int64_t> trips,
                         llvm::BasicBlock* before);
  void emit_if(const kernel::Op& op);
  void emit_while(const kernel::Op& op);
  llvm::BasicBlock* new_block(const char* name);
  std::vector<llvm::Value*> values_of(std::span<const kernel::ValueId> ids) const;
  std::vector<llvm::PHINode*> make_phis(std::span<const kernel::ValueId> ids,
                                        std::span<llvm::Value* const> initial,
                                        llvm::BasicBlock* from);
  // --- memory (emit_memory.cpp) ---
  llvm::Value* emit_load(const kernel::Op& op);
  void emit_store(const kernel::Op& op);
  void emit_prefetch(const kernel::Op& op);
  llvm::Value* load_lanes(const kernel::Access& access, kernel::Type type);
  void store_lanes(const kernel::Access& access, llvm::Value* value, kernel::Type type);
  llvm::Value* load_contiguous(const kernel::Access& access, kernel::Type type, int64_t first);
  llvm::Value* gather(const kernel::Access& access, kernel::Type type);
  llvm::Value* lane_pointer(const kernel::Access& access, int lane);
  llvm::Value* plain_load(llvm::Value* pointer, kernel::Type type);
  void plain_store(llvm::Value* pointer, llvm::Value* value, kernel::Type type);
  llvm::Value* to_register(llvm::Value* memory, kernel::Type type);
  llvm::Value* to_memory(llvm::Value* value, kernel::Type type);
  int64_t alignment_of(const kernel::Access& access) const;
  int64_t lowest_alignment(const kernel::Access& access) const;
  llvm::Value* address_of_tile(const kernel::Access& access, kernel::Type type, int64_t first);
  llvm::Value* load_words(llvm::Value* pointer, kernel::Type type, int64_t alignment);
  llvm::Value* load_vector_of_words(llvm::Value* pointer, kernel::Type type);
  llvm::Value* load_vector(llvm::Value* pointer, kernel::Type type, int64_t alignment);
  void mark_read_only(llvm::Value* loaded, kernel::BufferId buffer);
  void store_words(llvm::Value* pointer, llvm::Value* stored, int64_t alignment);
  llvm::Value* mask_lane(llvm::Value* mask, int lane);
  // Runs `then` in a block of its own that is entered where `condition` holds.
  template <typename Then>
  void emit_guarded(llvm::Value* condition, const Then& then);
  // --- the rest ---
  llvm::Value* emit_constant(const kernel::Op& op);
  llvm::Value* emit_value(const kernel::Op& op);
  llvm::Type* type_of(kernel::Type type);
  llvm::Value* value(kernel::ValueId id) const { return values_[id]; }
  void fail(const kernel::Op& op);

  const kernel::Kernel& kernel_;
  const Target& target_;
  llvm::TargetMachine& machine_;
  llvm::Function& function_;
  llvm::IRBuilder<> builder_;
  std::vector<llvm::Value*> values_;  // by ValueId; null: not defined at this point
  Pointers pointers_;
  bool beside_sums_;                   // pointers leave even registers to a tile's sums
  llvm::MDNode* read_only_ = nullptr;  // then: the scope of what the kernel only reads
  std::string failure_;
};

}  // namespace hlocc::backends
