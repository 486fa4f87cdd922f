/* The clock that hlocc_clock.h takes by itself for this target. */
#include "hlocc_clock.h"

int default_clock(void);
int default_clock(void) { return hlocc_clock_start(); }
