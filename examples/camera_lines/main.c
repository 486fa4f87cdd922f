/* A classifier behind a camera of 16 x 16 grey pixels, of which it looks at every second pixel of
 * every second line. The camera's DMA fills two line buffers in turn; each line that counts is
 * converted to the model's numbers and pushed. So the RAM is that of two lines and of the few rows
 * that the network still needs: the picture is in no memory. The DMA is played by a function here;
 * on a chip it is a channel whose interrupt calls hlocc_pingpong_filled. */
#include "../samples/digits.h"
#include "board.h"
#include "digits.h"
#include "hlocc_buffers.h"
#include "hlocc_selftest.h"

enum { kSide = 8, kStep = 2, kPixels = kSide * kStep, kLines = kSide * kStep, kClasses = 10 };

static uint8_t arena[ACME_DIGITS_ARENA_BYTES] __attribute__((aligned(ACME_DIGITS_ARENA_ALIGN)));
static acme_digits_t digits;
static uint8_t lines[2][kPixels] __attribute__((aligned(4)));
static hlocc_pingpong camera;

/* What the hardware does: the next line of the picture, then an interrupt. Pixels between those
 * that count are black. */
static void dma_delivers(int line) {
  uint8_t* to = (uint8_t*)hlocc_pingpong_target(&camera);
  for (int x = 0; x < kPixels; ++x)
    to[x] = line % kStep != 0 || x % kStep != 0
                ? 0
                : (uint8_t)(kDigit[line / kStep * kSide + x / kStep] + 128);
  hlocc_pingpong_filled(&camera);
}

/* A line of the camera as a row of the model: 0, or an error code. */
static int push_line(const uint8_t* line) {
  static int8_t row[kSide] __attribute__((aligned(ACME_DIGITS_ARG0_ALIGN)));
  const int32_t shape[3] = {1, kSide, 1};
  const hlocc_frame frame = {line, HLOCC_PIXELS_U8, kPixels, 1, 1, kPixels};
  const hlocc_crop crop = {0, 0, kStep};
  hlocc_view to;
  hlocc_view_init(&to, HLOCC_S8, row, 3, shape, 0);
  if (hlocc_copy_frame(&to, &frame, crop, 1.0f, -128.0f) != 0) return -1;
  return acme_digits_push_image(&digits, row, 1);
}

/* A whole picture: 0, or an error code. */
static int look(void) {
  int code = acme_digits_begin(&digits);
  dma_delivers(0);
  for (int line = 0; line < kLines && code == ACME_DIGITS_OK; ++line) {
    const uint8_t* full = (const uint8_t*)hlocc_pingpong_take(&camera);
    if (full == 0) return -2;
    if (line % kStep == 0) code = push_line(full);
    hlocc_pingpong_release(&camera, 0);
    /* On a chip the next line came while the network worked on this one. */
    if (line + 1 < kLines) dma_delivers(line + 1);
  }
  return code == ACME_DIGITS_OK ? acme_digits_end(&digits) : code;
}

static void to_board(void* context, const char* text, size_t bytes) {
  (void)context;
  board_write(text, bytes);
}

int main(void) {
  hlocc_selftest test;
  if (acme_digits_init(&digits, arena) != 0) return 1;
  if (hlocc_pingpong_init(&camera, lines[0], lines[1], kPixels, 1) != 0) return 2;
  hlocc_selftest_begin(&test, "camera_lines", to_board, 0);
  for (int picture = 0; picture < 2; ++picture) {
    hlocc_selftest_true(&test, "look", look() == ACME_DIGITS_OK);
    hlocc_selftest_integers(&test, "scores", acme_digits_result_scores_data(&digits), kScores,
                            kClasses, 1, 1, 0);
  }
  hlocc_selftest_true(&test, "a-line-too-many", push_line(lines[0]) == ACME_DIGITS_ERROR_ROWS);
  return hlocc_selftest_end(&test);
}
