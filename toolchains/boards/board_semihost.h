/* What the start-up code of a core gives to the code that is the same on all of them, and the other
 * way round. */
#ifndef HLOCC_BOARD_SEMIHOST_H_
#define HLOCC_BOARD_SEMIHOST_H_

#include <stdint.h>

/* One semihosting call: an operation and its argument (a block of pointer-sized fields, mostly). */
intptr_t board_semihost(intptr_t operation, const void* argument);

/* Splits the emulator's command line, runs constructors and main, and ends with main's result. */
_Noreturn void board_run_main(void);

/* A core exception: tells its number and ends with 99, a code that no test returns. */
_Noreturn void board_fault(uint32_t cause);

#endif /* HLOCC_BOARD_SEMIHOST_H_ */
