/* Zoo, compiled by hlocc 0.1.0 for host. Generated: do not edit.
 * What hlocc generates belongs to its user: hlocc's licence lays no terms on this file.
 *
 *   arg0, arg_data: f64[], 8 bytes
 *   arg1: s4[5]{0:E(4)}, 3 bytes
 *   arg2: s16[2,3]{0,1}, 12 bytes
 *   arg3: c64[2]{0}, 2 pairs of float, 16 bytes
 *   arg4, arg_h, var_h: f32[4]{0}, 16 bytes, in the instance
 *   arg5: pred[1]{0}, 1 bytes
 *   result0, result_h: f32[4]{0}, 16 bytes, in the instance
 *   result1: bf16[0,3]{1,0}, 0 bytes
 *   result2, result_int: u64[1]{0}, 8 bytes
 *   arena 96 bytes aligned to 16, state 24 bytes
 *
 * init points an instance at its arena, run computes the results from the arguments. Results
 * hold until the next run or another model uses the arena. Arguments in the arena
 * are gone, too, when another model has used it: write them between its run and this one's.
 * A buffer of your own (set_..._data, aligned as ..._ALIGN says, NULL for the arena again) is
 * never written to if it is an argument.
 *
 * The library calls run zoo_run_41f04054882ed8f2.
 * A linker that misses this symbol has the library of another compile: take header and library
 * from one. */
#ifndef ZOO_H_
#define ZOO_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-function"
#ifdef __cplusplus
#pragma clang diagnostic ignored "-Wc++98-compat"
#pragma clang diagnostic ignored "-Wc++98-compat-pedantic"
#endif
#endif

/* The library runs on the core that it was compiled for, and on those that can do more. */
#ifndef ZOO_SKIP_TARGET_CHECK
#if !(defined(__x86_64__) || defined(_M_X64))
#error "Zoo was compiled for host: this is no compiler for x86-64; ZOO_SKIP_TARGET_CHECK skips this check"
#elif !(UINTPTR_MAX == 0xffffffffffffffff)
#error "Zoo was compiled for host: the target of this compiler lacks pointers of 64 bits; ZOO_SKIP_TARGET_CHECK skips this check"
#elif !(!defined(__BYTE_ORDER__) || __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
#error "Zoo was compiled for host: the target of this compiler lacks little-endian byte order; ZOO_SKIP_TARGET_CHECK skips this check"
#endif
#endif

#define ZOO_ARENA_BYTES 96
#define ZOO_ARENA_ALIGN 16
#define ZOO_STATE_BYTES 24
#define ZOO_NUM_ARGS 6
#define ZOO_NUM_RESULTS 3
/* Changes whenever state or arguments of another compile would not fit. */
#define ZOO_INTERFACE "41f04054882ed8f2"

/* Strides count elements. ALIGN is what a buffer of your own must be aligned to. */
#define ZOO_ARG0_BYTES 8
#define ZOO_ARG0_COUNT 1
#define ZOO_ARG0_ALIGN 8
#define ZOO_ARG0_RANK 0

#define ZOO_ARG_data_BYTES 8
#define ZOO_ARG_data_COUNT 1
#define ZOO_ARG_data_ALIGN 8
#define ZOO_ARG_data_RANK 0

#define ZOO_ARG1_BYTES 3
#define ZOO_ARG1_COUNT 5
#define ZOO_ARG1_ALIGN 1
#define ZOO_ARG1_RANK 1
#define ZOO_ARG1_DIM0 5
#define ZOO_ARG1_STRIDE0 1
#define ZOO_ARG1_SHAPE {5}

#define ZOO_ARG2_BYTES 12
#define ZOO_ARG2_COUNT 6
#define ZOO_ARG2_ALIGN 2
#define ZOO_ARG2_RANK 2
#define ZOO_ARG2_DIM0 2
#define ZOO_ARG2_DIM1 3
#define ZOO_ARG2_STRIDE0 1
#define ZOO_ARG2_STRIDE1 2
#define ZOO_ARG2_SHAPE {2, 3}

