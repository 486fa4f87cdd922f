/* What stands just outside the conditions of runtime_stub/: bounds of views, types that do not go
 * together, sizes of zero, the last byte of a pool. Called by stub_test.c, on every board. */
#include "hlocc_arena.h"
#include "hlocc_buffers.h"
#include "hlocc_profile.h"
#include "hlocc_selftest.h"

void check_edges(hlocc_selftest* one);

static hlocc_selftest* test;
static void expect(int right, const char* what) {
  if (!right)
    hlocc_selftest_true(test, what, 0);
  else
    ++test->passed;
}

static void check_bounds_of_views(void) {
  static float numbers[24];
  static const int32_t shape[3] = {2, 3, 4}, first[3] = {0, 0, 0}, before[3] = {0, 0, -1};
  static const int32_t none[1] = {0}, apart[1] = {9};
  static const int32_t below[3] = {-1, 0, 1}, beyond[3] = {40, 0, 1}, high[3] = {3, 0, 1};
  hlocc_view view, other;
  hlocc_view_init(&view, HLOCC_F32, numbers, 3, shape, 0);
  expect(hlocc_view_init(&other, HLOCC_F32, numbers, -1, shape, 0) == HLOCC_BUFFERS_ERROR_RANK,
         "less than no dimensions");
  expect(hlocc_view_init(&other, HLOCC_F32, numbers, 1, none, 0) == 0 &&
             hlocc_view_count(&other) == 0 && hlocc_view_is_dense(&other),
         "no elements");
  hlocc_view_init(&other, HLOCC_F32, numbers, 1, none, apart);
  expect(!hlocc_view_is_dense(&other), "no elements, far apart");
  expect(hlocc_view_at(&view, first) == numbers && hlocc_view_at(&view, before) == 0, "the first");
  other = view;
  expect(hlocc_view_permute(&other, below) == HLOCC_BUFFERS_ERROR_RANK &&
             hlocc_view_permute(&other, high) == HLOCC_BUFFERS_ERROR_RANK &&
             hlocc_view_permute(&other, beyond) == HLOCC_BUFFERS_ERROR_RANK,
         "dimensions that are not there");
}

static int sliced(int32_t dimension, int32_t begin, int32_t count, int32_t step, int32_t moved) {
  static float numbers[24];
  static const int32_t shape[3] = {2, 3, 4};
  hlocc_view view;
  int wrong;
  hlocc_view_init(&view, HLOCC_F32, numbers, 3, shape, 0);
  wrong = hlocc_view_slice(&view, dimension, begin, count, step);
  if (wrong == HLOCC_BUFFERS_OK && view.data != numbers + moved) return 1;
  return wrong;
}

static void check_bounds_of_slices(void) {
  expect(sliced(-1, 0, 1, 1, 0) == HLOCC_BUFFERS_ERROR_RANK, "dimension -1");
  expect(sliced(3, 0, 1, 1, 0) == HLOCC_BUFFERS_ERROR_RANK, "dimension 3");
  expect(sliced(0, 1, 1, 1, 12) == HLOCC_BUFFERS_OK, "dimension 0");
  expect(sliced(2, 0, -1, 1, 0) == HLOCC_BUFFERS_ERROR_SHAPE, "less than nothing");
  expect(sliced(2, 2, 0, 1, 0) == HLOCC_BUFFERS_OK, "of nothing nothing moves");
  expect(sliced(2, 2, 1, 1, 2) == HLOCC_BUFFERS_OK, "one element");
  expect(sliced(2, 4, 1, 1, 0) == HLOCC_BUFFERS_ERROR_SHAPE, "one element behind the end");
  expect(sliced(2, 0, 4, 1, 0) == HLOCC_BUFFERS_OK, "all");
  expect(sliced(2, 1, 2, -1, 1) == HLOCC_BUFFERS_OK, "down to the first");
  expect(sliced(2, 0, 2, -1, 0) == HLOCC_BUFFERS_ERROR_SHAPE, "down below the first");
  expect(sliced(2, 4, 2, -1, 0) == HLOCC_BUFFERS_ERROR_SHAPE, "down from behind the end");
  expect(sliced(2, -1, 2, 1, 0) == HLOCC_BUFFERS_ERROR_SHAPE, "up from before the first");
}

