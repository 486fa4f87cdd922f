// reduce: every element is folded into the accumulator of its output position, in row-major order.
// Known reducers run as typed loops (float sums in double), any other computation as a scalar
// function.
#include "interpreter/accumulate.h"
#include "interpreter/families.h"
#include "interpreter/formulas.h"
#include "interpreter/monoid.h"
#include "interpreter/scalar_function.h"
#include "interpreter/strided.h"

namespace hlocc::interpreter {
namespace {

using hlo::Instruction;

// The stride of each input dimension in the output; 0 where it is reduced away.
Dimensions output_strides(const Dimensions& input, const Dimensions& reduced) {
  const Dimensions kept = others(static_cast<int>(input.size()), reduced);
  const Dimensions strides = hlo::row_major_strides(pick(input, kept));
  Dimensions out(input.size(), 0);
  for (size_t i = 0; i < kept.size(); ++i) out[kept[i]] = strides[i];
  return out;
}

// Calls body(output index, first input index, count, output step) for each row of the input.
template <typename Body>
void for_each_row(const Dimensions& input, const Dimensions& strides, Body body) {
  if (product(input) == 0) return;
  if (input.empty()) return body(0, 0, 1, 0);
  const Dimensions rows(input.begin(), input.end() - 1);
  Dimensions index(rows.size(), 0);
  const int64_t count = input.back(), step = strides.back();
  int64_t at = 0;
  do {
    body(dot(index, strides), at, count, step);
    at += count;
  } while (next_index(index, rows));
}

Literal reduce_monoid(Opcode opcode, const Shape& shape, const Dimensions& reduced,
                      const Literal& input, const Literal& init) {
  const Dimensions& extents = input.shape().dimensions;
  const Dimensions strides = output_strides(extents, reduced);
  return visit_monoid(
      opcode, shape.element_type, [&]<typename Formula, typename Acc>(Monoid<Formula, Acc>) {
        const std::vector<Acc> values = values_as<Acc>(input);
        std::vector<Acc> sums(static_cast<size_t>(shape.element_count()), values_as<Acc>(init)[0]);
        for_each_row(extents, strides, [&](int64_t out, int64_t in, int64_t count, int64_t step) {
          for (int64_t i = 0; i < count; ++i, out += step)
            sums[out] = Formula{}(sums[out], values[in + i]);
        });
        return literal_from(shape, sums);
      });
}

}  // namespace

Result<Literal> evaluate(Op<Opcode::kReduce>, Context& context, const Instruction& instruction,
                         Operands operands) {
  const Dimensions& reduced = instruction.get<hlo::DimensionsAttributes>().dimensions;
  const size_t n = operands.size() / 2;
  if (const std::optional<Opcode> monoid = plain_monoid(context.module, instruction, operands))
    return reduce_monoid(*monoid, instruction.shape, reduced, operands[0], operands[1]);

  const Dimensions& extents = operands[0].shape().dimensions;
  ScalarFunction reducer(context, instruction.called[0]);
  ScalarColumns inputs(operands.first(n));
  // Accumulators stand in the types of the reducer's results, which may be wider than the inputs.
  ScalarRows accumulators(instruction.shape, operands.subspan(n));
  Status failed;
  for_each_row(extents, output_strides(extents, reduced),
               [&](int64_t out, int64_t in, int64_t count, int64_t step) {
                 for (int64_t i = 0; i < count && failed; ++i, out += step) {
                   accumulators.load(out, reducer, 0);
                   inputs.load(in + i, reducer, static_cast<int>(n));
                   failed = reducer.call();
                   accumulators.store(out, reducer);
                 }
               });
  if (!failed) return std::move(failed).error();
  return std::move(accumulators).take(instruction.shape);
}

}  // namespace hlocc::interpreter