#define ZOO_ARG3_BYTES 16
#define ZOO_ARG3_COUNT 2 /* pairs of float */
#define ZOO_ARG3_ALIGN 4
#define ZOO_ARG3_RANK 1
#define ZOO_ARG3_DIM0 2
#define ZOO_ARG3_STRIDE0 1
#define ZOO_ARG3_SHAPE {2}

#define ZOO_ARG4_BYTES 16
#define ZOO_ARG4_COUNT 4
#define ZOO_ARG4_ALIGN 4
#define ZOO_ARG4_RANK 1
#define ZOO_ARG4_DIM0 4
#define ZOO_ARG4_STRIDE0 1
#define ZOO_ARG4_SHAPE {4}

#define ZOO_ARG_h_BYTES 16
#define ZOO_ARG_h_COUNT 4
#define ZOO_ARG_h_ALIGN 4
#define ZOO_ARG_h_RANK 1
#define ZOO_ARG_h_DIM0 4
#define ZOO_ARG_h_STRIDE0 1
#define ZOO_ARG_h_SHAPE {4}

#define ZOO_ARG5_BYTES 1
#define ZOO_ARG5_COUNT 1
#define ZOO_ARG5_ALIGN 1
#define ZOO_ARG5_RANK 1
#define ZOO_ARG5_DIM0 1
#define ZOO_ARG5_STRIDE0 1
#define ZOO_ARG5_SHAPE {1}

#define ZOO_RESULT0_BYTES 16
#define ZOO_RESULT0_COUNT 4
#define ZOO_RESULT0_ALIGN 4
#define ZOO_RESULT0_RANK 1
#define ZOO_RESULT0_DIM0 4
#define ZOO_RESULT0_STRIDE0 1
#define ZOO_RESULT0_SHAPE {4}

#define ZOO_RESULT_h_BYTES 16
#define ZOO_RESULT_h_COUNT 4
#define ZOO_RESULT_h_ALIGN 4
#define ZOO_RESULT_h_RANK 1
#define ZOO_RESULT_h_DIM0 4
#define ZOO_RESULT_h_STRIDE0 1
#define ZOO_RESULT_h_SHAPE {4}

#define ZOO_RESULT1_BYTES 0
#define ZOO_RESULT1_COUNT 0
#define ZOO_RESULT1_ALIGN 2
#define ZOO_RESULT1_RANK 2
#define ZOO_RESULT1_DIM0 0
#define ZOO_RESULT1_DIM1 3
#define ZOO_RESULT1_STRIDE0 3
#define ZOO_RESULT1_STRIDE1 1
#define ZOO_RESULT1_SHAPE {0, 3}

#define ZOO_RESULT2_BYTES 8
#define ZOO_RESULT2_COUNT 1
#define ZOO_RESULT2_ALIGN 8
#define ZOO_RESULT2_RANK 1
#define ZOO_RESULT2_DIM0 1
#define ZOO_RESULT2_STRIDE0 1
#define ZOO_RESULT2_SHAPE {1}

#define ZOO_RESULT_int_BYTES 8
#define ZOO_RESULT_int_COUNT 1
#define ZOO_RESULT_int_ALIGN 8
#define ZOO_RESULT_int_RANK 1
#define ZOO_RESULT_int_DIM0 1
#define ZOO_RESULT_int_STRIDE0 1
#define ZOO_RESULT_int_SHAPE {1}

/* What init, run and set_..._data return. */
#define ZOO_OK 0
#define ZOO_ERROR_NULL 1  /* no instance or no arena */
#define ZOO_ERROR_ALIGN 2 /* the arena, or a buffer, is not aligned */

#ifdef __cplusplus
#define ZOO_CAST_(type, pointer) static_cast<type>(pointer)
#define ZOO_NUMBER_(pointer) reinterpret_cast<uintptr_t>(pointer)
#define ZOO_MUTABLE_(pointer) const_cast<void *>(pointer)
#define ZOO_ASSERT_(name, condition) static_assert(condition, #name)
#else
#define ZOO_CAST_(type, pointer) ((type)(pointer))
#define ZOO_NUMBER_(pointer) ((uintptr_t)(pointer))
#define ZOO_MUTABLE_(pointer) ((void *)(uintptr_t)(pointer))
#define ZOO_ASSERT_(name, condition) typedef char zoo_##name[(condition) ? 1 : -1]
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* An instance: one for each use at a time. Its fields are not for you. A copy of one has its own
 * state, and shares the arena. */
