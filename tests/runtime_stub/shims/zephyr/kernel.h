/* As much of Zephyr 3's API as hlocc_threads.h uses, with its types and names. */
#ifndef ZEPHYR_INCLUDE_KERNEL_H_
#define ZEPHYR_INCLUDE_KERNEL_H_
#include <stddef.h>
#include <stdint.h>

#include "../shim_semaphore.h"
typedef struct {
  int64_t ticks;
} k_timeout_t;
#define K_FOREVER ((k_timeout_t){-1})
#define K_NO_WAIT ((k_timeout_t){0})
typedef struct {
  uint8_t byte;
} k_thread_stack_t;
#define K_THREAD_STACK_DEFINE(name, size) k_thread_stack_t name[size]
struct k_sem {
  shim_semaphore shim;
};
static inline int k_sem_init(struct k_sem* s, unsigned int count, unsigned int most) {
  shim_init(&s->shim, most, count);
  return 0;
}
static inline void k_sem_give(struct k_sem* s) { (void)shim_give(&s->shim); }
static inline int k_sem_take(struct k_sem* s, k_timeout_t wait) {
  (void)wait;
  return shim_take(&s->shim) ? 0 : -11;
}
typedef void (*k_thread_entry_t)(void*, void*, void*);
struct k_thread {
  k_thread_entry_t entry;
  void* p[3];
};
typedef struct k_thread* k_tid_t;
static inline void* shim_entry(void* argument) {
  struct k_thread* const thread = (struct k_thread*)argument;
  thread->entry(thread->p[0], thread->p[1], thread->p[2]);
  return NULL;
}
static inline k_tid_t k_thread_create(struct k_thread* thread, k_thread_stack_t* stack,
                                      size_t bytes, k_thread_entry_t entry, void* p1, void* p2,
                                      void* p3, int priority, uint32_t options, k_timeout_t delay) {
  (void)priority;
  (void)options;
  (void)delay;
  if (stack == NULL || bytes == 0) return NULL;
  thread->entry = entry;
  thread->p[0] = p1;
  thread->p[1] = p2;
  thread->p[2] = p3;
  return shim_thread(shim_entry, thread) ? thread : NULL;
}
#endif
