/* hlocc_arena.h: memory for arenas, with what can be checked at compile time checked there. One
 * arena that several models use in turn, arenas side by side in one block, pools over named
 * memories (TCM, SRAM2, PSRAM), and a lease that tells whether a model's results are still there.
 * C99 and C++11, freestanding, no malloc; what is not called costs nothing.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HLOCC_ARENA_H_
#define HLOCC_ARENA_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-function"
#endif
#ifdef __cplusplus
extern "C" {
#endif

/* ---- constants ---- */

/* Does not compile where the condition is false. `name` is part of the error. */
#ifdef __cplusplus
#define HLOCC_ARENA_ASSERT(name, condition) static_assert(condition, #name)
#else
#define HLOCC_ARENA_ASSERT(name, condition) \
  typedef char hlocc_assert_##name[(condition) ? 1 : -1] HLOCC_ARENA_UNUSED_
#endif
#if defined(__GNUC__)
#define HLOCC_ARENA_UNUSED_ __attribute__((unused))
#define HLOCC_ARENA_ALIGNED_(bytes) __attribute__((aligned(bytes)))
/* The memory of that name, which the linker script knows: HLOCC_IN_MEMORY(".dtcm") */
#define HLOCC_IN_MEMORY(section_name) __attribute__((section(section_name)))
#elif defined(__ICCARM__) || defined(__ICCRISCV__)
#define HLOCC_ARENA_UNUSED_
#define HLOCC_ARENA_PRAGMA_(text) _Pragma(#text)
#define HLOCC_ARENA_ALIGNED_(bytes)
#define HLOCC_IN_MEMORY(section_name) HLOCC_ARENA_PRAGMA_(location = section_name)
#else
#error "hlocc_arena.h: no attribute for alignment is known for this compiler"
#endif

#define HLOCC_MAX2(a, b) ((a) > (b) ? (a) : (b))
#define HLOCC_MAX3(a, b, c) HLOCC_MAX2(HLOCC_MAX2(a, b), c)
#define HLOCC_MAX4(a, b, c, d) HLOCC_MAX2(HLOCC_MAX3(a, b, c), d)
/* `offset` up to the next multiple of `align`, a power of two. */
#define HLOCC_ROUND_UP(offset, align) (((offset) + (align)-1) / (align) * (align))

/* ---- one arena, several models in turn ---- */

/* The size and alignment that two or more models need in turn; arguments are what the names of
 * their macros begin with: HLOCC_SHARED_BYTES2(ACME_KWS, ACME_VAD). */