typedef struct zoo_t {
  void *arena;
  void *arguments[6];
  void *results[3];
  uint64_t state[3];
} zoo_t;

/* What does not compile here would not work: options that change the layout of structs or the size
 * of types are not for this file. */
ZOO_ASSERT_(float_has_4_bytes, sizeof(float) == 4);
ZOO_ASSERT_(double_has_8_bytes, sizeof(double) == 8);
ZOO_ASSERT_(instance_has_its_size, sizeof(zoo_t) == 104);
ZOO_ASSERT_(arguments_lie_in_their_place, offsetof(zoo_t, arguments) == 8);
ZOO_ASSERT_(results_lie_in_their_place, offsetof(zoo_t, results) == 56);
ZOO_ASSERT_(state_lie_in_their_place, offsetof(zoo_t, state) == 80);
struct zoo_after_byte {
  unsigned char byte;
  zoo_t instance;
};
ZOO_ASSERT_(instance_is_aligned, offsetof(struct zoo_after_byte, instance) % sizeof(void *) == 0);

/* Computes the results from the arguments: 0, or an error code. */
#define zoo_run zoo_run_41f04054882ed8f2
int zoo_run(zoo_t *self);

static inline void *zoo_arena_(const zoo_t *self, size_t offset) {
  return ZOO_CAST_(unsigned char *, self->arena) + offset;
}
static inline void *zoo_state_(const zoo_t *self, size_t offset) {
  return ZOO_CAST_(unsigned char *, ZOO_MUTABLE_(ZOO_CAST_(const void *, self->state))) + offset;
}
static inline int zoo_place_(void **slot, const void *data, size_t align, void *home) {
  if (!data) {
    *slot = home;
  } else {
    if (ZOO_NUMBER_(data) % align != 0) return ZOO_ERROR_ALIGN;
    *slot = ZOO_MUTABLE_(data);
  }
  return ZOO_OK;
}

/* Sets the state to what it starts with. */
static inline void zoo_reset(zoo_t *self) {
  unsigned char *bytes = ZOO_CAST_(unsigned char *, zoo_state_(self, 0));
  size_t i;
  for (i = 0; i < sizeof self->state; ++i) bytes[i] = 0;
  {
    static const unsigned char initial[] = {7, 7, 7, 7, 7, 7, 7, 7};
    for (i = 0; i < 8; ++i) bytes[16 + i] = initial[i];
  }
}

/* Copies the state, STATE_BYTES bytes, out of the instance, and back in. What was stored by another
 * compile fits if its INTERFACE is the same. */
static inline void zoo_checkpoint(const zoo_t *self, void *to) {
  const unsigned char *state = ZOO_CAST_(const unsigned char *, zoo_state_(self, 0));
  unsigned char *bytes = ZOO_CAST_(unsigned char *, to);
  size_t i;
  for (i = 0; i < ZOO_STATE_BYTES; ++i) bytes[i] = state[i];
}
static inline void zoo_restore(zoo_t *self, const void *from) {
  unsigned char *state = ZOO_CAST_(unsigned char *, zoo_state_(self, 0));
  const unsigned char *bytes = ZOO_CAST_(const unsigned char *, from);
  size_t i;
  for (i = 0; i < ZOO_STATE_BYTES; ++i) state[i] = bytes[i];
}

