/* Calls the emitted pointwise row and the prototype between measuring marks, once each, and checks
 * that they agree with a plain loop. The instruction counter prints one line for each. */
#include <math.h>
#include <stdio.h>

#include "board.h"

enum { kPixels = 5, kChannels = 64, kBlock = 16 * (1 + kChannels) };
void pointwise_row(const float*, const float*, float*);
void prototype_pointwise_row(const float*, const float*, float*);

static _Alignas(16) float a[kPixels * kChannels], w[kChannels / 16 * kBlock],
    o[kPixels * kChannels];

static int is_right(void) {
  for (int p = 0; p < kPixels; ++p)
    for (int n = 0; n < kChannels; ++n) {
      const float* block = w + n / 16 * kBlock + n % 16;
      double sum = block[0];
      for (int k = 0; k < kChannels; ++k) sum += (double)a[p * kChannels + k] * block[16 * (1 + k)];
      if (fabs((sum > 0 ? sum : 0) - o[p * kChannels + n]) > 1e-4) return 0;
    }
  return 1;
}

int main(void) {
  unsigned seed = 1;
  for (unsigned i = 0; i < sizeof a / sizeof *a; ++i)
    a[i] = (float)((seed = seed * 1664525u + 1013904223u) >> 8) / 8388608.0f - 1;
  for (unsigned i = 0; i < sizeof w / sizeof *w; ++i)
    w[i] = (float)((seed = seed * 1664525u + 1013904223u) >> 8) / 8388608.0f - 1;
  board_measure_begin();
  pointwise_row(a, w, o);
  board_measure_end();
  int wrong = !is_right();
  for (unsigned i = 0; i < sizeof o / sizeof *o; ++i) o[i] = -1;
  board_measure_begin();
  prototype_pointwise_row(a, w, o);
  board_measure_end();
  wrong |= !is_right();
  puts(wrong ? "pointwise row is WRONG" : "pointwise row is right");
  return wrong;
}
