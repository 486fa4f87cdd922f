/* The outer-product tile in C with fixed vectors, to be compiled by clang -O3: what the emitted
 * kernels are held against. FLOATS 8, M, N and K from the command line of the compiler. */
#include <stddef.h>

#define VL 8
typedef float vf __attribute__((vector_size(32), aligned(4)));
#define AI static inline __attribute__((always_inline))
#define FULL _Pragma("clang loop unroll(full)")
AI vf ld(const float* p) { return *(const vf*)p; }
AI void st(float* p, vf v) { *(vf*)p = v; }
/* A splat must be insertelement and shufflevector; (vf){0} + x is an addition. */
AI vf spl(float x) { return (vf){x, x, x, x, x, x, x, x}; }

AI void tile(const int MR, const int NV, const int depth, const float* A, const ptrdiff_t lda,
             const float* B, vf (*c)[4]) {
  for (int k = 0; k < depth; k++) {
    vf b[4];
    FULL for (int j = 0; j < NV; j++) b[j] = ld(B + (ptrdiff_t)k * NV * VL + j * VL);
    FULL for (int i = 0; i < MR; i++) {
      vf a = spl(A[i * lda + k]);
      FULL for (int j = 0; j < NV; j++) c[i][j] += a * b[j];
    }
  }
}

#define GEMM(NAME, MR, NV)                                                                    \
  void NAME(const float* restrict a, const float* restrict b, float* restrict out) {          \
    for (int p = 0; p < N / (NV * VL); p++)                                                   \
      for (int i = 0; i < M; i += MR) {                                                       \
        vf c[MR][4];                                                                          \
        FULL for (int r = 0; r < MR; r++) FULL for (int j = 0; j < NV; j++) c[r][j] = spl(0); \
        tile(MR, NV, K, a + i * K, K, b + (ptrdiff_t)p * K * NV * VL, c);                     \
        FULL for (int r = 0; r < MR; r++) FULL for (int j = 0; j < NV; j++)                   \
            st(out + (i + r) * N + p * NV * VL + j * VL, c[r][j]);                            \
      }                                                                                       \
  }
GEMM(prototype_gemm_4x2, 4, 2)
GEMM(prototype_gemm_6x2, 6, 2)
