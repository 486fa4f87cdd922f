/* See FreeRTOS.h. */
#ifndef INC_TASK_H
#define INC_TASK_H
typedef kernel_task StaticTask_t;
typedef kernel_task* TaskHandle_t;
typedef void (*TaskFunction_t)(void*);
static inline TaskHandle_t xTaskCreateStatic(TaskFunction_t body, const char* name, uint32_t words,
                                             void* argument, UBaseType_t priority,
                                             StackType_t* stack, StaticTask_t* task) {
  (void)name, (void)priority;
  kernel_add(task, body, argument, stack, words * sizeof(StackType_t));
  return task;
}
/* Only of the task that calls: it returns to the kernel instead. */
#define vTaskDelete(none) return
static inline void vTaskStartScheduler(void) { kernel_start(); }
#endif