/* Gives the instance its arena and sets its state to what it starts with: 0, or an error code. */
static inline int zoo_init(zoo_t *self, void *arena) {
  if (!self || !arena) return ZOO_ERROR_NULL;
  if (ZOO_NUMBER_(arena) % ZOO_ARENA_ALIGN != 0) return ZOO_ERROR_ALIGN;
  self->arena = arena;
  self->arguments[0] = zoo_arena_(self, 0);
  self->arguments[1] = zoo_arena_(self, 16);
  self->arguments[2] = zoo_arena_(self, 32);
  self->arguments[3] = zoo_arena_(self, 48);
  self->arguments[4] = zoo_state_(self, 0);
  self->arguments[5] = zoo_arena_(self, 64);
  self->results[0] = zoo_state_(self, 0);
  self->results[1] = zoo_arena_(self, 80);
  self->results[2] = zoo_arena_(self, 80);
  zoo_reset(self);
  return ZOO_OK;
}

/* The meaning of an error code. */
static inline const char *zoo_error_msg(int code) {
  if (code == ZOO_OK) return "";
  if (code == ZOO_ERROR_NULL) return "no instance or no arena";
  if (code == ZOO_ERROR_ALIGN) return "the arena or a buffer is not aligned";
  return "run failed";
}

static inline double *zoo_arg0_data(const zoo_t *self) {
  return ZOO_CAST_(double *, self->arguments[0]);
}
static inline int zoo_set_arg0_data(zoo_t *self, const double *data) {
  return zoo_place_(&self->arguments[0], data, 8, zoo_arena_(self, 0));
}
static inline double *zoo_arg_data_data(const zoo_t *self) {
  return ZOO_CAST_(double *, self->arguments[0]);
}
static inline int zoo_set_arg_data_data(zoo_t *self, const double *data) {
  return zoo_place_(&self->arguments[0], data, 8, zoo_arena_(self, 0));
}

static inline uint8_t *zoo_arg1_data(const zoo_t *self) {
  return ZOO_CAST_(uint8_t *, self->arguments[1]);
}
static inline int zoo_set_arg1_data(zoo_t *self, const uint8_t *data) {
  return zoo_place_(&self->arguments[1], data, 1, zoo_arena_(self, 16));
}

static inline int16_t *zoo_arg2_data(const zoo_t *self) {
  return ZOO_CAST_(int16_t *, self->arguments[2]);
}
static inline int zoo_set_arg2_data(zoo_t *self, const int16_t *data) {
  return zoo_place_(&self->arguments[2], data, 2, zoo_arena_(self, 32));
}

static inline float *zoo_arg3_data(const zoo_t *self) {
  return ZOO_CAST_(float *, self->arguments[3]);
}
static inline int zoo_set_arg3_data(zoo_t *self, const float *data) {
  return zoo_place_(&self->arguments[3], data, 4, zoo_arena_(self, 48));
}

static inline float *zoo_arg4_data(const zoo_t *self) {
  return ZOO_CAST_(float *, zoo_state_(self, 0));
}
static inline float *zoo_arg_h_data(const zoo_t *self) {
  return ZOO_CAST_(float *, zoo_state_(self, 0));
}
static inline float *zoo_var_h_data(const zoo_t *self) {
  return ZOO_CAST_(float *, zoo_state_(self, 0));
}

static inline uint8_t *zoo_arg5_data(const zoo_t *self) {
  return ZOO_CAST_(uint8_t *, self->arguments[5]);
}
static inline int zoo_set_arg5_data(zoo_t *self, const uint8_t *data) {
  return zoo_place_(&self->arguments[5], data, 1, zoo_arena_(self, 64));
}

static inline float *zoo_result0_data(const zoo_t *self) {
  return ZOO_CAST_(float *, zoo_state_(self, 0));
}
static inline float *zoo_result_h_data(const zoo_t *self) {
  return ZOO_CAST_(float *, zoo_state_(self, 0));
}

static inline uint16_t *zoo_result1_data(const zoo_t *self) {
  return ZOO_CAST_(uint16_t *, self->results[1]);
}
static inline int zoo_set_result1_data(zoo_t *self, uint16_t *data) {
  return zoo_place_(&self->results[1], data, 2, zoo_arena_(self, 80));
}

