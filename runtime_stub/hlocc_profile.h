/* hlocc_profile.h: what parts of a firmware take, counted on the board: the model beside its
 * preprocessing, the copy in, the wait for a sensor. One row a part: calls, sum, least and most
 * ticks, with the counter's own cost taken off. C99 and C++11, freestanding, no malloc, no printf;
 * what is not called costs nothing. Any counter of 32 bits or fewer will do, hlocc_clock.h's too.
 *
 *   static hlocc_profile_row rows[2];
 *   hlocc_profile_init(&profile, rows, 2, hlocc_clock_now, HLOCC_CLOCK_BITS);
 *   const uint32_t begin = hlocc_profile_begin(&profile);
 *   acme_kws_run(&kws);
 *   hlocc_profile_end(&profile, 0, "run", begin);
 *   hlocc_profile_dump(&profile, write, 0);
 *
 * The dump is text, a line a row in the order of their numbers:
 *   hlocc-profile begin rows 2
 *   hlocc-profile row run calls 10 total 1234567 least 123400 most 123600
 *   hlocc-profile end
 *
 * What happens inside of run is counted step by step if the model was compiled with --profile:
 *
 *   static hlocc_step_row rows[ACME_KWS_PROFILE_STEPS];
 *   static hlocc_steps steps[1];
 *   HLOCC_PROFILE_STEPS(steps, 1)                      defines the function that run calls
 *   hlocc_steps_init(&steps[0], rows, ACME_KWS_PROFILE_STEPS, hlocc_clock_now, HLOCC_CLOCK_BITS);
 *   acme_kws_run(&kws);
 *   hlocc_steps_dump(&steps[0], write, 0);             `hlocc profile DUMP --model MODEL` reads it
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HLOCC_PROFILE_H_
#define HLOCC_PROFILE_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-function"
#endif
#ifdef __cplusplus
extern "C" {
#endif

typedef struct hlocc_profile_row {
  const char* name; /* NULL: nothing was counted yet */
  uint64_t total;
  uint32_t calls, least, most;
} hlocc_profile_row;

typedef struct hlocc_profile {
  hlocc_profile_row* rows;
  uint32_t count;
  uint32_t (*now)(void);
  uint32_t mask; /* of the counter's bits */
  uint32_t cost; /* ticks between two looks at the counter */
} hlocc_profile;

/* Forgets what was counted. */
static inline void hlocc_profile_reset(hlocc_profile* profile) {
  uint32_t i;
  for (i = 0; i < profile->count; ++i) {
    hlocc_profile_row* row = &profile->rows[i];
    row->name = (const char*)0;
    row->total = 0;
    row->calls = 0;
    row->least = 0xFFFFFFFFu;
    row->most = 0;
  }
}

/* `bits` of the counter count up and wrap; it runs already. */
static inline void hlocc_profile_init(hlocc_profile* profile, hlocc_profile_row* rows,
                                      uint32_t count, uint32_t (*now)(void), int bits) {
  int i;
  profile->rows = rows;
  profile->count = count;
  profile->now = now;
  profile->mask = 0xFFFFFFFFu >> (32 - bits);
  profile->cost = profile->mask;
  for (i = 0; i < 8; ++i) {
    const uint32_t begin = now();
    const uint32_t passed = (now() - begin) & profile->mask;
    if (passed < profile->cost) profile->cost = passed;
  }
  hlocc_profile_reset(profile);
}

static inline uint32_t hlocc_profile_begin(const hlocc_profile* profile) { return profile->now(); }

/* Counts what went by since `begin` for a row; a row that is not there is left out. `name` is kept,
 * not copied. Parts may lie in one another: the outer one has the inner one's ticks, too. */
static inline void hlocc_profile_end(hlocc_profile* profile, uint32_t number, const char* name,
                                     uint32_t begin) {
  uint32_t passed = (profile->now() - begin) & profile->mask;
  hlocc_profile_row* row;
  if (number >= profile->count) return;
  passed = passed > profile->cost ? passed - profile->cost : 0;
  row = &profile->rows[number];
  row->name = name;
  row->total += passed;
  ++row->calls;
  if (passed < row->least) row->least = passed;
  if (passed > row->most) row->most = passed;
}

