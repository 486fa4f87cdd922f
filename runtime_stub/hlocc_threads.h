/* hlocc_threads.h: threads for a model that was compiled with `hlocc compile --threads N`. Its run
 * calls hlocc_parallel_for(N, body, context) where work is worth it, and goes on when all of
 * body(context, 0) to body(context, N - 1) have returned; in which order and on which threads does
 * not matter, and the results have the bits of one thread. The library brings a weak definition
 * that takes one range after the other, so that one core needs nothing of this file. C99 and C++11,
 * no malloc of its own: pool, workers and stacks are the caller's, in static storage.
 *
 *   #define HLOCC_THREADS 1                       what the threads come from: see below
 *   #include <hlocc_threads.h>
 *   static hlocc_worker workers[1];               beside the thread that calls run
 *   static hlocc_pool pool;
 *   HLOCC_THREADS_BY(pool)                        defines the function that run calls
 *   if (hlocc_pool_start(&pool, workers, 1) != 0) { ... }
 *   acme_kws_run(&kws);
 *
 * HLOCC_THREADS says what a worker is:
 *   0  nothing: one core (the default); hlocc_serial_for only
 *   1  a POSIX thread, which waits for work HLOCC_THREADS_SPINS turns long before it sleeps
 *   2  a FreeRTOS task: hlocc_worker_init(worker, stack, words, priority) first; needs
 *      configSUPPORT_STATIC_ALLOCATION and counting semaphores
 *   3  a Zephyr thread: hlocc_worker_init(worker, stack, bytes, priority) first, the stack by
 *      K_THREAD_STACK_DEFINE
 *   4  a CMSIS-RTOS2 thread: hlocc_worker_init(worker, attributes) first, which may name memory for
 *      the thread; its semaphores come from the RTOS
 * A worker's stack holds one kernel and what the manifest's stack_bytes says.
 *
 * A pool serves one run at a time; of two that come at once (HLOCC_THREADS 1), one goes without.
 * With fewer workers than ranges a thread takes several, with more some have nothing to do.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HLOCC_THREADS_H_
#define HLOCC_THREADS_H_

#ifndef HLOCC_THREADS
#define HLOCC_THREADS 0
#endif

#include <stddef.h>
#include <stdint.h>

#if HLOCC_THREADS == 1
#include <pthread.h>
#elif HLOCC_THREADS == 2
#include <FreeRTOS.h>
#include <semphr.h>
#include <task.h>
#elif HLOCC_THREADS == 3
#include <zephyr/kernel.h>
#elif HLOCC_THREADS == 4
#include <cmsis_os2.h>
#elif HLOCC_THREADS != 0
#error "HLOCC_THREADS is 0 (one core), 1 (pthread), 2 (FreeRTOS), 3 (Zephyr) or 4 (CMSIS-RTOS2)"
#endif

#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-function"
#endif
#ifdef __cplusplus
extern "C" {
#endif

typedef void (*hlocc_range_body)(void* context, int32_t range);

/* What run calls. */
void hlocc_parallel_for(int32_t count, hlocc_range_body body, void* context);

/* All ranges on the calling thread. */
static inline void hlocc_serial_for(int32_t count, hlocc_range_body body, void* context) {
  int32_t range;
  for (range = 0; range < count; ++range) body(context, range);
}

#if HLOCC_THREADS != 0

struct hlocc_pool;

#if HLOCC_THREADS == 1
#ifndef HLOCC_THREADS_SPINS
#define HLOCC_THREADS_SPINS 4000
#endif
/* What one thread writes and others wait for lies in a line of the cache of its own. */
#define HLOCC_OWN_LINE __attribute__((aligned(64)))
typedef struct hlocc_worker {
  struct hlocc_pool* pool;
  int32_t number;
  pthread_t thread;
} hlocc_worker;
#elif HLOCC_THREADS == 2
typedef struct hlocc_worker {
  struct hlocc_pool* pool;
  int32_t number;
  StackType_t* stack;
  uint32_t words;
  UBaseType_t priority;
  StaticTask_t task;
  StaticSemaphore_t memory;
  SemaphoreHandle_t go;
} hlocc_worker;
#elif HLOCC_THREADS == 3
typedef struct hlocc_worker {
  struct hlocc_pool* pool;
  int32_t number;
  k_thread_stack_t* stack;
  size_t bytes;
  int priority;
  struct k_thread thread;
  struct k_sem go;
} hlocc_worker;
#else
typedef struct hlocc_worker {
  struct hlocc_pool* pool;
  int32_t number;
  const osThreadAttr_t* attributes;
  osSemaphoreId_t go;
} hlocc_worker;
#endif