static void check_numbers(void) {
  static float real[2] = {3.0f, -300.0f};
  static uint16_t halves[2] = {0x4040, 0xc040}; /* bf16: 3, -3 */
  static uint8_t bytes[3] = {0, 0, 0xAA};
  static int8_t small[2];
  static const int32_t two[1] = {2};
  hlocc_view floats, bf16, u8, s8;
  hlocc_view_init(&floats, HLOCC_F32, real, 1, two, 0);
  hlocc_view_init(&bf16, HLOCC_BF16, halves, 1, two, 0);
  hlocc_view_init(&u8, HLOCC_U8, bytes, 1, two, 0);
  hlocc_view_init(&s8, HLOCC_S8, small, 1, two, 0);
  expect(hlocc_round(-2.75f, -9, 9) == -3 && hlocc_round(2.75f, -9, 9) == 3, "away from zero");
  expect(hlocc_round(8388609.0f, INT32_MIN, INT32_MAX) == 8388609 &&
             hlocc_round(-8388609.0f, INT32_MIN, INT32_MAX) == -8388609,
         "floats that have no fraction");
  expect(hlocc_round(2147483648.0f, INT32_MIN, INT32_MAX) == INT32_MAX, "one too many");
  expect(hlocc_quantize(&floats, &floats, 1.0f, 0) == HLOCC_BUFFERS_ERROR_TYPE &&
             hlocc_quantize(&s8, &s8, 1.0f, 0) == HLOCC_BUFFERS_ERROR_TYPE,
         "quantize to floats, or of integers");
  expect(hlocc_dequantize(&floats, &floats, 1.0f, 0) == HLOCC_BUFFERS_ERROR_TYPE &&
             hlocc_dequantize(&s8, &s8, 1.0f, 0) == HLOCC_BUFFERS_ERROR_TYPE,
         "dequantize to integers, or of floats");
  expect(hlocc_quantize(&s8, &bf16, 1.0f, 1) == 0 && small[0] == 4 && small[1] == -2, "bf16");
  expect(hlocc_quantize(&u8, &floats, 1.0f, 4) == 0 && bytes[0] == 7 && bytes[1] == 0, "u8");
  expect(bytes[2] == 0xAA, "one byte an element");
}

