/* Every piece of runtime_stub/ on a board: what it computes is compared with numbers worked out by
 * hand, through hlocc_selftest.h itself, whose own failures are counted first. Ends with 42. */
#define HLOCC_RING_BYTES 1024
#include "board.h"
#include "hlocc_arena.h"
#include "hlocc_buffers.h"
#include "hlocc_clock.h"
#include "hlocc_profile.h"
#include "hlocc_selftest.h"
#include "hlocc_threads.h"
#include "hlocc_weights.h"

int default_clock(void);               /* default_clock.c */
void check_edges(hlocc_selftest* one); /* stub_edges.c */

static void to_board(void* context, const char* text, size_t bytes) {
  (void)context;
  board_write(text, bytes);
}

static hlocc_selftest test;
static void expect(int right, const char* what) {
  if (!right)
    hlocc_selftest_true(&test, what, 0);
  else
    ++test.passed;
}

static int same(const void* a, const void* b, size_t bytes) {
  const uint8_t *x = (const uint8_t*)a, *y = (const uint8_t*)b;
  while (bytes > 0 && *x == *y) ++x, ++y, --bytes;
  return bytes == 0;
}

/* ---- hlocc_buffers.h ---- */

static void check_views(void) {
  static float numbers[24];
  static const int32_t shape[3] = {2, 3, 4}, inside[3] = {1, 2, 3}, outside[3] = {1, 3, 0};
  static const int32_t order[3] = {2, 0, 1}, twice[3] = {0, 0, 1}, negative[1] = {-1};
  static const int32_t too_many[HLOCC_MAX_RANK + 1] = {1, 1, 1, 1, 1, 1, 1};
  static const int32_t column[2] = {3, 1}, jumps[2] = {1, 9};
  hlocc_view view, other;
  hlocc_iter it;
  float sum = 0;
  int i;
  for (i = 0; i < 24; ++i) numbers[i] = (float)i;
  expect(hlocc_view_init(&view, HLOCC_F32, numbers, 3, shape, 0) == HLOCC_BUFFERS_OK, "init");
  expect(hlocc_view_init(&other, HLOCC_F32, numbers, HLOCC_MAX_RANK + 1, too_many, 0) ==
             HLOCC_BUFFERS_ERROR_RANK,
         "too many dimensions");
  expect(hlocc_view_init(&other, HLOCC_F32, numbers, HLOCC_MAX_RANK, too_many, 0) == 0,
         "just enough");
  expect(hlocc_view_init(&other, HLOCC_F32, numbers, 1, negative, 0) == HLOCC_BUFFERS_ERROR_SHAPE,
         "negative");
  expect(hlocc_view_count(&view) == 24 && hlocc_view_is_dense(&view), "dense");
  expect(hlocc_view_init(&other, HLOCC_F32, numbers, 2, column, jumps) == 0 &&
             hlocc_view_is_dense(&other),
         "one element has no neighbour");
  expect(*(float*)hlocc_view_at(&view, inside) == 23.0f, "at");
  expect(hlocc_view_at(&view, outside) == 0, "outside");
  other = view;
  expect(hlocc_view_permute(&other, twice) == HLOCC_BUFFERS_ERROR_RANK, "no permutation");
  expect(hlocc_view_permute(&other, order) == 0 && other.shape[0] == 4 && other.stride[0] == 1 &&
             other.shape[2] == 3 && !hlocc_view_is_dense(&other),
         "permute");
  /* Every second column backwards: 3, 1 of each row. */
  other = view;
  expect(hlocc_view_slice(&other, 2, 3, 2, -2) == 0, "slice");
  for (hlocc_iter_begin(&it, &other); it.left > 0; hlocc_iter_next(&it)) {
    expect(*(float*)it.at == (float)(12 * it.index[0] + 4 * it.index[1] + 3 - 2 * it.index[2]),
           "iteration");
    sum += *(float*)it.at;
  }
  expect(sum == 144.0f, "all of it");
  expect(hlocc_view_slice(&other, 2, 1, 2, 1) == HLOCC_BUFFERS_ERROR_SHAPE, "slice outside");
  expect(hlocc_view_slice(&other, 2, 1, 3, -1) == HLOCC_BUFFERS_ERROR_SHAPE, "slice before");
  expect(hlocc_view_slice(&other, 2, 0, 0, 1) == 0 && hlocc_view_count(&other) == 0, "empty slice");
  hlocc_iter_begin(&it, &other);
  expect(it.left == 0, "nothing to visit");
  expect(hlocc_view_init(&other, HLOCC_F32, numbers, 0, shape, 0) == 0 &&
             hlocc_view_count(&other) == 1,
         "a scalar");
  hlocc_iter_begin(&it, &other);
  hlocc_iter_next(&it);
  expect(it.left == 0, "one element");
}

