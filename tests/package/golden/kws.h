/* acme::Kws, compiled by hlocc 0.1.0 for host. Generated: do not edit.
 * What hlocc generates belongs to its user: hlocc's licence lays no terms on this file.
 *
 *   arg0, arg_mfcc: f32[1,49,10]{2,1,0}, 1960 bytes
 *   result0, result_probs: f32[1,12]{1,0}, 48 bytes
 *   arena 2016 bytes aligned to 16, state 0 bytes
 *
 * init points an instance at its arena, run computes the results from the arguments. Results
 * hold until the next run or another model uses the arena. Arguments in the arena
 * are gone, too, when another model has used it: write them between its run and this one's.
 * A buffer of your own (set_..._data, aligned as ..._ALIGN says, NULL for the arena again) is
 * never written to if it is an argument.
 *
 * The library calls run acme_kws_run_b3344ea76f07774f.
 * A linker that misses this symbol has the library of another compile: take header and library
 * from one. */
#ifndef ACME_KWS_H_
#define ACME_KWS_H_

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
#ifndef ACME_KWS_SKIP_TARGET_CHECK
#if !(defined(__x86_64__) || defined(_M_X64))
#error "acme::Kws was compiled for host: this is no compiler for x86-64; ACME_KWS_SKIP_TARGET_CHECK skips this check"
#elif !(UINTPTR_MAX == 0xffffffffffffffff)
#error "acme::Kws was compiled for host: the target of this compiler lacks pointers of 64 bits; ACME_KWS_SKIP_TARGET_CHECK skips this check"
#elif !(!defined(__BYTE_ORDER__) || __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
#error "acme::Kws was compiled for host: the target of this compiler lacks little-endian byte order; ACME_KWS_SKIP_TARGET_CHECK skips this check"
#endif
#endif

#define ACME_KWS_ARENA_BYTES 2016
#define ACME_KWS_ARENA_ALIGN 16
#define ACME_KWS_STATE_BYTES 0
#define ACME_KWS_NUM_ARGS 1
#define ACME_KWS_NUM_RESULTS 1
/* Changes whenever state or arguments of another compile would not fit. */
#define ACME_KWS_INTERFACE "b3344ea76f07774f"

/* Strides count elements. ALIGN is what a buffer of your own must be aligned to. */
#define ACME_KWS_ARG0_BYTES 1960
#define ACME_KWS_ARG0_COUNT 490
#define ACME_KWS_ARG0_ALIGN 4
#define ACME_KWS_ARG0_RANK 3
#define ACME_KWS_ARG0_DIM0 1
#define ACME_KWS_ARG0_DIM1 49
#define ACME_KWS_ARG0_DIM2 10
#define ACME_KWS_ARG0_STRIDE0 490
#define ACME_KWS_ARG0_STRIDE1 10
#define ACME_KWS_ARG0_STRIDE2 1
#define ACME_KWS_ARG0_SHAPE {1, 49, 10}

#define ACME_KWS_ARG_mfcc_BYTES 1960
#define ACME_KWS_ARG_mfcc_COUNT 490
#define ACME_KWS_ARG_mfcc_ALIGN 4
#define ACME_KWS_ARG_mfcc_RANK 3
#define ACME_KWS_ARG_mfcc_DIM0 1
#define ACME_KWS_ARG_mfcc_DIM1 49
#define ACME_KWS_ARG_mfcc_DIM2 10
#define ACME_KWS_ARG_mfcc_STRIDE0 490
#define ACME_KWS_ARG_mfcc_STRIDE1 10
#define ACME_KWS_ARG_mfcc_STRIDE2 1
#define ACME_KWS_ARG_mfcc_SHAPE {1, 49, 10}

