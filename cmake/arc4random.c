/* The C++ library of Debian 12 asks for glibc 2.36's arc4random, which would be the only symbol
 * that keeps a statically linked hlocc from running with 2.35 (Ubuntu 22.04). This one serves it,
 * and nobody here depends on what it gives. */
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

uint32_t arc4random(void) {
  uint32_t value;
  if (getrandom(&value, sizeof value, 0) != sizeof value) abort();
  return value;
}
