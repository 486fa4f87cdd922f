/* Nothing, compiled by hlocc 0.1.0. Generated: do not edit.
 *
 *   arena 1 bytes aligned to 16, state 0 bytes
 *
 * init points an instance at its arena, run computes the results from the arguments. Results
 * hold until the next run or another model uses the arena. A buffer of
 * your own (set_..._data, aligned like the arena, NULL for the arena again) is never written to
 * if it is an argument. */
#ifndef NOTHING_H_
#define NOTHING_H_

#include <stddef.h>
#include <stdint.h>

#define NOTHING_ARENA_BYTES 1
#define NOTHING_ARENA_ALIGN 16
#define NOTHING_STATE_BYTES 0
#define NOTHING_NUM_ARGS 0
#define NOTHING_NUM_RESULTS 0

/* What init and run return. */
#define NOTHING_OK 0
#define NOTHING_ERROR_NULL 1  /* no instance or no arena */
#define NOTHING_ERROR_ALIGN 2 /* the arena is not aligned to NOTHING_ARENA_ALIGN */

#if defined(__cplusplus)
#define NOTHING_INLINE_ inline
#elif defined(__GNUC__)
#define NOTHING_INLINE_ static inline __attribute__((unused))
#else
#define NOTHING_INLINE_ static inline
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* An instance: one for each use at a time. Its fields are not for you. */
typedef struct nothing_t {
  void *arena;
} nothing_t;

/* Computes the results from the arguments: 0, or an error code. */
int nothing_run(nothing_t *self);

/* Gives the instance its arena and clears its state: 0, or an error code. */
NOTHING_INLINE_ int nothing_init(nothing_t *self, void *arena) {
  if (self == NULL || arena == NULL) return NOTHING_ERROR_NULL;
  if ((uintptr_t)arena % NOTHING_ARENA_ALIGN != 0) return NOTHING_ERROR_ALIGN;
  self->arena = arena;
  return NOTHING_OK;
}

/* The meaning of an error code. */
NOTHING_INLINE_ const char *nothing_error_msg(int code) {
  if (code == NOTHING_OK) return "";
  if (code == NOTHING_ERROR_NULL) return "no instance or no arena";
  if (code == NOTHING_ERROR_ALIGN) return "the arena is not aligned";
  return "run failed";
}

#ifdef __cplusplus
} /* extern "C" */

class Nothing {
 public:
  /* An instance that owns its arena. */
  class Static;

  enum : size_t {
    kArenaBytes = 1,
    kArenaAlign = 16,
    kStateBytes = 0,
    kNumArgs = 0,
    kNumResults = 0,
    kNumVariables = 0,
  };

  Nothing() : self_(), ready_(false), error_(NOTHING_ERROR_NULL) {}
  explicit Nothing(void *arena) : self_(), ready_(false), error_(NOTHING_ERROR_NULL) { Init(arena); }
  Nothing(const Nothing &) = delete;
  Nothing &operator=(const Nothing &) = delete;

  bool Init(void *arena) {
    error_ = nothing_init(&self_, arena);
    ready_ = error_ == 0;
    return ready_;
  }
  bool Run() {
    if (ready_) error_ = nothing_run(&self_);
    return error_ == 0;
  }
  const char *error_msg() const { return nothing_error_msg(error_); }
  nothing_t *instance() { return &self_; }

  static constexpr int num_args() { return 0; }
  static constexpr int num_results() { return 0; }
  static constexpr int num_variables() { return 0; }
  void **results() { return nullptr; }
  const void *const *results() const { return nullptr; }
  static int LookupArgIndex(const char *name) {
    (void)name;
    return -1;
  }
  static int LookupResultIndex(const char *name) {
    (void)name;
    return -1;
  }

 private:
  static bool Same(const char *a, const char *b) {
    for (; *a == *b; ++a, ++b)
      if (*a == 0) return true;
    return false;
  }
  nothing_t self_;
  bool ready_;
  int error_;
};

class Nothing::Static : public Nothing {
 public:
  Static() { Init(arena_); }

 private:
  alignas(16) unsigned char arena_[1];
};

#endif /* __cplusplus */

#undef NOTHING_INLINE_

#endif /* NOTHING_H_ */
