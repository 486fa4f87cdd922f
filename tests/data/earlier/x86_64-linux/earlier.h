/* acme::Earlier, compiled by hlocc 0.1.0 for x86_64-linux. Generated: do not edit.
 * SPDX-License-Identifier: Apache-2.0
 *
 *   arg0, arg_x (x): f32[96,64]{1,0}, 24576 bytes
 *   arg1, arg_y (y): f32[64,96]{1,0}, 24576 bytes
 *   result0: f32[96,96]{1,0}, 36864 bytes
 *   arena 86016 bytes aligned to 16, state 0 bytes
 *
 * init points an instance at its arena, run computes the results from the arguments. Results
 * hold until the next run or another model uses the arena. Arguments in the arena
 * are gone, too, when another model has used it: write them between its run and this one's.
 * A buffer of your own (set_..._data, aligned as ..._ALIGN says, NULL for the arena again) is
 * never written to if it is an argument.
 *
 * The library calls run acme_earlier_run_b839447fd953ff96.
 * A linker that misses this symbol has the library of another compile: take header and library
 * from one. */
#ifndef ACME_EARLIER_H_
#define ACME_EARLIER_H_

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
#ifndef ACME_EARLIER_SKIP_TARGET_CHECK
#if !(defined(__x86_64__) || defined(_M_X64))
#error "acme::Earlier was compiled for x86_64-linux: this is no compiler for x86-64; ACME_EARLIER_SKIP_TARGET_CHECK skips this check"
#elif !(UINTPTR_MAX == 0xffffffffffffffff)
#error "acme::Earlier was compiled for x86_64-linux: the target of this compiler lacks pointers of 64 bits; ACME_EARLIER_SKIP_TARGET_CHECK skips this check"
#elif !(!defined(__BYTE_ORDER__) || __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
#error "acme::Earlier was compiled for x86_64-linux: the target of this compiler lacks little-endian byte order; ACME_EARLIER_SKIP_TARGET_CHECK skips this check"
#endif
#endif

#define ACME_EARLIER_ARENA_BYTES 86016
#define ACME_EARLIER_ARENA_ALIGN 16
#define ACME_EARLIER_STATE_BYTES 0
#define ACME_EARLIER_NUM_ARGS 2
#define ACME_EARLIER_NUM_RESULTS 1
/* Changes whenever state or arguments of another compile would not fit. */
#define ACME_EARLIER_INTERFACE "b839447fd953ff96"

/* Steps that run tells hlocc_profile_step of. */
#define ACME_EARLIER_PROFILE_STEPS 1

/* Strides count elements. ALIGN is what a buffer of your own must be aligned to. */
#define ACME_EARLIER_ARG0_BYTES 24576
#define ACME_EARLIER_ARG0_COUNT 6144
#define ACME_EARLIER_ARG0_ALIGN 4
#define ACME_EARLIER_ARG0_RANK 2
#define ACME_EARLIER_ARG0_DIM0 96
#define ACME_EARLIER_ARG0_DIM1 64
#define ACME_EARLIER_ARG0_STRIDE0 64
#define ACME_EARLIER_ARG0_STRIDE1 1
#define ACME_EARLIER_ARG0_SHAPE {96, 64}

#define ACME_EARLIER_ARG_x_BYTES 24576
#define ACME_EARLIER_ARG_x_COUNT 6144
#define ACME_EARLIER_ARG_x_ALIGN 4
#define ACME_EARLIER_ARG_x_RANK 2
#define ACME_EARLIER_ARG_x_DIM0 96
#define ACME_EARLIER_ARG_x_DIM1 64
#define ACME_EARLIER_ARG_x_STRIDE0 64
#define ACME_EARLIER_ARG_x_STRIDE1 1
#define ACME_EARLIER_ARG_x_SHAPE {96, 64}

#define ACME_EARLIER_ARG1_BYTES 24576
#define ACME_EARLIER_ARG1_COUNT 6144
#define ACME_EARLIER_ARG1_ALIGN 4
#define ACME_EARLIER_ARG1_RANK 2
#define ACME_EARLIER_ARG1_DIM0 64
#define ACME_EARLIER_ARG1_DIM1 96
#define ACME_EARLIER_ARG1_STRIDE0 96
#define ACME_EARLIER_ARG1_STRIDE1 1
#define ACME_EARLIER_ARG1_SHAPE {64, 96}