typedef struct hlocc_pool {
  hlocc_worker* workers;
  int32_t count; /* of workers that run */
  /* The work: written before workers are told of it. */
  int32_t ranges, threads;
  hlocc_range_body body;
  void* context;
  int32_t ends;
#if HLOCC_THREADS == 1
  uint32_t turn;                 /* of launches: in the line of the work */
  HLOCC_OWN_LINE uint32_t ended; /* by workers, all launches together */
  HLOCC_OWN_LINE uint32_t taken; /* by the thread that calls run */
  HLOCC_OWN_LINE uint32_t sleepers, waits;
  pthread_mutex_t mutex;
  pthread_cond_t work, done;
#elif HLOCC_THREADS == 2
  StaticSemaphore_t memory;
  SemaphoreHandle_t done;
#elif HLOCC_THREADS == 3
  struct k_sem done;
#else
  osSemaphoreId_t done;
#endif
} hlocc_pool;

/* Every threads-th range, from `first` on. */
static inline void hlocc_pool_take(const hlocc_pool* pool, int32_t first) {
  int32_t range;
  for (range = first; range < pool->ranges; range += pool->threads)
    pool->body(pool->context, range);
}

/* How many threads so many ranges are for, the caller's included. */
static inline void hlocc_pool_give(hlocc_pool* pool, int32_t count, hlocc_range_body body,
                                   void* context) {
  pool->ranges = count;
  pool->threads = count <= pool->count ? (count > 0 ? count : 1) : pool->count + 1;
  pool->body = body;
  pool->context = context;
}

#if HLOCC_THREADS == 1

static inline uint32_t hlocc_atomic_get(uint32_t* at) {
  return __atomic_load_n(at, __ATOMIC_SEQ_CST);
}

static inline void hlocc_spin(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) || (defined(__ARM_ARCH) && __ARM_ARCH >= 7)
  __asm__ volatile("yield" ::: "memory");
#endif
}

static inline void* hlocc_worker_main(void* argument) {
  hlocc_worker* const worker = (hlocc_worker*)argument;
  hlocc_pool* const pool = worker->pool;
  uint32_t seen = 0;
  for (;;) {
    int spins;
    for (spins = 0; spins < HLOCC_THREADS_SPINS && hlocc_atomic_get(&pool->turn) == seen; ++spins)
      hlocc_spin();
    if (hlocc_atomic_get(&pool->turn) == seen) {
      (void)pthread_mutex_lock(&pool->mutex);
      (void)__atomic_add_fetch(&pool->sleepers, 1u, __ATOMIC_SEQ_CST);
      while (hlocc_atomic_get(&pool->turn) == seen)
        (void)pthread_cond_wait(&pool->work, &pool->mutex);
      (void)__atomic_sub_fetch(&pool->sleepers, 1u, __ATOMIC_SEQ_CST);
      (void)pthread_mutex_unlock(&pool->mutex);
    }
    ++seen;
    if (pool->ends) return NULL;
    if (worker->number < pool->threads) hlocc_pool_take(pool, worker->number);
    if (__atomic_add_fetch(&pool->ended, 1u, __ATOMIC_SEQ_CST) == seen * (uint32_t)pool->count &&
        hlocc_atomic_get(&pool->waits) != 0) {
      (void)pthread_mutex_lock(&pool->mutex);
      (void)pthread_cond_signal(&pool->done);
      (void)pthread_mutex_unlock(&pool->mutex);
    }
  }
}

/* Tells every worker that there is work, or that it is to end. */
static inline void hlocc_pool_wake(hlocc_pool* pool) {
  (void)__atomic_add_fetch(&pool->turn, 1u, __ATOMIC_SEQ_CST);
  if (hlocc_atomic_get(&pool->sleepers) != 0) {
    (void)pthread_mutex_lock(&pool->mutex);
    (void)pthread_cond_broadcast(&pool->work);
    (void)pthread_mutex_unlock(&pool->mutex);
  }
}

/* Ends the workers; the pool may be started again. No thread may be in hlocc_pool_for. */
static inline void hlocc_pool_stop(hlocc_pool* pool) {
  int32_t i;
  pool->ends = 1;
  hlocc_pool_wake(pool);
  for (i = 0; i < pool->count; ++i) (void)pthread_join(pool->workers[i].thread, NULL);
  pool->count = 0;
  (void)pthread_cond_destroy(&pool->done);
  (void)pthread_cond_destroy(&pool->work);
  (void)pthread_mutex_destroy(&pool->mutex);
}