static void check_bounds_of_frames(void) {
  static const uint8_t pixels[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  static const int32_t pair[3] = {1, 2, 2}, grey[3] = {1, 2, 1};
  static uint8_t picture[4];
  hlocc_frame image = {pixels, HLOCC_PIXELS_U8, 2, 2, 3, 6};
  hlocc_crop crop = {0, 0, 1};
  hlocc_view to;
  hlocc_view_init(&to, HLOCC_U8, picture, 2, pair, 0);
  expect(hlocc_copy_frame(&to, &image, crop, 1.0f, 0.0f) == HLOCC_BUFFERS_ERROR_RANK, "flat");
  hlocc_view_init(&to, HLOCC_U8, picture, 3, pair, 0);
  expect(hlocc_copy_frame(&to, &image, crop, 1.0f, 0.0f) == HLOCC_BUFFERS_ERROR_SHAPE,
         "two channels of three");
  hlocc_view_init(&to, HLOCC_U8, picture, 3, grey, 0);
  expect(hlocc_copy_frame(&to, &image, crop, 1.0f, 0.0f) == 0 && picture[0] == 2, "grey of colour");
  crop.x = -1;
  expect(hlocc_copy_frame(&to, &image, crop, 1.0f, 0.0f) == HLOCC_BUFFERS_ERROR_SHAPE, "left");
  crop.x = 0;
  crop.y = -1;
  expect(hlocc_copy_frame(&to, &image, crop, 1.0f, 0.0f) == HLOCC_BUFFERS_ERROR_SHAPE, "above");
  crop.y = 0;
  image.channels = 4;
  image.row_bytes = 8;
  expect(hlocc_copy_frame(&to, &image, crop, 1.0f, 0.0f) == HLOCC_BUFFERS_ERROR_SHAPE,
         "grey of four channels");
  image.channels = 1;
  image.row_bytes = 2;
  expect(hlocc_copy_frame(&to, &image, crop, 1.0f, 0.0f) == 0 && picture[0] == 1 && picture[1] == 2,
         "grey of grey");
}

static void check_memory(void) {
  static uint8_t block[128] __attribute__((aligned(64)));
  hlocc_pool pool;
  hlocc_pingpong both;
  hlocc_pool_init(&pool, "pool", block, 64);
  hlocc_pool_take(&pool, 10, 1);
  expect(hlocc_pool_take(&pool, 0, 64) == block + 64, "nothing, at the end");
  expect(hlocc_pingpong_init(&both, block, block + 64, 64, 0) == HLOCC_BUFFERS_ERROR_ALIGN,
         "lines of no bytes");
  expect(hlocc_pingpong_init(&both, block + 1, block + 64, 32, 32) == HLOCC_BUFFERS_ERROR_ALIGN,
         "the first half is misaligned");
  expect(hlocc_pingpong_init(&both, block, block + 64, 64, 64) == HLOCC_BUFFERS_OK, "halves");
  hlocc_pingpong_filled(&both);
  hlocc_pingpong_release(&both, 1); /* nothing cleans */
  expect(!both.full, "released without a cache");
}

static hlocc_ring ring;
static int ring_has(const char* text) {
  uint32_t at, i;
  for (at = 0; at < ring.written && at < ring.bytes; ++at) {
    for (i = 0; text[i] != 0 && at + i < ring.written && ring.text[at + i] == text[i]; ++i) {
    }
    if (text[i] == 0) return 1;
  }
  return 0;
}

static uint32_t counter;
static uint32_t slow_clock(void) { return counter += 3; }

static void check_steps_without_rows(void) {
  static const char model[] = "m";
  static hlocc_step_row rows[3];
  static hlocc_steps table[1];
  hlocc_ring_init(&ring);
  hlocc_steps_init(table, rows, 2, slow_clock, 32);
  rows[2].calls = 7; /* is not its own */
  hlocc_steps_of(table, 1, model, HLOCC_PROFILE_BEGIN);
  hlocc_steps_of(table, 1, model, 2);
  hlocc_steps_of(table, 1, model, 1);
  hlocc_steps_of(table, 1, model, HLOCC_PROFILE_END);
  expect(rows[2].calls == 7, "a step behind the rows");
  hlocc_steps_dump(table, hlocc_write_ring, &ring);
  expect(ring_has("runs 1\nhlocc-steps step 1 calls 1 "), "a step that never ran has no line");
}

static void check_comparisons(void) {
  static const float got[1] = {-0.5001f}, expected[1] = {-0.5f};
  static const uint8_t high[1] = {0xab}, low[1] = {0xb0};
  static const uint32_t wide[1] = {0x10000u}, zero[1] = {0};
  hlocc_selftest inner;
  int right;
  hlocc_ring_init(&ring);
  hlocc_selftest_begin(&inner, "inner", hlocc_write_ring, &ring);
  right = hlocc_selftest_f32(&inner, "small", got, expected, 1, 1e-3f, 0.0f);
  right &= hlocc_selftest_end(&inner) == 0; /* one that passed is enough */
  right &= !hlocc_selftest_integers(&inner, "hex", high, low, 1, 1, 0, 0);
  right &= ring_has("got 000000ab expected 000000b0\n");
  right &= !hlocc_selftest_integers(&inner, "wide", wide, zero, 1, 4, 0, 0);
  expect(right, "comparisons");
}

void check_edges(hlocc_selftest* one) {
  test = one;
  check_bounds_of_views();
  check_bounds_of_slices();
  check_numbers();
  check_bounds_of_frames();
  check_memory();
  check_steps_without_rows();
  check_comparisons();
}
