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

#ifdef __cplusplus
} /* extern "C" */
#endif
#ifdef __clang__
#pragma clang diagnostic pop
#endif
#endif /* HLOCC_PROFILE_H_ */
