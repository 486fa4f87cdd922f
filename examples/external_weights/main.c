/* A keyword spotter whose weights come from a file at start-up: what a firmware does that keeps
 * them on an SD card or in a flash without addresses, and updates them without a new firmware. They
 * are brought into RAM in pieces and checked against the manifest's length and CRC-32 before the
 * model runs. Here the file is the emulator's host's. */
#include "../samples/kws.h"
#include "board.h"
#include "hlocc_selftest.h"
#include "hlocc_weights.h"
#include "kws.h"

enum { kClasses = 12, kPiece = 4096 };

static uint8_t arena[ACME_KWS_ARENA_BYTES] __attribute__((aligned(ACME_KWS_ARENA_ALIGN)));
static acme_kws_t kws;
HLOCC_WEIGHTS_IN_RAM(acme_kws_weights, KWS_WEIGHTS_BYTES, KWS_WEIGHTS_ALIGN);
static const hlocc_weights_facts facts = {KWS_WEIGHTS_BYTES, KWS_WEIGHTS_ALIGN, KWS_WEIGHTS_CRC32};

static size_t read_card(void* file, size_t offset, void* to, size_t bytes) {
  if (board_file_seek(*(int*)file, (long)offset) != 0) return 0;
  return board_file_read(*(int*)file, to, bytes);
}

static void to_board(void* context, const char* text, size_t bytes) {
  (void)context;
  board_write(text, bytes);
}

int main(int argc, char** argv) {
  hlocc_selftest test;
  int file = argc == 2 ? board_file_open_read(argv[1]) : -1;
  if (file < 0) return 2;
  hlocc_selftest_begin(&test, "external_weights", to_board, 0);
  const int code = hlocc_weights_load(acme_kws_weights, &facts, read_card, &file, kPiece);
  board_file_close(file);
  if (hlocc_selftest_true(&test, "weights", code == HLOCC_WEIGHTS_OK)) {
    if (acme_kws_init(&kws, arena) != ACME_KWS_OK) return 3;
    float* mfcc = acme_kws_arg_mfcc_data(&kws);
    for (int i = 0; i < ACME_KWS_ARG0_COUNT; ++i) mfcc[i] = kMfcc[i];
    if (acme_kws_run(&kws) != ACME_KWS_OK) return 4;
    hlocc_selftest_f32(&test, "probs", acme_kws_result_probs_data(&kws), kProbs, kClasses, 0.0f,
                       1e-5f);
  }
  return hlocc_selftest_end(&test);
}