#define ACME_KWS_RESULT0_BYTES 48
#define ACME_KWS_RESULT0_COUNT 12
#define ACME_KWS_RESULT0_ALIGN 4
#define ACME_KWS_RESULT0_RANK 2
#define ACME_KWS_RESULT0_DIM0 1
#define ACME_KWS_RESULT0_DIM1 12
#define ACME_KWS_RESULT0_STRIDE0 12
#define ACME_KWS_RESULT0_STRIDE1 1
#define ACME_KWS_RESULT0_SHAPE {1, 12}

#define ACME_KWS_RESULT_probs_BYTES 48
#define ACME_KWS_RESULT_probs_COUNT 12
#define ACME_KWS_RESULT_probs_ALIGN 4
#define ACME_KWS_RESULT_probs_RANK 2
#define ACME_KWS_RESULT_probs_DIM0 1
#define ACME_KWS_RESULT_probs_DIM1 12
#define ACME_KWS_RESULT_probs_STRIDE0 12
#define ACME_KWS_RESULT_probs_STRIDE1 1
#define ACME_KWS_RESULT_probs_SHAPE {1, 12}

/* What init, run and set_..._data return. */
#define ACME_KWS_OK 0
#define ACME_KWS_ERROR_NULL 1  /* no instance or no arena */
#define ACME_KWS_ERROR_ALIGN 2 /* the arena, or a buffer, is not aligned */

#ifdef __cplusplus
#define ACME_KWS_CAST_(type, pointer) static_cast<type>(pointer)
#define ACME_KWS_NUMBER_(pointer) reinterpret_cast<uintptr_t>(pointer)
#define ACME_KWS_MUTABLE_(pointer) const_cast<void *>(pointer)
#define ACME_KWS_ASSERT_(name, condition) static_assert(condition, #name)
#else
#define ACME_KWS_CAST_(type, pointer) ((type)(pointer))
#define ACME_KWS_NUMBER_(pointer) ((uintptr_t)(pointer))
#define ACME_KWS_MUTABLE_(pointer) ((void *)(uintptr_t)(pointer))
#define ACME_KWS_ASSERT_(name, condition) typedef char acme_kws_##name[(condition) ? 1 : -1]
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* An instance: one for each use at a time. Its fields are not for you. A copy of one has its own
 * state, and shares the arena. */
typedef struct acme_kws_t {
  void *arena;
  void *arguments[1];
  void *results[1];
} acme_kws_t;

/* What does not compile here would not work: options that change the layout of structs or the size
 * of types are not for this file. */
ACME_KWS_ASSERT_(float_has_4_bytes, sizeof(float) == 4);
ACME_KWS_ASSERT_(instance_has_its_size, sizeof(acme_kws_t) == 24);
ACME_KWS_ASSERT_(arguments_lie_in_their_place, offsetof(acme_kws_t, arguments) == 8);
ACME_KWS_ASSERT_(results_lie_in_their_place, offsetof(acme_kws_t, results) == 16);
struct acme_kws_after_byte {
  unsigned char byte;
  acme_kws_t instance;
};
ACME_KWS_ASSERT_(instance_is_aligned, offsetof(struct acme_kws_after_byte, instance) % sizeof(void *) == 0);

/* Computes the results from the arguments: 0, or an error code. */
#define acme_kws_run acme_kws_run_b3344ea76f07774f
int acme_kws_run(acme_kws_t *self);

static inline void *acme_kws_arena_(const acme_kws_t *self, size_t offset) {
  return ACME_KWS_CAST_(unsigned char *, self->arena) + offset;
}
static inline int acme_kws_place_(void **slot, const void *data, size_t align, void *home) {
  if (!data) {
    *slot = home;
  } else {
    if (ACME_KWS_NUMBER_(data) % align != 0) return ACME_KWS_ERROR_ALIGN;
    *slot = ACME_KWS_MUTABLE_(data);
  }
  return ACME_KWS_OK;
}