static void check_small_floats(void) {
  static const struct {
    uint32_t f32;
    uint16_t f16, bf16;
  } rows[] = {
      {0x00000000u, 0x0000, 0x0000}, {0x80000000u, 0x8000, 0x8000}, {0x3f800000u, 0x3c00, 0x3f80},
      {0xc0490fdbu, 0xc248, 0xc049}, {0x7f800000u, 0x7c00, 0x7f80}, {0x477fe000u, 0x7bff, 0x4780},
      {0x477ff000u, 0x7c00, 0x4780}, {0x33800000u, 0x0001, 0x3380}, {0x33000000u, 0x0000, 0x3300},
      {0x33000001u, 0x0001, 0x3300}, {0x38800000u, 0x0400, 0x3880}, {0x387fc000u, 0x03ff, 0x3880},
      {0x387fe000u, 0x0400, 0x3880}, {0x3f801000u, 0x3c00, 0x3f80}, {0x3f803000u, 0x3c02, 0x3f80},
      {0x3f808000u, 0x3c04, 0x3f80}, {0x3f818000u, 0x3c0c, 0x3f82}};
  size_t i;
  int exact = 1;
  uint32_t half;
  for (i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
    const float value = hlocc_float_of_(rows[i].f32);
    expect(hlocc_to_f16(value) == rows[i].f16, "to f16");
    expect(hlocc_to_bf16(value) == rows[i].bf16, "to bf16");
  }
  /* Every f16 but the NaNs comes back from float. */
  for (half = 0; half < 0x10000u; ++half) {
    if ((half & 0x7fffu) > 0x7c00u) continue;
    exact &= hlocc_to_f16(hlocc_from_f16((uint16_t)half)) == half;
  }
  expect(exact, "f16 and back");
  expect((hlocc_to_f16(hlocc_float_of_(0x7fc00000u)) & 0x7fffu) > 0x7c00u, "f16 NaN");
  expect((hlocc_to_bf16(hlocc_float_of_(0x7f800001u)) & 0x7fffu) > 0x7f80u, "bf16 NaN");
  expect(hlocc_from_bf16(0xc049u) == -3.140625f, "from bf16");
}

static void check_rounding(void) {
  expect(hlocc_round(2.5f, -9, 9) == 2 && hlocc_round(3.5f, -9, 9) == 4 &&
             hlocc_round(-2.5f, -9, 9) == -2 && hlocc_round(-3.5f, -9, 9) == -4 &&
             hlocc_round(2.5001f, -9, 9) == 3,
         "ties to even");
  expect(hlocc_round(1e9f, -128, 127) == 127 && hlocc_round(-1e9f, -128, 127) == -128,
         "saturation");
  expect(hlocc_round(hlocc_float_of_(0x7fc00000u), -9, 9) == 0, "NaN");
  expect(hlocc_round(3e9f, INT32_MIN, INT32_MAX) == INT32_MAX &&
             hlocc_round(-3e9f, INT32_MIN, INT32_MAX) == INT32_MIN,
         "wide saturation");
  expect(hlocc_round(16777217.0f, INT32_MIN, INT32_MAX) == 16777216, "large integers");
}

