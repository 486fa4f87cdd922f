/* Zoo, compiled by hlocc 0.1.0. Generated: do not edit.
 *
 *   arg0, arg_data: f64[], 8 bytes
 *   arg1: s4[5]{0:E(4)}, 3 bytes
 *   arg2: s16[2,3]{0,1}, 12 bytes
 *   arg3: c64[2]{0}, 16 bytes
 *   arg4, arg_h, var_h: f32[4]{0}, 16 bytes, in the instance
 *   arg5: pred[1]{0}, 1 bytes
 *   result0, result_h: f32[4]{0}, 16 bytes, in the instance
 *   result1: bf16[0,3]{1,0}, 0 bytes
 *   result2, result_int: u64[1]{0}, 8 bytes
 *   arena 96 bytes aligned to 16, state 24 bytes
 *
 * init points an instance at its arena, run computes the results from the arguments. Results
 * hold until the next run or another model uses the arena. A buffer of
 * your own (set_..._data, aligned like the arena, NULL for the arena again) is never written to
 * if it is an argument. */
#ifndef ZOO_H_
#define ZOO_H_

#include <stddef.h>
#include <stdint.h>

#define ZOO_ARENA_BYTES 96
#define ZOO_ARENA_ALIGN 16
#define ZOO_STATE_BYTES 24
#define ZOO_NUM_ARGS 6
#define ZOO_NUM_RESULTS 3

#define ZOO_ARG0_BYTES 8
#define ZOO_ARG0_COUNT 1
#define ZOO_ARG0_RANK 0

#define ZOO_ARG_data_BYTES 8
#define ZOO_ARG_data_COUNT 1
#define ZOO_ARG_data_RANK 0

#define ZOO_ARG1_BYTES 3
#define ZOO_ARG1_COUNT 5
#define ZOO_ARG1_RANK 1
#define ZOO_ARG1_DIM0 5
#define ZOO_ARG1_SHAPE {5}

#define ZOO_ARG2_BYTES 12
#define ZOO_ARG2_COUNT 6
#define ZOO_ARG2_RANK 2
#define ZOO_ARG2_DIM0 2
#define ZOO_ARG2_DIM1 3
#define ZOO_ARG2_SHAPE {2, 3}

#define ZOO_ARG3_BYTES 16
#define ZOO_ARG3_COUNT 2
#define ZOO_ARG3_RANK 1
#define ZOO_ARG3_DIM0 2
#define ZOO_ARG3_SHAPE {2}

#define ZOO_ARG4_BYTES 16
#define ZOO_ARG4_COUNT 4
#define ZOO_ARG4_RANK 1
#define ZOO_ARG4_DIM0 4
#define ZOO_ARG4_SHAPE {4}

#define ZOO_ARG_h_BYTES 16
#define ZOO_ARG_h_COUNT 4
#define ZOO_ARG_h_RANK 1
#define ZOO_ARG_h_DIM0 4
#define ZOO_ARG_h_SHAPE {4}

#define ZOO_ARG5_BYTES 1
#define ZOO_ARG5_COUNT 1
#define ZOO_ARG5_RANK 1
#define ZOO_ARG5_DIM0 1
#define ZOO_ARG5_SHAPE {1}

#define ZOO_RESULT0_BYTES 16
#define ZOO_RESULT0_COUNT 4
#define ZOO_RESULT0_RANK 1
#define ZOO_RESULT0_DIM0 4
#define ZOO_RESULT0_SHAPE {4}

#define ZOO_RESULT_h_BYTES 16
#define ZOO_RESULT_h_COUNT 4
#define ZOO_RESULT_h_RANK 1
#define ZOO_RESULT_h_DIM0 4
#define ZOO_RESULT_h_SHAPE {4}

#define ZOO_RESULT1_BYTES 0
#define ZOO_RESULT1_COUNT 0
#define ZOO_RESULT1_RANK 2
#define ZOO_RESULT1_DIM0 0
#define ZOO_RESULT1_DIM1 3
#define ZOO_RESULT1_SHAPE {0, 3}

#define ZOO_RESULT2_BYTES 8
#define ZOO_RESULT2_COUNT 1
#define ZOO_RESULT2_RANK 1
#define ZOO_RESULT2_DIM0 1
#define ZOO_RESULT2_SHAPE {1}

#define ZOO_RESULT_int_BYTES 8
#define ZOO_RESULT_int_COUNT 1
#define ZOO_RESULT_int_RANK 1
#define ZOO_RESULT_int_DIM0 1
#define ZOO_RESULT_int_SHAPE {1}

