/* See FreeRTOS.h. */
#ifndef SEMAPHORE_H
#define SEMAPHORE_H
typedef shim_semaphore StaticSemaphore_t;
typedef shim_semaphore* SemaphoreHandle_t;
static inline SemaphoreHandle_t xSemaphoreCreateCountingStatic(UBaseType_t most, UBaseType_t count,
                                                               StaticSemaphore_t* memory) {
  if (shim_refuses()) return NULL;
  shim_init(memory, (unsigned int)most, (unsigned int)count);
  return memory;
}
static inline BaseType_t xSemaphoreGive(SemaphoreHandle_t s) { return shim_give(s); }
static inline BaseType_t xSemaphoreTake(SemaphoreHandle_t s, TickType_t ticks) {
  (void)ticks;
  return shim_take(s);
}
#endif