static void check_quantization(void) {
  static const float real[6] = {-1.0f, 0.0f, 0.26f, 1.0f, 100.0f, -100.0f};
  static const int8_t expected[6] = {-7, 3, 6, 13, 127, -128};
  static float back[6];
  static int8_t small[6];
  static int32_t wide[2] = {2147483647, -2147483647}, copied[2];
  static const int32_t shape[1] = {6}, two[1] = {2};
  hlocc_view from, to, again;
  union {
    const float* in;
    float* out;
  } unconst;
  unconst.in = real;
  hlocc_view_init(&from, HLOCC_F32, unconst.out, 1, shape, 0);
  hlocc_view_init(&to, HLOCC_S8, small, 1, shape, 0);
  hlocc_view_init(&again, HLOCC_F32, back, 1, shape, 0);
  expect(hlocc_quantize(&to, &from, 0.1f, 3) == 0 && same(small, expected, 6), "quantize");
  expect(hlocc_quantize(&from, &to, 0.1f, 3) == HLOCC_BUFFERS_ERROR_TYPE, "the wrong way");
  expect(hlocc_dequantize(&to, &from, 0.1f, 3) == HLOCC_BUFFERS_ERROR_TYPE, "the wrong way back");
  expect(hlocc_dequantize(&again, &to, 0.1f, 3) == 0, "dequantize");
  {
    static const float real_again[6] = {-1.0f, 0.0f, 0.3f, 1.0f, 12.4f, -13.1f};
    expect(hlocc_selftest_f32(&test, "dequantized", back, real_again, 6, 1e-6f, 0.0f), "values");
  }
  /* Integers of 32 bits never go through float. */
  hlocc_view_init(&from, HLOCC_S32, wide, 1, two, 0);
  hlocc_view_init(&to, HLOCC_S32, copied, 1, two, 0);
  expect(hlocc_copy(&to, &from) == 0 && copied[0] == 2147483647 && copied[1] == -2147483647, "s32");
  expect(hlocc_copy(&again, &from) == HLOCC_BUFFERS_ERROR_SHAPE, "shapes differ");
  /* Nor does the difference to the zero point. */
  wide[0] = 16777217;
  wide[1] = 16777214;
  hlocc_view_init(&to, HLOCC_F32, back, 1, two, 0);
  expect(hlocc_dequantize(&to, &from, 0.5f, 16777216) == 0 && back[0] == 0.5f && back[1] == -1.0f,
         "s32 back");
  {
    static uint16_t words[2];
    hlocc_view_init(&from, HLOCC_U16, words, 1, two, 0);
    back[0] = 70000.0f;
    back[1] = 40000.0f;
    expect(hlocc_quantize(&from, &to, 1.0f, -5) == 0 && words[0] == 65535 && words[1] == 39995,
           "u16");
    expect(hlocc_copy(&to, &from) == 0 && back[0] == 65535.0f && back[1] == 39995.0f, "u16 back");
  }
}

static void check_frames(void) {
  static uint8_t frame[4 * 16];
  static float chw[3 * 2 * 2], grey[4];
  static const uint8_t rgb565[4] = {0xf8, 0x00, 0x07, 0xe0}; /* red, green; big end first */
  static const int32_t shape[3] = {2, 2, 3}, planar[3] = {1, 2, 4}, one[3] = {2, 2, 1},
                       pair[3] = {1, 2, 3};
  static const float expected[12] = {18, 24, 50, 56, 19, 25, 51, 57, 20, 26, 52, 58};
  static uint8_t colours[6];
  hlocc_frame image;
  hlocc_crop crop;
  hlocc_view to;
  int i;
  (void)planar;
  for (i = 0; i < 64; ++i) frame[i] = (uint8_t)i;
  image.data = frame;
  image.pixels = HLOCC_PIXELS_U8;
  image.width = 5;
  image.height = 4;
  image.channels = 3;
  image.row_bytes = 16; /* 15 and one of padding */
  crop.x = 0;
  crop.y = 1;
  crop.step = 2;
  hlocc_view_init(&to, HLOCC_F32, chw, 3, shape, 0);
  {
    /* [height, width, channels] over memory that is [channels, height, width]. */
    to.stride[0] = 2;
    to.stride[1] = 1;
    to.stride[2] = 4;
  }
  expect(hlocc_copy_frame(&to, &image, crop, 1.0f, 2.0f) == 0, "frame");
  expect(hlocc_selftest_f32(&test, "planar frame", chw, expected, 12, 0.0f, 0.0f), "pixels");
  crop.x = 2;
  expect(hlocc_copy_frame(&to, &image, crop, 1.0f, 0.0f) == 0, "the last column");
  crop.x = 3;
  expect(hlocc_copy_frame(&to, &image, crop, 1.0f, 0.0f) == HLOCC_BUFFERS_ERROR_SHAPE, "outside");
  crop.x = 0;
  crop.step = 0;
  expect(hlocc_copy_frame(&to, &image, crop, 1.0f, 0.0f) == HLOCC_BUFFERS_ERROR_SHAPE, "no steps");
  crop.step = 2;
  crop.y = 2;
  expect(hlocc_copy_frame(&to, &image, crop, 1.0f, 0.0f) == HLOCC_BUFFERS_ERROR_SHAPE, "below");
  crop.y = 0;
  hlocc_view_init(&to, HLOCC_F32, grey, 3, one, 0);
  expect(hlocc_copy_frame(&to, &image, crop, 1.0f, 0.0f) == 0 && grey[0] == 1.0f && grey[1] == 7.0f,
         "luma");
  image.data = rgb565;
  image.pixels = HLOCC_PIXELS_RGB565_BE;
  image.width = 2;
  image.height = 1;
  image.row_bytes = 4;
  crop.step = 1;
  hlocc_view_init(&to, HLOCC_U8, colours, 3, pair, 0);
  {
    static const uint8_t red_green[6] = {255, 0, 0, 0, 255, 0};
    expect(hlocc_copy_frame(&to, &image, crop, 1.0f, 0.0f) == 0 && same(colours, red_green, 6),
           "rgb565");
  }
}

