// Rules of cholesky and triangular-solve.
#include "ops/linear_algebra.h"

namespace hlocc::ops {
namespace {

Status check_square(const Shape& matrix, std::string_view what) {
  HLOCC_TRY(check_type(matrix, kFloats | kComplexes, what));
  const int rank = matrix.rank();
  return check(rank >= 2 && matrix.dimensions[rank - 1] == matrix.dimensions[rank - 2], kShape,
               what, " is ", matrix, " and must be a square matrix, or a batch of them");
}

}  // namespace

Result<Shape> infer(Op<Opcode::kCholesky>, const Site& site) {
  HLOCC_TRY(check_square(site.operand(0), "the operand"));
  return with_type(site.operand(0), site.operand(0).element_type);
}

Result<Shape> infer(Op<Opcode::kTriangularSolve>, const Site& site) {
  using hlo::TriangularSolveAttributes;
  const auto& solve = site.attributes<TriangularSolveAttributes>();
  const Shape &a = site.operand(0), &b = site.operand(1);
  HLOCC_TRY(check_square(a, "operand 0"));
  HLOCC_TRY(check_operand_type(site, 1, a.element_type));
  HLOCC_TRY(
      check(b.rank() == a.rank(), kShape, "operand 1 is ", b, " and must have the rank of ", a));
  for (int d = 0; d < a.rank() - 2; ++d)
    HLOCC_TRY(check(a.dimensions[d] == b.dimensions[d], kShape, "the batch dimensions of ", a,
                    " and ", b, " differ"));
  const int64_t side = b.dimensions[b.rank() - (solve.left_side ? 2 : 1)];
  HLOCC_TRY(check(side == a.dimensions.back(), kShape, "the matrix ", a, " can't stand at the ",
                  solve.left_side ? "left" : "right", " of ", b));
  HLOCC_TRY(check(solve.transpose_a != TriangularSolveAttributes::kInvalid, kAttribute,
                  "transpose_a is not set"));
  return with_type(b, b.element_type);
}

}  // namespace hlocc::ops
