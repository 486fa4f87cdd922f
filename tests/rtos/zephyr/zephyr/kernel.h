/* As much of Zephyr as docs/howto/rtos.md calls, on the kernel of tests/rtos. Threads are ready
 * when main returns there, and when the program's last line starts the kernel here. */
#ifndef ZEPHYR_INCLUDE_KERNEL_H_
#define ZEPHYR_INCLUDE_KERNEL_H_
#include "small_kernel.h"
struct k_thread {
  kernel_task task;
  void (*entry)(void*, void*, void*);
  void* p[3];
};
typedef struct k_thread* k_tid_t;
typedef uint64_t k_thread_stack_t;
#define K_THREAD_STACK_ARRAY_DEFINE(name, count, bytes) \
  k_thread_stack_t name[count][(bytes) / 8 + 1]
#define K_THREAD_STACK_SIZEOF(stack) sizeof(stack)
#define K_FP_REGS 2
#define K_NO_WAIT 0
static inline void k_thread_enter(void* argument) {
  struct k_thread* thread = (struct k_thread*)argument;
  thread->entry(thread->p[0], thread->p[1], thread->p[2]);
}
static inline k_tid_t k_thread_create(struct k_thread* thread, k_thread_stack_t* stack,
                                      size_t bytes, void (*entry)(void*, void*, void*), void* p1,
                                      void* p2, void* p3, int priority, uint32_t options,
                                      int delay) {
  (void)priority, (void)options, (void)delay;
  thread->entry = entry;
  thread->p[0] = p1, thread->p[1] = p2, thread->p[2] = p3;
  kernel_add(&thread->task, k_thread_enter, thread, stack, bytes);
  return thread;
}
/* Zephyr's main is a thread: its kernel runs before main does, and goes on behind it. */
int zephyr_main(void);
#ifndef TESTS_RTOS_MAIN
#define TESTS_RTOS_MAIN
int main(void) {
  if (zephyr_main() != 0) return 1;
  kernel_start();
  return 0;
}
#define main zephyr_main
#endif
#endif
