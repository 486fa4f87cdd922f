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

// The dimensions of one ragged dot. The result's are: (group,) batch, left free, right free.
struct RaggedSizes {
  const hlo::RaggedDotAttributes& ragged;
  const Literal &lhs, &rhs, &sizes;
  const hlo::DotAttributes& dims = ragged.dot;
  int64_t ragged_dim = ragged.lhs_ragged[0], groups = sizes.shape().dimensions.back();
  bool is_contracting = contains(dims.lhs_contracting, ragged_dim);
  Dimensions lhs_free = others(lhs.shape().rank(), dims.lhs_batch, dims.lhs_contracting);
  Dimensions rhs_free = others(rhs.shape().rank(), dims.rhs_batch,
                               concatenated(dims.rhs_contracting, ragged.rhs_group));
  Dimensions batch_box = pick(lhs.shape().dimensions, dims.lhs_batch);
  Dimensions lhs_box = pick(lhs.shape().dimensions, lhs_free),
             rhs_box = pick(rhs.shape().dimensions, rhs_free);
  Dimensions contracting_box = pick(lhs.shape().dimensions, dims.lhs_contracting);
  Dimensions lhs_strides = hlo::row_major_strides(lhs.shape().dimensions);
  Dimensions rhs_strides = hlo::row_major_strides(rhs.shape().dimensions);
  int64_t block = product(batch_box) * product(lhs_box) * product(rhs_box);
  // There may be group sizes for each index of some dimensions of the left side.
  Dimensions prefix = sizes.shape().rank() > 1 ? ops::group_prefix(ragged, lhs.shape().rank())
                                               : Dimensions{};

  // Index of dimension d of the left side.
  int64_t left_index(int64_t d, const Dimensions& batch, const Dimensions& i,
                     const Dimensions& k) const {
    if (contains(dims.lhs_contracting, d)) return k[position(dims.lhs_contracting, d)];
    if (contains(dims.lhs_batch, d)) return batch[position(dims.lhs_batch, d)];
    return i[position(lhs_free, d)];
  }
  // The group that this element of the left side belongs to; -1: to none.
  int64_t group_at(const Dimensions& batch, const Dimensions& i, const Dimensions& k) const {
    int64_t row = 0;
    for (const int64_t d : prefix)
      row = row * lhs.shape().dimensions[d] + left_index(d, batch, i, k);
    return group_of(sizes, row, groups, left_index(ragged_dim, batch, i, k));
  }
  int64_t left_place(const Dimensions& batch, const Dimensions& i, const Dimensions& k) const {
    return dot(batch, pick(lhs_strides, dims.lhs_batch)) + dot(i, pick(lhs_strides, lhs_free)) +
           dot(k, pick(lhs_strides, dims.lhs_contracting));
  }
  int64_t right_place(const Dimensions& batch, const Dimensions& j, const Dimensions& k,
                      int64_t group) const {
    const int64_t place = dot(batch, pick(rhs_strides, dims.rhs_batch)) +
                          dot(j, pick(rhs_strides, rhs_free)) +
                          dot(k, pick(rhs_strides, dims.rhs_contracting));
    return ragged.rhs_group.empty() ? place : place + group * rhs_strides[ragged.rhs_group[0]];
  }
};

// Calls body with each index of the box, in row-major order.
template <typename Body>
void for_each_index(const Dimensions& box, const Body& body) {
  Dimensions index(box.size(), 0);
  do {
    body(index);
  } while (next_index(index, box));
}

}  // namespace

Result<Literal> evaluate(Op<Opcode::kRaggedDot>, Context&, const Instruction& instruction,
                         Operands operands) {
  const RaggedSizes s{instruction.get<hlo::RaggedDotAttributes>(), operands[0], operands[1],
                      operands[2]};
  return visit_sum_type(
      instruction.shape.element_type,
      [&]<typename Sum>(std::type_identity<Sum>) -> Result<Literal> {
        const std::vector<Sum> a = values_as<Sum>(s.lhs), b = values_as<Sum>(s.rhs);
        std::vector<Sum> sums(static_cast<size_t>(instruction.shape.element_count()));
        if (s.block == 0 || product(s.contracting_box) == 0)
          return literal_from(instruction.shape, sums);
        int64_t at = 0;
        for_each_index(s.batch_box, [&](const Dimensions& batch) {
          for_each_index(s.lhs_box, [&](const Dimensions& i) {
            for_each_index(s.rhs_box, [&](const Dimensions& j) {
              for_each_index(s.contracting_box, [&](const Dimensions& k) {
                const int64_t group = s.group_at(batch, i, k);
                if (group < 0) return;
                multiply_add(sums[at + (s.is_contracting ? group * s.block : 0)],
                             a[s.left_place(batch, i, k)], b[s.right_place(batch, j, k, group)]);
              });
              ++at;
            });
          });
        });
        return literal_from(instruction.shape, sums);
      });
}

}  // namespace hlocc::interpreter
