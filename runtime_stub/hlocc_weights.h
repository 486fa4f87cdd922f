/* hlocc_weights.h: weights that are a file of their own (`hlocc compile --weights external`):
 * checked by length and CRC-32 where they are mapped, or brought into RAM from a flash or a file
 * system that has no addresses, checked on the way. The manifest's `weights` has the numbers:
 * bytes, align, crc32. C99 and C++11, freestanding, no malloc; what is not called costs nothing.
 *
 *   Mapped (QSPI flash in the address space): link <stem>_weights.S, or bind the symbol by
 *   -Wl,--defsym=acme_kws_weights=0x90000000, then
 *     hlocc_weights_check(acme_kws_weights, size, &expected)
 *   In RAM: HLOCC_WEIGHTS_IN_RAM(acme_kws_weights, 90416, 64); in one file, then
 *     hlocc_weights_load(acme_kws_weights, &expected, read, context, 4096)
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HLOCC_WEIGHTS_H_
#define HLOCC_WEIGHTS_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-function"
#endif
#ifdef __cplusplus
extern "C" {
#endif

#define HLOCC_WEIGHTS_OK 0
#define HLOCC_WEIGHTS_ERROR_LENGTH 1 /* fewer bytes than the library reads */
#define HLOCC_WEIGHTS_ERROR_CRC 2    /* other bytes */
#define HLOCC_WEIGHTS_ERROR_ALIGN 3  /* the library loads vectors from there */
#define HLOCC_WEIGHTS_ERROR_READ 4   /* the hook failed, or came to the end */

/* From the manifest. */
typedef struct hlocc_weights_facts {
  size_t bytes;
  size_t align;
  uint32_t crc32;
} hlocc_weights_facts;

/* Defines the array that the library refers to, in RAM: its bytes come from hlocc_weights_load.
 * Put it outside of functions; `align` is the manifest's. */
#ifdef __GNUC__
#ifdef __cplusplus
#define HLOCC_WEIGHTS_IN_RAM(symbol, bytes, align)                        \
  extern "C" unsigned char symbol[bytes] __attribute__((aligned(align))); \
  unsigned char symbol[bytes] __attribute__((aligned(align)))
#else
#define HLOCC_WEIGHTS_IN_RAM(symbol, bytes, align)                    \
  extern unsigned char symbol[bytes] __attribute__((aligned(align))); \
  unsigned char symbol[bytes] __attribute__((aligned(align)))
#endif
#endif

/* CRC-32 as zlib computes it: begin with 0, go on with what came before. Two table look-ups of 64
 * bytes a byte: small, and about 10 cycles a byte on a Cortex-M4. */
static inline uint32_t hlocc_crc32(uint32_t crc, const void* data, size_t bytes) {
  static const uint32_t table[16] = {0x00000000u, 0x1db71064u, 0x3b6e20c8u, 0x26d930acu,
                                     0x76dc4190u, 0x6b6b51f4u, 0x4db26158u, 0x5005713cu,
                                     0xedb88320u, 0xf00f9344u, 0xd6d6a3e8u, 0xcb61b38cu,
                                     0x9b64c2b0u, 0x86d3d2d4u, 0xa00ae278u, 0xbdbdf21cu};
  const uint8_t* byte = (const uint8_t*)data;
  crc = ~crc;
  for (; bytes > 0; --bytes) {
    crc ^= *byte++;
    crc = (crc >> 4) ^ table[crc & 15u];
    crc = (crc >> 4) ^ table[crc & 15u];
  }
  return ~crc;
}

/* Weights in the address space, `there` bytes of them. */
static inline int hlocc_weights_check(const void* weights, size_t there,
                                      const hlocc_weights_facts* expected) {
  if ((uintptr_t)weights % expected->align != 0) return HLOCC_WEIGHTS_ERROR_ALIGN;
  if (there < expected->bytes) return HLOCC_WEIGHTS_ERROR_LENGTH;
  return hlocc_crc32(0, weights, expected->bytes) == expected->crc32 ? HLOCC_WEIGHTS_OK
                                                                     : HLOCC_WEIGHTS_ERROR_CRC;
}

/* Reads `bytes` bytes from `offset` of the file or flash to `to`; returns how many it read. */
typedef size_t (*hlocc_weights_read)(void* context, size_t offset, void* to, size_t bytes);

/* Brings the weights to `to` in pieces of at most `piece` bytes (the hook's buffer, a sector). On
 * failure what stands there must not be used. */
static inline int hlocc_weights_load(void* to, const hlocc_weights_facts* expected,
                                     hlocc_weights_read read, void* context, size_t piece) {
  uint8_t* bytes = (uint8_t*)to;
  size_t done = 0;
  uint32_t crc = 0;
  if ((uintptr_t)to % expected->align != 0) return HLOCC_WEIGHTS_ERROR_ALIGN;
  if (piece == 0) return HLOCC_WEIGHTS_ERROR_READ;
  while (done < expected->bytes) {
    const size_t left = expected->bytes - done, wanted = left < piece ? left : piece;
    const size_t got = read(context, done, bytes + done, wanted);
    if (got == 0 || got > wanted) return HLOCC_WEIGHTS_ERROR_READ;
    crc = hlocc_crc32(crc, bytes + done, got);
    done += got;
  }
  return crc == expected->crc32 ? HLOCC_WEIGHTS_OK : HLOCC_WEIGHTS_ERROR_CRC;
}

/* From one place of the address space to another (QSPI flash to SRAM), checked on the way. */
static inline int hlocc_weights_place(void* to, const void* from, size_t there,
                                      const hlocc_weights_facts* expected) {
  const uint8_t* in = (const uint8_t*)from;
  uint8_t* out = (uint8_t*)to;
  size_t i;
  if ((uintptr_t)to % expected->align != 0) return HLOCC_WEIGHTS_ERROR_ALIGN;
  if (there < expected->bytes) return HLOCC_WEIGHTS_ERROR_LENGTH;
  for (i = 0; i < expected->bytes; ++i) out[i] = in[i];
  /* What was written is checked, not what was read: RAM and bus are part of the way. */
  return hlocc_crc32(0, to, expected->bytes) == expected->crc32 ? HLOCC_WEIGHTS_OK
                                                                : HLOCC_WEIGHTS_ERROR_CRC;
}

#ifdef __cplusplus
} /* extern "C" */
#endif
#ifdef __clang__
#pragma clang diagnostic pop
#endif
#endif /* HLOCC_WEIGHTS_H_ */
