/* hlocc_buffers.h: what stands between sensors and the arguments of a model. Typed views with shape
 * and strides, copies that convert layout and type (floats to int8 with scale and zero point and
 * back, camera frames with crop and step, interleaved audio), two buffers that a DMA fills in turn,
 * and guards and paint around arenas. C99 and C++11, freestanding, no malloc; every function is
 * static inline, so that what is not called costs nothing. Generated headers do not need it.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HLOCC_BUFFERS_H_
#define HLOCC_BUFFERS_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-function"
#endif
#ifdef __cplusplus
extern "C" {
#endif

/* What the functions return. */
#define HLOCC_BUFFERS_OK 0
#define HLOCC_BUFFERS_ERROR_RANK 1  /* more dimensions than HLOCC_MAX_RANK, or another number */
#define HLOCC_BUFFERS_ERROR_SHAPE 2 /* shapes differ, or a part lies outside */
#define HLOCC_BUFFERS_ERROR_TYPE 3  /* a type that the function does not take */
#define HLOCC_BUFFERS_ERROR_ALIGN 4 /* not aligned to cache lines */

#ifndef HLOCC_MAX_RANK
#define HLOCC_MAX_RANK 6
#endif

/* Elements as generated headers store them: bf16 and f16 are bits. */
typedef enum hlocc_type {
  HLOCC_F32,
  HLOCC_F16,
  HLOCC_BF16,
  HLOCC_S8,
  HLOCC_U8,
  HLOCC_S16,
  HLOCC_U16,
  HLOCC_S32
} hlocc_type;

static inline size_t hlocc_type_bytes(hlocc_type type) {
  return type == HLOCC_F32 || type == HLOCC_S32 ? 4u
         : type == HLOCC_S8 || type == HLOCC_U8 ? 1u
                                                : 2u;
}

/* ---- views ---- */

/* Elements at data + the sum of index[i] * stride[i]; strides count elements and may be negative
 * (data is then the element with index 0, not the lowest address). A view owns nothing. */
typedef struct hlocc_view {
  void* data;
  hlocc_type type;
  int32_t rank;
  int32_t shape[HLOCC_MAX_RANK];
  int32_t stride[HLOCC_MAX_RANK];
} hlocc_view;

/* `strides` may be NULL: then the last dimension varies fastest, without gaps. */
static inline int hlocc_view_init(hlocc_view* view, hlocc_type type, void* data, int32_t rank,
                                  const int32_t* shape, const int32_t* strides) {
  int32_t dense = 1;
  int32_t i;
  if (rank < 0 || rank > HLOCC_MAX_RANK) return HLOCC_BUFFERS_ERROR_RANK;
  view->data = data;
  view->type = type;
  view->rank = rank;
  for (i = rank - 1; i >= 0; --i) {
    if (shape[i] < 0) return HLOCC_BUFFERS_ERROR_SHAPE;
    view->shape[i] = shape[i];
    view->stride[i] = strides ? strides[i] : dense;
    dense *= shape[i];
  }
  return HLOCC_BUFFERS_OK;
}

/* A leaf of a generated header: HLOCC_VIEW_OF(&view, HLOCC_F32, acme_kws_arg0_data(&kws),
 * ACME_KWS_ARG0). Its layout must be row-major (most are); else give strides to hlocc_view_init. */
