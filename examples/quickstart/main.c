/* The whole application: give the model its memory, write its input, run it, read its output.
 * Everything else here prints. */
#include "../samples/kws.h"
#include "board.h"
#include "kws.h"

enum { kClasses = sizeof kProbs / sizeof *kProbs };

static uint8_t arena[ACME_KWS_ARENA_BYTES] __attribute__((aligned(ACME_KWS_ARENA_ALIGN)));
static acme_kws_t kws;

/* Prints both columns; returns how many classes are off by more than rounding can explain. */
static int compare(const float* probs) {
  int wrong = 0;
  board_print("  class      answer    expected\n");
  for (int i = 0; i < kClasses; ++i) {
    const float difference = probs[i] > kProbs[i] ? probs[i] - kProbs[i] : kProbs[i] - probs[i];
    wrong += !(difference <= 1e-6f + 1e-5f * kProbs[i]);
    board_print(i < 10 ? "      " : "     ");
    board_print_i32(i);
    board_print("  ");
    board_print_float(probs[i], 8);
    board_print("  ");
    board_print_float(kProbs[i], 8);
    board_print("\n");
  }
  return wrong;
}

int main(void) {
  if (acme_kws_init(&kws, arena) != 0) return 1;
  float* mfcc = acme_kws_arg_mfcc_data(&kws);
  for (size_t i = 0; i < sizeof kMfcc / sizeof *kMfcc; ++i) mfcc[i] = kMfcc[i];

  board_stack_paint();
  board_measure_begin();
  const int status = acme_kws_run(&kws);
  board_measure_end();
  const uint32_t stack = board_stack_used();
  if (status != 0) return 1;

  const int wrong = compare(acme_kws_result_probs_data(&kws));
  board_print(wrong == 0 ? "  every class is right\n" : "  WRONG\n");
  board_print("  stack touched by run: ");
  board_print_u32(stack);
  board_print(" bytes\n");
  return wrong == 0 ? 0 : 1;
}
