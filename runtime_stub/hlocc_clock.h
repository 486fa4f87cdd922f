/* hlocc_clock.h: counting ticks on whatever the chip has: DWT's cycle counter (Cortex-M3 and up),
 * SysTick (Cortex-M0), mcycle (RISC-V), CNTVCT (AArch64), rdtsc (x86), clock_gettime (POSIX). C99
 * and C++11, freestanding (but for POSIX), no malloc; what is not called costs nothing.
 *
 *   if (hlocc_clock_start() != HLOCC_CLOCK_OK) ...     once
 *   const uint32_t begin = hlocc_clock_now();
 *   acme_kws_run(&kws);
 *   const uint32_t ticks = hlocc_clock_since(begin);
 *
 * HLOCC_CLOCK chooses another source than the compiler's target suggests: define it as one of the
 * numbers below. HLOCC_CLOCK_USER asks you to define `uint32_t hlocc_clock_user_now(void)`.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HLOCC_CLOCK_H_
#define HLOCC_CLOCK_H_

#include <stdint.h>

#define HLOCC_CLOCK_DWT 1
#define HLOCC_CLOCK_SYSTICK 2
#define HLOCC_CLOCK_MCYCLE 3
#define HLOCC_CLOCK_CNTVCT 4
#define HLOCC_CLOCK_TSC 5
#define HLOCC_CLOCK_POSIX 6
#define HLOCC_CLOCK_USER 7

#ifndef HLOCC_CLOCK
#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#if defined(__ARM_ARCH_ISA_THUMB) && __ARM_ARCH_ISA_THUMB >= 2
#define HLOCC_CLOCK HLOCC_CLOCK_DWT
#else
#define HLOCC_CLOCK HLOCC_CLOCK_SYSTICK
#endif
#elif defined(__riscv)
#define HLOCC_CLOCK HLOCC_CLOCK_MCYCLE
#elif defined(__aarch64__)
#define HLOCC_CLOCK HLOCC_CLOCK_CNTVCT
#elif defined(__x86_64__) || defined(__i386__)
#define HLOCC_CLOCK HLOCC_CLOCK_TSC
#elif defined(__unix__) || defined(__APPLE__)
#define HLOCC_CLOCK HLOCC_CLOCK_POSIX
#else
#error "hlocc_clock.h: no clock is known for this target; define HLOCC_CLOCK as HLOCC_CLOCK_USER"
#endif
#endif

#if HLOCC_CLOCK == HLOCC_CLOCK_POSIX
#include <time.h>
#endif

#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-function"
#endif
#ifdef __cplusplus
extern "C" {
#endif

#define HLOCC_CLOCK_OK 0
#define HLOCC_CLOCK_ERROR_STILL 1 /* the counter is not there, or stands still */

/* Bits that count; hlocc_clock_since is right as long as less than 2^bits ticks go by. */
#if HLOCC_CLOCK == HLOCC_CLOCK_SYSTICK
#define HLOCC_CLOCK_BITS 24
#else
#define HLOCC_CLOCK_BITS 32
#endif

#if HLOCC_CLOCK == HLOCC_CLOCK_DWT || HLOCC_CLOCK == HLOCC_CLOCK_SYSTICK
static inline volatile uint32_t* hlocc_clock_register_(uintptr_t address) {
  return (volatile uint32_t*)address;
}
#endif

#if HLOCC_CLOCK == HLOCC_CLOCK_USER
uint32_t hlocc_clock_user_now(void);
#endif

/* Ticks, modulo 2^HLOCC_CLOCK_BITS: processor cycles (DWT, SysTick, mcycle), ticks of the system
 * counter (CNTVCT, TSC), or nanoseconds (POSIX). */
