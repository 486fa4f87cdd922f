// Whether Winograd's form of a convolution wins, and in which blocks it runs.
#pragma once
#include <optional>

#include "costs/tiles.h"
#include "hlo/module.h"
#include "support/rounding.h"

namespace hlocc::costs {

struct ConvolutionSite;  // convolution.h

struct WinogradSize {
  int64_t batch = 1, height = 0, width = 0;  // of the output
  int64_t inputs = 0, outputs = 0;           // features
  int64_t stored = 0;  // pixels of each output that are stored, if a pool takes the others; else 0
  double executions = 1;  // in a run
  // One of many executions, of rows of which no window reaches above or below the input.
  bool is_inside_rows = false;

  int64_t pixels() const { return batch * height * width; }
  int64_t map_bytes() const {
    const int64_t read = is_inside_rows ? batch * (height + 2) * width : pixels();
    return (read * inputs + (stored > 0 ? batch * stored : pixels()) * outputs) * 4;
  }
};

// What else the program holds.
struct ProgramSize {
  int64_t constants = 0;  // bytes of all of them
  int64_t maps = 0;  // bytes that the largest step reads and writes, constants left out: the arena
                     // has at least these
};
ProgramSize program_size(const hlo::Module& module);

struct WinogradPlan {
  int m = 0;      // outputs of a tile along each side: 2 or 4
  TileSize tile;  // of the products: rows are tiles, columns output features
  int64_t block =
      0;  // tiles handled together: transformed inputs and sums of a block lie in scratch

  int64_t side() const { return m + 2; }
  int64_t points() const { return side() * side(); }
  // Where the form allows it and it pays.
  static std::optional<WinogradPlan> of(const ConvolutionSite& site, const Target& target);
};

// The form that costs least, or nothing where the direct one does (or the options forbid the
// other).
std::optional<WinogradPlan> plan_winograd(const WinogradSize& size, const ProgramSize& program,
                                          const Target& target);

}  // namespace hlocc::costs
