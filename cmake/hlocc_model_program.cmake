# Run by cmake -P when a project is built (hlocc_add_model): writes a C program for a compiled model
# into OUT, out of the names in its MANIFEST: its test or, with KIND=benchmark, its benchmark. HEADER
# and PREFIX are the generated header's. Both fill the arguments with zero bytes, which every element
# type and shape can take.
cmake_minimum_required(VERSION 3.20)

file(READ ${MANIFEST} manifest)
string(TOUPPER ${PREFIX} MACROS)
string(JSON arguments LENGTH ${manifest} arguments)
string(JSON results LENGTH ${manifest} results)

set(clear)
set(sums)
foreach(list IN ITEMS arguments results)
  set(i 0)
  while(i LESS ${${list}})
    if("${list}" STREQUAL "arguments")
      string(APPEND clear "  clear(${PREFIX}arg${i}_data(&model), ${MACROS}ARG${i}_BYTES);\n")
    else()
      string(APPEND sums "  sum = add(sum, ${PREFIX}result${i}_data(&model), ${MACROS}RESULT${i}_BYTES);\n")
    endif()
    math(EXPR i "${i} + 1")
  endwhile()
endforeach()

set(INCLUDES)
if(KIND STREQUAL benchmark)
  set(INCLUDES "#if __STDC_HOSTED__\n#include <stdio.h>\n#include <time.h>\n#elif defined(HLOCC_HAS_BOARD)\n#include \"board.h\"\n#endif\n")
endif()

set(common "/* Written by hlocc_add_model: do not edit. */
#if __STDC_HOSTED__ && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 199309L
#endif
#include \"${HEADER}\"
${INCLUDES}
static unsigned char arena[${MACROS}ARENA_BYTES] __attribute__((aligned(${MACROS}ARENA_ALIGN)));
static ${PREFIX}t model;

static void clear(void *data, size_t bytes) {
  volatile unsigned char *at = (volatile unsigned char *)data;
  while (bytes-- > 0) *at++ = 0;
}
static void clear_arguments(void) {
${clear}  (void)clear;
}
")

set(test "
/* FNV-1a over the bytes of the results. */
static uint32_t add(uint32_t sum, const void *data, size_t bytes) {
  const unsigned char *at = (const unsigned char *)data;
  while (bytes-- > 0) sum = (sum ^ *at++) * 16777619u;
  return sum;
}

/* 0, or what went wrong: 1 init, 2 run. */
static int run(uint32_t *answer) {
  uint32_t sum = 2166136261u;
  if (${PREFIX}init(&model, arena) != 0) return 1;
  clear_arguments();
  if (${PREFIX}run(&model) != 0) return 2;
${sums}  *answer = sum;
  (void)add;
  return 0;
}

/* 3: another answer to the same question. */
int main(void) {
  uint32_t first = 0, second = 1;
  int status = run(&first);
  if (status == 0) status = run(&second);
  return status != 0 ? status : first == second ? 0 : 3;
}
")

# Where there is an operating system, the fastest of as many calls as half a second takes. On a board
# without one, marks around ten calls for an emulator or a debugger, or the ticks of the user's clock.
set(benchmark "
#if __STDC_HOSTED__
static double now(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return (double)at.tv_sec * 1e6 + (double)at.tv_nsec * 1e-3;
}

int main(void) {
  if (${PREFIX}init(&model, arena) != 0) return 1;
  double fastest = 1e30;
  const double begin = now();
  long calls = 0;
  do {
    clear_arguments();
    const double start = now();
    if (${PREFIX}run(&model) != 0) return 2;
    const double taken = now() - start;
    if (taken < fastest) fastest = taken;
    ++calls;
  } while (now() - begin < 5e5);
  printf(\"${PREFIX}run: %.2f us, the fastest of %ld calls\\n\", fastest, calls);
  return 0;
}
#else
#ifndef HLOCC_HAS_BOARD
/* Yours: ticks of a running counter. */
uint32_t hlocc_benchmark_clock(void);
volatile uint32_t hlocc_benchmark_ticks; /* of the fastest call */
#endif

int main(void) {
  if (${PREFIX}init(&model, arena) != 0) return 1;
  for (int call = 0; call < 10; ++call) {
    clear_arguments();
#ifdef HLOCC_HAS_BOARD
    board_measure_begin();
    if (${PREFIX}run(&model) != 0) return 2;
    board_measure_end();
#else
    const uint32_t start = hlocc_benchmark_clock();
    if (${PREFIX}run(&model) != 0) return 2;
    const uint32_t taken = hlocc_benchmark_clock() - start;
    if (call == 0 || taken < hlocc_benchmark_ticks) hlocc_benchmark_ticks = taken;
#endif
  }
  return 0;
}
#endif
")

file(WRITE ${OUT} "${common}${${KIND}}")
