/* Runs the model on the input that it is given and prints run's code and the result's bytes. */
#include "board.h"
#include "input.h"
#include "kws.h"

#ifdef DRIVER
extern int submitted, cleaned, invalidated;
#endif

static uint8_t arena[KWS_ARENA_BYTES] __attribute__((aligned(KWS_ARENA_ALIGN)));
static kws_t kws;

int main(void) {
  if (kws_init(&kws, arena) != 0) return 1;
  for (int turn = 0; turn < 2; ++turn) {
    for (int i = 0; i < KWS_ARG0_COUNT; ++i) kws_arg0_data(&kws)[i] = input[i];
    const int code = kws_run(&kws);
    board_print("run ");
    board_print_i32(code);
    board_print(" ");
    board_print(kws_error_msg(code));
    if (code == 0)
      for (int i = 0; i < KWS_RESULT0_COUNT; ++i) {
        board_print(" ");
        board_print_i32(kws_result0_data(&kws)[i]);
      }
    board_print("\n");
  }
#ifdef DRIVER
  board_print("parts ");
  board_print_i32(submitted);
  board_print(cleaned > 0 && invalidated > 0 ? " cache kept\n" : " cache forgotten\n");
#endif
  return 0;
}
