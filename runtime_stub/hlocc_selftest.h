/* hlocc_selftest.h: known inputs and known results, compared on the board itself. The outcome goes
 * through a hook (a UART), through the debugger (semihosting), or into a ring in memory that a
 * debugger reads. C99 and C++11, freestanding, no malloc, no printf; what is not called costs
 * nothing.
 *
 *   hlocc_selftest test;
 *   hlocc_selftest_begin(&test, "kws", hlocc_write_semihosting, 0);
 *   hlocc_selftest_f32(&test, "probs", acme_kws_result_probs_data(&kws), golden, 12, 1e-5f, 1e-6f);
 *   return hlocc_selftest_end(&test);                              0: all passed
 *
 * Each line of the output begins with "hlocc-selftest ", so that it is found among others:
 *   hlocc-selftest begin kws
 *   hlocc-selftest pass probs 12
 *   hlocc-selftest FAIL probs 12 wrong 1 first 3 got 3f800000 expected 3f000000
 *   hlocc-selftest end kws passed 1 failed 1
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HLOCC_SELFTEST_H_
#define HLOCC_SELFTEST_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-function"
#endif
#ifdef __cplusplus
extern "C" {
#endif

/* ---- where the lines go ---- */

/* Called with pieces of lines. A UART's: send `bytes` characters. */
typedef void (*hlocc_write)(void* context, const char* text, size_t bytes);

#if (defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M') || \
    (defined(__riscv) && !defined(__linux__))
#define HLOCC_HAS_SEMIHOSTING 1
/* To the debugger's console, character by character. Without a debugger the core stops there. */
static inline void hlocc_write_semihosting(void* context, const char* text, size_t bytes) {
  size_t i;
  (void)context;
  for (i = 0; i < bytes; ++i) {
    const char one = text[i];
#if defined(__riscv)
    register uintptr_t operation __asm__("a0") = 0x03; /* SYS_WRITEC */
    register const void* argument __asm__("a1") = &one;
    __asm__ volatile(
        ".option push\n.option norvc\n.balign 16\n slli x0, x0, 0x1f\n ebreak\n srai x0, x0, 7\n"
        ".option pop\n"
        : "+r"(operation)
        : "r"(argument)
        : "memory");
#else
    register uintptr_t operation __asm__("r0") = 0x03;
    register const void* argument __asm__("r1") = &one;
    __asm__ volatile("bkpt 0xAB" : "+r"(operation) : "r"(argument) : "memory");
#endif
  }
}
#endif

/* The last bytes that were written, for a debugger: `dump binary` of the struct. */
#ifndef HLOCC_RING_BYTES
#define HLOCC_RING_BYTES 512
#endif
typedef struct hlocc_ring {
  uint32_t magic;   /* 0x52434C48, "HLCR" */
  uint32_t bytes;   /* of `text` */
  uint32_t written; /* in all; the newest byte is text[(written - 1) % bytes] */
  char text[HLOCC_RING_BYTES];
} hlocc_ring;

static inline void hlocc_ring_init(hlocc_ring* ring) {
  ring->magic = 0x52434C48u;
  ring->bytes = HLOCC_RING_BYTES;
  ring->written = 0;
}

static inline void hlocc_write_ring(void* context, const char* text, size_t bytes) {
  hlocc_ring* ring = (hlocc_ring*)context;
  size_t i;
  for (i = 0; i < bytes; ++i) ring->text[ring->written++ % HLOCC_RING_BYTES] = text[i];
}

/* ---- the comparison ---- */

typedef struct hlocc_selftest {
  const char* name;
  hlocc_write write;
  void* context;
  uint32_t passed, failed;
} hlocc_selftest;

static inline void hlocc_selftest_text_(const hlocc_selftest* test, const char* text) {
  size_t bytes = 0;
  while (text[bytes] != 0) ++bytes;
  test->write(test->context, text, bytes);
}

static inline void hlocc_selftest_number_(const hlocc_selftest* test, uint32_t number) {
  char digits[10];
  size_t used = 0;
  do {
    digits[sizeof digits - ++used] = (char)('0' + (char)(number % 10u));
    number /= 10u;
  } while (number != 0);
  test->write(test->context, digits + (sizeof digits - used), used);
}

static inline void hlocc_selftest_hex_(const hlocc_selftest* test, uint32_t number) {
  char digits[8];
  int i;
  for (i = 0; i < 8; ++i) {
    const uint32_t digit = (number >> (28 - 4 * i)) & 15u;
    digits[i] = (char)(digit < 10u ? '0' + (char)digit : 'a' + (char)(digit - 10u));
  }
  test->write(test->context, digits, 8);
}

static inline void hlocc_selftest_begin(hlocc_selftest* test, const char* name, hlocc_write write,
                                        void* context) {
  test->name = name;
  test->write = write;
  test->context = context;
  test->passed = 0;
  test->failed = 0;
  hlocc_selftest_text_(test, "hlocc-selftest begin ");
  hlocc_selftest_text_(test, name);
  hlocc_selftest_text_(test, "\n");
}

