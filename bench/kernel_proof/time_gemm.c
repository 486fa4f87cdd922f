/* Times the emitted GEMM tiles beside the prototypes, interleaved in one run, and checks them
 * against a plain loop. Prints GFLOP/s of the fastest call and the ratio; exit code 1 when a result
 * is wrong. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef void Gemm(const float*, const float*, float*);
Gemm prototype_gemm_4x2, prototype_gemm_6x2, gemm_4x2, gemm_6x2;

static _Alignas(64) float a[M * K], b[K * N], panels[K * N], c[M * N];

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec * 1e9 + t.tv_nsec;
}

static double fastest(Gemm* gemm, double best) {
  enum { kCalls = 20 };
  for (int round = 0; round < 20; ++round) {
    const double start = now();
    for (int i = 0; i < kCalls; ++i) gemm(a, panels, c);
    const double each = (now() - start) / kCalls;
    if (each < best) best = each;
  }
  return best;
}

static int is_right(Gemm* gemm) {
  gemm(a, panels, c);
  for (int m = 0; m < M; ++m)
    for (int n = 0; n < N; ++n) {
      double sum = 0;
      for (int k = 0; k < K; ++k) sum += (double)a[m * K + k] * b[k * N + n];
      if (fabs(sum - c[m * N + n]) > 1e-4) return 0;
    }
  return 1;
}

int main(void) {
  for (int i = 0; i < M * K; ++i) a[i] = (float)rand() / (float)RAND_MAX - 0.5f;
  for (int i = 0; i < K * N; ++i) b[i] = (float)rand() / (float)RAND_MAX - 0.5f;
  for (int k = 0; k < K; ++k)
    for (int n = 0; n < N; ++n) panels[((n / 16) * K + k) * 16 + n % 16] = b[k * N + n];
  Gemm *const ours[] = {gemm_4x2, gemm_6x2}, *const prototypes[] = {prototype_gemm_4x2,
                                                                    prototype_gemm_6x2};
  const char* const names[] = {"gemm 4x2", "gemm 6x2"};
  int wrong = 0;
  for (int i = 0; i < 2; ++i) {
    if (!is_right(ours[i]) || !is_right(prototypes[i])) return printf("%s is WRONG\n", names[i]), 1;
    double mine = 1e30, other = 1e30;
    for (int round = 0; round < 30; ++round) {
      mine = fastest(ours[i], mine);
      other = fastest(prototypes[i], other);
    }
    const double flops = 2.0 * M * N * K;
    printf("%s %dx%dx%d: ours %.1f GFLOP/s, prototype %.1f GFLOP/s, ratio %.3f\n", names[i], M, N,
           K, flops / mine, flops / other, other / mine);
    if (other / mine < 0.95) wrong = 1;
  }
  return wrong;
}
