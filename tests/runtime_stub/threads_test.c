/* hlocc_threads.h by each of its kinds of threads (HLOCC_THREADS), RTOSes by their shims: every
 * range is run once, by several threads, and is over when the call returns; pools start again. */
#include <hlocc_threads.h>
#include <pthread.h>
#include <stdio.h>

enum { kWorkers = 3, kRanges = 64, kRounds = 300 };

static hlocc_worker workers[kWorkers];
static hlocc_pool pool;
HLOCC_THREADS_BY(pool)

#if HLOCC_THREADS == 2
static StackType_t stacks[kWorkers][256];
#elif HLOCC_THREADS == 3
static K_THREAD_STACK_DEFINE(stack0, 1024);
static K_THREAD_STACK_DEFINE(stack1, 1024);
static K_THREAD_STACK_DEFINE(stack2, 1024);
#elif HLOCC_THREADS == 4
static const osThreadAttr_t attributes = {"hlocc", 0, NULL, 0, NULL, 1024};
#endif

static int failures;
#define CHECK(what) \
  ((what) ? (void)0 : (void)(++failures, printf("line %d: %s\n", __LINE__, #what)))

/* Plain memory: a race is for the sanitizer to find. */
typedef struct job {
  int32_t runs[kRanges];
  pthread_t who[kRanges];
  int32_t round;
} job;

static void body(void* context, int32_t range) {
  job* const one = (job*)context;
  one->runs[range] += one->round;
  one->who[range] = pthread_self();
}

static int start(int32_t count) {
#if HLOCC_THREADS == 2
  int32_t i;
  for (i = 0; i < kWorkers; ++i) hlocc_worker_init(&workers[i], stacks[i], 256, 1);
#elif HLOCC_THREADS == 3
  hlocc_worker_init(&workers[0], stack0, sizeof stack0, 5);
  hlocc_worker_init(&workers[1], stack1, sizeof stack1, 5);
  hlocc_worker_init(&workers[2], stack2, sizeof stack2, 5);
#elif HLOCC_THREADS == 4
  int32_t i;
  for (i = 0; i < kWorkers; ++i) hlocc_worker_init(&workers[i], &attributes);
#endif
  return hlocc_pool_start(&pool, workers, count);
}

static void rounds(int32_t ranges, int32_t wanted_threads) {
  job one;
  int32_t round, i, sum = 0, threads = 1;
  for (i = 0; i < kRanges; ++i) one.runs[i] = 0;
  for (round = 1; round <= kRounds; ++round) {
    one.round = round;
    sum += round;
    hlocc_parallel_for(ranges, body, &one);
    if (round % 100 == 0) {
      /* Long enough for threads to fall asleep. */
      volatile int32_t spin;
      for (spin = 0; spin < 500000; ++spin) {
      }
    }
  }
  for (i = 0; i < kRanges; ++i) CHECK(one.runs[i] == (i < ranges ? sum : 0));
  for (i = 1; i < ranges && i <= kWorkers; ++i) threads += !pthread_equal(one.who[0], one.who[i]);
  CHECK(ranges < 2 || threads == wanted_threads);
  CHECK(ranges == 0 || pthread_equal(one.who[0], pthread_self()));
}

#if HLOCC_THREADS == 1
static void* other(void* argument) {
  (void)argument;
  rounds(5, 1);
  return NULL;
}
/* Whoever comes second goes without threads. */
static void inner(void* context, int32_t range) {
  job one;
  int32_t i;
  (void)context;
  if (range != 0) return;
  one.round = 1;
  for (i = 0; i < kRanges; ++i) one.runs[i] = 0;
  hlocc_parallel_for(4, body, &one);
  for (i = 0; i < 4; ++i) CHECK(pthread_equal(one.who[i], pthread_self()));
}
#endif

#if HLOCC_THREADS == 2 || HLOCC_THREADS == 4
/* The pool's semaphore, then each worker's and its thread, as many as `workers` need: with one of
 * them refused nothing starts, with the next one it does. */
static void refused(int32_t count) {
  int32_t at;
  for (at = 1; at <= 1 + 2 * count; ++at) {
    shim_refused = at;
    CHECK(start(count) == 1 && pool.count == 0);
  }
  shim_refused = at;
  CHECK(start(count) == 0);
  shim_refused = 0;
  rounds(count, count);
  hlocc_pool_stop(&pool);
}
#endif

int main(void) {
  int again;
  for (again = 0; again < 2; ++again) {
    CHECK(start(kWorkers) == 0);
    rounds(4, 4);
    rounds(2, 2);
    rounds(1, 1);
    rounds(0, 1);
    rounds(kRanges, 4);
#if HLOCC_THREADS == 1
    hlocc_parallel_for(2, inner, NULL);
#endif
    hlocc_pool_stop(&pool);
    CHECK(pool.count == 0); /* nobody to wait for */
  }
  CHECK(start(0) == 0);
  rounds(4, 1);
  hlocc_pool_stop(&pool);
#if HLOCC_THREADS == 1
  {
    pthread_t thread;
    (void)pthread_create(&thread, NULL, other, NULL); /* of a pool that is stopped */
    (void)pthread_join(thread, NULL);
  }
#endif
#if HLOCC_THREADS == 2
  refused(3);
#elif HLOCC_THREADS == 4
  refused(1);
  CHECK(start(kWorkers) == 0);
  hlocc_pool_stop(&pool);
  CHECK(start(kWorkers) != 0); /* more than the RTOS has room for */
#endif
  printf("%s\n", failures == 0 ? "passed" : "failed");
  return failures != 0;
}
