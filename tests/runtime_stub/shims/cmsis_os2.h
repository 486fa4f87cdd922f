/* As much of CMSIS-RTOS2's API as hlocc_threads.h uses, with its types and names. */
#ifndef CMSIS_OS2_H_
#define CMSIS_OS2_H_
#include <stddef.h>
#include <stdint.h>

#include "shim_semaphore.h"
#define osWaitForever 0xFFFFFFFFU
typedef enum { osOK = 0, osError = -1 } osStatus_t;
typedef void* osSemaphoreId_t;
typedef void* osThreadId_t;
typedef void (*osThreadFunc_t)(void*);
typedef struct {
  const char* name;
} osSemaphoreAttr_t;
typedef struct {
  const char* name;
  uint32_t attr_bits;
  void* cb_mem;
  uint32_t cb_size;
  void* stack_mem;
  uint32_t stack_size;
} osThreadAttr_t;
/* The RTOS's own pool of objects. */
static shim_semaphore shim_pool[20];
static int shim_used;
struct shim_start {
  osThreadFunc_t body;
  void* argument;
};
static struct shim_start shim_starts[16];
static int shim_started;
static inline osSemaphoreId_t osSemaphoreNew(uint32_t most, uint32_t count,
                                             const osSemaphoreAttr_t* attributes) {
  (void)attributes;
  if (shim_used == 20 || shim_refuses()) return NULL;
  shim_init(&shim_pool[shim_used], most, count);
  return &shim_pool[shim_used++];
}
static inline osStatus_t osSemaphoreAcquire(osSemaphoreId_t s, uint32_t timeout) {
  (void)timeout;
  return shim_take((shim_semaphore*)s) ? osOK : osError;
}
static inline osStatus_t osSemaphoreRelease(osSemaphoreId_t s) {
  return shim_give((shim_semaphore*)s) ? osOK : osError;
}
static inline void* shim_body(void* start) {
  ((struct shim_start*)start)->body(((struct shim_start*)start)->argument);
  return NULL;
}
static inline osThreadId_t osThreadNew(osThreadFunc_t body, void* argument,
                                       const osThreadAttr_t* attributes) {
  if (shim_started == 16 || shim_refuses()) return NULL;
  if (attributes == NULL || attributes->stack_size == 0) return NULL;
  shim_starts[shim_started].body = body;
  shim_starts[shim_started].argument = argument;
  return shim_thread(shim_body, &shim_starts[shim_started]) ? &shim_starts[shim_started++] : NULL;
}
static inline void osThreadExit(void) { pthread_exit(NULL); }
#endif