/* What init and run return. */
#define ZOO_OK 0
#define ZOO_ERROR_NULL 1  /* no instance or no arena */
#define ZOO_ERROR_ALIGN 2 /* the arena is not aligned to ZOO_ARENA_ALIGN */

#if defined(__cplusplus)
#define ZOO_INLINE_ inline
#elif defined(__GNUC__)
#define ZOO_INLINE_ static inline __attribute__((unused))
#else
#define ZOO_INLINE_ static inline
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* An instance: one for each use at a time. Its fields are not for you. */
typedef struct zoo_t {
  void *arena;
  void *arguments[6];
  void *results[3];
  uint64_t state[3];
} zoo_t;

/* Computes the results from the arguments: 0, or an error code. */
int zoo_run(zoo_t *self);

/* Gives the instance its arena and clears its state: 0, or an error code. */
ZOO_INLINE_ int zoo_init(zoo_t *self, void *arena) {
  size_t i;
  if (self == NULL || arena == NULL) return ZOO_ERROR_NULL;
  if ((uintptr_t)arena % ZOO_ARENA_ALIGN != 0) return ZOO_ERROR_ALIGN;
  self->arena = arena;
  self->arguments[0] = (unsigned char *)self->arena + 0;
  self->arguments[1] = (unsigned char *)self->arena + 16;
  self->arguments[2] = (unsigned char *)self->arena + 32;
  self->arguments[3] = (unsigned char *)self->arena + 48;
  self->arguments[4] = (unsigned char *)self->state + 0;
  self->arguments[5] = (unsigned char *)self->arena + 64;
  self->results[0] = (unsigned char *)self->state + 0;
  self->results[1] = (unsigned char *)self->arena + 80;
  self->results[2] = (unsigned char *)self->arena + 80;
  for (i = 0; i < sizeof self->state / sizeof self->state[0]; ++i) self->state[i] = 0;
  {
    static const unsigned char initial[] = {7, 7, 7, 7, 7, 7, 7, 7};
    for (i = 0; i < 8; ++i) ((unsigned char *)self->state)[16 + i] = initial[i];
  }
  return ZOO_OK;
}

/* The meaning of an error code. */
ZOO_INLINE_ const char *zoo_error_msg(int code) {
  if (code == ZOO_OK) return "";
  if (code == ZOO_ERROR_NULL) return "no instance or no arena";
  if (code == ZOO_ERROR_ALIGN) return "the arena is not aligned";
  return "run failed";
}

ZOO_INLINE_ double *zoo_arg0_data(const zoo_t *self) {
  return (double *)self->arguments[0];
}
ZOO_INLINE_ void zoo_set_arg0_data(zoo_t *self, const void *data) {
  self->arguments[0] = data != NULL ? (void *)(uintptr_t)data : (void *)((unsigned char *)self->arena + 0);
}
ZOO_INLINE_ double *zoo_arg_data_data(const zoo_t *self) {
  return (double *)self->arguments[0];
}
ZOO_INLINE_ void zoo_set_arg_data_data(zoo_t *self, const void *data) {
  self->arguments[0] = data != NULL ? (void *)(uintptr_t)data : (void *)((unsigned char *)self->arena + 0);
}

ZOO_INLINE_ uint8_t *zoo_arg1_data(const zoo_t *self) {
  return (uint8_t *)self->arguments[1];
}
ZOO_INLINE_ void zoo_set_arg1_data(zoo_t *self, const void *data) {
  self->arguments[1] = data != NULL ? (void *)(uintptr_t)data : (void *)((unsigned char *)self->arena + 16);
}

ZOO_INLINE_ int16_t *zoo_arg2_data(const zoo_t *self) {
  return (int16_t *)self->arguments[2];
}
ZOO_INLINE_ void zoo_set_arg2_data(zoo_t *self, const void *data) {
  self->arguments[2] = data != NULL ? (void *)(uintptr_t)data : (void *)((unsigned char *)self->arena + 32);
}

ZOO_INLINE_ float *zoo_arg3_data(const zoo_t *self) {
  return (float *)self->arguments[3];
}
ZOO_INLINE_ void zoo_set_arg3_data(zoo_t *self, const void *data) {
  self->arguments[3] = data != NULL ? (void *)(uintptr_t)data : (void *)((unsigned char *)self->arena + 48);
}

ZOO_INLINE_ float *zoo_arg4_data(const zoo_t *self) {
  return (float *)self->arguments[4];
}
ZOO_INLINE_ float *zoo_arg_h_data(const zoo_t *self) {
  return (float *)self->arguments[4];
}
ZOO_INLINE_ float *zoo_var_h_data(const zoo_t *self) {
  return (float *)self->arguments[4];
}

