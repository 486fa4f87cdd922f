// How an op of HLO hands rows on: which rows of its operands the rows of its result are made of.
// Rows are counted along one dimension of each array, as the height of an image.
#pragma once
#include <optional>
#include <vector>

#include "hlo/module.h"

namespace hlocc::transforms {

// Row y of the result takes the operand's rows from y * stride - low on, `size` of them.
struct RowRead {
  int64_t dimension = 0;  // of the operand: the one that counts its rows
  int64_t size = 1, stride = 1, low = 0;
  // The scalar that rows before the first and behind the last hold for this op; none: it reads no
  // such rows.
  std::optional<hlo::Literal> beyond;
};
// One entry an operand; an operand without a RowRead is read as a whole for every row.
using RowReads = std::vector<std::optional<RowRead>>;

// For rows of the result along `dimension`; none if the op cannot be computed by rows.
std::optional<RowReads> row_reads(const hlo::Computation& computation, const hlo::Instruction& op,
                                  int64_t dimension);

// The same op for `count` rows, of operands that hold the rows that these take and no more; without
// operands.
hlo::Instruction with_rows(const hlo::Instruction& op, int64_t dimension, int64_t count);

bool is_elementwise(const hlo::Instruction& op);

}  // namespace hlocc::transforms