#define ACME_EARLIER_ARG_y_BYTES 24576
#define ACME_EARLIER_ARG_y_COUNT 6144
#define ACME_EARLIER_ARG_y_ALIGN 4
#define ACME_EARLIER_ARG_y_RANK 2
#define ACME_EARLIER_ARG_y_DIM0 64
#define ACME_EARLIER_ARG_y_DIM1 96
#define ACME_EARLIER_ARG_y_STRIDE0 96
#define ACME_EARLIER_ARG_y_STRIDE1 1
#define ACME_EARLIER_ARG_y_SHAPE {64, 96}

#define ACME_EARLIER_RESULT0_BYTES 36864
#define ACME_EARLIER_RESULT0_COUNT 9216
#define ACME_EARLIER_RESULT0_ALIGN 4
#define ACME_EARLIER_RESULT0_RANK 2
#define ACME_EARLIER_RESULT0_DIM0 96
#define ACME_EARLIER_RESULT0_DIM1 96
#define ACME_EARLIER_RESULT0_STRIDE0 96
#define ACME_EARLIER_RESULT0_STRIDE1 1
#define ACME_EARLIER_RESULT0_SHAPE {96, 96}

/* What init, run and set_..._data return. */
#define ACME_EARLIER_OK 0
#define ACME_EARLIER_ERROR_NULL 1  /* no instance or no arena */
#define ACME_EARLIER_ERROR_ALIGN 2 /* the arena, or a buffer, is not aligned */

#ifdef __cplusplus
#define ACME_EARLIER_CAST_(type, pointer) static_cast<type>(pointer)
#define ACME_EARLIER_NUMBER_(pointer) reinterpret_cast<uintptr_t>(pointer)
#define ACME_EARLIER_MUTABLE_(pointer) const_cast<void *>(pointer)
#define ACME_EARLIER_ASSERT_(name, condition) static_assert(condition, #name)
#else
#define ACME_EARLIER_CAST_(type, pointer) ((type)(pointer))
#define ACME_EARLIER_NUMBER_(pointer) ((uintptr_t)(pointer))
#define ACME_EARLIER_MUTABLE_(pointer) ((void *)(uintptr_t)(pointer))
#define ACME_EARLIER_ASSERT_(name, condition) typedef char acme_earlier_##name[(condition) ? 1 : -1]
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* An instance: one for each use at a time. Its fields are not for you. A copy of one has its own
 * state, and shares the arena. */
typedef struct acme_earlier_t {
  void *arena;
  void *arguments[2];
  void *results[1];
} acme_earlier_t;

/* What does not compile here would not work: options that change the layout of structs or the size
 * of types are not for this file. */
ACME_EARLIER_ASSERT_(float_has_4_bytes, sizeof(float) == 4);
ACME_EARLIER_ASSERT_(instance_has_its_size, sizeof(acme_earlier_t) == 32);
ACME_EARLIER_ASSERT_(arguments_lie_in_their_place, offsetof(acme_earlier_t, arguments) == 8);
ACME_EARLIER_ASSERT_(results_lie_in_their_place, offsetof(acme_earlier_t, results) == 24);
struct acme_earlier_after_byte {
  unsigned char byte;
  acme_earlier_t instance;
};
ACME_EARLIER_ASSERT_(instance_is_aligned, offsetof(struct acme_earlier_after_byte, instance) % sizeof(void *) == 0);

/* Computes the results from the arguments: 0, or an error code. */
#define acme_earlier_run acme_earlier_run_b839447fd953ff96
int acme_earlier_run(acme_earlier_t *self);

static inline void *acme_earlier_arena_(const acme_earlier_t *self, size_t offset) {
  return ACME_EARLIER_CAST_(unsigned char *, self->arena) + offset;
}
static inline int acme_earlier_place_(void **slot, const void *data, size_t align, void *home) {
  if (!data) {
    *slot = home;
  } else {
    if (ACME_EARLIER_NUMBER_(data) % align != 0) return ACME_EARLIER_ERROR_ALIGN;
    *slot = ACME_EARLIER_MUTABLE_(data);
  }
  return ACME_EARLIER_OK;
}

/* There is no state: these three do nothing. */
static inline void acme_earlier_reset(acme_earlier_t *self) {
  (void)self;
}
static inline void acme_earlier_checkpoint(const acme_earlier_t *self, void *to) {
  (void)self;
  (void)to;
}
static inline void acme_earlier_restore(acme_earlier_t *self, const void *from) {
  (void)self;
  (void)from;
}

