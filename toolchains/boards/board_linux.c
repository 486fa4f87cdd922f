/* board.h over libc, for the Linux rows and the host: the same test program, with an operating
 * system below. */
#include <stdio.h>
#include <stdlib.h>

#include "board.h"

void board_write(const char* text, size_t size) { fwrite(text, 1, size, stdout); }

void board_exit(int code) {
  fflush(stdout);
  exit(code & 255);
}

/* board.h speaks of small integers, as semihosting does; slot 0 stays free so that no handle is
 * mistaken for false. */
enum { kMostFiles = 16 };
static FILE* files[kMostFiles];

static int open_file(const char* path, const char* mode) {
  for (int slot = 1; slot < kMostFiles; ++slot) {
    if (files[slot] != NULL) continue;
    files[slot] = fopen(path, mode);
    return files[slot] != NULL ? slot : -1;
  }
  return -1;
}

int board_file_open_read(const char* path) { return open_file(path, "rb"); }
int board_file_open_write(const char* path) { return open_file(path, "wb"); }

size_t board_file_read(int file, void* data, size_t size) {
  return fread(data, 1, size, files[file]);
}

size_t board_file_write(int file, const void* data, size_t size) {
  return fwrite(data, 1, size, files[file]);
}

int board_file_seek(int file, long position) {
  return fseek(files[file], position, SEEK_SET) == 0 ? 0 : -1;
}

long board_file_size(int file) {
  const long here = ftell(files[file]);
  if (here < 0 || fseek(files[file], 0, SEEK_END) != 0) return -1;
  const long size = ftell(files[file]);
  return fseek(files[file], here, SEEK_SET) == 0 ? size : -1;
}

void board_file_close(int file) {
  fclose(files[file]);
  files[file] = NULL;
}
