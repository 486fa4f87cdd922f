// The three transforms of Winograd's minimal filtering for windows of 3: F(m x m, 3 x 3) makes m *
// m outputs from m + 2 squared inputs with one product a point instead of nine an output.
//
//   output = A^T [ (G filter G^T) * (B^T input B) ] A
//
// F(2) stands on the points 0, +-1 and infinity, F(4) on 0, +-5/8, +-3/2 and infinity: as cheap on
// the input side as the usual 0, +-1, +-2, every constant exact in binary, and three to four times
// nearer to the true result.
#pragma once
#include <span>
#include <vector>

#include "lowering/contraction/tile.h"

namespace hlocc::lowering {

// B^T applied to a line of m + 2 inputs, and A^T to a line of m + 2 sums, which gives m outputs. m
// is 2 or 4.
kernel::Values transform_input_line(kernel::Builder& b, int m, const kernel::Values& line);
kernel::Values transform_output_line(kernel::Builder& b, int m, const kernel::Values& line);

// The filter [3][3][inputs][outputs] as panels in the order in which the products read them: for
// each panel of columns that `runs` cuts, [point][inputs][columns of the panel]. Computed in
// double, rounded once.
std::vector<float> transform_filter(int m, std::span<const float> filter, int64_t inputs,
                                    int64_t outputs, const std::vector<ColumnRun>& runs);

}  // namespace hlocc::lowering
