/* What is measured from within. Stack painting: the free stack is filled with a pattern, and
 * what has lost the pattern has been used. It proves the worst-case figure of the manifest on the
 * machine itself. */
#include "board.h"

#define PATTERN 0xC5C5A5A5u
/* The painter's own frame must survive its work: it is a leaf, and its frame is smaller than this.
 */
#define OWN_FRAME 64u

/* Where the painter's frame began, which is the caller's stack pointer but for a saved register or
 * two. */
static uintptr_t frame;

static uintptr_t painted_top(void) { return (frame - OWN_FRAME) & ~(uintptr_t)3; }

__attribute__((noinline)) void board_stack_paint(void) {
  frame = (uintptr_t)__builtin_frame_address(0);
  const uintptr_t top = painted_top();
  for (volatile uint32_t* word = (volatile uint32_t*)(top - BOARD_STACK_SPAN);
       (uintptr_t)word < top; ++word) {
    *word = PATTERN;
  }
}

__attribute__((noinline)) uint32_t board_stack_used(void) {
  const uintptr_t top = painted_top();
  const volatile uint32_t* word = (const volatile uint32_t*)(top - BOARD_STACK_SPAN);
  while ((uintptr_t)word < top && *word == PATTERN) ++word;
  return (uint32_t)(frame - (uintptr_t)word);
}

/* Two bodies that differ, so that no linker folds them into one address. */
__attribute__((noinline)) void board_measure_begin(void) { __asm__ volatile("nop" ::: "memory"); }

__attribute__((noinline)) void board_measure_end(void) {
  __asm__ volatile("nop\n nop" ::: "memory");
}
