/* A keyword spotter as a device runs it: the last second of features is kept in a ring, every 100
 * ms the network looks at it, and a word counts as heard only when the average of the last few
 * looks is sure of it. The sound is a sample that enters the ring frame by frame. */
#include "../samples/kws.h"
#include "board.h"
#include "kws.h"

enum { kFrames = 49, kFeatures = 10, kClasses = 12, kFramesPerLook = 7, kLooks = 3 };

static uint8_t arena[ACME_KWS_ARENA_BYTES] __attribute__((aligned(ACME_KWS_ARENA_ALIGN)));
static acme_kws_t kws;

/* The ring of frames; `newest` is where the next one goes, which is also where the oldest one lies.
 */
static float ring[kFrames][kFeatures];
static int newest;

static void push_frame(const float* frame) {
  for (int i = 0; i < kFeatures; ++i) ring[newest][i] = frame[i];
  newest = (newest + 1) % kFrames;
}

/* The input is written anew each time: run consumes it, which is what keeps the arena small. */
static int look(float* probs) {
  float* mfcc = acme_kws_arg_mfcc_data(&kws);
  for (int f = 0; f < kFrames; ++f) {
    const float* frame = ring[(newest + f) % kFrames];
    for (int i = 0; i < kFeatures; ++i) mfcc[f * kFeatures + i] = frame[i];
  }
  if (acme_kws_run(&kws) != 0) return -1;
  const float* result = acme_kws_result_probs_data(&kws);
  for (int c = 0; c < kClasses; ++c) probs[c] = result[c];
  return 0;
}

static int best_of(const float* probs) {
  int best = 0;
  for (int c = 1; c < kClasses; ++c) {
    if (probs[c] > probs[best]) best = c;
  }
  return best;
}

static void report(int frame, int word, float mean) {
  board_print("frame ");
  board_print_i32(frame);
  board_print(": class ");
  board_print_i32(word);
  board_print(", mean of the last looks ");
  board_print_float(mean, 4);
  board_print("\n");
}

/* With the whole sample in the ring, the answer must be the one that was exported with the model.
 */
static int is_expected(const float* probs) {
  for (int c = 0; c < kClasses; ++c) {
    const float difference = probs[c] - kProbs[c];
    if (!(difference <= 1e-5f && difference >= -1e-5f)) return 0;
  }
  return 1;
}

int main(void) {
  static float history[kLooks][kClasses];
  if (acme_kws_init(&kws, arena) != 0) return 1;
  int looks = 0;
  for (int f = 0; f < kFrames; ++f) {
    push_frame(kMfcc + f * kFeatures);
    if ((f + 1) % kFramesPerLook != 0) continue;
    if (look(history[looks++ % kLooks]) != 0) return 1;
    float mean[kClasses];
    for (int c = 0; c < kClasses; ++c) {
      mean[c] = 0;
      for (int l = 0; l < kLooks; ++l) mean[c] += history[l][c] / (float)kLooks;
    }
    report(f, best_of(mean), mean[best_of(mean)]);
  }
  const int right = is_expected(history[(looks - 1) % kLooks]);
  board_print(right ? "the last look is the expected one\n" : "WRONG\n");
  return right ? 0 : 1;
}
