// Depthwise convolutions of bytes by the instructions that multiply several bytes at once. Bytes of
// one channel lie apart where features are last; so a few input rows of a few channels are brought
// to scratch, column by column, where the window of a pixel is one piece of memory (with zeros for
// what lies beside the image), and known weights lie in the same order. A row of the table says
// how; lowering/convolution/convolution_windows.cpp emits it.
#pragma once
#include <cstdint>
#include <optional>

#include "kernel/choice.h"
#include "target/target.h"

namespace hlocc::costs {

struct ConvolutionSite;  // convolution.h

// A row: a micro-kernel that multiplies so many bytes into one sum.
struct WindowKernel {
  kernel::MicroKernel id;
  int lanes;  // bytes of one load
  bool (*claims)(const ConvolutionSite& site, const Target& target);
};

// How a convolution is cut for it.
struct WindowsPlan {
  const WindowKernel* kernel = nullptr;
  int channels = 1;           // brought to scratch together
  int sums = 1;               // channels whose sums are finished as one vector
  int strip = 1, height = 1;  // output rows of what is brought at once; input rows of a column
  int vectors = 1;            // loads of a window
  int64_t columns = 0;        // of a channel's piece of scratch, those beside the image among them
  int64_t piece = 0, scratch = 0;  // bytes of a channel, of all
  double cycles = 0;               // instructions an output

  // Whether scratch is so small that the kernel keeps it in the stack.
  bool in_stack() const { return scratch <= 1024; }

  // By the row that claims the convolution and costs least, if that is less than scalars or the
  // vectors across features do; or by the wanted row.
  static std::optional<WindowsPlan> of(const ConvolutionSite& site, const Target& target,
                                       std::optional<kernel::MicroKernel> wanted = {});
};
// How many taps one above the other one instruction multiplies, put together in registers: pairs of
// 16 bits, fours of the bytes of a vector of features, or 1.
int stacked_taps(const ConvolutionSite& site, const Target& target);

}  // namespace hlocc::costs
