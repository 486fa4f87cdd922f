// ragged-dot: a dot whose left side has one dimension cut into consecutive groups of run-time
// sizes. Depending on what that dimension is, each group meets its own right side (free), fills its
// own slice of the result (contracting), or both sides are simply cut (batch).
#include "interpreter/accumulate.h"
#include "interpreter/families.h"
#include "interpreter/indices.h"
#include "interpreter/strided.h"
#include "ops/ragged.h"

namespace hlocc::interpreter {
namespace {

using hlo::Instruction;
using hlo::Op;
using hlo::Opcode;

int64_t position(const Dimensions& list, int64_t item) {
  for (size_t i = 0; i < list.size(); ++i)
    if (list[i] == item) return static_cast<int64_t>(i);
  return -1;
}

// The group of place `at` of the ragged dimension in batch row `row`; -1 behind the last group.
int64_t group_of(const Literal& sizes, int64_t row, int64_t groups, int64_t at) {
  for (int64_t g = 0; g < groups; ++g) {
    at -= index_at(sizes, row * groups + g);
    if (at < 0) return g;
  }
  return -1;
}

}  // namespace

Result<Literal> evaluate(Op<Opcode::kRaggedDot>, Context&, const Instruction& instruction,
                         Operands operands) {
  const auto& ragged = instruction.get<hlo::RaggedDotAttributes>();
  const hlo::DotAttributes& dims = ragged.dot;
  const Literal &lhs = operands[0], &rhs = operands[1], &sizes = operands[2];
  const int64_t ragged_dim = ragged.lhs_ragged[0], groups = sizes.shape().dimensions.back();
  const bool is_contracting = contains(dims.lhs_contracting, ragged_dim);
  const Dimensions lhs_free = others(lhs.shape().rank(), dims.lhs_batch, dims.lhs_contracting);
  const Dimensions rhs_free = others(rhs.shape().rank(), dims.rhs_batch,
                                     concatenated(dims.rhs_contracting, ragged.rhs_group));
  const Dimensions batch_box = pick(lhs.shape().dimensions, dims.lhs_batch);
  // The result's dimensions: (group,) batch, left free, right free.
  const Dimensions lhs_box = pick(lhs.shape().dimensions, lhs_free),
                   rhs_box = pick(rhs.shape().dimensions, rhs_free);
  const Dimensions contracting_box = pick(lhs.shape().dimensions, dims.lhs_contracting);
  const Dimensions lhs_strides = hlo::row_major_strides(lhs.shape().dimensions);
  const Dimensions rhs_strides = hlo::row_major_strides(rhs.shape().dimensions);
  const int64_t block = product(batch_box) * product(lhs_box) * product(rhs_box);
  // There may be group sizes for each index of some dimensions of the left side.
  const Dimensions prefix =
      sizes.shape().rank() > 1 ? ops::group_prefix(ragged, lhs.shape().rank()) : Dimensions{};
  const auto row_of = [&](const Dimensions& batch, const Dimensions& i, const Dimensions& k) {
    int64_t row = 0;
    for (const int64_t d : prefix) {
      const int64_t at = contains(dims.lhs_batch, d)         ? batch[position(dims.lhs_batch, d)]
                         : contains(dims.lhs_contracting, d) ? k[position(dims.lhs_contracting, d)]
                                                             : i[position(lhs_free, d)];
      row = row * lhs.shape().dimensions[d] + at;
    }
    return row;
  };
  return visit_sum_type(
      instruction.shape.element_type,
      [&]<typename Sum>(std::type_identity<Sum>) -> Result<Literal> {
        const std::vector<Sum> a = values_as<Sum>(lhs), b = values_as<Sum>(rhs);
        std::vector<Sum> sums(static_cast<size_t>(instruction.shape.element_count()));
        if (block == 0 || product(contracting_box) == 0)
          return literal_from(instruction.shape, sums);
        int64_t at = 0;
        Dimensions batch(batch_box.size(), 0);
        do {
          Dimensions i(lhs_box.size(), 0);
          do {
            Dimensions j(rhs_box.size(), 0);
            do {
              Dimensions k(contracting_box.size(), 0);
              do {
                int64_t place = 0;
                if (is_contracting) {
                  place = k[position(dims.lhs_contracting, ragged_dim)];
                } else if (contains(dims.lhs_batch, ragged_dim)) {
                  place = batch[position(dims.lhs_batch, ragged_dim)];
                } else {
                  place = i[position(lhs_free, ragged_dim)];
                }
                const int64_t group = group_of(sizes, row_of(batch, i, k), groups, place);
                if (group < 0) continue;
                const int64_t from_a = dot(batch, pick(lhs_strides, dims.lhs_batch)) +
                                       dot(i, pick(lhs_strides, lhs_free)) +
                                       dot(k, pick(lhs_strides, dims.lhs_contracting));
                int64_t from_b = dot(batch, pick(rhs_strides, dims.rhs_batch)) +
                                 dot(j, pick(rhs_strides, rhs_free)) +
                                 dot(k, pick(rhs_strides, dims.rhs_contracting));
                if (!ragged.rhs_group.empty()) from_b += group * rhs_strides[ragged.rhs_group[0]];
                multiply_add(sums[at + (is_contracting ? group * block : 0)], a[from_a], b[from_b]);
              } while (next_index(k, contracting_box));
              ++at;
            } while (next_index(j, rhs_box));
          } while (next_index(i, lhs_box));
        } while (next_index(batch, batch_box));
        return literal_from(instruction.shape, sums);
      });
}

}  // namespace hlocc::interpreter
