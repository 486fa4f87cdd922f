// Sums of products where no instruction does such a group or tile: dot_accumulate by products in 32
// bits; matrix_accumulate of bytes and 16 bits by dot_accumulate, a lane a cell, of floats step by
// step.
#include "kernel/legalize/expansions.h"
#include "kernel/legalize/small_floats.h"
#include "kernel/op_types.h"

namespace hlocc::kernel {
namespace {

// Those lanes of a vector or of the one number that it is.
ValueId lanes_of(Builder& b, ValueId vector, std::vector<int> lanes) {
  if (b.type(vector).lanes == 1) return b.splat(vector, static_cast<int>(lanes.size()));
  if (lanes.size() == 1) return b.extract(vector, lanes[0]);
  return b.shuffle(vector, vector, std::move(lanes));
}

// For each cell (i, j) of the tile steps [first, first + count) of row i, or of row j.
ValueId steps_of(const Site& site, ValueId vector, const MatrixSizes& m, bool left, int first,
                 int count) {
  std::vector<int> lanes;
  for (int i = 0; i < m.rows; ++i)
    for (int j = 0; j < m.columns; ++j)
      for (int l = first; l < first + count; ++l) lanes.push_back((left ? i : j) * m.depth + l);
  return lanes_of(site.builder, vector, std::move(lanes));
}

}  // namespace

Expr expand_dot(const Site& site) {
  Builder& b = site.builder;
  const Expr sum = site.operand(0);
  const Expr products =
      site.operand(1).convert(Scalar::kS32) * site.operand(2).convert(Scalar::kS32);
  const int lanes = sum.type().lanes, group = products.type().lanes / lanes;
  if (lanes == 1) return sum + Expr{b, b.reduce(OpKind::kReduceAdd, products.id())};
  Expr total = sum;
  for (int j = 0; j < group; ++j) {
    std::vector<int> steps;
    for (int i = 0; i < lanes; ++i) steps.push_back(i * group + j);
    total = total + Expr{b, lanes_of(b, products.id(), std::move(steps))};
  }
  return total;
}

Expr expand_matrix(const Site& site) {
  Builder& b = site.builder;
  ValueId sum = site.operands[0], left = site.operands[1], right = site.operands[2];
  const MatrixSizes m = *matrix_sizes(b.type(sum), b.type(left), b.type(right));
  if (site.type.scalar == Scalar::kS32)
    return {b, b.dot_accumulate(sum, steps_of(site, left, m, true, 0, m.depth),
                                steps_of(site, right, m, false, 0, m.depth))};
  for (int l = 0; l < m.depth; ++l) {
    Expr x{b, steps_of(site, left, m, true, l, 1)}, y{b, steps_of(site, right, m, false, l, 1)};
    const Scalar format = site.from.scalar;
    if (is_small_float(format)) {
      x = decode_small(x, format);
      y = decode_small(y, format);
    }
    sum = b.mul_add(x.id(), y.id(), sum);
  }
  return {b, sum};
}

}  // namespace hlocc::kernel
