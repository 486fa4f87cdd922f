/* acme::Two, compiled by hlocc 0.1.0 for host. Generated: do not edit.
 * What hlocc generates belongs to its user: hlocc's licence lays no terms on this file.
 *
 *   arg0: f32[4]{0}, 16 bytes
 *   result0: f32[4]{0}, 16 bytes
 *   arenas of 32 in fast, 16 in slow bytes aligned to 16, state 0 bytes
 *
 * init points an instance at its arena, run computes the results from the arguments. Results
 * hold until the next run or another model uses the arena. Arguments in the arena
 * are gone, too, when another model has used it: write them between its run and this one's.
 * A buffer of your own (set_..._data, aligned as ..._ALIGN says, NULL for the arena again) is
 * never written to if it is an argument.
 *
 * The library calls run acme_two_run_37bf385235f19512.
 * A linker that misses this symbol has the library of another compile: take header and library
 * from one. */
#ifndef ACME_TWO_H_
#define ACME_TWO_H_

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
#ifndef ACME_TWO_SKIP_TARGET_CHECK
#if !(defined(__x86_64__) || defined(_M_X64))
#error "acme::Two was compiled for host: this is no compiler for x86-64; ACME_TWO_SKIP_TARGET_CHECK skips this check"
#elif !(UINTPTR_MAX == 0xffffffffffffffff)
#error "acme::Two was compiled for host: the target of this compiler lacks pointers of 64 bits; ACME_TWO_SKIP_TARGET_CHECK skips this check"
#elif !(!defined(__BYTE_ORDER__) || __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
#error "acme::Two was compiled for host: the target of this compiler lacks little-endian byte order; ACME_TWO_SKIP_TARGET_CHECK skips this check"
#endif
#endif

#define ACME_TWO_ARENA_BYTES 48
#define ACME_TWO_ARENA_ALIGN 16
#define ACME_TWO_STATE_BYTES 0
#define ACME_TWO_NUM_ARGS 1
#define ACME_TWO_NUM_RESULTS 1
/* Changes whenever state or arguments of another compile would not fit. */
#define ACME_TWO_INTERFACE "37bf385235f19512"

/* The arena is one in each of these memories, and ARENA_BYTES what they take together. Each is aligned
 * to ARENA_ALIGN; its section is for your linker script. */
#define ACME_TWO_ARENA_FAST_BYTES 32
#define ACME_TWO_ARENA_FAST_SECTION ".bss.hlocc_fast"
#define ACME_TWO_ARENA_SLOW_BYTES 16
#define ACME_TWO_ARENA_SLOW_SECTION ".bss.hlocc_slow"
/* Bytes of weights that init copies into an arena: with any, it is no other model's. */
#define ACME_TWO_ARENA_KEPT_BYTES 16
/* What init takes where one array of ARENA_BYTES bytes, aligned so, holds all of them. */
#define ACME_TWO_ARENAS_IN(block) &(block)[16], &(block)[0]

/* Strides count elements. ALIGN is what a buffer of your own must be aligned to. */
#define ACME_TWO_ARG0_BYTES 16
#define ACME_TWO_ARG0_COUNT 4
#define ACME_TWO_ARG0_ALIGN 4
#define ACME_TWO_ARG0_RANK 1
#define ACME_TWO_ARG0_DIM0 4
#define ACME_TWO_ARG0_STRIDE0 1
#define ACME_TWO_ARG0_SHAPE {4}

#define ACME_TWO_RESULT0_BYTES 16
#define ACME_TWO_RESULT0_COUNT 4
#define ACME_TWO_RESULT0_ALIGN 4
#define ACME_TWO_RESULT0_RANK 1
#define ACME_TWO_RESULT0_DIM0 4
#define ACME_TWO_RESULT0_STRIDE0 1
#define ACME_TWO_RESULT0_SHAPE {4}

/* What init, run and set_..._data return. */
#define ACME_TWO_OK 0
#define ACME_TWO_ERROR_NULL 1  /* no instance or no arena */
#define ACME_TWO_ERROR_ALIGN 2 /* the arena, or a buffer, is not aligned */