static inline uint64_t *zoo_result2_data(const zoo_t *self) {
  return ZOO_CAST_(uint64_t *, self->results[2]);
}
static inline int zoo_set_result2_data(zoo_t *self, uint64_t *data) {
  return zoo_place_(&self->results[2], data, 8, zoo_arena_(self, 80));
}
static inline uint64_t *zoo_result_int_data(const zoo_t *self) {
  return ZOO_CAST_(uint64_t *, self->results[2]);
}
static inline int zoo_set_result_int_data(zoo_t *self, uint64_t *data) {
  return zoo_place_(&self->results[2], data, 8, zoo_arena_(self, 80));
}

#ifdef __cplusplus
} /* extern "C" */

/* Run and Init are never shared between files: one that was compiled with an older header does not
 * link. */
#ifdef __GNUC__
#define ZOO_ALWAYS_INLINE_ inline __attribute__((always_inline))
#else
#define ZOO_ALWAYS_INLINE_ inline
#endif

/* The constants of Zoo. */
template <int kUnused>
struct ZooConstants {
  static constexpr size_t kArenaBytes = 96;
  static constexpr size_t kArenaAlign = 16;
  static constexpr size_t kStateBytes = 24;
  static constexpr size_t kNumArgs = 6;
  static constexpr size_t kNumResults = 3;
  static constexpr size_t kNumVariables = 1;
  static constexpr size_t kArg0Bytes = 8;
  static constexpr size_t kArg0Count = 1;
  static constexpr size_t kArg0Align = 8;
  static constexpr size_t kArg0Rank = 0;
  static constexpr size_t kArg1Bytes = 3;
  static constexpr size_t kArg1Count = 5;
  static constexpr size_t kArg1Align = 1;
  static constexpr size_t kArg1Rank = 1;
  static constexpr size_t kArg1Dim0 = 5;
  static constexpr size_t kArg1Stride0 = 1;
  static constexpr size_t kArg2Bytes = 12;
  static constexpr size_t kArg2Count = 6;
  static constexpr size_t kArg2Align = 2;
  static constexpr size_t kArg2Rank = 2;
  static constexpr size_t kArg2Dim0 = 2;
  static constexpr size_t kArg2Stride0 = 1;
  static constexpr size_t kArg2Dim1 = 3;
  static constexpr size_t kArg2Stride1 = 2;
  static constexpr size_t kArg3Bytes = 16;
  static constexpr size_t kArg3Count = 2;
  static constexpr size_t kArg3Align = 4;
  static constexpr size_t kArg3Rank = 1;
  static constexpr size_t kArg3Dim0 = 2;
  static constexpr size_t kArg3Stride0 = 1;
  static constexpr size_t kArg4Bytes = 16;
  static constexpr size_t kArg4Count = 4;
  static constexpr size_t kArg4Align = 4;
  static constexpr size_t kArg4Rank = 1;
  static constexpr size_t kArg4Dim0 = 4;
  static constexpr size_t kArg4Stride0 = 1;
  static constexpr size_t kArg5Bytes = 1;
  static constexpr size_t kArg5Count = 1;
  static constexpr size_t kArg5Align = 1;
  static constexpr size_t kArg5Rank = 1;
  static constexpr size_t kArg5Dim0 = 1;
  static constexpr size_t kArg5Stride0 = 1;
  static constexpr size_t kResult0Bytes = 16;
  static constexpr size_t kResult0Count = 4;
  static constexpr size_t kResult0Align = 4;
  static constexpr size_t kResult0Rank = 1;
  static constexpr size_t kResult0Dim0 = 4;
  static constexpr size_t kResult0Stride0 = 1;
  static constexpr size_t kResult1Bytes = 0;
  static constexpr size_t kResult1Count = 0;
  static constexpr size_t kResult1Align = 2;
  static constexpr size_t kResult1Rank = 2;
  static constexpr size_t kResult1Dim0 = 0;
  static constexpr size_t kResult1Stride0 = 3;
  static constexpr size_t kResult1Dim1 = 3;
  static constexpr size_t kResult1Stride1 = 1;
  static constexpr size_t kResult2Bytes = 8;
  static constexpr size_t kResult2Count = 1;
  static constexpr size_t kResult2Align = 8;
  static constexpr size_t kResult2Rank = 1;
  static constexpr size_t kResult2Dim0 = 1;
  static constexpr size_t kResult2Stride0 = 1;
};
#if __cplusplus < 201703L
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kArenaBytes;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kArenaAlign;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kStateBytes;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kNumArgs;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kNumResults;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kNumVariables;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kArg0Bytes;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kArg0Count;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kArg0Align;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kArg0Rank;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kArg1Bytes;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kArg1Count;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kArg1Align;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kArg1Rank;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kArg1Dim0;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kArg1Stride0;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kArg2Bytes;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kArg2Count;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kArg2Align;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kArg2Rank;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kArg2Dim0;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kArg2Stride0;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kArg2Dim1;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kArg2Stride1;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kArg3Bytes;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kArg3Count;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kArg3Align;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kArg3Rank;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kArg3Dim0;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kArg3Stride0;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kArg4Bytes;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kArg4Count;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kArg4Align;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kArg4Rank;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kArg4Dim0;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kArg4Stride0;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kArg5Bytes;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kArg5Count;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kArg5Align;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kArg5Rank;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kArg5Dim0;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kArg5Stride0;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kResult0Bytes;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kResult0Count;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kResult0Align;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kResult0Rank;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kResult0Dim0;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kResult0Stride0;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kResult1Bytes;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kResult1Count;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kResult1Align;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kResult1Rank;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kResult1Dim0;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kResult1Stride0;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kResult1Dim1;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kResult1Stride1;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kResult2Bytes;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kResult2Count;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kResult2Align;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kResult2Rank;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kResult2Dim0;
template <int kUnused>
constexpr size_t ZooConstants<kUnused>::kResult2Stride0;
#endif

