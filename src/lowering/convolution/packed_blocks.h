// Blocks of a packed convolution's rows whose input lies in scratch together, padded: each row of
// the input is brought once for all windows that read it, as a copy of neighbours with what stands
// beside the image at both ends.
#pragma once
#include "lowering/contraction/packed_product.h"
#include "lowering/convolution/convolution.h"

namespace hlocc::lowering {

// `lanes` features of the input from `feature` on, of the pixel at those positions.
using LoadPixels = std::function<kernel::ValueId(const Affine& batch, const std::vector<Affine>& at,
                                                 const Affine& feature, int lanes)>;

// Of a plan that has blocks; `c` must not move then.
PackedProduct::Block block_of(const Convolution& c, const costs::PackedPlan& plan, LoadPixels load);

}  // namespace hlocc::lowering
