/* Runs the model on the input that it is given and prints run's code and the result's bytes. */
#include "board.h"
#include "input.h"
#include "kws.h"

#ifdef DRIVER
extern int submitted, cleaned, invalidated;
#endif

static uint8_t arena[KWS_ARENA_BYTES] __attribute__((aligned(KWS_ARENA_ALIGN)));
static kws_t kws;

#ifdef OPENS
extern int opened, closed;
#endif

int main(void) {
  const int init = kws_init(&kws, arena);
  if (init != 0) {
    board_print("init ");
    board_print_i32(init);
    board_print(" ");
    board_print(kws_error_msg(init));
    board_print("\n");
    return 0;
  }
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
#ifdef OPENS
  kws_close(&kws);
  board_print("opened ");
  board_print_i32(opened);
  board_print(closed == 1 ? ", closed\n" : ", not closed\n");
#endif
  return 0;
}