class Zoo : public ZooConstants<0> {
 public:
  /* An instance that owns its arena. */
  class Static;

  Zoo() : self_(), ready_(false), error_(ZOO_ERROR_NULL) {}
  explicit Zoo(void *arena) : self_(), ready_(false), error_(ZOO_ERROR_NULL) { Init(arena); }
  Zoo(const Zoo &) = delete;
  Zoo &operator=(const Zoo &) = delete;

  ZOO_ALWAYS_INLINE_ bool Init(void *arena) {
    ready_ = Did(zoo_init(&self_, arena));
    return ready_;
  }
  ZOO_ALWAYS_INLINE_ bool Run() {
    if (ready_) return Did(zoo_run(&self_));
    if (error_ == 0) error_ = ZOO_ERROR_NULL;
    return false;
  }
  const char *error_msg() const { return zoo_error_msg(error_); }
  zoo_t *instance() { return &self_; }

  /* The state: to what it starts with, out of the object, and back in. */
  void Reset() { zoo_reset(&self_); }
  void Checkpoint(void *to) const { zoo_checkpoint(&self_, to); }
  void Restore(const void *from) { zoo_restore(&self_, from); }

  static constexpr int num_args() { return 6; }
  static constexpr int num_results() { return 3; }
  static constexpr int num_variables() { return 1; }
  void **results() { return self_.results; }
  const void *const *results() const { return self_.results; }
  void *result_data(size_t index) { return self_.results[index]; }
  const void *result_data(size_t index) const { return self_.results[index]; }
  bool set_result_data(size_t index, void *data) {
    switch (index) {
      case 1: return set_result1_data(static_cast<uint16_t *>(data));
      case 2: return set_result2_data(static_cast<uint64_t *>(data));
      default: return false;
    }
  }
  static size_t result_size(size_t index) {
    static const size_t bytes[] = {16, 0, 8};
    return bytes[index];
  }
  static int LookupArgIndex(const char *name) {
    if (Same(name, "data")) return 0;
    if (Same(name, "h")) return 4;
    return -1;
  }
  static int LookupResultIndex(const char *name) {
    if (Same(name, "h")) return 0;
    if (Same(name, "int")) return 2;
    return -1;
  }

