// dot: both sides are brought into the order (batch, free, contracting), in the sum's type, and
// multiplied by plain loops whose innermost runs along the right side's free dimension.
#include "interpreter/accumulate.h"
#include "interpreter/families.h"
#include "interpreter/strided.h"

namespace hlocc::interpreter {
namespace {

using hlo::Instruction;
using hlo::Op;
using hlo::Opcode;

// result[m][n] += sum over k of lhs[m][k] * rhs[k][n]
template <typename Sum>
void multiply(const Sum* lhs, const Sum* rhs, Sum* result, int64_t m, int64_t k, int64_t n) {
  for (int64_t i = 0; i < m; ++i)
    for (int64_t p = 0; p < k; ++p) {
      const Sum a = lhs[i * k + p];
      const Sum* b = rhs + p * n;
      Sum* row = result + i * n;
      for (int64_t j = 0; j < n; ++j) multiply_add(row[j], a, b[j]);
    }
}

int64_t extent(const Literal& literal, const Dimensions& dimensions) {
  return product(pick(literal.shape().dimensions, dimensions));
}

}  // namespace

Result<Literal> evaluate(Op<Opcode::kDot>, Context&, const Instruction& instruction,
                         Operands operands) {
  const auto& dims = instruction.get<hlo::DotAttributes>();
  const Literal &lhs = operands[0], &rhs = operands[1];
  const Dimensions lhs_free = others(lhs.shape().rank(), dims.lhs_batch, dims.lhs_contracting);
  const Dimensions rhs_free = others(rhs.shape().rank(), dims.rhs_batch, dims.rhs_contracting);
  const int64_t batch = extent(lhs, dims.lhs_batch), m = extent(lhs, lhs_free),
                k = extent(lhs, dims.lhs_contracting), n = extent(rhs, rhs_free);
  return visit_sum_type(
      instruction.shape.element_type,
      [&]<typename Sum>(std::type_identity<Sum>) -> Result<Literal> {
        const auto a = reordered<Sum>(
            lhs, concatenated(concatenated(dims.lhs_batch, lhs_free), dims.lhs_contracting));
        const auto b = reordered<Sum>(
            rhs, concatenated(concatenated(dims.rhs_batch, dims.rhs_contracting), rhs_free));
        std::vector<Sum> sums(static_cast<size_t>(batch * m * n));
        for (int64_t i = 0; i < batch; ++i)
          multiply(a.data() + i * m * k, b.data() + i * k * n, sums.data() + i * m * n, m, k, n);
        return literal_from(instruction.shape, sums);
      });
}

}  // namespace hlocc::interpreter