static inline uint32_t hlocc_clock_now(void) {
#if HLOCC_CLOCK == HLOCC_CLOCK_DWT
  return *hlocc_clock_register_(0xE0001004u);
#elif HLOCC_CLOCK == HLOCC_CLOCK_SYSTICK
  return 0xFFFFFFu - *hlocc_clock_register_(0xE000E018u); /* it counts down */
#elif HLOCC_CLOCK == HLOCC_CLOCK_MCYCLE
  unsigned long cycles;
#ifdef HLOCC_CLOCK_USER_MODE
  __asm__ volatile(".insn i 0x73, 2, %0, x0, -1024" : "=r"(cycles)); /* csrr %0, cycle */
#else
  /* csrr %0, mcycle: as a number, because assemblers ask for Zicsr in the name of the core. */
  __asm__ volatile(".insn i 0x73, 2, %0, x0, -1280" : "=r"(cycles));
#endif
  return (uint32_t)cycles;
#elif HLOCC_CLOCK == HLOCC_CLOCK_CNTVCT
  uint64_t ticks;
  __asm__ volatile("isb\n mrs %0, cntvct_el0" : "=r"(ticks) : : "memory");
  return (uint32_t)ticks;
#elif HLOCC_CLOCK == HLOCC_CLOCK_TSC
  uint32_t low, high;
  __asm__ volatile("lfence\n rdtsc" : "=a"(low), "=d"(high) : : "memory");
  (void)high;
  return low;
#elif HLOCC_CLOCK == HLOCC_CLOCK_POSIX
  struct timespec now;
  if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) return 0;
  return (uint32_t)((uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec);
#else
  return hlocc_clock_user_now();
#endif
}

/* Ticks since hlocc_clock_now returned `begin`. */
static inline uint32_t hlocc_clock_since(uint32_t begin) {
  return (hlocc_clock_now() - begin) & (0xFFFFFFFFu >> (32 - HLOCC_CLOCK_BITS));
}

/* Switches the counter on, where it has to be, and looks whether it counts. SysTick is taken as it
 * is if it runs already (an RTOS owns it: then ticks wrap at its reload value, and
 * HLOCC_CLOCK_ERROR_STILL says that it is not free). */
static inline int hlocc_clock_start(void) {
  uint32_t begin;
  int i;
#if HLOCC_CLOCK == HLOCC_CLOCK_DWT
  *hlocc_clock_register_(0xE000EDFCu) |= 1u << 24;   /* DEMCR.TRCENA */
  *hlocc_clock_register_(0xE0001FB0u) = 0xC5ACCE55u; /* Cortex-M7 locks its DWT */
  *hlocc_clock_register_(0xE0001004u) = 0;
  *hlocc_clock_register_(0xE0001000u) |= 1u; /* CYCCNTENA */
#elif HLOCC_CLOCK == HLOCC_CLOCK_SYSTICK
  if ((*hlocc_clock_register_(0xE000E010u) & 1u) &&
      *hlocc_clock_register_(0xE000E014u) != 0xFFFFFFu)
    return HLOCC_CLOCK_ERROR_STILL;
  *hlocc_clock_register_(0xE000E014u) = 0xFFFFFFu; /* reload */
  *hlocc_clock_register_(0xE000E018u) = 0;
  *hlocc_clock_register_(0xE000E010u) = 5u; /* on, from the core's clock, no interrupt */
#endif
  begin = hlocc_clock_now();
  for (i = 0; i < 100000; ++i) {
    if (hlocc_clock_now() != begin) return HLOCC_CLOCK_OK;
  }
  return HLOCC_CLOCK_ERROR_STILL;
}

/* Ticks a second where the hardware says so (CNTVCT, POSIX), else 0: the core's clock is yours to
 * know. */
static inline uint32_t hlocc_clock_hertz(void) {
#if HLOCC_CLOCK == HLOCC_CLOCK_CNTVCT
  uint64_t hertz;
  __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(hertz));
  return (uint32_t)hertz;
#elif HLOCC_CLOCK == HLOCC_CLOCK_POSIX
  return 1000000000u;
#else
  return 0;
#endif
}

/* A counter of 64 bits out of a narrow one: right as long as it is asked once a turn of the narrow
 * one. Begin with {0, hlocc_clock_now()}. */
typedef struct hlocc_long_clock {
  uint64_t ticks;
  uint32_t last;
} hlocc_long_clock;

static inline uint64_t hlocc_long_clock_now(hlocc_long_clock* clock) {
  const uint32_t passed = hlocc_clock_since(clock->last);
  clock->ticks += passed;
  clock->last += passed;
  return clock->ticks;
}

#ifdef __cplusplus
} /* extern "C" */
#endif
#ifdef __clang__
#pragma clang diagnostic pop
#endif
#endif /* HLOCC_CLOCK_H_ */
