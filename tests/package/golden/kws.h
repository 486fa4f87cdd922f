/* acme::Kws, compiled by hlocc 0.1.0. Generated: do not edit.
 *
 *   arg0, arg_mfcc: f32[1,49,10]{2,1,0}, 1960 bytes
 *   result0, result_probs: f32[1,12]{1,0}, 48 bytes
 *   arena 2016 bytes aligned to 16, state 0 bytes
 *
 * init points an instance at its arena, run computes the results from the arguments. Results
 * hold until the next run or another model uses the arena. A buffer of
 * your own (set_..._data, aligned like the arena, NULL for the arena again) is never written to
 * if it is an argument. */
#ifndef ACME_KWS_H_
#define ACME_KWS_H_

#include <stddef.h>
#include <stdint.h>

#define ACME_KWS_ARENA_BYTES 2016
#define ACME_KWS_ARENA_ALIGN 16
#define ACME_KWS_STATE_BYTES 0
#define ACME_KWS_NUM_ARGS 1
#define ACME_KWS_NUM_RESULTS 1

#define ACME_KWS_ARG0_BYTES 1960
#define ACME_KWS_ARG0_COUNT 490
#define ACME_KWS_ARG0_RANK 3
#define ACME_KWS_ARG0_DIM0 1
#define ACME_KWS_ARG0_DIM1 49
#define ACME_KWS_ARG0_DIM2 10
#define ACME_KWS_ARG0_SHAPE {1, 49, 10}

#define ACME_KWS_ARG_mfcc_BYTES 1960
#define ACME_KWS_ARG_mfcc_COUNT 490
#define ACME_KWS_ARG_mfcc_RANK 3
#define ACME_KWS_ARG_mfcc_DIM0 1
#define ACME_KWS_ARG_mfcc_DIM1 49
#define ACME_KWS_ARG_mfcc_DIM2 10
#define ACME_KWS_ARG_mfcc_SHAPE {1, 49, 10}

#define ACME_KWS_RESULT0_BYTES 48
#define ACME_KWS_RESULT0_COUNT 12
#define ACME_KWS_RESULT0_RANK 2
#define ACME_KWS_RESULT0_DIM0 1
#define ACME_KWS_RESULT0_DIM1 12
#define ACME_KWS_RESULT0_SHAPE {1, 12}

#define ACME_KWS_RESULT_probs_BYTES 48
#define ACME_KWS_RESULT_probs_COUNT 12
#define ACME_KWS_RESULT_probs_RANK 2
#define ACME_KWS_RESULT_probs_DIM0 1
#define ACME_KWS_RESULT_probs_DIM1 12
#define ACME_KWS_RESULT_probs_SHAPE {1, 12}

/* What init and run return. */
#define ACME_KWS_OK 0
#define ACME_KWS_ERROR_NULL 1  /* no instance or no arena */
#define ACME_KWS_ERROR_ALIGN 2 /* the arena is not aligned to ACME_KWS_ARENA_ALIGN */

#if defined(__cplusplus)
#define ACME_KWS_INLINE_ inline
#elif defined(__GNUC__)
#define ACME_KWS_INLINE_ static inline __attribute__((unused))
#else
#define ACME_KWS_INLINE_ static inline
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* An instance: one for each use at a time. Its fields are not for you. */
typedef struct acme_kws_t {
  void *arena;
  void *arguments[1];
  void *results[1];
} acme_kws_t;

/* Computes the results from the arguments: 0, or an error code. */
int acme_kws_run(acme_kws_t *self);

/* Gives the instance its arena and clears its state: 0, or an error code. */
ACME_KWS_INLINE_ int acme_kws_init(acme_kws_t *self, void *arena) {
  if (self == NULL || arena == NULL) return ACME_KWS_ERROR_NULL;
  if ((uintptr_t)arena % ACME_KWS_ARENA_ALIGN != 0) return ACME_KWS_ERROR_ALIGN;
  self->arena = arena;
  self->arguments[0] = (unsigned char *)self->arena + 0;
  self->results[0] = (unsigned char *)self->arena + 1968;
  return ACME_KWS_OK;
}

/* The meaning of an error code. */
ACME_KWS_INLINE_ const char *acme_kws_error_msg(int code) {
  if (code == ACME_KWS_OK) return "";
  if (code == ACME_KWS_ERROR_NULL) return "no instance or no arena";
  if (code == ACME_KWS_ERROR_ALIGN) return "the arena is not aligned";
  return "run failed";
}

ACME_KWS_INLINE_ float *acme_kws_arg0_data(const acme_kws_t *self) {
  return (float *)self->arguments[0];
}
ACME_KWS_INLINE_ void acme_kws_set_arg0_data(acme_kws_t *self, const void *data) {
  self->arguments[0] = data != NULL ? (void *)(uintptr_t)data : (void *)((unsigned char *)self->arena + 0);
}
ACME_KWS_INLINE_ float *acme_kws_arg_mfcc_data(const acme_kws_t *self) {
  return (float *)self->arguments[0];
}
ACME_KWS_INLINE_ void acme_kws_set_arg_mfcc_data(acme_kws_t *self, const void *data) {
  self->arguments[0] = data != NULL ? (void *)(uintptr_t)data : (void *)((unsigned char *)self->arena + 0);
}

