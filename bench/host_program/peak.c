/* What one core of this machine can do: answers each line "SECONDS" on stdin with a JSON object of
 * the rate of independent fused multiply-adds on the widest vectors (gflops), and of the rate of
 * reading a buffer again and again, for several sizes (read, in GB/s). Build with -O3 -march=native
 * -ffp-contract=fast. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "multiply_adds.h"

enum { kStreams = 8 };

/* From 16 KiB to 128 MiB, doubling. */
enum { kSizes = 14 };
static size_t size_at(int i) { return (size_t)(16 << 10) << i; }

static Vector sum_of(const float* data, size_t bytes) {
  Vector sum[kStreams];
  memset(sum, 0, sizeof sum);
  for (size_t at = 0; at < bytes / 4; at += kStreams * kLanes) {
#pragma GCC unroll 8
    for (int i = 0; i < kStreams; ++i) sum[i] += *(const Vector*)(data + at + (size_t)i * kLanes);
  }
#pragma GCC unroll 8
  for (int i = 1; i < kStreams; ++i) sum[0] += sum[i];
  return sum[0];
}

/* The first pass brings the data as near as it can lie, and does not count. */
static double read_rate(const float* data, size_t bytes) {
  const size_t turns = bytes < ((size_t)8 << 20) ? ((size_t)8 << 20) / bytes : 1;
  keep(sum_of(data, bytes));
  const double begin = now_seconds();
  for (size_t turn = 0; turn < turns; ++turn) {
    keep(sum_of(data, bytes));
    __asm__ volatile("" ::: "memory");
  }
  return (double)bytes * (double)turns / (now_seconds() - begin) * 1e-9;
}

int main(void) {
  float* data = aligned_alloc(64, size_at(kSizes - 1));
  if (data == NULL) return 2;
  memset(data, 0, size_at(kSizes - 1));
  printf("{\"ready\": true}\n");
  fflush(stdout);
  char line[64];
  while (fgets(line, sizeof line, stdin) != NULL) {
    double gflops = 0, rates[kSizes] = {0};
    const double end = now_seconds() + atof(line);
    do {
      const double rate = multiply_adds(20000);
      if (rate > gflops) gflops = rate;
      for (int i = 0; i < kSizes; ++i) {
        const double one = read_rate(data, size_at(i));
        if (one > rates[i]) rates[i] = one;
      }
    } while (now_seconds() < end);
    printf("{\"gflops\": %.2f, \"read\": {", gflops);
    for (int i = 0; i < kSizes; ++i)
      printf("%s\"%zu\": %.2f", i > 0 ? ", " : "", size_at(i), rates[i]);
    printf("}}\n");
    fflush(stdout);
  }
  return 0;
}
