/* A digit in bytes, and the network's scores. Written by make_samples.py. */
#ifndef HLOCC_EXAMPLES_SAMPLES_DIGITS_H_
#define HLOCC_EXAMPLES_SAMPLES_DIGITS_H_

#include <stdint.h>

static const int8_t kDigit[64] = {
  0, 0, 0, 103, 103, 24, 0, 0, 0, 0, 32, 127, 64, 0, 0, 0, 0, 0, 71, 127, 8, 0, 0, 0, 0, 0, 103,
  127, 40, 0, 0, 0, 0, 16, 127, 127, 111, 64, 8, 0, 0, 32, 127, 127, 48, 127, 71, 0, 0, 0, 64,
  127, 87, 127, 79, 0, 0, 0, 8, 111, 127, 103, 8, 0,
};

static const int8_t kScores[10] = {
  -33, -5, -44, -42, -17, -38, 65, -80, 21, -97,
};

#endif /* HLOCC_EXAMPLES_SAMPLES_DIGITS_H_ */