/* 0, or pthread_create's error; then no worker runs. */
static inline int hlocc_pool_start(hlocc_pool* pool, hlocc_worker* workers, int32_t count) {
  int32_t i;
  pool->workers = workers;
  pool->count = 0;
  pool->ends = 0;
  pool->taken = pool->turn = pool->ended = pool->sleepers = pool->waits = 0;
  (void)pthread_mutex_init(&pool->mutex, NULL);
  (void)pthread_cond_init(&pool->work, NULL);
  (void)pthread_cond_init(&pool->done, NULL);
  for (i = 0; i < count; ++i) {
    int code;
    workers[i].pool = pool;
    workers[i].number = i + 1;
    code = pthread_create(&workers[i].thread, NULL, hlocc_worker_main, &workers[i]);
    if (code != 0) {
      hlocc_pool_stop(pool);
      return code;
    }
    ++pool->count;
  }
  return 0;
}

static inline void hlocc_pool_for(hlocc_pool* pool, int32_t count, hlocc_range_body body,
                                  void* context) {
  uint32_t all; /* what `ended` is when all workers are done */
  int spins;
  if (pool->count == 0 || count < 2 || __atomic_exchange_n(&pool->taken, 1u, __ATOMIC_SEQ_CST)) {
    hlocc_serial_for(count, body, context);
    return;
  }
  hlocc_pool_give(pool, count, body, context);
  all = (pool->turn + 1u) * (uint32_t)pool->count;
  hlocc_pool_wake(pool);
  hlocc_pool_take(pool, 0);
  for (spins = 0; spins < HLOCC_THREADS_SPINS && hlocc_atomic_get(&pool->ended) != all; ++spins)
    hlocc_spin();
  if (hlocc_atomic_get(&pool->ended) != all) {
    (void)pthread_mutex_lock(&pool->mutex);
    __atomic_store_n(&pool->waits, 1u, __ATOMIC_SEQ_CST);
    while (hlocc_atomic_get(&pool->ended) != all)
      (void)pthread_cond_wait(&pool->done, &pool->mutex);
    __atomic_store_n(&pool->waits, 0u, __ATOMIC_SEQ_CST);
    (void)pthread_mutex_unlock(&pool->mutex);
  }
  __atomic_store_n(&pool->taken, 0u, __ATOMIC_RELEASE);
}

#else /* an RTOS: a semaphore a worker, and one that counts those that are done */

#if HLOCC_THREADS == 2
static inline void hlocc_worker_init(hlocc_worker* worker, StackType_t* stack, uint32_t words,
                                     UBaseType_t priority) {
  worker->stack = stack;
  worker->words = words;
  worker->priority = priority;
}
static inline void hlocc_await_go(hlocc_worker* worker) {
  while (xSemaphoreTake(worker->go, portMAX_DELAY) != pdTRUE) {
  }
}
static inline void hlocc_give_go(hlocc_worker* worker) { (void)xSemaphoreGive(worker->go); }
static inline void hlocc_await_done(hlocc_pool* pool) {
  while (xSemaphoreTake(pool->done, portMAX_DELAY) != pdTRUE) {
  }
}
static inline void hlocc_give_done(hlocc_pool* pool) { (void)xSemaphoreGive(pool->done); }
static inline void hlocc_worker_end(void) { vTaskDelete(NULL); }
#elif HLOCC_THREADS == 3
static inline void hlocc_worker_init(hlocc_worker* worker, k_thread_stack_t* stack, size_t bytes,
                                     int priority) {
  worker->stack = stack;
  worker->bytes = bytes;
  worker->priority = priority;
}
static inline void hlocc_await_go(hlocc_worker* worker) {
  (void)k_sem_take(&worker->go, K_FOREVER);
}
static inline void hlocc_give_go(hlocc_worker* worker) { k_sem_give(&worker->go); }
static inline void hlocc_await_done(hlocc_pool* pool) { (void)k_sem_take(&pool->done, K_FOREVER); }
static inline void hlocc_give_done(hlocc_pool* pool) { k_sem_give(&pool->done); }
static inline void hlocc_worker_end(void) {}
#else
static inline void hlocc_worker_init(hlocc_worker* worker, const osThreadAttr_t* attributes) {
  worker->attributes = attributes;
}
static inline void hlocc_await_go(hlocc_worker* worker) {
  (void)osSemaphoreAcquire(worker->go, osWaitForever);
}
static inline void hlocc_give_go(hlocc_worker* worker) { (void)osSemaphoreRelease(worker->go); }
static inline void hlocc_await_done(hlocc_pool* pool) {
  (void)osSemaphoreAcquire(pool->done, osWaitForever);
}
static inline void hlocc_give_done(hlocc_pool* pool) { (void)osSemaphoreRelease(pool->done); }
static inline void hlocc_worker_end(void) { osThreadExit(); }
#endif