static void check_audio(void) {
  static int16_t samples[6] = {-32768, 1, 16384, 2, 8192, 3};
  static float planes[6];
  static const float expected[6] = {-1.0f, 0.5f, 0.25f, 1.0f / 32768, 2.0f / 32768, 3.0f / 32768};
  static const int32_t shape[2] = {2, 3};
  hlocc_view from, to;
  hlocc_view_init(&to, HLOCC_F32, planes, 2, shape, 0);
  expect(hlocc_view_interleaved(&from, HLOCC_S16, samples, 2, 3) == 0, "interleaved");
  expect(hlocc_copy_scaled(&to, &from, 1.0f / 32768, 0.0f) == 0, "planar");
  expect(hlocc_selftest_f32(&test, "planar audio", planes, expected, 6, 0.0f, 0.0f), "samples");
}

static int cleaned, invalidated;
static void clean(void* data, size_t bytes) { (void)data, cleaned += (int)bytes; }
static void invalidate(void* data, size_t bytes) { (void)data, invalidated += (int)bytes; }

static void check_pingpong(void) {
  static uint8_t halves[2][64] __attribute__((aligned(32)));
  hlocc_pingpong both;
  expect(hlocc_pingpong_init(&both, halves[0], halves[1] + 1, 64, 32) == HLOCC_BUFFERS_ERROR_ALIGN,
         "misaligned");
  expect(hlocc_pingpong_init(&both, halves[0], halves[1], 48, 32) == HLOCC_BUFFERS_ERROR_ALIGN,
         "parts of lines");
  expect(hlocc_pingpong_init(&both, halves[0], halves[1], 64, 32) == 0, "aligned");
  both.clean = clean;
  both.invalidate = invalidate;
  expect(hlocc_pingpong_target(&both) == halves[0] && hlocc_pingpong_take(&both) == 0,
         "nothing yet");
  expect(hlocc_pingpong_filled(&both) == halves[1], "the other half");
  expect(hlocc_pingpong_take(&both) == halves[0] && invalidated == 64, "the full half");
  /* The loop is slow: the DMA keeps its half. */
  expect(hlocc_pingpong_filled(&both) == halves[1] && both.lost == 1, "lost");
  hlocc_pingpong_release(&both, 1);
  expect(cleaned == 64 && hlocc_pingpong_take(&both) == 0, "released");
  expect(hlocc_pingpong_filled(&both) == halves[0] && hlocc_pingpong_take(&both) == halves[1],
         "back again");
  hlocc_pingpong_release(&both, 0);
  expect(cleaned == 64 && both.lost == 1, "nothing to clean");
}

static void check_guards(void) {
  static uint8_t block[HLOCC_GUARD_BYTES + 100 + HLOCC_GUARD_BYTES];
  uint8_t* inner = (uint8_t*)hlocc_guard_inner(block);
  hlocc_guard_set(block, sizeof block);
  hlocc_paint(inner, 100);
  expect(hlocc_guard_check(block, sizeof block) == HLOCC_GUARD_OK, "guards");
  expect(hlocc_painted_used(inner, 100) == 0 && hlocc_painted_left(inner, 100) == 100, "paint");
  inner[0] = 1;
  inner[41] = 2;
  expect(hlocc_painted_used(inner, 100) == 42 && hlocc_painted_left(inner, 100) == 0, "used");
  inner[99] = 0;
  expect(hlocc_guard_check(block, sizeof block) == HLOCC_GUARD_OK, "all of the inside");
  inner[100] ^= 1;
  expect(hlocc_guard_check(block, sizeof block) == HLOCC_GUARD_BEHIND, "behind");
  inner[-1] ^= 1;
  expect(hlocc_guard_check(block, sizeof block) == (HLOCC_GUARD_BEFORE | HLOCC_GUARD_BEHIND),
         "before");
}