#ifdef __cplusplus
#define ACME_TWO_CAST_(type, pointer) static_cast<type>(pointer)
#define ACME_TWO_NUMBER_(pointer) reinterpret_cast<uintptr_t>(pointer)
#define ACME_TWO_MUTABLE_(pointer) const_cast<void *>(pointer)
#define ACME_TWO_ASSERT_(name, condition) static_assert(condition, #name)
#else
#define ACME_TWO_CAST_(type, pointer) ((type)(pointer))
#define ACME_TWO_NUMBER_(pointer) ((uintptr_t)(pointer))
#define ACME_TWO_MUTABLE_(pointer) ((void *)(uintptr_t)(pointer))
#define ACME_TWO_ASSERT_(name, condition) typedef char acme_two_##name[(condition) ? 1 : -1]
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* An instance: one for each use at a time. Its fields are not for you. A copy of one has its own
 * state, and shares the arena. */
typedef struct acme_two_t {
  void *arena;
  void *arguments[1];
  void *results[1];
  void *arenas[1];
} acme_two_t;

/* What does not compile here would not work: options that change the layout of structs or the size
 * of types are not for this file. */
ACME_TWO_ASSERT_(float_has_4_bytes, sizeof(float) == 4);
ACME_TWO_ASSERT_(instance_has_its_size, sizeof(acme_two_t) == 32);
ACME_TWO_ASSERT_(arguments_lie_in_their_place, offsetof(acme_two_t, arguments) == 8);
ACME_TWO_ASSERT_(results_lie_in_their_place, offsetof(acme_two_t, results) == 16);
ACME_TWO_ASSERT_(arenas_lie_in_their_place, offsetof(acme_two_t, arenas) == 24);
struct acme_two_after_byte {
  unsigned char byte;
  acme_two_t instance;
};
ACME_TWO_ASSERT_(instance_is_aligned, offsetof(struct acme_two_after_byte, instance) % sizeof(void *) == 0);

/* Computes the results from the arguments: 0, or an error code. */
#define acme_two_run acme_two_run_37bf385235f19512
int acme_two_run(acme_two_t *self);
/* Copies the weights that run reads in an arena; init calls it. */
#define acme_two_keep_ acme_two_keep_37bf385235f19512
void acme_two_keep_(acme_two_t *self);

static inline void *acme_two_arena_(const acme_two_t *self, size_t offset) {
  return ACME_TWO_CAST_(unsigned char *, self->arena) + offset;
}
static inline void *acme_two_more_arena_(const acme_two_t *self, size_t arena, size_t offset) {
  return ACME_TWO_CAST_(unsigned char *, self->arenas[arena]) + offset;
}
static inline int acme_two_place_(void **slot, const void *data, size_t align, void *home) {
  if (!data) {
    *slot = home;
  } else {
    if (ACME_TWO_NUMBER_(data) % align != 0) return ACME_TWO_ERROR_ALIGN;
    *slot = ACME_TWO_MUTABLE_(data);
  }
  return ACME_TWO_OK;
}

/* There is no state: these three do nothing. */
static inline void acme_two_reset(acme_two_t *self) {
  (void)self;
}
static inline void acme_two_checkpoint(const acme_two_t *self, void *to) {
  (void)self;
  (void)to;
}
static inline void acme_two_restore(acme_two_t *self, const void *from) {
  (void)self;
  (void)from;
}

/* Gives the instance an arena in each memory, each of ..._BYTES and aligned to ARENA_ALIGN, and
 * sets its state to what it starts with: 0, or an error code. */
static inline int acme_two_init(acme_two_t *self, void *arena_fast, void *arena_slow) {
  if (!self || !arena_fast || !arena_slow) return ACME_TWO_ERROR_NULL;
  if (ACME_TWO_NUMBER_(arena_fast) % ACME_TWO_ARENA_ALIGN != 0) return ACME_TWO_ERROR_ALIGN;
  if (ACME_TWO_NUMBER_(arena_slow) % ACME_TWO_ARENA_ALIGN != 0) return ACME_TWO_ERROR_ALIGN;
  self->arenas[0] = arena_fast;
  self->arena = arena_slow;
  self->arguments[0] = acme_two_arena_(self, 0);
  self->results[0] = acme_two_more_arena_(self, 0, 0);
  acme_two_keep_(self);
  acme_two_reset(self);
  return ACME_TWO_OK;
}