/* There is no state: these three do nothing. */
static inline void acme_kws_reset(acme_kws_t *self) {
  (void)self;
}
static inline void acme_kws_checkpoint(const acme_kws_t *self, void *to) {
  (void)self;
  (void)to;
}
static inline void acme_kws_restore(acme_kws_t *self, const void *from) {
  (void)self;
  (void)from;
}

/* Gives the instance its arena and sets its state to what it starts with: 0, or an error code. */
static inline int acme_kws_init(acme_kws_t *self, void *arena) {
  if (!self || !arena) return ACME_KWS_ERROR_NULL;
  if (ACME_KWS_NUMBER_(arena) % ACME_KWS_ARENA_ALIGN != 0) return ACME_KWS_ERROR_ALIGN;
  self->arena = arena;
  self->arguments[0] = acme_kws_arena_(self, 0);
  self->results[0] = acme_kws_arena_(self, 1968);
  acme_kws_reset(self);
  return ACME_KWS_OK;
}

/* The meaning of an error code. */
static inline const char *acme_kws_error_msg(int code) {
  if (code == ACME_KWS_OK) return "";
  if (code == ACME_KWS_ERROR_NULL) return "no instance or no arena";
  if (code == ACME_KWS_ERROR_ALIGN) return "the arena or a buffer is not aligned";
  return "run failed";
}

static inline float *acme_kws_arg0_data(const acme_kws_t *self) {
  return ACME_KWS_CAST_(float *, self->arguments[0]);
}
static inline int acme_kws_set_arg0_data(acme_kws_t *self, const float *data) {
  return acme_kws_place_(&self->arguments[0], data, 4, acme_kws_arena_(self, 0));
}
static inline float *acme_kws_arg_mfcc_data(const acme_kws_t *self) {
  return ACME_KWS_CAST_(float *, self->arguments[0]);
}
static inline int acme_kws_set_arg_mfcc_data(acme_kws_t *self, const float *data) {
  return acme_kws_place_(&self->arguments[0], data, 4, acme_kws_arena_(self, 0));
}

static inline float *acme_kws_result0_data(const acme_kws_t *self) {
  return ACME_KWS_CAST_(float *, self->results[0]);
}
static inline int acme_kws_set_result0_data(acme_kws_t *self, float *data) {
  return acme_kws_place_(&self->results[0], data, 4, acme_kws_arena_(self, 1968));
}
static inline float *acme_kws_result_probs_data(const acme_kws_t *self) {
  return ACME_KWS_CAST_(float *, self->results[0]);
}
static inline int acme_kws_set_result_probs_data(acme_kws_t *self, float *data) {
  return acme_kws_place_(&self->results[0], data, 4, acme_kws_arena_(self, 1968));
}

#ifdef __cplusplus
} /* extern "C" */

/* Run and Init are never shared between files: one that was compiled with an older header does not
 * link. */
#ifdef __GNUC__
#define ACME_KWS_ALWAYS_INLINE_ inline __attribute__((always_inline))
#else
#define ACME_KWS_ALWAYS_INLINE_ inline
#endif