/* ---- hlocc_arena.h ---- */

enum { A_ARENA_BYTES = 1000, A_ARENA_ALIGN = 16, B_ARENA_BYTES = 3000, B_ARENA_ALIGN = 32 };
HLOCC_ARENA(shared, HLOCC_SHARED_BYTES2(A, B), HLOCC_SHARED_ALIGN2(A, B));
HLOCC_ARENA_HOLDS(shared, A);
HLOCC_ARENA_HOLDS(shared, B);
HLOCC_PART(a, 0, A);
HLOCC_PART_BEHIND(b, a, B);
HLOCC_ARENA(beside, b_end, 32);
HLOCC_PARTS_APART(a, b);
HLOCC_PART_INSIDE(b, beside);

static void check_arenas(void) {
  static uint8_t fast[256] __attribute__((aligned(64))), slow[1024] __attribute__((aligned(64)));
  hlocc_pool pools[2];
  hlocc_lease lease = {0, 0};
  expect(sizeof shared == 3000 && (uintptr_t)shared % 32 == 0, "shared");
  expect(b_offset == 1024 && b_end == 4024 && sizeof beside == 4024, "parts");
  hlocc_pool_init(&pools[0], "tcm", fast, sizeof fast);
  hlocc_pool_init(&pools[1], "sram", slow, sizeof slow);
  expect(hlocc_pool_named(pools, 2, "sram") == &pools[1] &&
             hlocc_pool_named(pools, 2, "sra") == 0 && hlocc_pool_named(pools, 2, "sramm") == 0,
         "names");
  expect(
      hlocc_pool_take(&pools[0], 10, 1) == fast && hlocc_pool_take(&pools[0], 100, 64) == fast + 64,
      "aligned");
  expect(hlocc_pool_take(&pools[0], 65, 64) == 0 && pools[0].used == 164, "full");
  expect(hlocc_pool_take_first(pools, 2, 65, 64) == slow, "the next one");
  expect(hlocc_pool_take(&pools[0], 64, 64) == fast + 192 && pools[0].used == 256,
         "to the last byte");
  expect(hlocc_pool_take(&pools[0], 1, 1) == 0, "nothing left");
  hlocc_pool_back_to(&pools[0], 10);
  expect(pools[0].used == 10 && pools[0].most == 256, "back");
  hlocc_pool_back_to(&pools[0], 20);
  expect(pools[0].used == 10, "only back");
  hlocc_pool_init(&pools[1], "odd", slow, 250);
  expect(hlocc_pool_take(&pools[1], 200, 1) == slow && hlocc_pool_take(&pools[1], 1, 64) == 0 &&
             pools[1].used == 200,
         "aligned behind the end");
  hlocc_lease_take(&lease, shared);
  hlocc_lease_take(&lease, shared);
  expect(hlocc_lease_is(&lease, shared) && !hlocc_lease_is(&lease, beside) && lease.changes == 1,
         "lease");
}

/* ---- hlocc_clock.h ---- */

/* The fewest ticks of five runs: machines that test are busy. */
static uint32_t ticks_of(int times) {
  static volatile uint32_t work;
  uint32_t fewest = 0xFFFFFFFFu;
  int i, n;
  for (n = 0; n < 5; ++n) {
    const uint32_t begin = hlocc_clock_now();
    uint32_t passed;
    for (i = 0; i < times; ++i) ++work;
    passed = hlocc_clock_since(begin);
    if (passed < fewest) fewest = passed;
  }
  return fewest;
}

static void check_clock(void) {
  hlocc_long_clock clock;
  uint64_t before;
  int i, turned = 0;
  expect(hlocc_clock_start() == HLOCC_CLOCK_OK, "the clock starts");
  expect(ticks_of(100000) > ticks_of(1000), "more work takes longer");
  /* A beginning that is a quarter turn ahead is three quarters ago. */
  /* A machine that does something else meanwhile may let half a turn go by, but not each time. */
  for (i = 0; i < 100 && !turned; ++i)
    turned = hlocc_clock_since(hlocc_clock_now() + (1u << (HLOCC_CLOCK_BITS - 2))) >
             (0xFFFFFFFFu >> (33 - HLOCC_CLOCK_BITS));
  expect(turned, "turn");
  clock.ticks = 0;
  clock.last = hlocc_clock_now();
  before = hlocc_long_clock_now(&clock);
  ticks_of(10000);
  expect(hlocc_long_clock_now(&clock) > before, "long clock");
}