/* Called with pieces of lines. */
typedef void (*hlocc_profile_write)(void* context, const char* text, size_t bytes);

static inline void hlocc_profile_text_(hlocc_profile_write write, void* context, const char* text) {
  size_t bytes = 0;
  while (text[bytes] != 0) ++bytes;
  write(context, text, bytes);
}

static inline void hlocc_profile_number_(hlocc_profile_write write, void* context,
                                         uint64_t number) {
  char digits[20];
  size_t used = 0;
  do {
    digits[sizeof digits - ++used] = (char)('0' + (char)(number % 10u));
    number /= 10u;
  } while (number != 0);
  write(context, digits + (sizeof digits - used), used);
}

/* Rows that counted nothing are left out. */
static inline void hlocc_profile_dump(const hlocc_profile* profile, hlocc_profile_write write,
                                      void* context) {
  uint32_t i, counted = 0;
  for (i = 0; i < profile->count; ++i) counted += profile->rows[i].name != (const char*)0;
  hlocc_profile_text_(write, context, "hlocc-profile begin rows ");
  hlocc_profile_number_(write, context, counted);
  for (i = 0; i < profile->count; ++i) {
    const hlocc_profile_row* row = &profile->rows[i];
    if (row->name == (const char*)0) continue;
    hlocc_profile_text_(write, context, "\nhlocc-profile row ");
    hlocc_profile_text_(write, context, row->name);
    hlocc_profile_text_(write, context, " calls ");
    hlocc_profile_number_(write, context, row->calls);
    hlocc_profile_text_(write, context, " total ");
    hlocc_profile_number_(write, context, row->total);
    hlocc_profile_text_(write, context, " least ");
    hlocc_profile_number_(write, context, row->least);
    hlocc_profile_text_(write, context, " most ");
    hlocc_profile_number_(write, context, row->most);
  }
  hlocc_profile_text_(write, context, "\nhlocc-profile end\n");
}

/* ---- steps of run ---- */

/* What run says of itself beside the numbers of its steps, which count from 0. */
#define HLOCC_PROFILE_BEGIN (-1)
#define HLOCC_PROFILE_END (-2)

typedef struct hlocc_step_row {
  uint64_t total;
  uint32_t calls, least, most;
} hlocc_step_row;

/* The steps of one model; with several models, each has its own. */
typedef struct hlocc_steps {
  const char* model; /* who runs, as the library says it; NULL: the next that runs */
  hlocc_step_row* rows;
  uint32_t count;
  uint32_t (*now)(void);
  uint32_t mask, cost;
  int32_t step; /* that is counted now, or HLOCC_PROFILE_END */
  uint32_t since, runs;
} hlocc_steps;

/* Forgets what was counted, and whose it was. */
static inline void hlocc_steps_reset(hlocc_steps* steps) {
  uint32_t i;
  for (i = 0; i < steps->count; ++i) {
    hlocc_step_row* row = &steps->rows[i];
    row->total = 0;
    row->calls = 0;
    row->least = 0xFFFFFFFFu;
    row->most = 0;
  }
  steps->model = (const char*)0;
  steps->step = HLOCC_PROFILE_END;
  steps->runs = 0;
}

/* `count`: the header's PROFILE_STEPS. `bits` of the counter count up and wrap, and no step takes
 * longer than until it does; it runs already. */
static inline void hlocc_steps_init(hlocc_steps* steps, hlocc_step_row* rows, uint32_t count,
                                    uint32_t (*now)(void), int bits) {
  int i;
  steps->rows = rows;
  steps->count = count;
  steps->now = now;
  steps->mask = 0xFFFFFFFFu >> (32 - bits);
  steps->cost = steps->mask;
  for (i = 0; i < 8; ++i) {
    const uint32_t begin = now();
    const uint32_t passed = (now() - begin) & steps->mask;
    if (passed < steps->cost) steps->cost = passed;
  }
  hlocc_steps_reset(steps);
}

