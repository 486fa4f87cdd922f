/* A preemptive kernel for a Cortex-M with an FPU, small enough to read: what stands in for an RTOS
 * where docs/howto/rtos.md is run in QEMU. Tasks take turns, a tick each; as the ports of real
 * kernels do, a switch keeps the registers of the FPU of those that use it. The headers in the
 * folders beside this one give it the names of FreeRTOS, Zephyr and ThreadX. */
#ifndef TESTS_RTOS_SMALL_KERNEL_H_
#define TESTS_RTOS_SMALL_KERNEL_H_
#include <stddef.h>
#include <stdint.h>

typedef struct kernel_task {
  uint32_t* top; /* of its stack: the first member, which the switch reads */
  struct kernel_task* next;
  void (*body)(void*);
  void* argument;
} kernel_task;

/* A task of the caller's memory, ready when the kernel starts. */
void kernel_add(kernel_task* task, void (*body)(void*), void* argument, void* stack, size_t bytes);

/* Runs the tasks until all have returned, and then ends the program: with status 0 if a task was
 * switched away from within its work at least a hundred times, else with 1. */
void kernel_start(void);
#endif
