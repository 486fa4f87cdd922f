/* See FreeRTOS.h. A task must not return. */
#ifndef INC_TASK_H
#define INC_TASK_H
#include <stdlib.h>
typedef void (*TaskFunction_t)(void*);
typedef struct StaticTask_t {
  TaskFunction_t body;
  void* argument;
} StaticTask_t;
typedef StaticTask_t* TaskHandle_t;
static inline void* shim_task(void* task) {
  ((StaticTask_t*)task)->body(((StaticTask_t*)task)->argument);
  abort();
}
static inline TaskHandle_t xTaskCreateStatic(TaskFunction_t body, const char* name, uint32_t words,
                                             void* argument, UBaseType_t priority,
                                             StackType_t* stack, StaticTask_t* task) {
  (void)name;
  (void)priority;
  if (words == 0 || stack == NULL || shim_refuses()) return NULL;
  task->body = body;
  task->argument = argument;
  return shim_thread(shim_task, task) ? task : NULL;
}
static inline void vTaskDelete(TaskHandle_t task) {
  (void)task;
  pthread_exit(NULL);
}
#endif
