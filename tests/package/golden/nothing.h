/* Nothing, compiled by hlocc 0.1.0 for host. Generated: do not edit.
 * What hlocc generates belongs to its user: hlocc's licence lays no terms on this file.
 *
 *   arena 1 bytes aligned to 16, state 0 bytes
 *
 * init points an instance at its arena, run computes the results from the arguments. Results
 * hold until the next run or another model uses the arena. Arguments in the arena
 * are gone, too, when another model has used it: write them between its run and this one's.
 * A buffer of your own (set_..._data, aligned as ..._ALIGN says, NULL for the arena again) is
 * never written to if it is an argument.
 *
 * The library calls run nothing_run_f7a2ed2b896632b9.
 * A linker that misses this symbol has the library of another compile: take header and library
 * from one. */
#ifndef NOTHING_H_
#define NOTHING_H_

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
#ifndef NOTHING_SKIP_TARGET_CHECK
#if !(defined(__x86_64__) || defined(_M_X64))
#error "Nothing was compiled for host: this is no compiler for x86-64; NOTHING_SKIP_TARGET_CHECK skips this check"
#elif !(UINTPTR_MAX == 0xffffffffffffffff)
#error "Nothing was compiled for host: the target of this compiler lacks pointers of 64 bits; NOTHING_SKIP_TARGET_CHECK skips this check"
#elif !(!defined(__BYTE_ORDER__) || __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
#error "Nothing was compiled for host: the target of this compiler lacks little-endian byte order; NOTHING_SKIP_TARGET_CHECK skips this check"
#endif
#endif

#define NOTHING_ARENA_BYTES 1
#define NOTHING_ARENA_ALIGN 16
#define NOTHING_STATE_BYTES 0
#define NOTHING_NUM_ARGS 0
#define NOTHING_NUM_RESULTS 0
/* Changes whenever state or arguments of another compile would not fit. */
#define NOTHING_INTERFACE "f7a2ed2b896632b9"

/* What init, run and set_..._data return. */
#define NOTHING_OK 0
#define NOTHING_ERROR_NULL 1  /* no instance or no arena */
#define NOTHING_ERROR_ALIGN 2 /* the arena, or a buffer, is not aligned */

#ifdef __cplusplus
#define NOTHING_CAST_(type, pointer) static_cast<type>(pointer)
#define NOTHING_NUMBER_(pointer) reinterpret_cast<uintptr_t>(pointer)
#define NOTHING_MUTABLE_(pointer) const_cast<void *>(pointer)
#define NOTHING_ASSERT_(name, condition) static_assert(condition, #name)
#else
#define NOTHING_CAST_(type, pointer) ((type)(pointer))
#define NOTHING_NUMBER_(pointer) ((uintptr_t)(pointer))
#define NOTHING_MUTABLE_(pointer) ((void *)(uintptr_t)(pointer))
#define NOTHING_ASSERT_(name, condition) typedef char nothing_##name[(condition) ? 1 : -1]
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* An instance: one for each use at a time. Its fields are not for you. A copy of one has its own
 * state, and shares the arena. */
typedef struct nothing_t {
  void *arena;
} nothing_t;

/* What does not compile here would not work: options that change the layout of structs or the size
 * of types are not for this file. */
NOTHING_ASSERT_(float_has_4_bytes, sizeof(float) == 4);
NOTHING_ASSERT_(instance_has_its_size, sizeof(nothing_t) == 8);
struct nothing_after_byte {
  unsigned char byte;
  nothing_t instance;
};
NOTHING_ASSERT_(instance_is_aligned, offsetof(struct nothing_after_byte, instance) % sizeof(void *) == 0);

/* Computes the results from the arguments: 0, or an error code. */
#define nothing_run nothing_run_f7a2ed2b896632b9
int nothing_run(nothing_t *self);

static inline void *nothing_arena_(const nothing_t *self, size_t offset) {
  return NOTHING_CAST_(unsigned char *, self->arena) + offset;
}
static inline int nothing_place_(void **slot, const void *data, size_t align, void *home) {
  if (!data) {
    *slot = home;
  } else {
    if (NOTHING_NUMBER_(data) % align != 0) return NOTHING_ERROR_ALIGN;
    *slot = NOTHING_MUTABLE_(data);
  }
  return NOTHING_OK;
}

