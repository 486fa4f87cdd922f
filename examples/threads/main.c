/* A network on two cores. The library was compiled with --threads 2: its run calls
 * hlocc_parallel_for where work is worth it, and hlocc_threads.h brings that function and a pool
 * of threads, all in static storage. Before the pool has started, and with no pool at all, the
 * same library runs on one thread; the probabilities are the same bits. */
#include <pthread.h>

#include "../samples/kws.h"
#include "board.h"
#include "hlocc_threads.h"
#include "kws.h"

enum { kRuns = 20, kInputs = 490, kWords = 12 };

static unsigned char arena[ACME_KWS_ARENA_BYTES] __attribute__((aligned(ACME_KWS_ARENA_ALIGN)));
static acme_kws_t kws;

static hlocc_worker workers[1]; /* beside the thread that calls run */
static hlocc_pool pool;
static int calls;

/* As HLOCC_THREADS_BY(pool) has it, but that it counts. */
void hlocc_parallel_for(int32_t count, hlocc_range_body body, void* context) {
  ++calls;
  hlocc_pool_for(&pool, count, body, context);
}

static int run(float* probabilities) {
  int i;
  for (i = 0; i < kInputs; ++i) acme_kws_arg_mfcc_data(&kws)[i] = kMfcc[i];
  if (acme_kws_run(&kws) != ACME_KWS_OK) return 0;
  for (i = 0; i < kWords; ++i) probabilities[i] = acme_kws_result_probs_data(&kws)[i];
  return 1;
}

int main(void) {
  float alone[kWords], together[kWords];
  int n, i;
  if (acme_kws_init(&kws, arena) != ACME_KWS_OK) return 1;
  if (!run(alone)) return 2;
  if (hlocc_pool_start(&pool, workers, 1) != 0) return 3;
  for (n = 0; n < kRuns; ++n) {
    if (!run(together)) return 4;
    for (i = 0; i < kWords; ++i)
      if (alone[i] < together[i] || alone[i] > together[i]) return 5;
  }
  hlocc_pool_stop(&pool);
  for (i = 0; i < kWords; ++i)
    if (alone[i] < kProbs[i] - 1e-5f || alone[i] > kProbs[i] + 1e-5f) return 6;
  board_print(calls > 0 ? "two cores, the bits of one\n" : "nothing was dealt out\n");
  return calls > 0 ? 0 : 7;
}