#define HLOCC_VIEW_OF(view, type, data, LEAF)                                              \
  do {                                                                                     \
    static const int32_t hlocc_shape_[] = LEAF##_SHAPE;                                    \
    (void)hlocc_view_init(view, type, data, LEAF##_RANK, hlocc_shape_, (const int32_t*)0); \
  } while (0)

static inline int32_t hlocc_view_count(const hlocc_view* view) {
  int32_t count = 1;
  int32_t i;
  for (i = 0; i < view->rank; ++i) count *= view->shape[i];
  return count;
}

static inline int hlocc_view_is_dense(const hlocc_view* view) {
  int32_t dense = 1;
  int32_t i;
  for (i = view->rank - 1; i >= 0; --i) {
    if (view->shape[i] != 1 && view->stride[i] != dense) return 0;
    dense *= view->shape[i];
  }
  return 1;
}

static inline void* hlocc_view_element_(const hlocc_view* view, int32_t offset) {
  return (unsigned char*)view->data + (ptrdiff_t)offset * (ptrdiff_t)hlocc_type_bytes(view->type);
}

/* The element at `index`, one number a dimension; NULL outside of the shape. */
static inline void* hlocc_view_at(const hlocc_view* view, const int32_t* index) {
  int32_t offset = 0;
  int32_t i;
  for (i = 0; i < view->rank; ++i) {
    if (index[i] < 0 || index[i] >= view->shape[i]) return (void*)0;
    offset += index[i] * view->stride[i];
  }
  return hlocc_view_element_(view, offset);
}

/* Elements begin, begin + step, ... of a dimension, `count` of them. A negative step goes back. */
static inline int hlocc_view_slice(hlocc_view* view, int32_t dimension, int32_t begin,
                                   int32_t count, int32_t step) {
  const int64_t last = (int64_t)begin + ((int64_t)count - 1) * step;
  if (dimension < 0 || dimension >= view->rank) return HLOCC_BUFFERS_ERROR_RANK;
  if (count < 0) return HLOCC_BUFFERS_ERROR_SHAPE;
  if (count > 0 &&
      (begin < 0 || begin >= view->shape[dimension] || last < 0 || last >= view->shape[dimension]))
    return HLOCC_BUFFERS_ERROR_SHAPE;
  if (count > 0) view->data = hlocc_view_element_(view, begin * view->stride[dimension]);
  view->shape[dimension] = count;
  view->stride[dimension] *= step;
  return HLOCC_BUFFERS_OK;
}

/* Dimension i becomes what dimension order[i] was: {2, 0, 1} makes CHW of HWC. */
static inline int hlocc_view_permute(hlocc_view* view, const int32_t* order) {
  const hlocc_view old = *view;
  uint32_t seen = 0;
  int32_t i;
  for (i = 0; i < old.rank; ++i) {
    if (order[i] < 0 || order[i] >= old.rank) return HLOCC_BUFFERS_ERROR_RANK;
    seen |= (uint32_t)1 << order[i];
  }
  if (seen != ((uint32_t)1 << old.rank) - 1u) return HLOCC_BUFFERS_ERROR_RANK;
  for (i = 0; i < old.rank; ++i) {
    view->shape[i] = old.shape[order[i]];
    view->stride[i] = old.stride[order[i]];
  }
  return HLOCC_BUFFERS_OK;
}

/* for (hlocc_iter_begin(&it, &view); it.left > 0; hlocc_iter_next(&it)) use(it.at, it.index); */
typedef struct hlocc_iter {
  const hlocc_view* view;
  void* at;     /* the element */
  int32_t left; /* elements from this one on */
  int32_t offset;
  int32_t index[HLOCC_MAX_RANK];
} hlocc_iter;

static inline void hlocc_iter_begin(hlocc_iter* it, const hlocc_view* view) {
  int32_t i;
  it->view = view;
  it->left = hlocc_view_count(view);
  it->offset = 0;
  it->at = view->data;
  for (i = 0; i < HLOCC_MAX_RANK; ++i) it->index[i] = 0;
}

static inline void hlocc_iter_next(hlocc_iter* it) {
  const hlocc_view* view = it->view;
  int32_t i = view->rank - 1;
  if (--it->left <= 0) return;
  while (++it->index[i] == view->shape[i]) {
    it->offset -= (view->shape[i] - 1) * view->stride[i];
    it->index[i--] = 0;
  }
  it->offset += view->stride[i];
  it->at = hlocc_view_element_(view, it->offset);
}

/* ---- elements as floats ---- */

static inline uint32_t hlocc_bits_of_(float value) {
  union {
    float number;
    uint32_t bits;
  } both;
  both.number = value;
  return both.bits;
}

static inline float hlocc_float_of_(uint32_t bits) {
  union {
    uint32_t bits;
    float number;
  } both;
  both.bits = bits;
  return both.number;
}

static inline float hlocc_from_bf16(uint16_t bits) { return hlocc_float_of_((uint32_t)bits << 16); }

/* To nearest, ties to even; a NaN stays one. */
static inline uint16_t hlocc_to_bf16(float value) {
  const uint32_t bits = hlocc_bits_of_(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return (uint16_t)((bits >> 16) | 0x40u);
  return (uint16_t)((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

static inline float hlocc_from_f16(uint16_t half) {
  const uint32_t sign = ((uint32_t)half & 0x8000u) << 16;
  const uint32_t exponent = ((uint32_t)half >> 10) & 31u, mantissa = (uint32_t)half & 0x3ffu;
  if (exponent == 31u) return hlocc_float_of_(sign | 0x7f800000u | (mantissa << 13));
  if (exponent != 0u) return hlocc_float_of_(sign | ((exponent + 112u) << 23) | (mantissa << 13));
  {
    /* A multiple of 2^-24, exactly. */
    const float magnitude = (float)mantissa * (1.0f / 16777216.0f);
    return sign ? -magnitude : magnitude;
  }
}

/* To nearest, ties to even; too large becomes infinity. */
static inline uint16_t hlocc_to_f16(float value) {
  const uint32_t bits = hlocc_bits_of_(value);
  const uint32_t sign = (bits >> 16) & 0x8000u, magnitude = bits & 0x7fffffffu;
  uint32_t mantissa, shift, half;
  if (magnitude > 0x7f800000u) return (uint16_t)(sign | 0x7e00u);
  if (magnitude >= 0x477ff000u) return (uint16_t)(sign | 0x7c00u);
  if (magnitude >= 0x38800000u) {
    half = magnitude - 0x38000000u;
    return (uint16_t)(sign | ((half + 0xfffu + ((half >> 13) & 1u)) >> 13));
  }
  if (magnitude < 0x33000000u) return (uint16_t)sign;
  mantissa = (magnitude & 0x7fffffu) | 0x800000u;
  shift = 126u - (magnitude >> 23);
  half = mantissa >> shift;
  mantissa &= ((uint32_t)1 << shift) - 1u;
  if (mantissa > ((uint32_t)1 << (shift - 1u)) ||
      (mantissa == ((uint32_t)1 << (shift - 1u)) && (half & 1u)))
    ++half;
  return (uint16_t)(sign | half);
}

/* The nearest integer, ties to even, no smaller than `low` and no larger than `high`; 0 for a NaN.
 */
static inline int32_t hlocc_round(float value, int32_t low, int32_t high) {
  int32_t whole;
  float rest;
  if (!(value == value)) return 0;
  if (value <= (float)low) return low;
  if (value >= (float)high) return high;
  whole = (int32_t)value;
  rest = value - (float)whole;
  if (rest > 0.5f || (rest == 0.5f && (whole & 1))) ++whole;
  if (rest < -0.5f || (rest == -0.5f && (whole & 1))) --whole;
  return whole;
}

static inline float hlocc_get(hlocc_type type, const void* element) {
  switch (type) {
    case HLOCC_F32: return *(const float*)element;
    case HLOCC_F16: return hlocc_from_f16(*(const uint16_t*)element);
    case HLOCC_BF16: return hlocc_from_bf16(*(const uint16_t*)element);
    case HLOCC_S8: return (float)*(const int8_t*)element;
    case HLOCC_U8: return (float)*(const uint8_t*)element;
    case HLOCC_S16: return (float)*(const int16_t*)element;
    case HLOCC_U16: return (float)*(const uint16_t*)element;
    case HLOCC_S32: return (float)*(const int32_t*)element;
  }
  return 0.0f;
}

/* Integers are rounded (ties to even) and saturate. */
static inline void hlocc_put(hlocc_type type, void* element, float value) {
  switch (type) {
    case HLOCC_F32: *(float*)element = value; break;
    case HLOCC_F16: *(uint16_t*)element = hlocc_to_f16(value); break;
    case HLOCC_BF16: *(uint16_t*)element = hlocc_to_bf16(value); break;
    case HLOCC_S8: *(int8_t*)element = (int8_t)hlocc_round(value, -128, 127); break;
    case HLOCC_U8: *(uint8_t*)element = (uint8_t)hlocc_round(value, 0, 255); break;
    case HLOCC_S16: *(int16_t*)element = (int16_t)hlocc_round(value, -32768, 32767); break;
    case HLOCC_U16: *(uint16_t*)element = (uint16_t)hlocc_round(value, 0, 65535); break;
    case HLOCC_S32: *(int32_t*)element = hlocc_round(value, INT32_MIN, INT32_MAX); break;
  }
}

/* ---- copies ---- */

static inline int hlocc_same_shape_(const hlocc_view* a, const hlocc_view* b) {
  int32_t i;
  if (a->rank != b->rank) return HLOCC_BUFFERS_ERROR_RANK;
  for (i = 0; i < a->rank; ++i) {
    if (a->shape[i] != b->shape[i]) return HLOCC_BUFFERS_ERROR_SHAPE;
  }
  return HLOCC_BUFFERS_OK;
}

static inline int hlocc_is_float_(hlocc_type type) { return type <= HLOCC_BF16; }

/* to[i] = from[i] * factor + offset, computed in float: layout and type are those of the views,
 * whose shapes must be the same and which must not overlap. u8 pixels to [-1, 1]: factor 1/127.5,
 * offset -1. */
static inline int hlocc_copy_scaled(const hlocc_view* to, const hlocc_view* from, float factor,
                                    float offset) {
  hlocc_iter out, in;
  const int wrong = hlocc_same_shape_(to, from);
  if (wrong != HLOCC_BUFFERS_OK) return wrong;
  hlocc_iter_begin(&out, to);
  hlocc_iter_begin(&in, from);
  for (; out.left > 0; hlocc_iter_next(&out), hlocc_iter_next(&in))
    hlocc_put(to->type, out.at, hlocc_get(from->type, in.at) * factor + offset);
  return HLOCC_BUFFERS_OK;
}

/* The same numbers; of one type the same bits. s32 to s32 and the like never pass through float. */
static inline int hlocc_copy(const hlocc_view* to, const hlocc_view* from) {
  hlocc_iter out, in;
  const size_t bytes = hlocc_type_bytes(to->type);
  const int wrong = hlocc_same_shape_(to, from);
  if (wrong != HLOCC_BUFFERS_OK) return wrong;
  if (to->type != from->type) return hlocc_copy_scaled(to, from, 1.0f, 0.0f);
  hlocc_iter_begin(&out, to);
  hlocc_iter_begin(&in, from);
  for (; out.left > 0; hlocc_iter_next(&out), hlocc_iter_next(&in)) {
    size_t i;
    for (i = 0; i < bytes; ++i) ((unsigned char*)out.at)[i] = ((const unsigned char*)in.at)[i];
  }
  return HLOCC_BUFFERS_OK;
}

/* Real numbers to the integers of a quantised model: round(x / scale) + zero_point, saturated. */
static inline int hlocc_quantize(const hlocc_view* to, const hlocc_view* from, float scale,
                                 int32_t zero_point) {
  hlocc_iter out, in;
  int32_t low = -128, high = 127;
  const int wrong = hlocc_same_shape_(to, from);
  if (wrong != HLOCC_BUFFERS_OK) return wrong;
  if (hlocc_is_float_(to->type) || !hlocc_is_float_(from->type)) return HLOCC_BUFFERS_ERROR_TYPE;
  if (to->type == HLOCC_U8) low = 0, high = 255;
  if (to->type == HLOCC_S16) low = -32768, high = 32767;
  if (to->type == HLOCC_U16) low = 0, high = 65535;
  if (to->type == HLOCC_S32) low = INT32_MIN, high = INT32_MAX;
  hlocc_iter_begin(&out, to);
  hlocc_iter_begin(&in, from);
  for (; out.left > 0; hlocc_iter_next(&out), hlocc_iter_next(&in)) {
    const int64_t number =
        (int64_t)hlocc_round(hlocc_get(from->type, in.at) / scale, INT32_MIN, INT32_MAX) +
        zero_point;
    const int32_t held = number < low ? low : number > high ? high : (int32_t)number;
    if (to->type == HLOCC_S8 || to->type == HLOCC_U8)
      *(uint8_t*)out.at = (uint8_t)((uint32_t)held & 0xffu);
    else if (to->type == HLOCC_S32)
      *(int32_t*)out.at = held;
    else
      *(uint16_t*)out.at = (uint16_t)((uint32_t)held & 0xffffu);
  }
  return HLOCC_BUFFERS_OK;
}

/* And back: (q - zero_point) * scale. */
static inline int hlocc_dequantize(const hlocc_view* to, const hlocc_view* from, float scale,
                                   int32_t zero_point) {
  hlocc_iter out, in;
  const int wrong = hlocc_same_shape_(to, from);
  if (wrong != HLOCC_BUFFERS_OK) return wrong;
  if (!hlocc_is_float_(to->type) || hlocc_is_float_(from->type)) return HLOCC_BUFFERS_ERROR_TYPE;
  hlocc_iter_begin(&out, to);
  hlocc_iter_begin(&in, from);
  for (; out.left > 0; hlocc_iter_next(&out), hlocc_iter_next(&in)) {
    /* The difference is taken in integers: it is exact there. */
    const int64_t number = from->type == HLOCC_S32 ? (int64_t) * (const int32_t*)in.at
                                                   : (int64_t)hlocc_get(from->type, in.at);
    hlocc_put(to->type, out.at, (float)(number - zero_point) * scale);
  }
  return HLOCC_BUFFERS_OK;
}

/* ---- camera frames ---- */

typedef enum hlocc_pixels {
  HLOCC_PIXELS_U8,        /* `channels` bytes a pixel, one after the other */
  HLOCC_PIXELS_RGB565_LE, /* 16 bits a pixel, three channels */
  HLOCC_PIXELS_RGB565_BE  /* as camera modules send them */
} hlocc_pixels;

typedef struct hlocc_frame {
  const uint8_t* data;
  hlocc_pixels pixels;
  int32_t width, height, channels;
  int32_t row_bytes; /* from one row to the next, padding included */
} hlocc_frame;

/* What of the frame becomes the picture: from (x, y), every step-th pixel and row. */
typedef struct hlocc_crop {
  int32_t x, y, step;
} hlocc_crop;

/* Channel `c` of a pixel, 0 to 255. */
static inline uint8_t hlocc_pixel_(const hlocc_frame* frame, const uint8_t* pixel, int32_t c) {
  uint32_t word;
  if (frame->pixels == HLOCC_PIXELS_U8) return pixel[c];
  word = frame->pixels == HLOCC_PIXELS_RGB565_LE ? (uint32_t)pixel[0] | ((uint32_t)pixel[1] << 8)
                                                 : (uint32_t)pixel[1] | ((uint32_t)pixel[0] << 8);
  if (c == 0) return (uint8_t)(((word >> 11) * 255u + 15u) / 31u);
  if (c == 1) return (uint8_t)((((word >> 5) & 63u) * 255u + 31u) / 63u);
  return (uint8_t)(((word & 31u) * 255u + 15u) / 31u);
}

/* `to` is [height, width, channels] in any type and layout (permute a CHW one); each element
 * becomes pixel * factor + offset. A model that wants one channel of a colour frame gets luma
 * (BT.601). */
static inline int hlocc_copy_frame(const hlocc_view* to, const hlocc_frame* frame, hlocc_crop crop,
                                   float factor, float offset) {
  const int32_t bytes = frame->pixels == HLOCC_PIXELS_U8 ? frame->channels : 2;
  const int32_t channels = frame->pixels == HLOCC_PIXELS_U8 ? frame->channels : 3;
  int32_t y, x, c;
  if (to->rank != 3) return HLOCC_BUFFERS_ERROR_RANK;
  if (to->shape[2] != channels && !(to->shape[2] == 1 && channels == 3))
    return HLOCC_BUFFERS_ERROR_SHAPE;
  if (crop.step < 1 || crop.x < 0 || crop.y < 0 ||
      crop.x + (int64_t)(to->shape[1] - 1) * crop.step >= frame->width ||
      crop.y + (int64_t)(to->shape[0] - 1) * crop.step >= frame->height)
    return HLOCC_BUFFERS_ERROR_SHAPE;
  for (y = 0; y < to->shape[0]; ++y) {
    const uint8_t* row = frame->data + (ptrdiff_t)(crop.y + y * crop.step) * frame->row_bytes;
    for (x = 0; x < to->shape[1]; ++x) {
      const uint8_t* pixel = row + (ptrdiff_t)(crop.x + x * crop.step) * bytes;
      const int32_t at = y * to->stride[0] + x * to->stride[1];
      for (c = 0; c < to->shape[2]; ++c) {
        uint32_t value = hlocc_pixel_(frame, pixel, c);
        if (to->shape[2] != channels) /* one of three */
          value = (77u * value + 150u * hlocc_pixel_(frame, pixel, 1) +
                   29u * hlocc_pixel_(frame, pixel, 2) + 128u) >>
                  8;
        hlocc_put(to->type, hlocc_view_element_(to, at + c * to->stride[2]),
                  (float)value * factor + offset);
      }
    }
  }
  return HLOCC_BUFFERS_OK;
}

/* ---- audio ---- */

/* Interleaved samples (left, right, left, right, ...) as a view [channels, frames]: copy it into a
 * dense one to make it planar, with factor 1/32768 for floats in [-1, 1). */
static inline int hlocc_view_interleaved(hlocc_view* view, hlocc_type type, void* samples,
                                         int32_t channels, int32_t frames) {
  int32_t shape[2], strides[2];
  shape[0] = channels;
  shape[1] = frames;
  strides[0] = 1;
  strides[1] = channels;
  return hlocc_view_init(view, type, samples, 2, shape, strides);
}

/* ---- two buffers that a DMA fills in turn ---- */

/* One side is an interrupt handler that tells when a half is full, the other the loop that uses it.
 * Hooks of chips with a data cache: `invalidate` before the processor reads what the DMA wrote,
 * `clean` before the DMA gets a half that the processor wrote to. */
typedef struct hlocc_pingpong {
  void* half[2];
  size_t bytes; /* of one half */
  void (*clean)(void* data, size_t bytes);
  void (*invalidate)(void* data, size_t bytes);
  volatile uint32_t filling; /* the half that the DMA has */
  volatile uint32_t full;    /* 1 if the other half is full or being used */
  volatile uint32_t lost;    /* halves that were overwritten because they were not taken */
} hlocc_pingpong;

/* `line`: bytes of a cache line, 1 without a cache. Halves that share lines with other data cannot
 * be invalidated. Returns 0, or HLOCC_BUFFERS_ERROR_ALIGN. */
static inline int hlocc_pingpong_init(hlocc_pingpong* both, void* first, void* second, size_t bytes,
                                      size_t line) {
  both->half[0] = first;
  both->half[1] = second;
  both->bytes = bytes;
  both->clean = 0;
  both->invalidate = 0;
  both->filling = 0;
  both->full = 0;
  both->lost = 0;
  if (line == 0 || bytes % line != 0 || (uintptr_t)first % line != 0 ||
      (uintptr_t)second % line != 0)
    return HLOCC_BUFFERS_ERROR_ALIGN;
  return HLOCC_BUFFERS_OK;
}

/* Where the DMA is to write now. */
static inline void* hlocc_pingpong_target(const hlocc_pingpong* both) {
  return both->half[both->filling & 1u];
}

/* In the interrupt: the half that was being filled is full. Returns where to write next: the other
 * half, or the same one again if the other is still in use (the loop was too slow, `lost` counts).
 */
static inline void* hlocc_pingpong_filled(hlocc_pingpong* both) {
  if (both->full) {
    ++both->lost;
  } else {
    __sync_synchronize();
    both->filling ^= 1u;
    both->full = 1;
  }
  return hlocc_pingpong_target(both);
}

/* In the loop: the full half, or NULL if there is none yet. It is yours until you release it. */
static inline void* hlocc_pingpong_take(hlocc_pingpong* both) {
  void* half;
  if (!both->full) return (void*)0;
  __sync_synchronize();
  half = both->half[(both->filling ^ 1u) & 1u];
  if (both->invalidate) both->invalidate(half, both->bytes);
  return half;
}

/* `written`: you wrote to it, so that lines of it may still be in the cache. */
static inline void hlocc_pingpong_release(hlocc_pingpong* both, int written) {
  void* half = both->half[(both->filling ^ 1u) & 1u];
  if (written && both->clean) both->clean(half, both->bytes);
  __sync_synchronize();
  both->full = 0;
}

/* ---- guards and paint ---- */

#define HLOCC_GUARD_BYTES 32u
#define HLOCC_GUARD_OK 0
#define HLOCC_GUARD_BEFORE 1 /* something wrote below the block */
#define HLOCC_GUARD_BEHIND 2 /* something wrote above it */
#define HLOCC_PAINT 0xC5u

static inline uint8_t hlocc_guard_byte_(size_t i) { return (uint8_t)(0xA5u ^ (i * 29u)); }

/* `block` has `bytes` bytes, of which the first and last HLOCC_GUARD_BYTES become guards; the arena
 * is what lies between, hlocc_guard_inner(block). */
static inline void hlocc_guard_set(void* block, size_t bytes) {
  uint8_t* all = (uint8_t*)block;
  size_t i;
  for (i = 0; i < HLOCC_GUARD_BYTES; ++i) {
    all[i] = hlocc_guard_byte_(i);
    all[bytes - 1u - i] = hlocc_guard_byte_(i);
  }
}

static inline void* hlocc_guard_inner(void* block) { return (uint8_t*)block + HLOCC_GUARD_BYTES; }

/* HLOCC_GUARD_OK, or which guards were written to (their sum). */
static inline int hlocc_guard_check(const void* block, size_t bytes) {
  const uint8_t* all = (const uint8_t*)block;
  int wrong = HLOCC_GUARD_OK;
  size_t i;
  for (i = 0; i < HLOCC_GUARD_BYTES; ++i) {
    if (all[i] != hlocc_guard_byte_(i)) wrong |= HLOCC_GUARD_BEFORE;
    if (all[bytes - 1u - i] != hlocc_guard_byte_(i)) wrong |= HLOCC_GUARD_BEHIND;
  }
  return wrong;
}

static inline void hlocc_paint(void* data, size_t bytes) {
  uint8_t* all = (uint8_t*)data;
  size_t i;
  for (i = 0; i < bytes; ++i) all[i] = HLOCC_PAINT;
}

/* Bytes up to the last one whose paint is gone: what was used of an arena that fills from its
 * start.
 */
static inline size_t hlocc_painted_used(const void* data, size_t bytes) {
  const uint8_t* all = (const uint8_t*)data;
  while (bytes > 0 && all[bytes - 1u] == HLOCC_PAINT) --bytes;
  return bytes;
}

/* Bytes below the first one whose paint is gone: what is left of a stack that grows down to `data`.
 */
static inline size_t hlocc_painted_left(const void* data, size_t bytes) {
  const uint8_t* all = (const uint8_t*)data;
  size_t left = 0;
  while (left < bytes && all[left] == HLOCC_PAINT) ++left;
  return left;
}

#ifdef __cplusplus
} /* extern "C" */
#endif
#ifdef __clang__
#pragma clang diagnostic pop
#endif
#endif /* HLOCC_BUFFERS_H_ */