/* ---- hlocc_threads.h: one core ---- */

static void note_range(void* context, int32_t range) {
  int32_t* const order = (int32_t*)context;
  order[1 + order[0]++] = range;
}
static void check_serial_for(void) {
  int32_t order[5] = {0, -1, -1, -1, -1};
  hlocc_serial_for(3, note_range, order);
  expect(order[0] == 3 && order[1] == 0 && order[2] == 1 && order[3] == 2,
         "threads: range by range");
  hlocc_serial_for(0, note_range, order);
  expect(order[0] == 3, "threads: no ranges");
}

/* ---- hlocc_weights.h ---- */

HLOCC_WEIGHTS_IN_RAM(loaded_weights, 100, 64);
static uint8_t file[100];
static int fail_at = -1;
static size_t read_file(void* context, size_t offset, void* to, size_t bytes) {
  uint8_t* out = (uint8_t*)to;
  size_t i;
  ++*(int*)context;
  if ((int)offset == fail_at) return 0;
  for (i = 0; i < bytes; ++i) out[i] = file[offset + i];
  return bytes;
}

static size_t read_too_much(void* context, size_t offset, void* to, size_t bytes) {
  return read_file(context, offset, to, bytes) + 1u;
}

static void check_weights(void) {
  hlocc_weights_facts facts = {100, 64, 0};
  int calls = 0, i;
  expect(hlocc_crc32(0, "123456789", 9) == 0xCBF43926u, "CRC-32's check value");
  expect(hlocc_crc32(hlocc_crc32(0, "1234", 4), "56789", 5) == 0xCBF43926u, "in two pieces");
  for (i = 0; i < 100; ++i) file[i] = (uint8_t)(i * 7);
  facts.crc32 = hlocc_crc32(0, file, 100);
  expect(hlocc_weights_load(loaded_weights, &facts, read_file, &calls, 32) == HLOCC_WEIGHTS_OK &&
             calls == 4,
         "load");
  expect(same(loaded_weights, file, 100), "the bytes");
  expect(hlocc_weights_check(loaded_weights, 100, &facts) == HLOCC_WEIGHTS_OK, "check");
  expect(hlocc_weights_check(loaded_weights, 99, &facts) == HLOCC_WEIGHTS_ERROR_LENGTH,
         "too short");
  expect(hlocc_weights_check(loaded_weights + 1, 100, &facts) == HLOCC_WEIGHTS_ERROR_ALIGN,
         "misaligned");
  loaded_weights[99] ^= 1;
  expect(hlocc_weights_check(loaded_weights, 100, &facts) == HLOCC_WEIGHTS_ERROR_CRC, "one bit");
  expect(hlocc_weights_place(loaded_weights, file, 100, &facts) == HLOCC_WEIGHTS_OK &&
             hlocc_weights_check(loaded_weights, 100, &facts) == HLOCC_WEIGHTS_OK,
         "place");
  expect(hlocc_weights_place(loaded_weights, file, 99, &facts) == HLOCC_WEIGHTS_ERROR_LENGTH,
         "place too little");
  fail_at = 64;
  expect(
      hlocc_weights_load(loaded_weights, &facts, read_file, &calls, 32) == HLOCC_WEIGHTS_ERROR_READ,
      "end of file");
  fail_at = -1;
  expect(
      hlocc_weights_load(loaded_weights, &facts, read_file, &calls, 0) == HLOCC_WEIGHTS_ERROR_READ,
      "no pieces");
  expect(hlocc_weights_load(loaded_weights, &facts, read_too_much, &calls, 32) ==
             HLOCC_WEIGHTS_ERROR_READ,
         "more than asked for");
  facts.crc32 ^= 1;
  expect(
      hlocc_weights_load(loaded_weights, &facts, read_file, &calls, 100) == HLOCC_WEIGHTS_ERROR_CRC,
      "another file");
}

/* ---- hlocc_selftest.h: a test of which everything fails, into the ring ---- */

static hlocc_ring ring;
static int ring_has(const char* text) {
  uint32_t at, i;
  for (at = 0; at < ring.written && at < HLOCC_RING_BYTES; ++at) {
    for (i = 0; text[i] != 0 && at + i < ring.written && ring.text[at + i] == text[i]; ++i) {
    }
    if (text[i] == 0) return 1;
  }
  return 0;
}