/* Gives the instance its arena and sets its state to what it starts with: 0, or an error code. */
static inline int acme_earlier_init(acme_earlier_t *self, void *arena) {
  if (!self || !arena) return ACME_EARLIER_ERROR_NULL;
  if (ACME_EARLIER_NUMBER_(arena) % ACME_EARLIER_ARENA_ALIGN != 0) return ACME_EARLIER_ERROR_ALIGN;
  self->arena = arena;
  self->arguments[0] = acme_earlier_arena_(self, 36864);
  self->arguments[1] = acme_earlier_arena_(self, 61440);
  self->results[0] = acme_earlier_arena_(self, 0);
  acme_earlier_reset(self);
  return ACME_EARLIER_OK;
}

/* The meaning of an error code. */
static inline const char *acme_earlier_error_msg(int code) {
  if (code == ACME_EARLIER_OK) return "";
  if (code == ACME_EARLIER_ERROR_NULL) return "no instance or no arena";
  if (code == ACME_EARLIER_ERROR_ALIGN) return "the arena or a buffer is not aligned";
  return "run failed";
}

static inline float *acme_earlier_arg0_data(const acme_earlier_t *self) {
  return ACME_EARLIER_CAST_(float *, self->arguments[0]);
}
static inline int acme_earlier_set_arg0_data(acme_earlier_t *self, const float *data) {
  return acme_earlier_place_(&self->arguments[0], data, 4, acme_earlier_arena_(self, 36864));
}
static inline float *acme_earlier_arg_x_data(const acme_earlier_t *self) {
  return ACME_EARLIER_CAST_(float *, self->arguments[0]);
}
static inline int acme_earlier_set_arg_x_data(acme_earlier_t *self, const float *data) {
  return acme_earlier_place_(&self->arguments[0], data, 4, acme_earlier_arena_(self, 36864));
}

static inline float *acme_earlier_arg1_data(const acme_earlier_t *self) {
  return ACME_EARLIER_CAST_(float *, self->arguments[1]);
}
static inline int acme_earlier_set_arg1_data(acme_earlier_t *self, const float *data) {
  return acme_earlier_place_(&self->arguments[1], data, 4, acme_earlier_arena_(self, 61440));
}
static inline float *acme_earlier_arg_y_data(const acme_earlier_t *self) {
  return ACME_EARLIER_CAST_(float *, self->arguments[1]);
}
static inline int acme_earlier_set_arg_y_data(acme_earlier_t *self, const float *data) {
  return acme_earlier_place_(&self->arguments[1], data, 4, acme_earlier_arena_(self, 61440));
}

static inline float *acme_earlier_result0_data(const acme_earlier_t *self) {
  return ACME_EARLIER_CAST_(float *, self->results[0]);
}
static inline int acme_earlier_set_result0_data(acme_earlier_t *self, float *data) {
  return acme_earlier_place_(&self->results[0], data, 4, acme_earlier_arena_(self, 0));
}

#ifdef __cplusplus
} /* extern "C" */

/* Run and Init are never shared between files: one that was compiled with an older header does not
 * link. */
#ifdef __GNUC__
#define ACME_EARLIER_ALWAYS_INLINE_ inline __attribute__((always_inline))
#else
#define ACME_EARLIER_ALWAYS_INLINE_ inline
#endif

