/* As much of FreeRTOS 10's API as hlocc_threads.h uses, with its types and names. */
#ifndef INC_FREERTOS_H
#define INC_FREERTOS_H
#include <stddef.h>
#include <stdint.h>

#include "shim_semaphore.h"
typedef unsigned long UBaseType_t;
typedef long BaseType_t;
typedef uint32_t TickType_t;
typedef uint32_t StackType_t;
#define pdTRUE ((BaseType_t)1)
#define portMAX_DELAY ((TickType_t)0xFFFFFFFFu)
#endif
