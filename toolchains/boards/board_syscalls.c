/* board.h over the calls of Linux, for rows without a libc: LoongArch, Xtensa, Hexagon.
 * Programs are compiled with -Dmain=board_main, which their first instructions call. */
#include "board.h"

#undef main
extern int board_main(int argc, char** argv);

enum { kReadOnly = 0, kNewFile = 01 | 0100 | 01000, kPermissions = 0644 };

#if defined(__xtensa__)
/* Xtensa has numbers of its own, and qemu-xtensa runs its programs as Linux' would be. */
enum { kOpen = 8, kClose = 9, kRead = 12, kWrite = 13, kSeek = 15, kExit = 118 };

static long call(long number, long a, long b, long c) {
  register long a2 __asm__("a2") = number;
  register long a6 __asm__("a6") = a;
  register long a3 __asm__("a3") = b;
  register long a4 __asm__("a4") = c;
  __asm__ volatile("syscall" : "+r"(a2) : "r"(a6), "r"(a3), "r"(a4) : "memory");
  return a2;
}
static long call_open(const char* path, long flags) {
  return call(kOpen, (long)path, flags, kPermissions);
}

__asm__(
    ".global _start\n"
    ".literal_position\n"
    "_start:\n"
    "  l32i a2, a1, 0\n"
    "  addi a3, a1, 4\n"
    "  srli a1, a1, 4\n"
    "  slli a1, a1, 4\n"
    "  j board_start\n");

/* Its compiler lists constructors in .ctors: this file is linked first, .ctors.99999 is last. */
static void (*begin_of_list)(void) __attribute__((used, section(".ctors")));
static void (*end_of_list)(void) __attribute__((used, section(".ctors.99999")));
#define CONSTRUCTORS (&begin_of_list + 1)
#define CONSTRUCTORS_END (&end_of_list)

#else
/* The numbers that all of Linux's newer architectures share. */
enum { kOpenAt = 56, kClose = 57, kSeek = 62, kRead = 63, kWrite = 64, kExit = 93, kHere = -100 };

#if defined(__hexagon__)
static long call6(long number, long a, long b, long c, long d, long e) {
  register long r6 __asm__("r6") = number;
  register long r0 __asm__("r0") = a;
  register long r1 __asm__("r1") = b;
  register long r2 __asm__("r2") = c;
  register long r3 __asm__("r3") = d;
  register long r4 __asm__("r4") = e;
  __asm__ volatile("trap0(#1)" : "+r"(r0) : "r"(r6), "r"(r1), "r"(r2), "r"(r3), "r"(r4) : "memory");
  return r0;
}
static long call4(long number, long a, long b, long c, long d) {
  return call6(number, a, b, c, d, 0);
}
/* Of 32 bits: seeking takes a position in halves, and leaves the new one in memory. */
static long call(long number, long a, long b, long c) {
  int64_t at = -1;
  if (number != kSeek) return call4(number, a, b, c, 0);
  const long failed = call6(number, a, b < 0 ? -1 : 0, b, (long)&at, c);
  return failed < 0 ? failed : (long)at;
}

__asm__(
    ".global _start\n"
    "_start:\n"
    "  { r0 = memw(r29+#0); r1 = add(r29,#4) }\n"
    "  { r29 = and(r29,#-128) }\n"
    "  jump board_start\n");

#else
static long call4(long number, long a, long b, long c, long d) {
  register long a7 __asm__("$a7") = number;
  register long a0 __asm__("$a0") = a;
  register long a1 __asm__("$a1") = b;
  register long a2 __asm__("$a2") = c;
  register long a3 __asm__("$a3") = d;
  __asm__ volatile("syscall 0"
                   : "+r"(a0)
                   : "r"(a7), "r"(a1), "r"(a2), "r"(a3)
                   : "memory", "$t0", "$t1", "$t2", "$t3", "$t4", "$t5", "$t6", "$t7", "$t8");
  return a0;
}
static long call(long number, long a, long b, long c) { return call4(number, a, b, c, 0); }

__asm__(
    ".global _start\n"
    "_start:\n"
    "  ld.d $a0, $sp, 0\n"
    "  addi.d $a1, $sp, 8\n"
    "  bstrins.d $sp, $zero, 3, 0\n"
    "  b board_start\n");
#endif
static long call_open(const char* path, long flags) {
  return call4(kOpenAt, kHere, (long)path, flags, kPermissions);
}

extern void (*__init_array_start[])(void);
extern void (*__init_array_end[])(void);
#define CONSTRUCTORS __init_array_start
#define CONSTRUCTORS_END __init_array_end
#endif

__attribute__((used)) void board_start(int argc, char** argv) {
  for (void (**constructor)(void) = CONSTRUCTORS; constructor < CONSTRUCTORS_END; ++constructor)
    (*constructor)();
  board_exit(board_main(argc, argv));
}

void board_write(const char* text, size_t size) { board_file_write(1, text, size); }

int board_file_open_read(const char* path) { return (int)call_open(path, kReadOnly); }

int board_file_open_write(const char* path) { return (int)call_open(path, kNewFile); }

/* Until all of it is moved, or nothing more is. */
static size_t move(long number, int file, char* data, size_t size) {
  size_t done = 0;
  while (done < size) {
    const long moved = call(number, file, (long)(data + done), (long)(size - done));
    if (moved <= 0) break;
    done += (size_t)moved;
  }
  return done;
}

size_t board_file_read(int file, void* data, size_t size) { return move(kRead, file, data, size); }

size_t board_file_write(int file, const void* data, size_t size) {
  return move(kWrite, file, (char*)(uintptr_t)data, size);
}

int board_file_seek(int file, long position) {
  return call(kSeek, file, position, 0) == position ? 0 : -1;
}

long board_file_size(int file) {
  const long here = call(kSeek, file, 0, 1);
  const long size = call(kSeek, file, 0, 2);
  call(kSeek, file, here, 0);
  return size;
}

void board_file_close(int file) { call(kClose, file, 0, 0); }

void board_exit(int code) {
  call(kExit, code & 255, 0, 0);
  for (;;) {
  }
}
