// Allocation of the command line, counted: bytes that are held, and the work of the code that asks
// for them. Stages ask the budget where they know that something may grow and answer with a
// diagnostic; this is what stops those that do not know it. A program that embeds the compiler
// keeps its own allocator, and sanitizers theirs.
#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <string>

#include "support/budget.h"
#include "support/out_of_memory.h"
#include "support/working_on.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HLOCC_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define HLOCC_SANITIZED 1
#endif
#endif

#ifndef HLOCC_SANITIZED
namespace {

[[noreturn]] void end(hlocc::Budget& budget, bool of_memory) {
  // What is said now is not counted.
  const hlocc::BudgetScope none(nullptr);
  const std::string what = hlocc::worked_on().empty() ? "this input" : hlocc::worked_on().back();
  if (budget.end_process)
    budget.end_process(of_memory ? budget.memory_exceeded(what) : budget.work_exceeded(what));
  std::abort();
}

void count(void* memory) {
  hlocc::Budget* budget = hlocc::current_budget();
  if (budget == nullptr) return;
  budget->allocated(static_cast<int64_t>(::malloc_usable_size(memory)));
  if (budget->work_is_far_over()) end(*budget, false);
}

// What is larger than all that is left is not even tried.
void* counted(void* (*allocate)(size_t, size_t), size_t bytes, size_t alignment) {
  hlocc::Budget* budget = hlocc::current_budget();
  const size_t most = size_t{1} << 62;
  if (budget != nullptr && budget->memory_is_far_over(static_cast<int64_t>(std::min(bytes, most))))
    end(*budget, true);
  void* memory = allocate(bytes == 0 ? 1 : bytes, alignment);
  if (memory == nullptr) {
    if (budget != nullptr && hlocc::is_over_data_limit(bytes)) end(*budget, true);
    hlocc::out_of_memory();
  }
  count(memory);
  return memory;
}

void* plain(size_t bytes, size_t) { return std::malloc(bytes); }
void* aligned(size_t bytes, size_t alignment) {
  return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

void release(void* memory) {
  if (memory == nullptr) return;
  if (hlocc::Budget* budget = hlocc::current_budget())
    budget->hold(-static_cast<int64_t>(::malloc_usable_size(memory)));
  std::free(memory);
}

}  // namespace

void* operator new(size_t bytes) { return counted(plain, bytes, 0); }
void* operator new[](size_t bytes) { return counted(plain, bytes, 0); }
void* operator new(size_t bytes, std::align_val_t alignment) {
  return counted(aligned, bytes, static_cast<size_t>(alignment));
}
void* operator new[](size_t bytes, std::align_val_t alignment) {
  return counted(aligned, bytes, static_cast<size_t>(alignment));
}
void operator delete(void* memory) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete(void* memory, size_t) noexcept { release(memory); }
void operator delete[](void* memory, size_t) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, size_t, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, size_t, std::align_val_t) noexcept { release(memory); }
#endif
