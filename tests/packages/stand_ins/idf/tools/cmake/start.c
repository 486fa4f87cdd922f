/* Stands for ESP-IDF's start-up and its C library. */
#include "board.h"

void app_main(void);
size_t fwrite(const void* data, size_t size, size_t count, int file);
int fflush(int file);

static int failures;

/* A line that tells of a failure is one of the board's, too. */
size_t fwrite(const void* data, size_t size, size_t count, int file) {
  const char* text = data;
  (void)file;
  if (size * count > 19 && text[15] == 'F' && text[16] == 'A') ++failures;
  board_write(data, size * count);
  return count;
}

int fflush(int file) {
  (void)file;
  return 0;
}

int main(void) {
  app_main();
  return failures;
}
