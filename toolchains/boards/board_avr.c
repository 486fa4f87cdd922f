/* board.h on an AVR in simavr: what semihosting is elsewhere is a request in RAM that
 * simavr_board.c answers. avr-libc starts the program; programs are compiled with
 * -Dmain=board_main, because it knows no arguments. */
#include "board_avr.h"

#include <avr/io.h>

#include "board.h"

#undef main
extern int board_main(int argc, char** argv);

static int32_t ask(enum AvrOperation operation, int32_t number, const void* data, uint16_t size) {
  static volatile struct AvrRequest request;
  const uint16_t at = (uint16_t)&request;
  request.operation = (uint8_t)operation;
  request.data = (uint16_t)data;
  request.size = size;
  request.number_low = (uint16_t)number;
  request.number_high = (uint16_t)((uint32_t)number >> 16);
  __asm__ volatile("" ::: "memory");
  GPIOR1 = (uint8_t)at;
  GPIOR2 = (uint8_t)(at >> 8);
  GPIOR0 = (uint8_t)operation;
  __asm__ volatile("" ::: "memory");
  return (int32_t)((uint32_t)request.number_high << 16 | request.number_low);
}

void board_write(const char* text, size_t size) { ask(kAvrWrite, 0, text, size); }

int board_file_open_read(const char* path) { return (int)ask(kAvrOpenRead, 0, path, 0); }
int board_file_open_write(const char* path) { return (int)ask(kAvrOpenWrite, 0, path, 0); }

size_t board_file_read(int file, void* data, size_t size) {
  return (size_t)ask(kAvrRead, file, data, size);
}

size_t board_file_write(int file, const void* data, size_t size) {
  return (size_t)ask(kAvrWrite, file, data, size);
}

int board_file_seek(int file, long position) {
  return (int)ask(kAvrSeek, file, (const void*)(uint16_t)position,
                  (uint16_t)((uint32_t)position >> 16));
}

long board_file_size(int file) { return (long)ask(kAvrSize, file, 0, 0); }

void board_file_close(int file) { ask(kAvrClose, file, 0, 0); }

void board_exit(int code) {
  ask(kAvrExit, code, 0, 0);
  for (;;) {
  }
}

void board_measure_begin(void) { ask(kAvrBegin, 0, 0, 0); }
void board_measure_end(void) { ask(kAvrEnd, 0, 0, 0); }

/* Between the last variable and the stack lies nothing. */
extern char __heap_start;
enum { kPattern = 0xC5, kOwnFrame = 32 };
static char* frame;

__attribute__((noinline)) void board_stack_paint(void) {
  frame = (char*)SP;
  for (volatile char* byte = &__heap_start; byte < frame - kOwnFrame; ++byte)
    *byte = (char)kPattern;
}

__attribute__((noinline)) uint32_t board_stack_used(void) {
  const volatile char* byte = &__heap_start;
  while (byte < frame - kOwnFrame && *byte == (char)kPattern) ++byte;
  return (uint32_t)(frame - byte);
}

int main(void) {
  static char text[160];
  static char* argv[8];
  char* at = text;
  const int argc = (int)ask(kAvrArguments, 0, text, sizeof text);
  for (int i = 0; i < argc && i < 7; ++i) {
    argv[i] = at;
    while (*at++ != 0) {
    }
  }
  board_exit(board_main(argc, argv));
}