  double *arg0_data() { return zoo_arg0_data(&self_); }
  const double *arg0_data() const { return zoo_arg0_data(&self_); }
  bool set_arg0_data(const double *data) { return Did(zoo_set_arg0_data(&self_, data)); }
  double &arg0() { return arg0_data()[0]; }
  const double &arg0() const { return arg0_data()[0]; }
  static constexpr int arg0_size() { return 8; }
  static constexpr int arg0_count() { return 1; }

  double *arg_data_data() { return zoo_arg_data_data(&self_); }
  const double *arg_data_data() const { return zoo_arg_data_data(&self_); }
  bool set_arg_data_data(const double *data) { return Did(zoo_set_arg_data_data(&self_, data)); }
  double &arg_data() { return arg_data_data()[0]; }
  const double &arg_data() const { return arg_data_data()[0]; }
  static constexpr int arg_data_size() { return 8; }
  static constexpr int arg_data_count() { return 1; }

  uint8_t *arg1_data() { return zoo_arg1_data(&self_); }
  const uint8_t *arg1_data() const { return zoo_arg1_data(&self_); }
  bool set_arg1_data(const uint8_t *data) { return Did(zoo_set_arg1_data(&self_, data)); }
  int8_t arg1(size_t dim0) const {
    const size_t at = dim0 * 1;
    return static_cast<int8_t>(((arg1_data()[at / 2] >> (at % 2 * 4) & 15) ^ 8) - 8);
  }
  static constexpr int arg1_size() { return 3; }
  static constexpr int arg1_count() { return 5; }

  int16_t *arg2_data() { return zoo_arg2_data(&self_); }
  const int16_t *arg2_data() const { return zoo_arg2_data(&self_); }
  bool set_arg2_data(const int16_t *data) { return Did(zoo_set_arg2_data(&self_, data)); }
  int16_t &arg2(size_t dim0, size_t dim1) { return arg2_data()[dim0 * 1 + dim1 * 2]; }
  const int16_t &arg2(size_t dim0, size_t dim1) const { return arg2_data()[dim0 * 1 + dim1 * 2]; }
  static constexpr int arg2_size() { return 12; }
  static constexpr int arg2_count() { return 6; }

  float *arg3_data() { return zoo_arg3_data(&self_); }
  const float *arg3_data() const { return zoo_arg3_data(&self_); }
  bool set_arg3_data(const float *data) { return Did(zoo_set_arg3_data(&self_, data)); }
  float *arg3(size_t dim0) { return arg3_data() + 2 * (dim0 * 1); }
  const float *arg3(size_t dim0) const { return arg3_data() + 2 * (dim0 * 1); }
  static constexpr int arg3_size() { return 16; }
  static constexpr int arg3_count() { return 2; }

  float *arg4_data() { return zoo_arg4_data(&self_); }
  const float *arg4_data() const { return zoo_arg4_data(&self_); }
  float &arg4(size_t dim0) { return arg4_data()[dim0 * 1]; }
  const float &arg4(size_t dim0) const { return arg4_data()[dim0 * 1]; }
  static constexpr int arg4_size() { return 16; }
  static constexpr int arg4_count() { return 4; }

  float *arg_h_data() { return zoo_arg_h_data(&self_); }
  const float *arg_h_data() const { return zoo_arg_h_data(&self_); }
  float &arg_h(size_t dim0) { return arg_h_data()[dim0 * 1]; }
  const float &arg_h(size_t dim0) const { return arg_h_data()[dim0 * 1]; }
  static constexpr int arg_h_size() { return 16; }
  static constexpr int arg_h_count() { return 4; }

  float *var_h_data() { return zoo_var_h_data(&self_); }
  const float *var_h_data() const { return zoo_var_h_data(&self_); }
  float &var_h(size_t dim0) { return var_h_data()[dim0 * 1]; }
  const float &var_h(size_t dim0) const { return var_h_data()[dim0 * 1]; }
  static constexpr int var_h_size() { return 16; }
  static constexpr int var_h_count() { return 4; }

