/* What the shims of three RTOSes stand on: a counting semaphore and a detached thread, by POSIX. */
#ifndef SHIM_SEMAPHORE_H_
#define SHIM_SEMAPHORE_H_

#include <pthread.h>
#include <stdlib.h>

typedef struct shim_semaphore {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  unsigned int count, most;
} shim_semaphore;

/* The semaphore or thread that the RTOS has no room for, counted from 1; 0: none. */
static int shim_refused;
static inline int shim_refuses(void) { return shim_refused > 0 && --shim_refused == 0; }

static inline void shim_init(shim_semaphore* s, unsigned int most, unsigned int count) {
  if (most == 0) abort(); /* RTOSes assert this */
  (void)pthread_mutex_init(&s->mutex, NULL);
  (void)pthread_cond_init(&s->changed, NULL);
  s->most = most;
  s->count = count;
}
static inline int shim_give(shim_semaphore* s) {
  int given;
  (void)pthread_mutex_lock(&s->mutex);
  given = s->count < s->most;
  if (given) ++s->count;
  (void)pthread_cond_signal(&s->changed);
  (void)pthread_mutex_unlock(&s->mutex);
  return given;
}
static inline int shim_take(shim_semaphore* s) {
  (void)pthread_mutex_lock(&s->mutex);
  while (s->count == 0) (void)pthread_cond_wait(&s->changed, &s->mutex);
  --s->count;
  (void)pthread_mutex_unlock(&s->mutex);
  return 1;
}
static inline int shim_thread(void* (*body)(void*), void* argument) {
  pthread_t thread;
  const int code = pthread_create(&thread, NULL, body, argument);
  if (code == 0) (void)pthread_detach(thread);
  return code == 0;
}
#endif
