/* What a network takes on a board, step by step. The library was compiled with --profile: its run
 * tells hlocc_profile_step what begins, and hlocc_profile.h counts. The output goes to a terminal
 * here, to a UART on a chip; save it and say
 *   hlocc profile OUTPUT --model kws_dscnn.snapshot.pb [--clock 80MHz] [--html profile.html]
 * Without --profile the library has none of this and PROFILE_STEPS is not defined. */
#include "../samples/kws.h"
#include "board.h"
#include "hlocc_clock.h"
#include "hlocc_profile.h"
#include "kws.h"

enum { kRuns = 3, kInputs = 490 };

static unsigned char arena[ACME_KWS_ARENA_BYTES] __attribute__((aligned(ACME_KWS_ARENA_ALIGN)));
static acme_kws_t kws;

static hlocc_step_row rows[ACME_KWS_PROFILE_STEPS];
static hlocc_steps steps[1];
HLOCC_PROFILE_STEPS(steps, 1)

static void to_board(void* context, const char* text, size_t bytes) {
  (void)context;
  board_write(text, bytes);
}

int main(void) {
  if (hlocc_clock_start() != HLOCC_CLOCK_OK) return 1;
  if (acme_kws_init(&kws, arena) != ACME_KWS_OK) return 2;
  hlocc_steps_init(&steps[0], rows, ACME_KWS_PROFILE_STEPS, hlocc_clock_now, HLOCC_CLOCK_BITS);
  for (int n = 0; n < kRuns; ++n) {
    for (int i = 0; i < kInputs; ++i) acme_kws_arg_mfcc_data(&kws)[i] = kMfcc[i];
    if (acme_kws_run(&kws) != ACME_KWS_OK) return 3;
  }
  hlocc_steps_dump(&steps[0], to_board, 0);
  for (int i = 0; i < ACME_KWS_PROFILE_STEPS; ++i)
    if (rows[i].calls != kRuns || rows[i].least > rows[i].most) return 4;
  return steps[0].runs == kRuns ? 0 : 5;
}