ACME_KWS_INLINE_ float *acme_kws_result0_data(const acme_kws_t *self) {
  return (float *)self->results[0];
}
ACME_KWS_INLINE_ void acme_kws_set_result0_data(acme_kws_t *self, void *data) {
  self->results[0] = data != NULL ? (void *)(uintptr_t)data : (void *)((unsigned char *)self->arena + 1968);
}
ACME_KWS_INLINE_ float *acme_kws_result_probs_data(const acme_kws_t *self) {
  return (float *)self->results[0];
}
ACME_KWS_INLINE_ void acme_kws_set_result_probs_data(acme_kws_t *self, void *data) {
  self->results[0] = data != NULL ? (void *)(uintptr_t)data : (void *)((unsigned char *)self->arena + 1968);
}

#ifdef __cplusplus
} /* extern "C" */

namespace acme {

class Kws {
 public:
  /* An instance that owns its arena. */
  class Static;

  enum : size_t {
    kArenaBytes = 2016,
    kArenaAlign = 16,
    kStateBytes = 0,
    kNumArgs = 1,
    kNumResults = 1,
    kNumVariables = 0,
    kArg0Bytes = 1960,
    kArg0Count = 490,
    kArg0Rank = 3,
    kArg0Dim0 = 1,
    kArg0Dim1 = 49,
    kArg0Dim2 = 10,
    kResult0Bytes = 48,
    kResult0Count = 12,
    kResult0Rank = 2,
    kResult0Dim0 = 1,
    kResult0Dim1 = 12,
  };

  Kws() : self_(), ready_(false), error_(ACME_KWS_ERROR_NULL) {}
  explicit Kws(void *arena) : self_(), ready_(false), error_(ACME_KWS_ERROR_NULL) { Init(arena); }
  Kws(const Kws &) = delete;
  Kws &operator=(const Kws &) = delete;

  bool Init(void *arena) {
    error_ = acme_kws_init(&self_, arena);
    ready_ = error_ == 0;
    return ready_;
  }
  bool Run() {
    if (ready_) error_ = acme_kws_run(&self_);
    return error_ == 0;
  }
  const char *error_msg() const { return acme_kws_error_msg(error_); }
  acme_kws_t *instance() { return &self_; }

  static constexpr int num_args() { return 1; }
  static constexpr int num_results() { return 1; }
  static constexpr int num_variables() { return 0; }
  void **results() { return self_.results; }
  const void *const *results() const { return self_.results; }
  void *arg_data(size_t index) { return self_.arguments[index]; }
  const void *arg_data(size_t index) const { return self_.arguments[index]; }
  void set_arg_data(size_t index, const void *data) {
    switch (index) {
      case 0: set_arg0_data(data); break;
      default: break;
    }
  }
  static size_t arg_size(size_t index) {
    static const size_t bytes[] = {1960};
    return bytes[index];
  }
  void *result_data(size_t index) { return self_.results[index]; }
  const void *result_data(size_t index) const { return self_.results[index]; }
  void set_result_data(size_t index, void *data) {
    switch (index) {
      case 0: set_result0_data(data); break;
      default: break;
    }
  }
  static size_t result_size(size_t index) {
    static const size_t bytes[] = {48};
    return bytes[index];
  }
  static int LookupArgIndex(const char *name) {
    if (Same(name, "mfcc")) return 0;
    (void)name;
    return -1;
  }
  static int LookupResultIndex(const char *name) {
    if (Same(name, "probs")) return 0;
    (void)name;
    return -1;
  }

  float *arg0_data() { return acme_kws_arg0_data(&self_); }
  const float *arg0_data() const { return acme_kws_arg0_data(&self_); }
  void set_arg0_data(const void *data) { acme_kws_set_arg0_data(&self_, data); }
  float &arg0(size_t dim0, size_t dim1, size_t dim2) { return arg0_data()[dim0 * 490 + dim1 * 10 + dim2 * 1]; }
  const float &arg0(size_t dim0, size_t dim1, size_t dim2) const { return arg0_data()[dim0 * 490 + dim1 * 10 + dim2 * 1]; }
  static constexpr int arg0_size() { return 1960; }
  static constexpr int arg0_count() { return 490; }

  float *arg_mfcc_data() { return acme_kws_arg_mfcc_data(&self_); }
  const float *arg_mfcc_data() const { return acme_kws_arg_mfcc_data(&self_); }
  void set_arg_mfcc_data(const void *data) { acme_kws_set_arg_mfcc_data(&self_, data); }
  float &arg_mfcc(size_t dim0, size_t dim1, size_t dim2) { return arg_mfcc_data()[dim0 * 490 + dim1 * 10 + dim2 * 1]; }
  const float &arg_mfcc(size_t dim0, size_t dim1, size_t dim2) const { return arg_mfcc_data()[dim0 * 490 + dim1 * 10 + dim2 * 1]; }
  static constexpr int arg_mfcc_size() { return 1960; }
  static constexpr int arg_mfcc_count() { return 490; }

  float *result0_data() { return acme_kws_result0_data(&self_); }
  const float *result0_data() const { return acme_kws_result0_data(&self_); }
  void set_result0_data(void *data) { acme_kws_set_result0_data(&self_, data); }
  float &result0(size_t dim0, size_t dim1) { return result0_data()[dim0 * 12 + dim1 * 1]; }
  const float &result0(size_t dim0, size_t dim1) const { return result0_data()[dim0 * 12 + dim1 * 1]; }
  static constexpr int result0_size() { return 48; }
  static constexpr int result0_count() { return 12; }

  float *result_probs_data() { return acme_kws_result_probs_data(&self_); }
  const float *result_probs_data() const { return acme_kws_result_probs_data(&self_); }
  void set_result_probs_data(void *data) { acme_kws_set_result_probs_data(&self_, data); }
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

#endif /* __cplusplus */

#undef ACME_KWS_INLINE_

#endif /* ACME_KWS_H_ */
