/* The application: classifies silence, and is content if the answer is a distribution. */
#include "hlocc_buffers.h"
#include "kws.h"

static unsigned char arena[ACME_KWS_ARENA_BYTES] __attribute__((aligned(ACME_KWS_ARENA_ALIGN)));
static acme_kws_t kws;

int main(void) {
  if (acme_kws_init(&kws, arena) != 0) return 1;
  hlocc_view mfcc;
  HLOCC_VIEW_OF(&mfcc, HLOCC_F32, acme_kws_arg_mfcc_data(&kws), ACME_KWS_ARG0);
  hlocc_iter it;
  for (hlocc_iter_begin(&it, &mfcc); it.left > 0; hlocc_iter_next(&it)) *(float*)it.at = 0;
  if (acme_kws_run(&kws) != 0) return 2;
  float sum = 0;
  for (int i = 0; i < ACME_KWS_RESULT0_COUNT; ++i) sum += acme_kws_result_probs_data(&kws)[i];
  return sum > 0.999f && sum < 1.001f ? 0 : 3;
}