ZOO_INLINE_ uint8_t *zoo_arg5_data(const zoo_t *self) {
  return (uint8_t *)self->arguments[5];
}
ZOO_INLINE_ void zoo_set_arg5_data(zoo_t *self, const void *data) {
  self->arguments[5] = data != NULL ? (void *)(uintptr_t)data : (void *)((unsigned char *)self->arena + 64);
}

ZOO_INLINE_ float *zoo_result0_data(const zoo_t *self) {
  return (float *)self->results[0];
}
ZOO_INLINE_ float *zoo_result_h_data(const zoo_t *self) {
  return (float *)self->results[0];
}

ZOO_INLINE_ uint16_t *zoo_result1_data(const zoo_t *self) {
  return (uint16_t *)self->results[1];
}
ZOO_INLINE_ void zoo_set_result1_data(zoo_t *self, void *data) {
  self->results[1] = data != NULL ? (void *)(uintptr_t)data : (void *)((unsigned char *)self->arena + 80);
}

ZOO_INLINE_ uint64_t *zoo_result2_data(const zoo_t *self) {
  return (uint64_t *)self->results[2];
}
ZOO_INLINE_ void zoo_set_result2_data(zoo_t *self, void *data) {
  self->results[2] = data != NULL ? (void *)(uintptr_t)data : (void *)((unsigned char *)self->arena + 80);
}
ZOO_INLINE_ uint64_t *zoo_result_int_data(const zoo_t *self) {
  return (uint64_t *)self->results[2];
}
ZOO_INLINE_ void zoo_set_result_int_data(zoo_t *self, void *data) {
  self->results[2] = data != NULL ? (void *)(uintptr_t)data : (void *)((unsigned char *)self->arena + 80);
}

#ifdef __cplusplus
} /* extern "C" */

class Zoo {
 public:
  /* An instance that owns its arena. */
  class Static;

  enum : size_t {
    kArenaBytes = 96,
    kArenaAlign = 16,
    kStateBytes = 24,
    kNumArgs = 6,
    kNumResults = 3,
    kNumVariables = 1,
    kArg0Bytes = 8,
    kArg0Count = 1,
    kArg0Rank = 0,
    kArg1Bytes = 3,
    kArg1Count = 5,
    kArg1Rank = 1,
    kArg1Dim0 = 5,
    kArg2Bytes = 12,
    kArg2Count = 6,
    kArg2Rank = 2,
    kArg2Dim0 = 2,
    kArg2Dim1 = 3,
    kArg3Bytes = 16,
    kArg3Count = 2,
    kArg3Rank = 1,
    kArg3Dim0 = 2,
    kArg4Bytes = 16,
    kArg4Count = 4,
    kArg4Rank = 1,
    kArg4Dim0 = 4,
    kArg5Bytes = 1,
    kArg5Count = 1,
    kArg5Rank = 1,
    kArg5Dim0 = 1,
    kResult0Bytes = 16,
    kResult0Count = 4,
    kResult0Rank = 1,
    kResult0Dim0 = 4,
    kResult1Bytes = 0,
    kResult1Count = 0,
    kResult1Rank = 2,
    kResult1Dim0 = 0,
    kResult1Dim1 = 3,
    kResult2Bytes = 8,
    kResult2Count = 1,
    kResult2Rank = 1,
    kResult2Dim0 = 1,
  };

  Zoo() : self_(), ready_(false), error_(ZOO_ERROR_NULL) {}
  explicit Zoo(void *arena) : self_(), ready_(false), error_(ZOO_ERROR_NULL) { Init(arena); }
  Zoo(const Zoo &) = delete;
  Zoo &operator=(const Zoo &) = delete;

  bool Init(void *arena) {
    error_ = zoo_init(&self_, arena);
    ready_ = error_ == 0;
    return ready_;
  }
  bool Run() {
    if (ready_) error_ = zoo_run(&self_);
    return error_ == 0;
  }
  const char *error_msg() const { return zoo_error_msg(error_); }
  zoo_t *instance() { return &self_; }

