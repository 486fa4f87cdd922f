/* One row of the pointwise convolution of the keyword-spotting network for Cortex-A53, by hand, to
 * be compiled by clang -O3: 5 pixels by 16 channels, multiply by lane (20 sums, 5 inputs, 4 weights
 * in registers), 4 inputs a turn. */
#define AI static inline __attribute__((always_inline))
#define UNROLL _Pragma("clang loop unroll(full)")
typedef float v4 __attribute__((vector_size(16), aligned(4)));
enum { C = 64 };
AI v4 lane(v4 v, int i) {
  return i == 0   ? __builtin_shufflevector(v, v, 0, 0, 0, 0)
         : i == 1 ? __builtin_shufflevector(v, v, 1, 1, 1, 1)
         : i == 2 ? __builtin_shufflevector(v, v, 2, 2, 2, 2)
                  : __builtin_shufflevector(v, v, 3, 3, 3, 3);
}
AI v4 relu(v4 v) { return __builtin_elementwise_max(v, (v4){0}); }

AI const float* tile(const float* a, const float* w, float* o) {
  v4 s[5][4];
  UNROLL for (int p = 0; p < 5; p++) UNROLL for (int j = 0; j < 4; j++) s[p][j] =
      *(const v4*)(w + 4 * j);
  w += 16;
  const float* e = w + 16 * 64;
  _Pragma("clang loop unroll(disable)") do {
    v4 x[5];
    UNROLL for (int p = 0; p < 5; p++) x[p] = *(const v4*)(a + p * C);
    UNROLL for (int u = 0; u < 4; u++) {
      v4 b[4];
      UNROLL for (int j = 0; j < 4; j++) b[j] = *(const v4*)(w + u * 16 + j * 4);
      UNROLL for (int p = 0; p < 5; p++) UNROLL for (int j = 0; j < 4; j++) s[p][j] +=
          lane(x[p], u) * b[j];
    }
    a += 4;
    w += 64;
  }
  while (w != e)
    ;
  UNROLL for (int p = 0; p < 5; p++) UNROLL for (int j = 0; j < 4; j++) * (v4*)(o + p * C + 4 * j) =
      relu(s[p][j]);
  return w;
}

void prototype_pointwise_row(const float* restrict a, const float* restrict w, float* restrict o) {
  for (float* e = o + C; o != e; o += 16) w = tile(a, w, o);
}