/* There is no state: these three do nothing. */
static inline void nothing_reset(nothing_t *self) {
  (void)self;
}
static inline void nothing_checkpoint(const nothing_t *self, void *to) {
  (void)self;
  (void)to;
}
static inline void nothing_restore(nothing_t *self, const void *from) {
  (void)self;
  (void)from;
}

/* Gives the instance its arena and sets its state to what it starts with: 0, or an error code. */
static inline int nothing_init(nothing_t *self, void *arena) {
  if (!self || !arena) return NOTHING_ERROR_NULL;
  if (NOTHING_NUMBER_(arena) % NOTHING_ARENA_ALIGN != 0) return NOTHING_ERROR_ALIGN;
  self->arena = arena;
  nothing_reset(self);
  return NOTHING_OK;
}

/* The meaning of an error code. */
static inline const char *nothing_error_msg(int code) {
  if (code == NOTHING_OK) return "";
  if (code == NOTHING_ERROR_NULL) return "no instance or no arena";
  if (code == NOTHING_ERROR_ALIGN) return "the arena or a buffer is not aligned";
  return "run failed";
}

#ifdef __cplusplus
} /* extern "C" */

/* Run and Init are never shared between files: one that was compiled with an older header does not
 * link. */
#ifdef __GNUC__
#define NOTHING_ALWAYS_INLINE_ inline __attribute__((always_inline))
#else
#define NOTHING_ALWAYS_INLINE_ inline
#endif

/* The constants of Nothing. */
template <int kUnused>
struct NothingConstants {
  static constexpr size_t kArenaBytes = 1;
  static constexpr size_t kArenaAlign = 16;
  static constexpr size_t kStateBytes = 0;
  static constexpr size_t kNumArgs = 0;
  static constexpr size_t kNumResults = 0;
  static constexpr size_t kNumVariables = 0;
};
#if __cplusplus < 201703L
template <int kUnused>
constexpr size_t NothingConstants<kUnused>::kArenaBytes;
template <int kUnused>
constexpr size_t NothingConstants<kUnused>::kArenaAlign;
template <int kUnused>
constexpr size_t NothingConstants<kUnused>::kStateBytes;
template <int kUnused>
constexpr size_t NothingConstants<kUnused>::kNumArgs;
template <int kUnused>
constexpr size_t NothingConstants<kUnused>::kNumResults;
template <int kUnused>
constexpr size_t NothingConstants<kUnused>::kNumVariables;
#endif

class Nothing : public NothingConstants<0> {
 public:
  /* An instance that owns its arena. */
  class Static;

  Nothing() : self_(), ready_(false), error_(NOTHING_ERROR_NULL) {}
  explicit Nothing(void *arena) : self_(), ready_(false), error_(NOTHING_ERROR_NULL) { Init(arena); }
  Nothing(const Nothing &) = delete;
  Nothing &operator=(const Nothing &) = delete;

  NOTHING_ALWAYS_INLINE_ bool Init(void *arena) {
    ready_ = Did(nothing_init(&self_, arena));
    return ready_;
  }
  NOTHING_ALWAYS_INLINE_ bool Run() {
    if (ready_) return Did(nothing_run(&self_));
    if (error_ == 0) error_ = NOTHING_ERROR_NULL;
    return false;
  }
  const char *error_msg() const { return nothing_error_msg(error_); }
  nothing_t *instance() { return &self_; }

  /* The state: to what it starts with, out of the object, and back in. */
  void Reset() { nothing_reset(&self_); }
  void Checkpoint(void *to) const { nothing_checkpoint(&self_, to); }
  void Restore(const void *from) { nothing_restore(&self_, from); }

  static constexpr int num_args() { return 0; }
  static constexpr int num_results() { return 0; }
  static constexpr int num_variables() { return 0; }
  void **results() { return nullptr; }
  const void *const *results() const { return nullptr; }
  static int LookupArgIndex(const char *) {
    return -1;
  }
  static int LookupResultIndex(const char *) {
    return -1;
  }

 private:
  bool Did(int error) {
    error_ = error;
    return error == 0;
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

#undef NOTHING_ALWAYS_INLINE_

#endif /* __cplusplus */

#undef NOTHING_CAST_
#undef NOTHING_NUMBER_
#undef NOTHING_MUTABLE_
#undef NOTHING_ASSERT_

#ifdef __clang__
#pragma clang diagnostic pop
#endif

#endif /* NOTHING_H_ */
