/* See small_kernel.h. */
#include "small_kernel.h"

#include "board.h"

enum { kTick = 5000, kPendSv = 14, kSysTick = 15, kVectors = 16, kFrame = 8, kSaved = 9 };
#define VTOR (*(volatile uint32_t*)0xE000ED08u)
#define ICSR (*(volatile uint32_t*)0xE000ED04u)
#define SHPR3 (*(volatile uint32_t*)0xE000ED20u)
#define SYST ((volatile uint32_t*)0xE000E010u) /* control, reload, value */

static uint32_t vectors[kVectors] __attribute__((aligned(128)));
static uint64_t handler_stack[256];
static kernel_task idle = {NULL, &idle, NULL, NULL};
static uint32_t switches;
static kernel_task* current __attribute__((used)) = &idle;

/* The next in turn; the idle task, which main has become, only where there is no other. */
__attribute__((used)) static void choose(void) {
  kernel_task* next = current->next;
  if (next == &idle) next = idle.next;
  switches += next != current;
  current = next;
}

static void ask_for_a_switch(void) { ICSR = 1u << 28; }

__attribute__((naked)) static void switch_tasks(void) {
  __asm__ volatile(
      "mrs r0, psp\n"
      "tst lr, #0x10\n"
      "it eq\n"
      "vstmdbeq r0!, {s16-s31}\n"
      "stmdb r0!, {r4-r11, lr}\n"
      "ldr r1, =current\n"
      "ldr r2, [r1]\n"
      "str r0, [r2]\n"
      "push {r1, lr}\n"
      "bl choose\n"
      "pop {r1, lr}\n"
      "ldr r2, [r1]\n"
      "ldr r0, [r2]\n"
      "ldmia r0!, {r4-r11, lr}\n"
      "tst lr, #0x10\n"
      "it eq\n"
      "vldmiaeq r0!, {s16-s31}\n"
      "msr psp, r0\n"
      "bx lr\n");
}

/* A task that has returned leaves the ring, and is switched away from for good. */
static void end(void) {
  kernel_task* before = &idle;
  __asm__ volatile("cpsid i" ::: "memory");
  while (before->next != current) before = before->next;
  before->next = current->next;
  __asm__ volatile("cpsie i" ::: "memory");
  for (;;) ask_for_a_switch();
}

static void enter(kernel_task* task) {
  task->body(task->argument);
  end();
}

void kernel_add(kernel_task* task, void (*body)(void*), void* argument, void* stack, size_t bytes) {
  uint32_t* frame = (uint32_t*)(((uintptr_t)stack + bytes) & ~(uintptr_t)7) - kFrame;
  int i;
  for (i = -kSaved; i < kFrame; ++i) frame[i] = 0;
  frame[0] = (uint32_t)task;
  frame[6] = (uint32_t)enter;
  frame[7] = 1u << 24;     /* Thumb */
  frame[-1] = 0xFFFFFFFDu; /* back to a thread with a stack of its own, no FPU yet */
  task->top = frame - kSaved;
  task->body = body;
  task->argument = argument;
  task->next = idle.next;
  idle.next = task;
}

void kernel_start(void) {
  int i;
  for (i = 0; i < kVectors; ++i) vectors[i] = ((const volatile uint32_t*)VTOR)[i];
  vectors[kPendSv] = (uint32_t)switch_tasks;
  vectors[kSysTick] = (uint32_t)ask_for_a_switch;
  VTOR = (uint32_t)vectors;
  SHPR3 |= 0xFFFF0000u; /* both behind all else */
  /* From here on main has the stack of threads, and handlers have theirs. */
  __asm__ volatile(
      "mrs r0, msp\n"
      "msr psp, r0\n"
      "movs r0, #2\n"
      "msr control, r0\n"
      "isb\n"
      "msr msp, %0\n" ::"r"(handler_stack + 256)
      : "r0", "memory");
  SYST[1] = kTick;
  SYST[2] = 0;
  SYST[0] = 7;
  while (*(kernel_task* volatile*)&idle.next != &idle) {
  }
  SYST[0] = 0;
  board_print_u32(switches);
  board_print(" switches\n");
  board_exit(switches >= 100 ? 0 : 1);
}