static int check_failures(void) {
  static const float inf = 1e38f;
  static volatile float big = 1e38f;
  float got[4] = {1.0f, 2.0f, 3.0f, 0.0f}, expected[4] = {1.0f, 2.1f, 3.5f, 0.0f};
  static const int8_t low[2] = {-1, 100}, high[2] = {1, 100};
  static const uint16_t words[2] = {65535, 3}, other[2] = {0, 3};
  hlocc_selftest bad;
  int right = 1;
  hlocc_ring_init(&ring);
  hlocc_selftest_begin(&bad, "bad", hlocc_write_ring, &ring);
  right &= !hlocc_selftest_f32(&bad, "floats", got, expected, 4, 1e-3f, 0.0f);
  right &= hlocc_selftest_f32(&bad, "near", got, expected, 4, 0.0f, 0.5f);
  right &= !hlocc_selftest_integers(&bad, "bytes", low, high, 2, 1, 1, 1);
  right &= hlocc_selftest_integers(&bad, "nearer", low, high, 2, 1, 1, 2);
  right &= !hlocc_selftest_integers(&bad, "words", words, other, 2, 2, 0, 100);
  right &= hlocc_selftest_bytes(&bad, "same", words, words, 4);
  got[0] = big * 10.0f;
  expected[0] = inf;
  right &= !hlocc_selftest_f32(&bad, "inf", got, expected, 1, 0.1f, 0.0f);
  right &= !hlocc_selftest_f32(&bad, "fni", expected, got, 1, 0.1f, 0.0f);
  right &= hlocc_selftest_f32(&bad, "infinf", got, got, 1, 0.0f, 0.0f);
  right &= hlocc_selftest_end(&bad) == 1;
  right &= ring.magic == 0x52434C48u;
  right &=
      ring_has("hlocc-selftest FAIL floats 4 wrong 2 first 1 got 40000000 expected 40066666\n");
  right &= ring_has("hlocc-selftest pass near 4\n");
  right &= ring_has("FAIL bytes 2 wrong 1 first 0 got 000000ff expected 00000001\n");
  right &= ring_has("FAIL words 2 wrong 1 first 0 got 0000ffff expected 00000000\n");
  right &= ring_has("hlocc-selftest end bad passed 4 failed 5\n");
  /* Nothing compared is no success. */
  hlocc_selftest_begin(&bad, "empty", hlocc_write_ring, &ring);
  right &= hlocc_selftest_end(&bad) == 1;
  /* The ring keeps the newest bytes. */
  while (ring.written <= HLOCC_RING_BYTES) hlocc_write_ring(&ring, ".", 1);
  hlocc_write_ring(&ring, "!", 1);
  right &= ring.text[(ring.written - 1) % ring.bytes] == '!' &&
           ring.text[(ring.written - 2) % ring.bytes] == '.';
  return right;
}

/* ---- hlocc_profile.h: by a counter of eight bits that takes three ticks a look ---- */

static uint32_t counter;
static uint32_t played_clock(void) { return (counter += 3) & 0xFFu; }

static void check_profile(void) {
  static hlocc_profile_row rows[3];
  hlocc_profile profile;
  uint32_t outer, inner;
  int i;
  hlocc_profile_init(&profile, rows, 3, played_clock, 8);
  expect(profile.cost == 3, "the counter's own cost");
  for (i = 0; i < 3; ++i) {
    outer = hlocc_profile_begin(&profile);
    inner = hlocc_profile_begin(&profile);
    counter += (uint32_t)(100 + 50 * i); /* over the end of eight bits */
    hlocc_profile_end(&profile, 1, "inner", inner);
    hlocc_profile_end(&profile, 0, "outer", outer);
  }
  hlocc_profile_end(&profile, 3, "nowhere", outer);
  expect(rows[1].calls == 3 && rows[1].total == 450 && rows[1].least == 100 && rows[1].most == 200,
         "inner");
  expect(rows[0].total == 450 + 3 * 6 && rows[2].name == 0, "outer");
  hlocc_ring_init(&ring);
  hlocc_profile_dump(&profile, hlocc_write_ring, &ring);
  expect(
      ring_has("hlocc-profile begin rows 2\nhlocc-profile row outer calls 3 total 468 least 106 "
               "most 206\n"
               "hlocc-profile row inner calls 3 total 450 least 100 most 200\nhlocc-profile end\n"),
      "dump");
  hlocc_profile_reset(&profile);
  expect(rows[0].calls == 0 && rows[0].name == 0 && rows[1].least == 0xFFFFFFFFu, "reset");
}