/* One result's line. `got` and `expected` are bits of the first wrong element. */
static inline void hlocc_selftest_line_(hlocc_selftest* test, const char* what, size_t count,
                                        size_t wrong, size_t first, uint32_t got,
                                        uint32_t expected) {
  hlocc_selftest_text_(test, wrong == 0 ? "hlocc-selftest pass " : "hlocc-selftest FAIL ");
  hlocc_selftest_text_(test, what);
  hlocc_selftest_text_(test, " ");
  hlocc_selftest_number_(test, (uint32_t)count);
  if (wrong == 0) {
    ++test->passed;
  } else {
    ++test->failed;
    hlocc_selftest_text_(test, " wrong ");
    hlocc_selftest_number_(test, (uint32_t)wrong);
    hlocc_selftest_text_(test, " first ");
    hlocc_selftest_number_(test, (uint32_t)first);
    hlocc_selftest_text_(test, " got ");
    hlocc_selftest_hex_(test, got);
    hlocc_selftest_text_(test, " expected ");
    hlocc_selftest_hex_(test, expected);
  }
  hlocc_selftest_text_(test, "\n");
}

static inline uint32_t hlocc_selftest_bits_(float value) {
  union {
    float number;
    uint32_t bits;
  } both;
  both.number = value;
  return both.bits;
}

/* |got - expected| <= atol + rtol * |expected|; a NaN where one is expected, and infinities that
 * are the same, pass. Returns 1 if all elements do. */
static inline int hlocc_selftest_f32(hlocc_selftest* test, const char* what, const float* got,
                                     const float* expected, size_t count, float rtol, float atol) {
  size_t wrong = 0, first = 0, i;
  for (i = 0; i < count; ++i) {
    const float e = expected[i], g = got[i];
    const float difference = g > e ? g - e : e - g;
    const float size = e < 0 ? -e : e;
    int right;
    if (!(e == e))
      right = !(g == g);
    else if (g == e)
      right = 1;
    /* An infinity equals itself alone: the bound would be infinite. */
    else
      right = size <= 3.4028234e38f && difference <= atol + rtol * size;
    if (right) continue;
    if (wrong++ == 0) first = i;
  }
  hlocc_selftest_line_(test, what, count, wrong, first,
                       wrong ? hlocc_selftest_bits_(got[first]) : 0u,
                       wrong ? hlocc_selftest_bits_(expected[first]) : 0u);
  return wrong == 0;
}

/* Integers that may be `most` apart (quantised models: 1), of 1, 2 or 4 bytes. */
static inline int hlocc_selftest_integers(hlocc_selftest* test, const char* what, const void* got,
                                          const void* expected, size_t count, size_t bytes,
                                          int is_signed, uint32_t most) {
  size_t wrong = 0, first = 0, i;
  uint32_t wrong_got = 0, wrong_expected = 0;
  for (i = 0; i < count; ++i) {
    uint32_t g, e, apart;
    if (bytes == 1) {
      g = ((const uint8_t*)got)[i];
      e = ((const uint8_t*)expected)[i];
    } else if (bytes == 2) {
      g = ((const uint16_t*)got)[i];
      e = ((const uint16_t*)expected)[i];
    } else {
      g = ((const uint32_t*)got)[i];
      e = ((const uint32_t*)expected)[i];
    }
    if (is_signed) { /* The order of signed numbers is that of unsigned ones with the sign turned.
                      */
      const uint32_t sign = (uint32_t)1 << (8u * bytes - 1u);
      apart = (g ^ sign) > (e ^ sign) ? (g ^ sign) - (e ^ sign) : (e ^ sign) - (g ^ sign);
    } else {
      apart = g > e ? g - e : e - g;
    }
    if (apart <= most) continue;
    if (wrong++ == 0) first = i, wrong_got = g, wrong_expected = e;
  }
  hlocc_selftest_line_(test, what, count, wrong, first, wrong_got, wrong_expected);
  return wrong == 0;
}

/* The same bytes: for types that only bits compare (f16, bf16, f64, 64-bit integers). */
static inline int hlocc_selftest_bytes(hlocc_selftest* test, const char* what, const void* got,
                                       const void* expected, size_t bytes) {
  return hlocc_selftest_integers(test, what, got, expected, bytes, 1, 0, 0);
}

/* A thing that is right or not: a return code, a checksum. */
static inline int hlocc_selftest_true(hlocc_selftest* test, const char* what, int right) {
  hlocc_selftest_line_(test, what, 1, right ? 0u : 1u, 0, (uint32_t)(right != 0), 1u);
  return right != 0;
}

/* 0 if nothing failed and something passed, else 1: an exit code. */
static inline int hlocc_selftest_end(const hlocc_selftest* test) {
  hlocc_selftest_text_(test, "hlocc-selftest end ");
  hlocc_selftest_text_(test, test->name);
  hlocc_selftest_text_(test, " passed ");
  hlocc_selftest_number_(test, test->passed);
  hlocc_selftest_text_(test, " failed ");
  hlocc_selftest_number_(test, test->failed);
  hlocc_selftest_text_(test, "\n");
  return test->failed == 0 && test->passed > 0 ? 0 : 1;
}

#ifdef __cplusplus
} /* extern "C" */
#endif
#ifdef __clang__
#pragma clang diagnostic pop
#endif
#endif /* HLOCC_SELFTEST_H_ */