/* The step that was counted ends, `step` begins. A run that ended with an error counts up to there
 * and is no run. */
static inline void hlocc_steps_mark(hlocc_steps* steps, int32_t step) {
  uint32_t passed = (steps->now() - steps->since) & steps->mask;
  /* No run's own marks are steps: as unsigned numbers they lie beyond all. */
  if ((uint32_t)steps->step < steps->count && step != HLOCC_PROFILE_BEGIN) {
    hlocc_step_row* row = &steps->rows[steps->step];
    passed = passed > steps->cost ? passed - steps->cost : 0;
    row->total += passed;
    ++row->calls;
    if (passed < row->least) row->least = passed;
    if (passed > row->most) row->most = passed;
  }
  if (step == HLOCC_PROFILE_END) ++steps->runs;
  steps->step = step;
  steps->since = steps->now();
}

/* Whose steps these are: a model's own from its first run on. */
static inline void hlocc_steps_of(hlocc_steps* table, uint32_t count, const char* model,
                                  int32_t step) {
  uint32_t i;
  for (i = 0; i < count; ++i) {
    hlocc_steps* steps = &table[i];
    if (steps->now == (uint32_t(*)(void))0) continue; /* no dump was asked for yet */
    if (steps->model == (const char*)0) steps->model = model;
    if (steps->model != model) continue;
    hlocc_steps_mark(steps, step);
    return;
  }
}

/* Defines the function that run of a --profile build calls, for a table of `count` models. In one
 * file of the firmware; instances that run at once need a counter each, which this is not. */
#ifdef __cplusplus
#define HLOCC_PROFILE_C_ extern "C"
#else
#define HLOCC_PROFILE_C_
#endif
#define HLOCC_PROFILE_STEPS(table, count)                                     \
  HLOCC_PROFILE_C_ void hlocc_profile_step(const char* model, int32_t step);  \
  HLOCC_PROFILE_C_ void hlocc_profile_step(const char* model, int32_t step) { \
    hlocc_steps_of(table, count, model, step);                                \
  }

static inline void hlocc_steps_field_(hlocc_profile_write write, void* context, const char* name,
                                      uint64_t number) {
  hlocc_profile_text_(write, context, name);
  hlocc_profile_number_(write, context, number);
}

/* Steps that never ran have no line.
 *   hlocc-steps begin acme_kws cortex-m4f -O2 0123456789abcdef steps 12 runs 10
 *   hlocc-steps step 0 calls 10 total 1234567 least 123400 most 123600
 *   hlocc-steps end */
static inline void hlocc_steps_dump(const hlocc_steps* steps, hlocc_profile_write write,
                                    void* context) {
  uint32_t i;
  if (steps->model == (const char*)0) return; /* it never ran, or is no --profile build */
  hlocc_profile_text_(write, context, "hlocc-steps begin ");
  hlocc_profile_text_(write, context, steps->model);
  hlocc_steps_field_(write, context, " steps ", steps->count);
  hlocc_steps_field_(write, context, " runs ", steps->runs);
  for (i = 0; i < steps->count; ++i) {
    const hlocc_step_row* row = &steps->rows[i];
    if (row->calls == 0) continue;
    hlocc_steps_field_(write, context, "\nhlocc-steps step ", i);
    hlocc_steps_field_(write, context, " calls ", row->calls);
    hlocc_steps_field_(write, context, " total ", row->total);
    hlocc_steps_field_(write, context, " least ", row->least);
    hlocc_steps_field_(write, context, " most ", row->most);
  }
  hlocc_profile_text_(write, context, "\nhlocc-steps end\n");
}

#ifdef __cplusplus
} /* extern "C" */
#endif
#ifdef __clang__
#pragma clang diagnostic pop
#endif
#endif /* HLOCC_PROFILE_H_ */
