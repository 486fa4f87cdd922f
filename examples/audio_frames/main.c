/* A keyword spotter whose frames of features are pushed as a DMA delivers them, seven at a time,
 * while the next seven come: each part of the network is computed as soon as its rows are there, so
 * the answer follows the last frame at once, and the window of a second is in no memory. Another
 * model uses the same arena between two windows; inside of one that is noticed. The DMA is played
 * by a function here. */
#include "../samples/kws.h"
#include "board.h"
#include "digits.h"
#include "hlocc_arena.h"
#include "hlocc_buffers.h"
#include "hlocc_selftest.h"
#include "kws.h"

enum { kFrames = ACME_KWS_STREAM_ROWS, kFeatures = 10, kClasses = 12, kHalf = 7 };
enum { kHalfBytes = kHalf * kFeatures * (int)sizeof(float) };

/* Longer than a half's frames, and the last half is full. */
typedef char halves_fill_the_window[kFrames % kHalf == 0 ? 1 : -1];

HLOCC_ARENA(arena, HLOCC_SHARED_BYTES2(ACME_KWS, ACME_DIGITS),
            HLOCC_SHARED_ALIGN2(ACME_KWS, ACME_DIGITS));
static acme_kws_t kws;
static acme_digits_t digits;
static float halves[2][kHalf * kFeatures] __attribute__((aligned(16)));
static hlocc_pingpong microphone;

/* What the hardware does: the frames from `first` on, then an interrupt. */
static void dma_delivers(int first) {
  float* to = (float*)hlocc_pingpong_target(&microphone);
  for (int i = 0; i < kHalf * kFeatures; ++i) to[i] = kMfcc[first * kFeatures + i];
  hlocc_pingpong_filled(&microphone);
}

/* The frames of a window up to `end`: 0, or an error code. */
static int listen(int end) {
  int code = acme_kws_begin(&kws);
  dma_delivers(0);
  for (int first = 0; first < end && code == ACME_KWS_OK; first += kHalf) {
    const float* frames = (const float*)hlocc_pingpong_take(&microphone);
    if (frames == 0) return -1;
    code = acme_kws_push_mfcc(&kws, frames, kHalf);
    hlocc_pingpong_release(&microphone, 0);
    /* On a chip the next frames came while the network worked on these. */
    if (first + kHalf < end) dma_delivers(first + kHalf);
  }
  return code;
}

static void to_board(void* context, const char* text, size_t bytes) {
  (void)context;
  board_write(text, bytes);
}

int main(void) {
  hlocc_selftest test;
  if (acme_kws_init(&kws, arena) != 0 || acme_digits_init(&digits, arena) != 0) return 1;
  if (hlocc_pingpong_init(&microphone, halves[0], halves[1], kHalfBytes, 1) != 0) return 2;
  hlocc_selftest_begin(&test, "audio_frames", to_board, 0);
  for (int window = 0; window < 2; ++window) {
    hlocc_selftest_true(&test, "listen", listen(kFrames) == ACME_KWS_OK);
    hlocc_selftest_true(&test, "end", acme_kws_end(&kws) == ACME_KWS_OK);
    hlocc_selftest_f32(&test, "probs", acme_kws_result_probs_data(&kws), kProbs, kClasses, 0.0f,
                       1e-5f);
    hlocc_selftest_true(&test, "digits", acme_digits_run(&digits) == ACME_DIGITS_OK);
  }
  hlocc_selftest_true(&test, "half-a-window", listen(3 * kHalf) == ACME_KWS_OK);
  hlocc_selftest_true(&test, "frames-are-missing", acme_kws_end(&kws) == ACME_KWS_ERROR_ROWS);
  hlocc_selftest_true(&test, "digits", acme_digits_run(&digits) == ACME_DIGITS_OK);
  hlocc_selftest_true(&test, "the-window-is-lost",
                      acme_kws_push_mfcc(&kws, halves[0], 1) == ACME_KWS_ERROR_ARENA);
  return hlocc_selftest_end(&test);
}