  static constexpr int num_args() { return 6; }
  static constexpr int num_results() { return 3; }
  static constexpr int num_variables() { return 1; }
  void **results() { return self_.results; }
  const void *const *results() const { return self_.results; }
  void *result_data(size_t index) { return self_.results[index]; }
  const void *result_data(size_t index) const { return self_.results[index]; }
  void set_result_data(size_t index, void *data) {
    switch (index) {
      case 1: set_result1_data(data); break;
      case 2: set_result2_data(data); break;
      default: break;
    }
  }
  static size_t result_size(size_t index) {
    static const size_t bytes[] = {16, 0, 8};
    return bytes[index];
  }
  static int LookupArgIndex(const char *name) {
    if (Same(name, "data")) return 0;
    if (Same(name, "h")) return 4;
    (void)name;
    return -1;
  }
  static int LookupResultIndex(const char *name) {
    if (Same(name, "h")) return 0;
    if (Same(name, "int")) return 2;
    (void)name;
    return -1;
  }

  double *arg0_data() { return zoo_arg0_data(&self_); }
  const double *arg0_data() const { return zoo_arg0_data(&self_); }
  void set_arg0_data(const void *data) { zoo_set_arg0_data(&self_, data); }
  double &arg0() { return arg0_data()[0]; }
  const double &arg0() const { return arg0_data()[0]; }
  static constexpr int arg0_size() { return 8; }
  static constexpr int arg0_count() { return 1; }

  double *arg_data_data() { return zoo_arg_data_data(&self_); }
  const double *arg_data_data() const { return zoo_arg_data_data(&self_); }
  void set_arg_data_data(const void *data) { zoo_set_arg_data_data(&self_, data); }
  double &arg_data() { return arg_data_data()[0]; }
  const double &arg_data() const { return arg_data_data()[0]; }
  static constexpr int arg_data_size() { return 8; }
  static constexpr int arg_data_count() { return 1; }

  uint8_t *arg1_data() { return zoo_arg1_data(&self_); }
  const uint8_t *arg1_data() const { return zoo_arg1_data(&self_); }
  void set_arg1_data(const void *data) { zoo_set_arg1_data(&self_, data); }
  int8_t arg1(size_t dim0) const {
    const size_t at = dim0 * 1;
    return static_cast<int8_t>(((arg1_data()[at / 2] >> (at % 2 * 4) & 15) ^ 8) - 8);
  }
  static constexpr int arg1_size() { return 3; }
  static constexpr int arg1_count() { return 5; }

  int16_t *arg2_data() { return zoo_arg2_data(&self_); }
  const int16_t *arg2_data() const { return zoo_arg2_data(&self_); }
  void set_arg2_data(const void *data) { zoo_set_arg2_data(&self_, data); }
  int16_t &arg2(size_t dim0, size_t dim1) { return arg2_data()[dim0 * 1 + dim1 * 2]; }
  const int16_t &arg2(size_t dim0, size_t dim1) const { return arg2_data()[dim0 * 1 + dim1 * 2]; }
  static constexpr int arg2_size() { return 12; }
  static constexpr int arg2_count() { return 6; }

  float *arg3_data() { return zoo_arg3_data(&self_); }
  const float *arg3_data() const { return zoo_arg3_data(&self_); }
  void set_arg3_data(const void *data) { zoo_set_arg3_data(&self_, data); }
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
  void set_arg5_data(const void *data) { zoo_set_arg5_data(&self_, data); }
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
  void set_result1_data(void *data) { zoo_set_result1_data(&self_, data); }
  uint16_t &result1(size_t dim0, size_t dim1) { return result1_data()[dim0 * 3 + dim1 * 1]; }
  const uint16_t &result1(size_t dim0, size_t dim1) const { return result1_data()[dim0 * 3 + dim1 * 1]; }
  static constexpr int result1_size() { return 0; }
  static constexpr int result1_count() { return 0; }

  uint64_t *result2_data() { return zoo_result2_data(&self_); }
  const uint64_t *result2_data() const { return zoo_result2_data(&self_); }
  void set_result2_data(void *data) { zoo_set_result2_data(&self_, data); }
  uint64_t &result2(size_t dim0) { return result2_data()[dim0 * 1]; }
  const uint64_t &result2(size_t dim0) const { return result2_data()[dim0 * 1]; }
  uint64_t &result2() { return result2_data()[0]; }
  const uint64_t &result2() const { return result2_data()[0]; }
  static constexpr int result2_size() { return 8; }
  static constexpr int result2_count() { return 1; }

  uint64_t *result_int_data() { return zoo_result_int_data(&self_); }
  const uint64_t *result_int_data() const { return zoo_result_int_data(&self_); }
  void set_result_int_data(void *data) { zoo_set_result_int_data(&self_, data); }
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

#endif /* __cplusplus */

#undef ZOO_INLINE_

#endif /* ZOO_H_ */