/* The meaning of an error code. */
static inline const char *acme_two_error_msg(int code) {
  if (code == ACME_TWO_OK) return "";
  if (code == ACME_TWO_ERROR_NULL) return "no instance or no arena";
  if (code == ACME_TWO_ERROR_ALIGN) return "the arena or a buffer is not aligned";
  return "run failed";
}

static inline float *acme_two_arg0_data(const acme_two_t *self) {
  return ACME_TWO_CAST_(float *, self->arguments[0]);
}
static inline int acme_two_set_arg0_data(acme_two_t *self, const float *data) {
  return acme_two_place_(&self->arguments[0], data, 4, acme_two_arena_(self, 0));
}

static inline float *acme_two_result0_data(const acme_two_t *self) {
  return ACME_TWO_CAST_(float *, self->results[0]);
}
static inline int acme_two_set_result0_data(acme_two_t *self, float *data) {
  return acme_two_place_(&self->results[0], data, 4, acme_two_more_arena_(self, 0, 0));
}

#ifdef __cplusplus
} /* extern "C" */

/* Run and Init are never shared between files: one that was compiled with an older header does not
 * link. */
#ifdef __GNUC__
#define ACME_TWO_ALWAYS_INLINE_ inline __attribute__((always_inline))
#else
#define ACME_TWO_ALWAYS_INLINE_ inline
#endif

namespace acme {

/* The constants of Two. */
template <int kUnused>
struct TwoConstants {
  static constexpr size_t kArenaBytes = 48;
  static constexpr size_t kArenaFastBytes = 32;
  static constexpr size_t kArenaSlowBytes = 16;
  static constexpr size_t kArenaAlign = 16;
  static constexpr size_t kStateBytes = 0;
  static constexpr size_t kNumArgs = 1;
  static constexpr size_t kNumResults = 1;
  static constexpr size_t kNumVariables = 0;
  static constexpr size_t kArg0Bytes = 16;
  static constexpr size_t kArg0Count = 4;
  static constexpr size_t kArg0Align = 4;
  static constexpr size_t kArg0Rank = 1;
  static constexpr size_t kArg0Dim0 = 4;
  static constexpr size_t kArg0Stride0 = 1;
  static constexpr size_t kResult0Bytes = 16;
  static constexpr size_t kResult0Count = 4;
  static constexpr size_t kResult0Align = 4;
  static constexpr size_t kResult0Rank = 1;
  static constexpr size_t kResult0Dim0 = 4;
  static constexpr size_t kResult0Stride0 = 1;
};
#if __cplusplus < 201703L
template <int kUnused>
constexpr size_t TwoConstants<kUnused>::kArenaBytes;
template <int kUnused>
constexpr size_t TwoConstants<kUnused>::kArenaFastBytes;
template <int kUnused>
constexpr size_t TwoConstants<kUnused>::kArenaSlowBytes;
template <int kUnused>
constexpr size_t TwoConstants<kUnused>::kArenaAlign;
template <int kUnused>
constexpr size_t TwoConstants<kUnused>::kStateBytes;
template <int kUnused>
constexpr size_t TwoConstants<kUnused>::kNumArgs;
template <int kUnused>
constexpr size_t TwoConstants<kUnused>::kNumResults;
template <int kUnused>
constexpr size_t TwoConstants<kUnused>::kNumVariables;
template <int kUnused>
constexpr size_t TwoConstants<kUnused>::kArg0Bytes;
template <int kUnused>
constexpr size_t TwoConstants<kUnused>::kArg0Count;
template <int kUnused>
constexpr size_t TwoConstants<kUnused>::kArg0Align;
template <int kUnused>
constexpr size_t TwoConstants<kUnused>::kArg0Rank;
template <int kUnused>
constexpr size_t TwoConstants<kUnused>::kArg0Dim0;
template <int kUnused>
constexpr size_t TwoConstants<kUnused>::kArg0Stride0;
template <int kUnused>
constexpr size_t TwoConstants<kUnused>::kResult0Bytes;
template <int kUnused>
constexpr size_t TwoConstants<kUnused>::kResult0Count;
template <int kUnused>
constexpr size_t TwoConstants<kUnused>::kResult0Align;
template <int kUnused>
constexpr size_t TwoConstants<kUnused>::kResult0Rank;
template <int kUnused>
constexpr size_t TwoConstants<kUnused>::kResult0Dim0;
template <int kUnused>
constexpr size_t TwoConstants<kUnused>::kResult0Stride0;
#endif

class Two : public TwoConstants<0> {
 public:
  /* An instance that owns its arena in slow, and is given the others. */
  class Static;