namespace acme {

/* The constants of Kws. */
template <int kUnused>
struct KwsConstants {
  static constexpr size_t kArenaBytes = 2016;
  static constexpr size_t kArenaAlign = 16;
  static constexpr size_t kStateBytes = 0;
  static constexpr size_t kNumArgs = 1;
  static constexpr size_t kNumResults = 1;
  static constexpr size_t kNumVariables = 0;
  static constexpr size_t kArg0Bytes = 1960;
  static constexpr size_t kArg0Count = 490;
  static constexpr size_t kArg0Align = 4;
  static constexpr size_t kArg0Rank = 3;
  static constexpr size_t kArg0Dim0 = 1;
  static constexpr size_t kArg0Stride0 = 490;
  static constexpr size_t kArg0Dim1 = 49;
  static constexpr size_t kArg0Stride1 = 10;
  static constexpr size_t kArg0Dim2 = 10;
  static constexpr size_t kArg0Stride2 = 1;
  static constexpr size_t kResult0Bytes = 48;
  static constexpr size_t kResult0Count = 12;
  static constexpr size_t kResult0Align = 4;
  static constexpr size_t kResult0Rank = 2;
  static constexpr size_t kResult0Dim0 = 1;
  static constexpr size_t kResult0Stride0 = 12;
  static constexpr size_t kResult0Dim1 = 12;
  static constexpr size_t kResult0Stride1 = 1;
};
#if __cplusplus < 201703L
template <int kUnused>
constexpr size_t KwsConstants<kUnused>::kArenaBytes;
template <int kUnused>
constexpr size_t KwsConstants<kUnused>::kArenaAlign;
template <int kUnused>
constexpr size_t KwsConstants<kUnused>::kStateBytes;
template <int kUnused>
constexpr size_t KwsConstants<kUnused>::kNumArgs;
template <int kUnused>
constexpr size_t KwsConstants<kUnused>::kNumResults;
template <int kUnused>
constexpr size_t KwsConstants<kUnused>::kNumVariables;
template <int kUnused>
constexpr size_t KwsConstants<kUnused>::kArg0Bytes;
template <int kUnused>
constexpr size_t KwsConstants<kUnused>::kArg0Count;
template <int kUnused>
constexpr size_t KwsConstants<kUnused>::kArg0Align;
template <int kUnused>
constexpr size_t KwsConstants<kUnused>::kArg0Rank;
template <int kUnused>
constexpr size_t KwsConstants<kUnused>::kArg0Dim0;
template <int kUnused>
constexpr size_t KwsConstants<kUnused>::kArg0Stride0;
template <int kUnused>
constexpr size_t KwsConstants<kUnused>::kArg0Dim1;
template <int kUnused>
constexpr size_t KwsConstants<kUnused>::kArg0Stride1;
template <int kUnused>
constexpr size_t KwsConstants<kUnused>::kArg0Dim2;
template <int kUnused>
constexpr size_t KwsConstants<kUnused>::kArg0Stride2;
template <int kUnused>
constexpr size_t KwsConstants<kUnused>::kResult0Bytes;
template <int kUnused>
constexpr size_t KwsConstants<kUnused>::kResult0Count;
template <int kUnused>
constexpr size_t KwsConstants<kUnused>::kResult0Align;
template <int kUnused>
constexpr size_t KwsConstants<kUnused>::kResult0Rank;
template <int kUnused>
constexpr size_t KwsConstants<kUnused>::kResult0Dim0;
template <int kUnused>
constexpr size_t KwsConstants<kUnused>::kResult0Stride0;
template <int kUnused>
constexpr size_t KwsConstants<kUnused>::kResult0Dim1;
template <int kUnused>
constexpr size_t KwsConstants<kUnused>::kResult0Stride1;
#endif

class Kws : public KwsConstants<0> {
 public:
  /* An instance that owns its arena. */
  class Static;

  Kws() : self_(), ready_(false), error_(ACME_KWS_ERROR_NULL) {}
  explicit Kws(void *arena) : self_(), ready_(false), error_(ACME_KWS_ERROR_NULL) { Init(arena); }
  Kws(const Kws &) = delete;
  Kws &operator=(const Kws &) = delete;

  ACME_KWS_ALWAYS_INLINE_ bool Init(void *arena) {
    ready_ = Did(acme_kws_init(&self_, arena));
    return ready_;
  }
  ACME_KWS_ALWAYS_INLINE_ bool Run() {
    if (ready_) return Did(acme_kws_run(&self_));
    if (error_ == 0) error_ = ACME_KWS_ERROR_NULL;
    return false;
  }
  const char *error_msg() const { return acme_kws_error_msg(error_); }
  acme_kws_t *instance() { return &self_; }

