/* As much of ThreadX as docs/howto/rtos.md calls, on the kernel of tests/rtos. */
#ifndef TX_API_H
#define TX_API_H
#include "small_kernel.h"
typedef unsigned int UINT;
typedef unsigned long ULONG;
typedef char CHAR;
typedef void VOID;
#define TX_MINIMUM_STACK 200
#define TX_NO_TIME_SLICE 0
#define TX_AUTO_START 1
#define TX_SUCCESS 0
typedef struct {
  kernel_task task;
  void (*entry)(ULONG);
  ULONG input;
} TX_THREAD;
static inline void tx_thread_enter(void* argument) {
  TX_THREAD* thread = (TX_THREAD*)argument;
  thread->entry(thread->input);
}
static inline UINT tx_thread_create(TX_THREAD* thread, CHAR* name, void (*entry)(ULONG),
                                    ULONG input, VOID* stack, ULONG bytes, UINT priority,
                                    UINT threshold, ULONG slice, UINT start) {
  (void)name, (void)priority, (void)threshold, (void)slice, (void)start;
  thread->entry = entry;
  thread->input = input;
  kernel_add(&thread->task, tx_thread_enter, thread, stack, bytes);
  return TX_SUCCESS;
}
void tx_application_define(void* first_unused_memory);
static inline VOID tx_kernel_enter(void) {
  tx_application_define(NULL);
  kernel_start();
}
#endif