namespace acme {

/* The constants of Earlier. */
template <int kUnused>
struct EarlierConstants {
  static constexpr size_t kArenaBytes = 86016;
  static constexpr size_t kArenaAlign = 16;
  static constexpr size_t kStateBytes = 0;
  static constexpr size_t kNumArgs = 2;
  static constexpr size_t kNumResults = 1;
  static constexpr size_t kNumVariables = 0;
  static constexpr size_t kArg0Bytes = 24576;
  static constexpr size_t kArg0Count = 6144;
  static constexpr size_t kArg0Align = 4;
  static constexpr size_t kArg0Rank = 2;
  static constexpr size_t kArg0Dim0 = 96;
  static constexpr size_t kArg0Stride0 = 64;
  static constexpr size_t kArg0Dim1 = 64;
  static constexpr size_t kArg0Stride1 = 1;
  static constexpr size_t kArg1Bytes = 24576;
  static constexpr size_t kArg1Count = 6144;
  static constexpr size_t kArg1Align = 4;
  static constexpr size_t kArg1Rank = 2;
  static constexpr size_t kArg1Dim0 = 64;
  static constexpr size_t kArg1Stride0 = 96;
  static constexpr size_t kArg1Dim1 = 96;
  static constexpr size_t kArg1Stride1 = 1;
  static constexpr size_t kResult0Bytes = 36864;
  static constexpr size_t kResult0Count = 9216;
  static constexpr size_t kResult0Align = 4;
  static constexpr size_t kResult0Rank = 2;
  static constexpr size_t kResult0Dim0 = 96;
  static constexpr size_t kResult0Stride0 = 96;
  static constexpr size_t kResult0Dim1 = 96;
  static constexpr size_t kResult0Stride1 = 1;
};
#if __cplusplus < 201703L
template <int kUnused>
constexpr size_t EarlierConstants<kUnused>::kArenaBytes;
template <int kUnused>
constexpr size_t EarlierConstants<kUnused>::kArenaAlign;
template <int kUnused>
constexpr size_t EarlierConstants<kUnused>::kStateBytes;
template <int kUnused>
constexpr size_t EarlierConstants<kUnused>::kNumArgs;
template <int kUnused>
constexpr size_t EarlierConstants<kUnused>::kNumResults;
template <int kUnused>
constexpr size_t EarlierConstants<kUnused>::kNumVariables;
template <int kUnused>
constexpr size_t EarlierConstants<kUnused>::kArg0Bytes;
template <int kUnused>
constexpr size_t EarlierConstants<kUnused>::kArg0Count;
template <int kUnused>
constexpr size_t EarlierConstants<kUnused>::kArg0Align;
template <int kUnused>
constexpr size_t EarlierConstants<kUnused>::kArg0Rank;
template <int kUnused>
constexpr size_t EarlierConstants<kUnused>::kArg0Dim0;
template <int kUnused>
constexpr size_t EarlierConstants<kUnused>::kArg0Stride0;
template <int kUnused>
constexpr size_t EarlierConstants<kUnused>::kArg0Dim1;
template <int kUnused>
constexpr size_t EarlierConstants<kUnused>::kArg0Stride1;
template <int kUnused>
constexpr size_t EarlierConstants<kUnused>::kArg1Bytes;
template <int kUnused>
constexpr size_t EarlierConstants<kUnused>::kArg1Count;
template <int kUnused>
constexpr size_t EarlierConstants<kUnused>::kArg1Align;
template <int kUnused>
constexpr size_t EarlierConstants<kUnused>::kArg1Rank;
template <int kUnused>
constexpr size_t EarlierConstants<kUnused>::kArg1Dim0;
template <int kUnused>
constexpr size_t EarlierConstants<kUnused>::kArg1Stride0;
template <int kUnused>
constexpr size_t EarlierConstants<kUnused>::kArg1Dim1;
template <int kUnused>
constexpr size_t EarlierConstants<kUnused>::kArg1Stride1;
template <int kUnused>
constexpr size_t EarlierConstants<kUnused>::kResult0Bytes;
template <int kUnused>
constexpr size_t EarlierConstants<kUnused>::kResult0Count;
template <int kUnused>
constexpr size_t EarlierConstants<kUnused>::kResult0Align;
template <int kUnused>
constexpr size_t EarlierConstants<kUnused>::kResult0Rank;
template <int kUnused>
constexpr size_t EarlierConstants<kUnused>::kResult0Dim0;
template <int kUnused>
constexpr size_t EarlierConstants<kUnused>::kResult0Stride0;
template <int kUnused>
constexpr size_t EarlierConstants<kUnused>::kResult0Dim1;
template <int kUnused>
constexpr size_t EarlierConstants<kUnused>::kResult0Stride1;
#endif

class Earlier : public EarlierConstants<0> {
 public:
  /* An instance that owns its arena. */
  class Static;

  Earlier() : self_(), ready_(false), error_(ACME_EARLIER_ERROR_NULL) {}
  explicit Earlier(void *arena) : self_(), ready_(false), error_(ACME_EARLIER_ERROR_NULL) { Init(arena); }
  Earlier(const Earlier &) = delete;
  Earlier &operator=(const Earlier &) = delete;

  ACME_EARLIER_ALWAYS_INLINE_ bool Init(void *arena) {
    ready_ = Did(acme_earlier_init(&self_, arena));
    return ready_;
  }
  ACME_EARLIER_ALWAYS_INLINE_ bool Run() {
    if (ready_) return Did(acme_earlier_run(&self_));
    if (error_ == 0) error_ = ACME_EARLIER_ERROR_NULL;
    return false;
  }
  const char *error_msg() const { return acme_earlier_error_msg(error_); }
  acme_earlier_t *instance() { return &self_; }

  /* The state: to what it starts with, out of the object, and back in. */
  void Reset() { acme_earlier_reset(&self_); }
  void Checkpoint(void *to) const { acme_earlier_checkpoint(&self_, to); }
  void Restore(const void *from) { acme_earlier_restore(&self_, from); }