  /* The state: to what it starts with, out of the object, and back in. */
  void Reset() { acme_kws_reset(&self_); }
  void Checkpoint(void *to) const { acme_kws_checkpoint(&self_, to); }
  void Restore(const void *from) { acme_kws_restore(&self_, from); }

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
    static const size_t bytes[] = {1960};
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
    static const size_t bytes[] = {48};
    return bytes[index];
  }
  static int LookupArgIndex(const char *name) {
    if (Same(name, "mfcc")) return 0;
    return -1;
  }
  static int LookupResultIndex(const char *name) {
    if (Same(name, "probs")) return 0;
    return -1;
  }

  float *arg0_data() { return acme_kws_arg0_data(&self_); }
  const float *arg0_data() const { return acme_kws_arg0_data(&self_); }
  bool set_arg0_data(const float *data) { return Did(acme_kws_set_arg0_data(&self_, data)); }
  float &arg0(size_t dim0, size_t dim1, size_t dim2) { return arg0_data()[dim0 * 490 + dim1 * 10 + dim2 * 1]; }
  const float &arg0(size_t dim0, size_t dim1, size_t dim2) const { return arg0_data()[dim0 * 490 + dim1 * 10 + dim2 * 1]; }
  static constexpr int arg0_size() { return 1960; }
  static constexpr int arg0_count() { return 490; }

  float *arg_mfcc_data() { return acme_kws_arg_mfcc_data(&self_); }
  const float *arg_mfcc_data() const { return acme_kws_arg_mfcc_data(&self_); }
  bool set_arg_mfcc_data(const float *data) { return Did(acme_kws_set_arg_mfcc_data(&self_, data)); }
  float &arg_mfcc(size_t dim0, size_t dim1, size_t dim2) { return arg_mfcc_data()[dim0 * 490 + dim1 * 10 + dim2 * 1]; }
  const float &arg_mfcc(size_t dim0, size_t dim1, size_t dim2) const { return arg_mfcc_data()[dim0 * 490 + dim1 * 10 + dim2 * 1]; }
  static constexpr int arg_mfcc_size() { return 1960; }
  static constexpr int arg_mfcc_count() { return 490; }

  float *result0_data() { return acme_kws_result0_data(&self_); }
  const float *result0_data() const { return acme_kws_result0_data(&self_); }
  bool set_result0_data(float *data) { return Did(acme_kws_set_result0_data(&self_, data)); }
  float &result0(size_t dim0, size_t dim1) { return result0_data()[dim0 * 12 + dim1 * 1]; }
  const float &result0(size_t dim0, size_t dim1) const { return result0_data()[dim0 * 12 + dim1 * 1]; }
  static constexpr int result0_size() { return 48; }
  static constexpr int result0_count() { return 12; }

  float *result_probs_data() { return acme_kws_result_probs_data(&self_); }
  const float *result_probs_data() const { return acme_kws_result_probs_data(&self_); }
  bool set_result_probs_data(float *data) { return Did(acme_kws_set_result_probs_data(&self_, data)); }
  float &result_probs(size_t dim0, size_t dim1) { return result_probs_data()[dim0 * 12 + dim1 * 1]; }
  const float &result_probs(size_t dim0, size_t dim1) const { return result_probs_data()[dim0 * 12 + dim1 * 1]; }
  static constexpr int result_probs_size() { return 48; }
  static constexpr int result_probs_count() { return 12; }

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
  acme_kws_t self_;
  bool ready_;
  int error_;
};

class Kws::Static : public Kws {
 public:
  Static() { Init(arena_); }

 private:
  alignas(16) unsigned char arena_[2016];
};

} /* namespace acme */

#undef ACME_KWS_ALWAYS_INLINE_

#endif /* __cplusplus */

#undef ACME_KWS_CAST_
#undef ACME_KWS_NUMBER_
#undef ACME_KWS_MUTABLE_
#undef ACME_KWS_ASSERT_

#ifdef __clang__
#pragma clang diagnostic pop
#endif

#endif /* ACME_KWS_H_ */