  Two() : self_(), ready_(false), error_(ACME_TWO_ERROR_NULL) {}
  explicit Two(void *arena_fast, void *arena_slow) : self_(), ready_(false), error_(ACME_TWO_ERROR_NULL) { Init(arena_fast, arena_slow); }
  Two(const Two &) = delete;
  Two &operator=(const Two &) = delete;

  ACME_TWO_ALWAYS_INLINE_ bool Init(void *arena_fast, void *arena_slow) {
    ready_ = Did(acme_two_init(&self_, arena_fast, arena_slow));
    return ready_;
  }
  ACME_TWO_ALWAYS_INLINE_ bool Run() {
    if (ready_) return Did(acme_two_run(&self_));
    if (error_ == 0) error_ = ACME_TWO_ERROR_NULL;
    return false;
  }
  const char *error_msg() const { return acme_two_error_msg(error_); }
  acme_two_t *instance() { return &self_; }

  /* The state: to what it starts with, out of the object, and back in. */
  void Reset() { acme_two_reset(&self_); }
  void Checkpoint(void *to) const { acme_two_checkpoint(&self_, to); }
  void Restore(const void *from) { acme_two_restore(&self_, from); }

  static constexpr int num_args() { return 1; }
  static constexpr int num_results() { return 1; }
  static constexpr int num_variables() { return 0; }
  void **results() { return self_.results; }
  const void *const *results() const { return self_.results; }
  void *arg_data(size_t index) { return self_.arguments[index]; }
  const void *arg_data(size_t index) const { return self_.arguments[index]; }
  bool set_arg_data(size_t index, const void *data) {
    switch (index) {
      case 0: return set_arg0_data(static_cast<const float *>(data));
      default: return false;
    }
  }
  static size_t arg_size(size_t index) {
    static const size_t bytes[] = {16};
    return bytes[index];
  }
  void *result_data(size_t index) { return self_.results[index]; }
  const void *result_data(size_t index) const { return self_.results[index]; }
  bool set_result_data(size_t index, void *data) {
    switch (index) {
      case 0: return set_result0_data(static_cast<float *>(data));
      default: return false;
    }
  }
  static size_t result_size(size_t index) {
    static const size_t bytes[] = {16};
    return bytes[index];
  }
  static int LookupArgIndex(const char *) {
    return -1;
  }
  static int LookupResultIndex(const char *) {
    return -1;
  }

  float *arg0_data() { return acme_two_arg0_data(&self_); }
  const float *arg0_data() const { return acme_two_arg0_data(&self_); }
  bool set_arg0_data(const float *data) { return Did(acme_two_set_arg0_data(&self_, data)); }
  float &arg0(size_t dim0) { return arg0_data()[dim0 * 1]; }
  const float &arg0(size_t dim0) const { return arg0_data()[dim0 * 1]; }
  static constexpr int arg0_size() { return 16; }
  static constexpr int arg0_count() { return 4; }

  float *result0_data() { return acme_two_result0_data(&self_); }
  const float *result0_data() const { return acme_two_result0_data(&self_); }
  bool set_result0_data(float *data) { return Did(acme_two_set_result0_data(&self_, data)); }
  float &result0(size_t dim0) { return result0_data()[dim0 * 1]; }
  const float &result0(size_t dim0) const { return result0_data()[dim0 * 1]; }
  static constexpr int result0_size() { return 16; }
  static constexpr int result0_count() { return 4; }

 private:
  bool Did(int error) {
    error_ = error;
    return error == 0;
  }
  acme_two_t self_;
  bool ready_;
  int error_;
};

class Two::Static : public Two {
 public:
  explicit Static(void *arena_fast) { Init(arena_fast, arena_); }

 private:
  alignas(16) unsigned char arena_[16];
};

} /* namespace acme */

#undef ACME_TWO_ALWAYS_INLINE_

#endif /* __cplusplus */

#undef ACME_TWO_CAST_
#undef ACME_TWO_NUMBER_
#undef ACME_TWO_MUTABLE_
#undef ACME_TWO_ASSERT_

#ifdef __clang__
#pragma clang diagnostic pop
#endif

#endif /* ACME_TWO_H_ */
