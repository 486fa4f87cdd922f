/* Runs a compiled model on this machine for the host benches: `program IN OUT [PROFILE]` reads the
 * arguments from IN, runs once, writes the results to OUT, says that it is ready, and then answers
 * each line "SECONDS" on stdin with a JSON object of the fastest and the median call in that time,
 * "peak SECONDS" also with what multiply-adds at full rate would have done in the time of a call,
 * and "profile SECONDS" while a timer samples where the program is; PROFILE gets "address count"
 * lines. Arguments lie in buffers of the caller's, which run does not change, and
 * results stay where the model puts them: what every library under test does too. State is set back
 * before each call. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

#include "bench.h"
#include "leaves.h"
#include "multiply_adds.h"

enum { kMostSamples = 1 << 20, kSampleNanoseconds = 50000, kBurst = 4000 };

static bench_t model;
static double times[kMostSamples], works[kMostSamples];
static uintptr_t places[kMostSamples];
static volatile size_t placed;

static double now_us(void) { return now_seconds() * 1e6; }

static int by_value(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static int by_address(const void* a, const void* b) {
  const uintptr_t x = *(const uintptr_t*)a, y = *(const uintptr_t*)b;
  return (x > y) - (x < y);
}

static double time_of(long calls) {
  const double begin = now_us();
  for (long i = 0; i < calls; ++i) {
    rewind_state(&model);
    bench_run(&model);
  }
  return (now_us() - begin) / (double)calls;
}

/* Short calls are timed several at once: the clock must not weigh in them. */
static long calls_a_sample(void) {
  long calls = 1;
  while (calls < 1 << 20 && time_of(calls) * (double)calls < 20) calls *= 2;
  return calls;
}

/* The clock of a core wanders by a tenth and more within milliseconds, so each sample may stand
 * between two bursts of multiply-adds: GFLOP/s times us are thousands of operations. */
static void measure(double seconds, int against_peak) {
  const long calls = calls_a_sample();
  const double begin = now_us();
  size_t n = 0;
  do {
    const double before = against_peak ? multiply_adds(kBurst) : 0;
    const double one = time_of(calls);
    const double after = against_peak ? multiply_adds(kBurst) : 0;
    works[n] = one * (before + after) / 2;
    times[n++] = one;
  } while (n < kMostSamples && (now_us() - begin < seconds * 1e6 || n < 5));
  qsort(times, n, sizeof *times, by_value);
  qsort(works, n, sizeof *works, by_value);
  printf("{\"n\": %zu, \"min_us\": %.4f, \"median_us\": %.4f, \"peak_kflop\": %.4f}\n", n, times[0],
         times[n / 2], works[n / 2]);
  fflush(stdout);
}

static void on_sample(int number, siginfo_t* info, void* context) {
  (void)number, (void)info;
  const ucontext_t* at = context;
  if (placed < kMostSamples) places[placed++] = (uintptr_t)at->uc_mcontext.gregs[REG_RIP];
}

static void profile(double seconds, const char* path) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_sample;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigaction(SIGPROF, &action, NULL);
  struct sigevent event;
  memset(&event, 0, sizeof event);
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGPROF;
  timer_t timer;
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) exit(3);
  const struct itimerspec on = {{0, kSampleNanoseconds}, {0, kSampleNanoseconds}};
  const struct itimerspec off = {{0, 0}, {0, 0}};
  placed = 0;
  timer_settime(timer, 0, &on, NULL);
  const double begin = now_us();
  while (now_us() - begin < seconds * 1e6) time_of(1);
  timer_settime(timer, 0, &off, NULL);
  timer_delete(timer);
  FILE* file = fopen(path, "w");
  if (file == NULL) exit(3);
  qsort(places, placed, sizeof *places, by_address);
  for (size_t i = 0, end; i < placed; i = end) {
    for (end = i; end < placed && places[end] == places[i];) ++end;
    fprintf(file, "%lx %zu\n", (unsigned long)places[i], end - i);
  }
  fclose(file);
}

int main(int argc, char** argv) {
  static uint8_t arena[BENCH_ARENA_BYTES] __attribute__((aligned(BENCH_ARENA_ALIGN)));
  if (argc < 3 || bench_init(&model, arena) != 0) return 2;
  FILE *in = fopen(argv[1], "rb"), *out = fopen(argv[2], "wb");
  if (in == NULL || out == NULL || !read_arguments(&model, in) || bench_run(&model) != 0) return 2;
  write_results(&model, out);
  fclose(in);
  fclose(out);
  printf("{\"ready\": true}\n");
  fflush(stdout);
  char line[64];
  while (fgets(line, sizeof line, stdin) != NULL) {
    const double seconds = atof(line + strcspn(line, "0123456789."));
    if (strncmp(line, "profile ", 8) == 0 && argc > 3) profile(seconds, argv[3]);
    measure(seconds, strncmp(line, "peak ", 5) == 0);
  }
  return 0;
}
