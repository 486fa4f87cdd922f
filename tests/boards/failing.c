/* A program that goes wrong in the way that its argument names: the scripts must tell, and never
 * hang. */
#include "board.h"

int main(int argc, char** argv) {
  if (argc == 2 && argv[1][0] == 'f') *(volatile uint32_t*)(uintptr_t)0xF0000000u = 1;
  while (argc == 2 && argv[1][0] == 'h') {
    __asm__ volatile("");
  }
  return 3;
}
