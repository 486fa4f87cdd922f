/* The rate at which one core of this machine multiplies and adds on vectors of kVectorBytes (the
 * widest ones that the compiler was told of, or -DVECTOR_BYTES). Build with -O3 -march=native
 * -ffp-contract=fast. */
#ifndef HLOCC_BENCH_MULTIPLY_ADDS_H
#define HLOCC_BENCH_MULTIPLY_ADDS_H

#include <time.h>

#if defined(VECTOR_BYTES)
enum { kVectorBytes = VECTOR_BYTES };
#elif defined(__AVX512F__)
enum { kVectorBytes = 64 };
#elif defined(__AVX__)
enum { kVectorBytes = 32 };
#else
enum { kVectorBytes = 16 };
#endif
typedef float Vector __attribute__((vector_size(kVectorBytes)));
enum { kLanes = kVectorBytes / 4, kChains = 12 };

static volatile float sink;

static void keep(Vector v) { sink = v[0]; }

static double now_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* GFLOP/s of `turns` times kChains independent multiply-adds: chains enough to hide the latency of
 * two units. Every loop over them is unrolled, or they would lie in memory. */
static double multiply_adds(int turns) {
  Vector chain[kChains], factor, term;
  for (int i = 0; i < kLanes; ++i) factor[i] = 0.999f, term[i] = 0.001f;
#pragma GCC unroll 12
  for (int i = 0; i < kChains; ++i) chain[i] = term * (float)i;
  const double begin = now_seconds();
  for (int turn = 0; turn < turns; ++turn) {
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i) chain[i] = chain[i] * factor + term;
  }
  const double seconds = now_seconds() - begin;
#pragma GCC unroll 12
  for (int i = 0; i < kChains; ++i) keep(chain[i]);
  return 2e-9 * kLanes * kChains * turns / seconds;
}

#endif
