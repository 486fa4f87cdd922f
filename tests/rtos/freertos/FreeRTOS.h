/* As much of FreeRTOS as docs/howto/rtos.md calls, on the kernel of tests/rtos. */
#ifndef INC_FREERTOS_H
#define INC_FREERTOS_H
#include "small_kernel.h"
typedef uint32_t StackType_t;
typedef unsigned long UBaseType_t;
#define configMINIMAL_STACK_SIZE 128
#endif