  static constexpr int num_args() { return 2; }
  static constexpr int num_results() { return 1; }
  static constexpr int num_variables() { return 0; }
  void **results() { return self_.results; }
  const void *const *results() const { return self_.results; }
  void *arg_data(size_t index) { return self_.arguments[index]; }
  const void *arg_data(size_t index) const { return self_.arguments[index]; }
  bool set_arg_data(size_t index, const void *data) {
    switch (index) {
      case 0: return set_arg0_data(static_cast<const float *>(data));
      case 1: return set_arg1_data(static_cast<const float *>(data));
      default: return false;
    }
  }
  static size_t arg_size(size_t index) {
    static const size_t bytes[] = {24576, 24576};
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
    static const size_t bytes[] = {36864};
    return bytes[index];
  }
  static int LookupArgIndex(const char *name) {
    if (Same(name, "x")) return 0;
    if (Same(name, "y")) return 1;
    return -1;
  }
  static int LookupResultIndex(const char *) {
    return -1;
  }

  float *arg0_data() { return acme_earlier_arg0_data(&self_); }
  const float *arg0_data() const { return acme_earlier_arg0_data(&self_); }
  bool set_arg0_data(const float *data) { return Did(acme_earlier_set_arg0_data(&self_, data)); }
  float &arg0(size_t dim0, size_t dim1) { return arg0_data()[dim0 * 64 + dim1 * 1]; }
  const float &arg0(size_t dim0, size_t dim1) const { return arg0_data()[dim0 * 64 + dim1 * 1]; }
  static constexpr int arg0_size() { return 24576; }
  static constexpr int arg0_count() { return 6144; }

  float *arg_x_data() { return acme_earlier_arg_x_data(&self_); }
  const float *arg_x_data() const { return acme_earlier_arg_x_data(&self_); }
  bool set_arg_x_data(const float *data) { return Did(acme_earlier_set_arg_x_data(&self_, data)); }
  float &arg_x(size_t dim0, size_t dim1) { return arg_x_data()[dim0 * 64 + dim1 * 1]; }
  const float &arg_x(size_t dim0, size_t dim1) const { return arg_x_data()[dim0 * 64 + dim1 * 1]; }
  static constexpr int arg_x_size() { return 24576; }
  static constexpr int arg_x_count() { return 6144; }

  float *arg1_data() { return acme_earlier_arg1_data(&self_); }
  const float *arg1_data() const { return acme_earlier_arg1_data(&self_); }
  bool set_arg1_data(const float *data) { return Did(acme_earlier_set_arg1_data(&self_, data)); }
  float &arg1(size_t dim0, size_t dim1) { return arg1_data()[dim0 * 96 + dim1 * 1]; }
  const float &arg1(size_t dim0, size_t dim1) const { return arg1_data()[dim0 * 96 + dim1 * 1]; }
  static constexpr int arg1_size() { return 24576; }
  static constexpr int arg1_count() { return 6144; }

  float *arg_y_data() { return acme_earlier_arg_y_data(&self_); }
  const float *arg_y_data() const { return acme_earlier_arg_y_data(&self_); }
  bool set_arg_y_data(const float *data) { return Did(acme_earlier_set_arg_y_data(&self_, data)); }
  float &arg_y(size_t dim0, size_t dim1) { return arg_y_data()[dim0 * 96 + dim1 * 1]; }
  const float &arg_y(size_t dim0, size_t dim1) const { return arg_y_data()[dim0 * 96 + dim1 * 1]; }
  static constexpr int arg_y_size() { return 24576; }
  static constexpr int arg_y_count() { return 6144; }

  float *result0_data() { return acme_earlier_result0_data(&self_); }
  const float *result0_data() const { return acme_earlier_result0_data(&self_); }
  bool set_result0_data(float *data) { return Did(acme_earlier_set_result0_data(&self_, data)); }
  float &result0(size_t dim0, size_t dim1) { return result0_data()[dim0 * 96 + dim1 * 1]; }
  const float &result0(size_t dim0, size_t dim1) const { return result0_data()[dim0 * 96 + dim1 * 1]; }
  static constexpr int result0_size() { return 36864; }
  static constexpr int result0_count() { return 9216; }

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
  acme_earlier_t self_;
  bool ready_;
  int error_;
};

class Earlier::Static : public Earlier {
 public:
  Static() { Init(arena_); }

 private:
  alignas(16) unsigned char arena_[86016];
};

} /* namespace acme */

#undef ACME_EARLIER_ALWAYS_INLINE_

#endif /* __cplusplus */

#undef ACME_EARLIER_CAST_
#undef ACME_EARLIER_NUMBER_
#undef ACME_EARLIER_MUTABLE_
#undef ACME_EARLIER_ASSERT_

#ifdef __clang__
#pragma clang diagnostic pop
#endif

#endif /* ACME_EARLIER_H_ */
