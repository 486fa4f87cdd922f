/* Stands for Zephyr's console: printk of the one format that the sample has. The board's start-up code calls main. */
#include "board.h"

void printk(const char* format, int bytes, const char* text);
void printk(const char* format, int bytes, const char* text) {
  (void)format;
  board_write(text, (size_t)bytes);
}