static inline void hlocc_worker_loop(hlocc_worker* worker) {
  for (;;) {
    hlocc_await_go(worker);
    if (worker->pool->ends) break;
    hlocc_pool_take(worker->pool, worker->number);
    hlocc_give_done(worker->pool);
  }
  hlocc_give_done(worker->pool);
  hlocc_worker_end();
}

#if HLOCC_THREADS == 3
static inline void hlocc_worker_main(void* worker, void* b, void* c) {
  (void)b;
  (void)c;
  hlocc_worker_loop((hlocc_worker*)worker);
}
#else
static inline void hlocc_worker_main(void* worker) { hlocc_worker_loop((hlocc_worker*)worker); }
#endif

/* Whether the worker runs. */
static inline int hlocc_worker_start(hlocc_worker* worker) {
#if HLOCC_THREADS == 2
  worker->go = xSemaphoreCreateCountingStatic(1, 0, &worker->memory);
  return worker->go != NULL &&
         xTaskCreateStatic(hlocc_worker_main, "hlocc", worker->words, worker, worker->priority,
                           worker->stack, &worker->task) != NULL;
#elif HLOCC_THREADS == 3
  (void)k_sem_init(&worker->go, 0, 1);
  return k_thread_create(&worker->thread, worker->stack, worker->bytes, hlocc_worker_main, worker,
                         NULL, NULL, worker->priority, 0, K_NO_WAIT) != NULL;
#else
  worker->go = osSemaphoreNew(1, 0, NULL);
  return worker->go != NULL && osThreadNew(hlocc_worker_main, worker, worker->attributes) != NULL;
#endif
}

/* Ends the workers. No thread may be in hlocc_pool_for. */
static inline void hlocc_pool_stop(hlocc_pool* pool) {
  int32_t i;
  pool->ends = 1;
  for (i = 0; i < pool->count; ++i) hlocc_give_go(&pool->workers[i]);
  for (i = 0; i < pool->count; ++i) hlocc_await_done(pool);
  pool->count = 0;
}

/* 0, or 1 if the RTOS has no room for a worker; then none runs. */
static inline int hlocc_pool_start(hlocc_pool* pool, hlocc_worker* workers, int32_t count) {
  int32_t i;
  pool->workers = workers;
  pool->count = 0;
  pool->ends = 0;
#if HLOCC_THREADS == 2
  pool->done =
      xSemaphoreCreateCountingStatic((UBaseType_t)(count > 0 ? count : 1), 0, &pool->memory);
  if (pool->done == NULL) return 1;
#elif HLOCC_THREADS == 3
  (void)k_sem_init(&pool->done, 0, (unsigned int)(count > 0 ? count : 1));
#else
  pool->done = osSemaphoreNew((uint32_t)(count > 0 ? count : 1), 0, NULL);
  if (pool->done == NULL) return 1;
#endif
  for (i = 0; i < count; ++i) {
    workers[i].pool = pool;
    workers[i].number = i + 1;
    if (!hlocc_worker_start(&workers[i])) {
      hlocc_pool_stop(pool);
      return 1;
    }
    ++pool->count;
  }
  return 0;
}

static inline void hlocc_pool_for(hlocc_pool* pool, int32_t count, hlocc_range_body body,
                                  void* context) {
  int32_t i;
  hlocc_pool_give(pool, count, body, context);
  for (i = 0; i + 1 < pool->threads; ++i) hlocc_give_go(&pool->workers[i]);
  hlocc_pool_take(pool, 0);
  for (i = 0; i + 1 < pool->threads; ++i) hlocc_await_done(pool);
}

#endif

/* Defines hlocc_parallel_for, for all models of the program: once, in a C file. */
#define HLOCC_THREADS_BY(pool)                                                   \
  void hlocc_parallel_for(int32_t count, hlocc_range_body body, void* context) { \
    hlocc_pool_for(&(pool), count, body, context);                               \
  }

#endif /* HLOCC_THREADS != 0 */

#ifdef __cplusplus
}
#endif
#ifdef __clang__
#pragma clang diagnostic pop
#endif

#endif /* HLOCC_THREADS_H_ */
