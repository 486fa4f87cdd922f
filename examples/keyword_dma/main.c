/* A keyword spotter with the runtime stub around it: features come in by DMA, into two halves in
 * turn, while the network works on the half before. The network reads a full half where it lies,
 * without a copy. Between two looks another model uses the same arena. All of it is timed, guarded
 * and checked against the answer that was exported with the model. The DMA is played by a function
 * here; on a chip it is a channel whose interrupt calls hlocc_pingpong_filled. */
#include "../samples/kws.h"
#include "board.h"
#include "digits.h"
#include "hlocc_arena.h"
#include "hlocc_buffers.h"
#include "hlocc_clock.h"
#include "hlocc_selftest.h"
#include "kws.h"

enum { kFrames = 49, kFeatures = 10, kWindow = kFrames * kFeatures, kClasses = 12, kLooks = 4 };
enum { kLine = 32 }; /* bytes of a cache line, on chips that have a cache */
enum { kHalfBytes = HLOCC_ROUND_UP(kWindow * (int)sizeof(float), kLine) };

/* One arena for two models, with guards around it; too small would not compile. */
enum { kGuards = 2 * HLOCC_GUARD_BYTES };
HLOCC_ARENA(block, HLOCC_SHARED_BYTES2(ACME_KWS, ACME_DIGITS) + kGuards, 64);
HLOCC_ARENA_ASSERT(guards_keep_the_alignment,
                   HLOCC_GUARD_BYTES % HLOCC_SHARED_ALIGN2(ACME_KWS, ACME_DIGITS) == 0);
static acme_kws_t kws;
static acme_digits_t digits;
static hlocc_lease lease;

static float halves[2][kHalfBytes / sizeof(float)] __attribute__((aligned(kLine)));
static hlocc_pingpong microphone;

/* What the hardware does: fills the half that it has, then interrupts. Window `n` is the sample,
 * louder by n / 4, so that no two are alike; the third is the one whose answer is known. */
static void dma_delivers(int n) {
  float* to = (float*)hlocc_pingpong_target(&microphone);
  const float gain = n == 2 ? 1.0f : 1.0f + 0.25f * (float)(n + 1);
  for (int i = 0; i < kWindow; ++i) to[i] = kMfcc[i] * gain;
  hlocc_pingpong_filled(&microphone);
}

/* The network on a full half: 0, or an error code. */
static int look(float* window, float* probs) {
  hlocc_lease_take(&lease, &kws);
  if (acme_kws_set_arg_mfcc_data(&kws, window) != ACME_KWS_OK) return 1;
  if (acme_kws_run(&kws) != ACME_KWS_OK) return 2;
  for (int c = 0; c < kClasses; ++c) probs[c] = acme_kws_result_probs_data(&kws)[c];
  return 0;
}

/* The other model, on an empty picture: it overwrites what the first one left in the arena. */
static int look_at_digits(void) {
  hlocc_view pixels;
  hlocc_iter it;
  HLOCC_VIEW_OF(&pixels, HLOCC_F32, acme_digits_arg0_data(&digits), ACME_DIGITS_ARG0);
  hlocc_lease_take(&lease, &digits);
  for (hlocc_iter_begin(&it, &pixels); it.left > 0; hlocc_iter_next(&it)) *(float*)it.at = 0.0f;
  return acme_digits_run(&digits);
}

static void to_board(void* context, const char* text, size_t bytes) {
  (void)context;
  board_write(text, bytes);
}

int main(void) {
  static float probs[kLooks][kClasses];
  hlocc_selftest test;
  uint32_t ticks = 0;
  hlocc_guard_set(block, sizeof block);
  if (acme_kws_init(&kws, hlocc_guard_inner(block)) != 0) return 1;
  if (acme_digits_init(&digits, hlocc_guard_inner(block)) != 0) return 1;
  if (hlocc_pingpong_init(&microphone, halves[0], halves[1], kHalfBytes, kLine) != 0) return 1;
  const int timed = hlocc_clock_start() == HLOCC_CLOCK_OK;

  dma_delivers(0);
  for (int n = 0; n < kLooks; ++n) {
    float* window = (float*)hlocc_pingpong_take(&microphone);
    if (window == 0) return 2;
    const uint32_t begin = hlocc_clock_now();
    dma_delivers(n +
                 1); /* on a chip this goes on at the same time; here it finds the half in use */
    if (look(window, probs[n]) != 0) return 3;
    ticks += hlocc_clock_since(begin);
    if (look_at_digits() != 0) return 4;
    hlocc_pingpong_release(&microphone, 0);
    dma_delivers(n + 1);
  }

  hlocc_selftest_begin(&test, "keyword_dma", to_board, 0);
  hlocc_selftest_f32(&test, "probs", probs[2], kProbs, kClasses, 0.0f, 1e-5f);
  hlocc_selftest_true(&test, "windows-differ", probs[0][0] != probs[2][0]);
  hlocc_selftest_true(&test, "arena-guards",
                      hlocc_guard_check(block, sizeof block) == HLOCC_GUARD_OK);
  hlocc_selftest_true(&test, "lost-halves", microphone.lost == kLooks);
  hlocc_selftest_true(&test, "digits-ran-last", hlocc_lease_is(&lease, &digits));
  hlocc_selftest_true(&test, "one-arena", sizeof block - kGuards == ACME_KWS_ARENA_BYTES);
  if (timed) {
    board_print("ticks of a look: ");
    board_print_u32(ticks / kLooks);
    board_print("\n");
  }
  return hlocc_selftest_end(&test);
}
