// Addresses of loads and stores. An address is a buffer, terms that are not constant, and a
// constant offset. In every loop each (buffer, terms) that holds the loop's counter gets a running
// pointer, which the loop steps; constant offsets fold into the instruction, and what is out of
// reach of one pointer gets another. So a tile's operand costs an addition or two an iteration,
// however many rows and columns are read of it, and no index arithmetic is left for LLVM's strength
// reduction to guess about. Multiples of a kernel's integer parameters are distances like constant
// ones, but take an addition each.
#pragma once
#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "kernel/kernel.h"
#include "llvm/IR/IRBuilder.h"
#include "target/target.h"

namespace hlocc::backends {

struct PointerKey {
  kernel::BufferId buffer = kernel::kNone;
  std::vector<kernel::Affine::Term> terms;  // sorted by value
  bool operator==(const PointerKey&) const = default;
};

// A pointer that is valid from here on in the code: a buffer's start (no terms), or the phi of a
// loop. A loop's points to the lowest of the elements that are read at constant distances of one
// another, or to one in their middle, so that small offsets reach them all.
struct RunningPointer {
  PointerKey key;
  int64_t lowest = 0;
  llvm::Value* pointer = nullptr;
  // Of the loop's phi: where it starts, and the bytes of one iteration.
  llvm::Value* start = nullptr;
  int64_t step_bytes = 0;
};

class Pointers {
 public:
  Pointers(const kernel::Kernel& kernel, const std::vector<llvm::Value*>& values,
           llvm::IRBuilder<>& builder, const Target& target)
      : kernel_(kernel),
        values_(values),
        builder_(builder),
        target_(target),
        pointer_bits_(target.pointer_bits) {}

  void add(RunningPointer pointer) { active_.push_back(std::move(pointer)); }
  size_t mark() const { return active_.size(); }
  void release(size_t mark) { active_.resize(mark); }

  // The address of element `at` of the buffer.
  llvm::Value* address(kernel::BufferId buffer, const kernel::Affine& at);
  // The same; where a pointer of the loop that is emitted leads there, `renew` makes another of it
  // first, which stands for it from there on.
  llvm::Value* address(kernel::BufferId buffer, const kernel::Affine& at,
                       const std::function<llvm::Value*(llvm::Value*)>& renew);
  const RunningPointer& operator[](size_t n) const { return active_[n]; }
  // The affine number as an integer of the pointer's width.
  llvm::Value* number(const kernel::Affine& affine);
  // Terms whose values are constants here go into the offset.
  kernel::Affine folded(const kernel::Affine& affine) const;
  // The (buffer, terms) of all accesses below `body` that hold the counter, with terms that are
  // known before the loop or are the counter. Carried values and everything defined in the body
  // must have no value yet.
  std::vector<RunningPointer> pointers_with(const kernel::Region& body,
                                            kernel::ValueId counter) const;
  int element_bytes(kernel::BufferId buffer) const;

 private:
  // The constant distances at which a loop reads or writes beside its counter.
  struct Reads {
    PointerKey key;
    std::set<int64_t> offsets;
  };
  std::vector<int64_t> starts(const Reads& reads) const;
  std::vector<int64_t> in_one(const Reads& reads, std::vector<int64_t> starts) const;
  llvm::Value* constant(int64_t number) const;
  bool is_parameter(kernel::ValueId value) const;
  llvm::Value* step_by(llvm::Value* pointer, const kernel::Affine::Term& term, int bytes);
  void collect(const kernel::Region& region, kernel::ValueId counter,
               std::vector<Reads>& found) const;

  const kernel::Kernel& kernel_;
  const std::vector<llvm::Value*>& values_;
  llvm::IRBuilder<>& builder_;
  const Target& target_;
  int pointer_bits_;
  std::vector<RunningPointer> active_;
};

}  // namespace hlocc::backends
