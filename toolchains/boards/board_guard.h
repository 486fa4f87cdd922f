/* board_guard.h: memory between guards, for the programs of `hlocc verify --guard`. Where there is
 * an operating system with pages, a touch of those around a buffer ends the program with a line
 * that names it; elsewhere red zones around the buffers are looked at after each run. The numbers
 * are those of src/devices/host/guard.h. Whoever includes this defines GUARD_MOST, the number of
 * buffers that there may be, and, if GUARD_PAGES is not defined then, guard_pool. */
#ifndef HLOCC_BOARD_GUARD_H_
#define HLOCC_BOARD_GUARD_H_

#include <stddef.h>
#include <stdint.h>

#if defined(__linux__) && !defined(BOARD_BARE_METAL) && defined(__has_include)
#if __has_include(<sys/mman.h>) && __has_include(<signal.h>)
#define GUARD_PAGES 1
#endif
#endif

typedef struct guard_round {
  unsigned char own, behind, arena, instance, results, around;
} guard_round;
typedef struct guard_block {
  unsigned char *begin, *end, *data; /* what may be touched, and the buffer in it */
  size_t bytes;
  uint32_t sum; /* of an argument's own buffer, before the run */
} guard_block;
static guard_block guard_blocks[GUARD_MOST];
static int guard_count;

static unsigned char guard_byte(unsigned char fill, const unsigned char* at) {
  static const unsigned char signalling[8] = {0x7f, 0xf4, 0x00, 0x01, 0x7f, 0xa0, 0x7d, 0xa0};
  static const uint16_t one = 1;
  const unsigned place = (unsigned)(uintptr_t)at % 8u;
  if (fill != 2) return fill == 1 ? 0xff : 0;
  return signalling[*(const unsigned char*)&one != 0 ? 7u - place : place];
}
static void guard_fill(unsigned char* from, unsigned char* to, unsigned char fill) {
  for (; from < to; ++from) *(volatile unsigned char*)from = guard_byte(fill, from);
}
static int guard_holds(const unsigned char* from, const unsigned char* to, unsigned char fill) {
  for (; from < to; ++from)
    if (*(const volatile unsigned char*)from != guard_byte(fill, from)) return 0;
  return 1;
}
static uint32_t guard_sum(const guard_block* block) {
  uint32_t sum = 2166136261u;
  size_t i;
  for (i = 0; i < block->bytes; ++i) sum = (sum ^ block->data[i]) * 16777619u;
  return sum;
}
static void* guard_data(int buffer) { return guard_blocks[buffer].data; }

#ifdef GUARD_PAGES
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static size_t guard_page;
static int guard_number; /* of the round */

static void guard_fault(int number, siginfo_t* info, void* context) {
  const unsigned char* at = (const unsigned char*)info->si_addr;
  int i;
  (void)context;
  for (i = 0; i < guard_count; ++i) {
    const guard_block* block = &guard_blocks[i];
    const int before = at >= block->begin - guard_page && at < block->begin;
    if (!before && !(at >= block->end && at < block->end + guard_page)) continue;
    /* Nothing goes on after this, and what was being written is not the C library's. */
    printf("\nhlocc-guard %d %d\n", 1 + 4 * i + (before ? 0 : 1), guard_number);
    fflush(stdout);
    _exit(86);
  }
  signal(number, SIG_DFL);
}

/* A buffer's pages, between two that may not be touched; 0 if there is no memory left. */
static int guard_room(guard_block* block, size_t align) {
  const size_t inside = (block->bytes + align + guard_page) / guard_page * guard_page;
  unsigned char* pages = (unsigned char*)mmap(NULL, inside + 2 * guard_page, PROT_NONE,
                                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == (unsigned char*)MAP_FAILED) return 0;
  block->begin = pages + guard_page;
  block->end = block->begin + inside;
  return mprotect(block->begin, inside, PROT_READ | PROT_WRITE) == 0;
}
static int guard_open(const size_t* sizes, int count, size_t align) {
  struct sigaction action = {0};
  guard_page = (size_t)sysconf(_SC_PAGESIZE);
  for (guard_count = 0; guard_count < count; ++guard_count) {
    guard_blocks[guard_count].bytes = sizes[guard_count];
    if (!guard_room(&guard_blocks[guard_count], align)) return 0;
  }
  action.sa_sigaction = guard_fault;
  action.sa_flags = SA_SIGINFO;
  return sigaction(SIGSEGV, &action, NULL) == 0 && sigaction(SIGBUS, &action, NULL) == 0;
}
static void guard_close(void) {
  int i;
  for (i = 0; i < guard_count; ++i)
    munmap(guard_blocks[i].begin - guard_page,
           (size_t)(guard_blocks[i].end - guard_blocks[i].begin) + 2 * guard_page);
  guard_count = 0;
}
static void guard_place(guard_block* block, size_t align, int behind) {
  const uintptr_t last = (uintptr_t)(block->end - block->bytes);
  block->data = behind ? (unsigned char*)(last - last % align) : block->begin;
}
#define GUARD_ROUND_IS(number) (guard_number = (number))

#else

enum { GUARD_ZONE = 64 };
/* The memory that the buffers lie in. */
static unsigned char* guard_pool(size_t* bytes);

static int guard_open(const size_t* sizes, int count, size_t align) {
  size_t bytes;
  unsigned char* const pool = guard_pool(&bytes);
  unsigned char* at = pool;
  for (guard_count = 0; guard_count < count; ++guard_count) {
    guard_block* block = &guard_blocks[guard_count];
    block->bytes = sizes[guard_count];
    block->begin = at;
    at += GUARD_ZONE;
    at += (align - (uintptr_t)at % align) % align;
    block->data = at;
    block->end = at + block->bytes + GUARD_ZONE;
    at = block->end;
  }
  return at <= pool + bytes;
}
static void guard_close(void) { guard_count = 0; }
static void guard_place(guard_block* block, size_t align, int behind) {
  (void)block;
  (void)align;
  (void)behind; /* a zone begins where the buffer ends, and ends where it begins */
}
#define GUARD_ROUND_IS(number) ((void)(number))
#endif

/* Fills everything, as the round has it. */
static void guard_begin(const guard_round* round, size_t align) {
  int i;
  for (i = 0; i < guard_count; ++i) {
    guard_block* block = &guard_blocks[i];
    guard_place(block, align, round->behind);
    guard_fill(block->begin, block->end, round->around);
    guard_fill(block->data, block->data + block->bytes,
               i == 0   ? round->arena
               : i == 1 ? round->instance
                        : round->results);
  }
}
/* What the buffers hold just before the run. */
static void guard_note(void) {
  int i;
  for (i = 2; i < guard_count; ++i) guard_blocks[i].sum = guard_sum(&guard_blocks[i]);
}
/* What the run did around the buffers, and to the arguments' own: a finding, or 0. */
static int guard_check(const guard_round* round, int arguments) {
  int i;
  for (i = 0; i < guard_count; ++i) {
    const guard_block* block = &guard_blocks[i];
    if (!guard_holds(block->begin, block->data, round->around)) return 1 + 4 * i;
    if (!guard_holds(block->data + block->bytes, block->end, round->around)) return 2 + 4 * i;
    if (i >= 2 && i < 2 + arguments && guard_sum(block) != block->sum) return 3 + 4 * i;
  }
  return 0;
}

#endif /* HLOCC_BOARD_GUARD_H_ */
