/* board.h over semihosting: the debugger's (here QEMU's) service of files, output and exit codes,
 * the same numbers on Arm and RISC-V. */
#include "board_semihost.h"

#include "board.h"

enum Operation {
  kOpen = 0x01,
  kClose = 0x02,
  kWrite = 0x05,
  kRead = 0x06,
  kSeek = 0x0a,
  kFileLength = 0x0c,
  kCommandLine = 0x15,
  kExitExtended = 0x20,
};
/* Modes of kOpen, as in fopen's table: "rb", "w", "wb". */
enum Mode { kReadBinary = 1, kWriteText = 4, kWriteBinary = 5 };

extern int main(int argc, char** argv);
extern void (*__init_array_start[])(void);
extern void (*__init_array_end[])(void);

static int open_file(const char* path, enum Mode mode) {
  uintptr_t length = 0;
  while (path[length] != 0) ++length;
  const uintptr_t block[3] = {(uintptr_t)path, (uintptr_t)mode, length};
  return (int)board_semihost(kOpen, block);
}

void board_write(const char* text, size_t size) {
  static int console = -1;
  if (console < 0) console = open_file(":tt", kWriteText);
  board_file_write(console, text, size);
}

int board_file_open_read(const char* path) { return open_file(path, kReadBinary); }
int board_file_open_write(const char* path) { return open_file(path, kWriteBinary); }

/* Both calls answer with the number of bytes that were NOT moved. */
static size_t move(enum Operation operation, int file, uintptr_t data, size_t size) {
  const uintptr_t block[3] = {(uintptr_t)file, data, size};
  const uintptr_t left = (uintptr_t)board_semihost(operation, block);
  return left > size ? 0 : size - left;
}

size_t board_file_read(int file, void* data, size_t size) {
  return move(kRead, file, (uintptr_t)data, size);
}

size_t board_file_write(int file, const void* data, size_t size) {
  return move(kWrite, file, (uintptr_t)data, size);
}

int board_file_seek(int file, long position) {
  const uintptr_t block[2] = {(uintptr_t)file, (uintptr_t)position};
  return board_semihost(kSeek, block) == 0 ? 0 : -1;
}

long board_file_size(int file) {
  const uintptr_t block[1] = {(uintptr_t)file};
  return (long)board_semihost(kFileLength, block);
}

void board_file_close(int file) {
  const uintptr_t block[1] = {(uintptr_t)file};
  board_semihost(kClose, block);
}

void board_exit(int code) {
  const uintptr_t kApplicationExit = 0x20026u;
  const uintptr_t block[2] = {kApplicationExit, (uintptr_t)code & 255u};
  board_semihost(kExitExtended, block);
  for (;;) {
  }
}

void board_fault(uint32_t cause) {
  board_print("\nboard: fault 0x");
  board_print_hex32(cause);
  board_print("\n");
  board_exit(99);
}

/* Arguments are separated by blanks; a path with a blank in it can't be passed. */
static int split(char* line, char** argv, int most) {
  int count = 0;
  while (*line != 0 && count < most) {
    while (*line == ' ') *line++ = 0;
    if (*line != 0) argv[count++] = line;
    while (*line != 0 && *line != ' ') ++line;
  }
  return count;
}

void board_run_main(void) {
  static char line[1024];
  static char* argv[17];
  const uintptr_t block[2] = {(uintptr_t)line, sizeof line};
  const int known = board_semihost(kCommandLine, block) == 0;
  const int argc = known ? split(line, argv, 16) : 0;
  for (void (**constructor)(void) = __init_array_start; constructor < __init_array_end;
       ++constructor)
    (*constructor)();
  board_exit(main(argc, argv));
}
