/* The four functions that every compiler may call behind one's back. Weak, so that a libc which is
 * linked wins; kept free of loop idioms, which GCC would turn into calls of the very functions that
 * stand here. */
#include <stddef.h>
#include <stdint.h>

#ifdef __clang__ /* which leaves loops alone where -ffreestanding says that there is no library */
#define WEAK __attribute__((weak))
#else
#define WEAK __attribute__((weak, optimize("no-tree-loop-distribute-patterns")))
#endif
typedef uint32_t __attribute__((may_alias)) word_t;

static int both_aligned(const void* a, const void* b) {
  return (((uintptr_t)a | (uintptr_t)b) & 3u) == 0;
}

WEAK void* memcpy(void* to, const void* from, size_t size) {
  unsigned char* d = to;
  const unsigned char* s = from;
  if (both_aligned(d, s)) {
    for (; size >= 16; size -= 16, d += 16, s += 16) {
      const word_t a = ((const word_t*)s)[0], b = ((const word_t*)s)[1];
      const word_t c = ((const word_t*)s)[2], e = ((const word_t*)s)[3];
      ((word_t*)d)[0] = a, ((word_t*)d)[1] = b, ((word_t*)d)[2] = c, ((word_t*)d)[3] = e;
    }
    for (; size >= 4; size -= 4, d += 4, s += 4) *(word_t*)d = *(const word_t*)s;
  }
  for (; size > 0; --size) *d++ = *s++;
  return to;
}

WEAK void* memmove(void* to, const void* from, size_t size) {
  unsigned char* d = to;
  const unsigned char* s = from;
  if ((uintptr_t)d - (uintptr_t)s >= size) return memcpy(to, from, size);
  if (both_aligned(d + size, s + size)) {
    for (; size >= 4; size -= 4) *(word_t*)(d + size - 4) = *(const word_t*)(s + size - 4);
  }
  for (; size > 0; --size) d[size - 1] = s[size - 1];
  return to;
}

WEAK void* memset(void* to, int value, size_t size) {
  unsigned char* d = to;
  const word_t word = (unsigned char)value * 0x01010101u;
  if (((uintptr_t)d & 3u) == 0) {
    for (; size >= 4; size -= 4, d += 4) *(word_t*)d = word;
  }
  for (; size > 0; --size) *d++ = (unsigned char)value;
  return to;
}

WEAK int memcmp(const void* left, const void* right, size_t size) {
  const unsigned char *a = left, *b = right;
  for (; size > 0; --size, ++a, ++b) {
    if (*a != *b) return *a - *b;
  }
  return 0;
}
