/* board.h as a module of WebAssembly: what it may ask of the engine's host are imports, which
 * wasm_board.mjs answers. Programs are compiled with -Dmain=board_main, because nothing else starts
 * them. */
#include "board.h"

#undef main
extern int board_main(int argc, char** argv);
extern void __wasm_call_ctors(void); /* the linker's: constructors in their order */

#define HOST(name) __attribute__((import_module("board"), import_name(#name))) extern

HOST(exit) _Noreturn void host_exit(int code);
HOST(arguments) int host_arguments(char* text, size_t size);
HOST(open) int host_open(const char* path, int to_write);
HOST(read) size_t host_read(int file, void* data, size_t size);
HOST(write) size_t host_write(int file, const void* data, size_t size);
HOST(seek) int host_seek(int file, long position);
HOST(size) long host_size(int file);
HOST(close) void host_close(int file);

enum { kOutput = 1 };

void board_write(const char* text, size_t size) { host_write(kOutput, text, size); }
void board_exit(int code) { host_exit(code); }
int board_file_open_read(const char* path) { return host_open(path, 0); }
int board_file_open_write(const char* path) { return host_open(path, 1); }
size_t board_file_read(int file, void* data, size_t size) { return host_read(file, data, size); }
size_t board_file_write(int file, const void* data, size_t size) {
  return host_write(file, data, size);
}
int board_file_seek(int file, long position) { return host_seek(file, position); }
long board_file_size(int file) { return host_size(file); }
void board_file_close(int file) { host_close(file); }

__attribute__((export_name("_start"))) void _start(void) {
  static char text[4096];
  static char* argv[16];
  char* at = text;
  const int argc = host_arguments(text, sizeof text);
  __wasm_call_ctors();
  for (int i = 0; i < argc && i < 15; ++i) {
    argv[i] = at;
    while (*at++ != 0) {
    }
  }
  board_exit(board_main(argc, argv));
}