  uint8_t *arg5_data() { return zoo_arg5_data(&self_); }
  const uint8_t *arg5_data() const { return zoo_arg5_data(&self_); }
  bool set_arg5_data(const uint8_t *data) { return Did(zoo_set_arg5_data(&self_, data)); }
  uint8_t &arg5(size_t dim0) { return arg5_data()[dim0 * 1]; }
  const uint8_t &arg5(size_t dim0) const { return arg5_data()[dim0 * 1]; }
  uint8_t &arg5() { return arg5_data()[0]; }
  const uint8_t &arg5() const { return arg5_data()[0]; }
  static constexpr int arg5_size() { return 1; }
  static constexpr int arg5_count() { return 1; }

  float *result0_data() { return zoo_result0_data(&self_); }
  const float *result0_data() const { return zoo_result0_data(&self_); }
  float &result0(size_t dim0) { return result0_data()[dim0 * 1]; }
  const float &result0(size_t dim0) const { return result0_data()[dim0 * 1]; }
  static constexpr int result0_size() { return 16; }
  static constexpr int result0_count() { return 4; }

  float *result_h_data() { return zoo_result_h_data(&self_); }
  const float *result_h_data() const { return zoo_result_h_data(&self_); }
  float &result_h(size_t dim0) { return result_h_data()[dim0 * 1]; }
  const float &result_h(size_t dim0) const { return result_h_data()[dim0 * 1]; }
  static constexpr int result_h_size() { return 16; }
  static constexpr int result_h_count() { return 4; }

  uint16_t *result1_data() { return zoo_result1_data(&self_); }
  const uint16_t *result1_data() const { return zoo_result1_data(&self_); }
  bool set_result1_data(uint16_t *data) { return Did(zoo_set_result1_data(&self_, data)); }
  uint16_t &result1(size_t dim0, size_t dim1) { return result1_data()[dim0 * 3 + dim1 * 1]; }
  const uint16_t &result1(size_t dim0, size_t dim1) const { return result1_data()[dim0 * 3 + dim1 * 1]; }
  static constexpr int result1_size() { return 0; }
  static constexpr int result1_count() { return 0; }

  uint64_t *result2_data() { return zoo_result2_data(&self_); }
  const uint64_t *result2_data() const { return zoo_result2_data(&self_); }
  bool set_result2_data(uint64_t *data) { return Did(zoo_set_result2_data(&self_, data)); }
  uint64_t &result2(size_t dim0) { return result2_data()[dim0 * 1]; }
  const uint64_t &result2(size_t dim0) const { return result2_data()[dim0 * 1]; }
  uint64_t &result2() { return result2_data()[0]; }
  const uint64_t &result2() const { return result2_data()[0]; }
  static constexpr int result2_size() { return 8; }
  static constexpr int result2_count() { return 1; }

  uint64_t *result_int_data() { return zoo_result_int_data(&self_); }
  const uint64_t *result_int_data() const { return zoo_result_int_data(&self_); }
  bool set_result_int_data(uint64_t *data) { return Did(zoo_set_result_int_data(&self_, data)); }
  uint64_t &result_int(size_t dim0) { return result_int_data()[dim0 * 1]; }
  const uint64_t &result_int(size_t dim0) const { return result_int_data()[dim0 * 1]; }
  uint64_t &result_int() { return result_int_data()[0]; }
  const uint64_t &result_int() const { return result_int_data()[0]; }
  static constexpr int result_int_size() { return 8; }
  static constexpr int result_int_count() { return 1; }

 private:
  static bool Same(const char *a, const char *b) {
    for (; *a == *b; ++a, ++b)
      if (*a == 0) return true;
    return false;
  }
  bool Did(int error) {
    error_ = error;
    return error == 0;
  }
  zoo_t self_;
  bool ready_;
  int error_;
};

class Zoo::Static : public Zoo {
 public:
  Static() { Init(arena_); }

 private:
  alignas(16) unsigned char arena_[96];
};

#undef ZOO_ALWAYS_INLINE_

#endif /* __cplusplus */

#undef ZOO_CAST_
#undef ZOO_NUMBER_
#undef ZOO_MUTABLE_
#undef ZOO_ASSERT_

#ifdef __clang__
#pragma clang diagnostic pop
#endif

#endif /* ZOO_H_ */