/* As two libraries of --profile builds would call it; what a mark itself takes is three ticks. */
static hlocc_steps table[2];
HLOCC_PROFILE_STEPS(table, 2)

static void step_takes(const char* model, int32_t step, uint32_t ticks) {
  hlocc_profile_step(model, step);
  counter += ticks;
}

static void check_steps(void) {
  static const char kws[] = "kws m4f -O2 0123456789abcdef", vad[] = "vad m4f -O2 0", more[] = "x";
  static hlocc_step_row of_kws[2], of_vad[1];
  int i;
  step_takes(kws, 0, 10); /* nobody counts yet */
  hlocc_steps_init(&table[0], of_kws, 2, played_clock, 8);
  hlocc_steps_init(&table[1], of_vad, 1, played_clock, 8);
  expect(table[0].cost == 3 && table[0].model == 0, "steps: the counter's own cost");
  for (i = 0; i < 2; ++i) {
    step_takes(kws, HLOCC_PROFILE_BEGIN, 77); /* before the first step: nobody's */
    step_takes(kws, 0, (uint32_t)(20 + 10 * i));
    step_takes(vad, HLOCC_PROFILE_BEGIN, 0); /* another model runs in between */
    step_takes(vad, 0, 5);
    step_takes(vad, 7, 50); /* a step that has no row */
    step_takes(vad, HLOCC_PROFILE_END, 0);
    step_takes(more, 0, 50); /* a model that has no table */
    step_takes(kws, 1, 200);
    step_takes(kws, HLOCC_PROFILE_END, 0);
  }
  step_takes(kws, HLOCC_PROFILE_BEGIN, 0); /* a run that ends with an error is no run */
  step_takes(kws, 0, 100);
  step_takes(kws, HLOCC_PROFILE_BEGIN, 0);
  step_takes(kws, HLOCC_PROFILE_END, 0);
  expect(table[0].model == kws && table[1].model == vad, "steps: whose they are");
  expect(table[0].runs == 3 && table[1].runs == 2, "steps: runs");
  expect(of_kws[1].calls == 2 && of_kws[1].total == 400 && of_kws[1].least == 200, "steps: second");
  expect(of_vad[0].calls == 2 && of_vad[0].total == 10 && of_vad[0].most == 5, "steps: other");
  expect(of_kws[0].calls == 2 && of_kws[0].most - of_kws[0].least == 10, "steps: first");
  hlocc_ring_init(&ring);
  hlocc_steps_dump(&table[1], hlocc_write_ring, &ring);
  expect(ring_has("hlocc-steps begin vad m4f -O2 0 steps 1 runs 2\n"
                  "hlocc-steps step 0 calls 2 total 10 least 5 most 5\nhlocc-steps end\n"),
         "steps: dump");
  hlocc_steps_reset(&table[1]);
  table[1].cost = 4; /* the first looks were slow */
  step_takes(vad, 0, 0);
  step_takes(vad, HLOCC_PROFILE_END, 0);
  expect(of_vad[0].calls == 1 && of_vad[0].total == 0, "steps: no less than nothing");
  hlocc_steps_reset(&table[1]);
  hlocc_ring_init(&ring);
  hlocc_steps_dump(&table[1], hlocc_write_ring, &ring);
  expect(ring.written == 0 && of_vad[0].calls == 0, "steps: nothing ran, nothing is told");
}

int main(int argc, char** argv) {
#ifdef HLOCC_HAS_SEMIHOSTING
  hlocc_write_semihosting(0, "by semihosting\n", 15);
#endif
  if (!check_failures()) {
    board_print("hlocc_selftest.h does not see what is wrong\n");
    board_write(ring.text, ring.written < HLOCC_RING_BYTES ? ring.written : HLOCC_RING_BYTES);
    return 1;
  }
  hlocc_selftest_begin(&test, "stub", to_board, 0);
  check_views();
  check_small_floats();
  check_rounding();
  check_quantization();
  check_frames();
  check_audio();
  check_pingpong();
  check_guards();
  check_arenas();
  check_clock();
  check_serial_for();
  check_weights();
  check_profile();
  check_steps();
  check_edges(&test);
  /* The emulator may not have the counter that the chip has: the header must say so. */
  expect(argc == 2 && default_clock() == argv[1][0] - '0', "the target's own clock");
  return hlocc_selftest_end(&test) == 0 ? 42 : 1;
}
