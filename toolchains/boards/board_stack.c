/* Stack painting: the free stack is filled with a pattern, and what has lost the pattern has been used. It proves the
 * worst-case figure of the manifest on the machine itself. */
#include "board.h"

#define PATTERN 0xC5C5A5A5u
/* The painter's own frame must survive its work: it is a leaf, and its frame is smaller than this. */
#define OWN_FRAME 64u

static uintptr_t painted_top;

__attribute__((noinline)) void board_stack_paint(void) {
  painted_top = ((uintptr_t)__builtin_frame_address(0) - OWN_FRAME) & ~(uintptr_t)15;
  volatile uint32_t *word = (volatile uint32_t *)(painted_top - BOARD_STACK_SPAN);
  for (; (uintptr_t)word < painted_top; ++word) *word = PATTERN;
}

__attribute__((noinline)) uint32_t board_stack_used(void) {
  const volatile uint32_t *word = (const volatile uint32_t *)(painted_top - BOARD_STACK_SPAN);
  while ((uintptr_t)word < painted_top && *word == PATTERN) ++word;
  uintptr_t untouched = (uintptr_t)word;
  return untouched == painted_top ? OWN_FRAME : (uint32_t)(painted_top + OWN_FRAME - untouched);
}
