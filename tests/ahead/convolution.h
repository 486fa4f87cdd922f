/* One convolution as convolver.cpp writes it and driver.c computes it. */
#ifndef CONVOLUTION_H
#define CONVOLUTION_H
#include <stdint.h>
struct convolution {
  const char* part;
  int batch, in_h, in_w, in_c, kernel_h, kernel_w, kernel_c, out_h, out_w, out_c, stride_h,
      stride_w, pad_h, pad_w;
  const int8_t* weights;
};
#endif
