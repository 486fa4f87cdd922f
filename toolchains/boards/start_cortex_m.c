/* Start-up of a Cortex-M: vector table, FPU and vector unit on, data copied, bss cleared, main
 * called. */
#include "board_semihost.h"

extern uint32_t __stack_top[], __data_start[], __data_end[], __data_load[], __bss_start[],
    __bss_end[];

intptr_t board_semihost(intptr_t operation, const void* argument) {
  register intptr_t r0 __asm__("r0") = operation;
  register const void* r1 __asm__("r1") = argument;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

/* Coprocessor access control; configuration and control. */
#define CPACR (*(volatile uint32_t*)0xE000ED88u)
#define CCR (*(volatile uint32_t*)0xE000ED14u)

/* The number of the exception that is being served: 3 is a hard fault, 4 to 7 are its finer kinds.
 */
static void fault_handler(void) {
  uint32_t number;
  __asm__ volatile("mrs %0, ipsr" : "=r"(number));
  board_fault(number);
}

/* Floating-point instructions fault until coprocessors 10 and 11 are switched on. */
static void enable_units(void) {
#if defined(__ARM_FP) || defined(__ARM_FEATURE_MVE)
  CPACR |= 0xFu << 20;
  __asm__ volatile("dsb\n isb" ::: "memory");
#endif
#ifdef __ARM_FEATURE_MVE
  /* CCR.LOB: the low-overhead loops of Armv8.1-M. */
  CCR |= 1u << 19;
  __asm__ volatile("dsb\n isb" ::: "memory");
#endif
}

__attribute__((noreturn, used)) void board_reset(void) {
  enable_units();
  const uint32_t* from = __data_load;
  for (uint32_t* to = __data_start; to < __data_end;) *to++ = *from++;
  for (uint32_t* to = __bss_start; to < __bss_end;) *to++ = 0;
  board_run_main();
}

typedef void (*Handler)(void);
__attribute__((section(".vectors"), used)) static const Handler kVectors[16] = {
    (Handler)__stack_top, (Handler)board_reset, fault_handler, fault_handler,
    fault_handler,        fault_handler,        fault_handler, fault_handler,
};
