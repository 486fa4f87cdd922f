/* What board_avr.c, on the chip, and simavr_board.c, around it, agree on: a request lies in the
 * chip's RAM, its address is written to GPIOR1 (low byte) and GPIOR2, and then anything to GPIOR0.
 * The answer replaces `number`. */
#ifndef HLOCC_BOARD_AVR_H_
#define HLOCC_BOARD_AVR_H_

#include <stdint.h>

enum AvrOperation {
  kAvrOpenRead = 1, /* data: path */
  kAvrOpenWrite,    /* data: path */
  kAvrClose,        /* number: file */
  kAvrRead,         /* number: file; data, size: to where; answers bytes that were read */
  kAvrWrite,        /* the same way round; file 0 is the standard output */
  kAvrSeek,         /* number: file; data: low 16 bits of the position, size: high 16 bits */
  kAvrSize,
  kAvrArguments, /* data, size: room for the arguments, one after the other, each with its zero;
                    answers their count */
  kAvrExit,      /* number: code */
  kAvrBegin,     /* of what is measured */
  kAvrEnd
};

/* Little-endian, without padding, on both sides. */
struct AvrRequest {
  uint8_t operation, unused;
  uint16_t data, size;
  uint16_t number_low, number_high;
};

#endif /* HLOCC_BOARD_AVR_H_ */