#define HLOCC_SHARED_BYTES2(A, B) HLOCC_MAX2(A##_ARENA_BYTES, B##_ARENA_BYTES)
#define HLOCC_SHARED_BYTES3(A, B, C) HLOCC_MAX3(A##_ARENA_BYTES, B##_ARENA_BYTES, C##_ARENA_BYTES)
#define HLOCC_SHARED_BYTES4(A, B, C, D) \
  HLOCC_MAX4(A##_ARENA_BYTES, B##_ARENA_BYTES, C##_ARENA_BYTES, D##_ARENA_BYTES)
#define HLOCC_SHARED_ALIGN2(A, B) HLOCC_MAX2(A##_ARENA_ALIGN, B##_ARENA_ALIGN)
#define HLOCC_SHARED_ALIGN3(A, B, C) HLOCC_MAX3(A##_ARENA_ALIGN, B##_ARENA_ALIGN, C##_ARENA_ALIGN)
#define HLOCC_SHARED_ALIGN4(A, B, C, D) \
  HLOCC_MAX4(A##_ARENA_ALIGN, B##_ARENA_ALIGN, C##_ARENA_ALIGN, D##_ARENA_ALIGN)

/* HLOCC_IN_MEMORY(".dtcm") HLOCC_ARENA(arena, 64000, 16); defines a static array of bytes. */
#define HLOCC_ARENA(name, bytes, align) static uint8_t name[bytes] HLOCC_ARENA_ALIGNED_(align)

/* Fails to compile if the array `arena` is too small for the model. */
#define HLOCC_ARENA_HOLDS(arena, MODEL) \
  HLOCC_ARENA_ASSERT(arena##_is_large_enough_for_##MODEL, sizeof(arena) >= MODEL##_ARENA_BYTES)

/* ---- several memories (--memory) ---- */

/* A model that was compiled with --memory fast:64K,slow:512K has an arena in each; MEMORY is the
 * name in capitals. HLOCC_MEMORY_ARENA(kws_fast, FAST, ACME_KWS); defines an array for it in the
 * section ACME_KWS_ARENA_FAST_SECTION, which the linker script puts into that memory. */
#define HLOCC_MEMORY_ARENA(name, MEMORY, MODEL)     \
  HLOCC_IN_MEMORY(MODEL##_ARENA_##MEMORY##_SECTION) \
  static uint8_t name[MODEL##_ARENA_##MEMORY##_BYTES] HLOCC_ARENA_ALIGNED_(MODEL##_ARENA_ALIGN)

/* What two or more models need of a memory in turn: HLOCC_SHARED_IN2(FAST, ACME_KWS, ACME_VAD). */
#define HLOCC_SHARED_IN2(MEMORY, A, B) \
  HLOCC_MAX2(A##_ARENA_##MEMORY##_BYTES, B##_ARENA_##MEMORY##_BYTES)
#define HLOCC_SHARED_IN3(MEMORY, A, B, C) \
  HLOCC_MAX3(A##_ARENA_##MEMORY##_BYTES, B##_ARENA_##MEMORY##_BYTES, C##_ARENA_##MEMORY##_BYTES)
#define HLOCC_SHARED_IN4(MEMORY, A, B, C, D)                                                     \
  HLOCC_MAX4(A##_ARENA_##MEMORY##_BYTES, B##_ARENA_##MEMORY##_BYTES, C##_ARENA_##MEMORY##_BYTES, \
             D##_ARENA_##MEMORY##_BYTES)

/* Fails to compile if the array `arena` is too small for what the model has in that memory. */
#define HLOCC_ARENA_HOLDS_IN(arena, MEMORY, MODEL)                      \
  HLOCC_ARENA_ASSERT(arena##_is_large_enough_for_##MEMORY##_of_##MODEL, \
                     sizeof(arena) >= MODEL##_ARENA_##MEMORY##_BYTES)

/* Fails to compile if init copies weights of the model into one of its arenas (--weights-in): no
 * other model may use such an arena. */
#define HLOCC_ARENA_MAY_BE_SHARED(MODEL) \
  HLOCC_ARENA_ASSERT(MODEL##_keeps_no_weights_in_its_arena, MODEL##_ARENA_KEPT_BYTES == 0)

/* ---- arenas side by side in one block ---- */

/* Constants of a part of a block: HLOCC_PART(kws, 0, ACME_KWS); HLOCC_PART_BEHIND(vad, kws,
 * ACME_VAD); then `vad_offset` and `vad_end` are constants, aligned as the model asks. */
#define HLOCC_PART(part, at, MODEL)            \
  enum {                                       \
    part##_offset = (at),                      \
    part##_end = (at) + (MODEL##_ARENA_BYTES), \
    part##_is_an_int_ = 0x7fffffff             \
  };                                           \
  HLOCC_ARENA_ASSERT(part##_is_aligned, (at) % (MODEL##_ARENA_ALIGN) == 0)
#define HLOCC_PART_BEHIND(part, before, MODEL)                                                   \
  enum {                                                                                         \
    part##_offset = HLOCC_ROUND_UP((int)before##_end, MODEL##_ARENA_ALIGN),                      \
    part##_end = HLOCC_ROUND_UP((int)before##_end, MODEL##_ARENA_ALIGN) + (MODEL##_ARENA_BYTES), \
    part##_is_an_int_ = 0x7fffffff                                                               \
  }
/* Fails to compile if two parts share a byte, or one ends behind the block. */
#define HLOCC_PARTS_APART(a, b)                    \
  HLOCC_ARENA_ASSERT(a##_and_##b##_do_not_overlap, \
                     (int)a##_end <= (int)b##_offset || (int)b##_end <= (int)a##_offset)
#define HLOCC_PART_INSIDE(part, block) \
  HLOCC_ARENA_ASSERT(part##_lies_inside_##block, sizeof(block) >= (size_t)(int)part##_end)

/* ---- pools over named memories ---- */

typedef struct hlocc_pool {
  const char* name;
  uint8_t* base;
  size_t bytes, used, most; /* most: the largest `used` so far */
} hlocc_pool;

static inline void hlocc_pool_init(hlocc_pool* pool, const char* name, void* base, size_t bytes) {
  pool->name = name;
  pool->base = (uint8_t*)base;
  pool->bytes = bytes;
  pool->used = 0;
  pool->most = 0;
}

/* The next `bytes` bytes at a multiple of `align` (a power of two), or NULL if they are not there.
 */
static inline void* hlocc_pool_take(hlocc_pool* pool, size_t bytes, size_t align) {
  const uintptr_t at = (uintptr_t)pool->base + pool->used;
  const size_t gap = (size_t)(-at & (align - 1u));
  if (gap > pool->bytes - pool->used || bytes > pool->bytes - pool->used - gap) return (void*)0;
  pool->used += gap + bytes;
  if (pool->used > pool->most) pool->most = pool->used;
  return pool->base + (pool->used - bytes);
}

/* What was taken since `used` was this large is free again. */
static inline void hlocc_pool_back_to(hlocc_pool* pool, size_t used) {
  if (used < pool->used) pool->used = used;
}

/* The pool of that name, or NULL. */
static inline hlocc_pool* hlocc_pool_named(hlocc_pool* pools, size_t count, const char* name) {
  size_t i;
  for (i = 0; i < count; ++i) {
    const char *a = pools[i].name, *b = name;
    while (*a != 0 && *a == *b) ++a, ++b;
    if (*a == *b) return &pools[i];
  }
  return (hlocc_pool*)0;
}

/* Tries the pools in their order, fast memories first: where an arena finds room. */
static inline void* hlocc_pool_take_first(hlocc_pool* pools, size_t count, size_t bytes,
                                          size_t align) {
  size_t i;
  for (i = 0; i < count; ++i) {
    void* found = hlocc_pool_take(&pools[i], bytes, align);
    if (found) return found;
  }
  return (void*)0;
}

/* ---- whose results are in the arena ---- */

/* Models that share an arena overwrite each other's arguments and results. A lease says who ran
 * last: take it before you write a model's arguments, and ask it before you read results later. */
typedef struct hlocc_lease {
  const void* holder;
  uint32_t changes; /* how often the arena went from one to another */
} hlocc_lease;

static inline void hlocc_lease_take(hlocc_lease* lease, const void* instance) {
  if (lease->holder != instance) ++lease->changes;
  lease->holder = instance;
}

static inline int hlocc_lease_is(const hlocc_lease* lease, const void* instance) {
  return lease->holder == instance;
}

#ifdef __cplusplus
} /* extern "C" */
#endif
#ifdef __clang__
#pragma clang diagnostic pop
#endif
#endif /* HLOCC_ARENA_H_ */
