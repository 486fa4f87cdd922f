// cholesky and triangular-solve: column by column with plain sums, reading back what was written.
// Complex values are pairs.
#include "lowering/emitter/loop_ops.h"

namespace hlocc::lowering {

using hlo::Instruction;
using hlo::InstructionId;
using hlo::Opcode;
using kernel::Predicate;
using kernel::ValueId;
using kernel::Values;

namespace {

Element conjugate(Emitter& e, Element x) {
  if (x.is_complex()) x.im = e.b.unary(kernel::OpKind::kNeg, x.im);
  return x;
}
Element multiply(Emitter& e, Element x, Element y) {
  if (!x.is_complex()) return {e.b.mul(x.re, y.re)};
  return {e.b.sub(e.b.mul(x.re, y.re), e.b.mul(x.im, y.im)),
          e.b.add(e.b.mul(x.re, y.im), e.b.mul(x.im, y.re))};
}
Element subtract(Emitter& e, Element x, Element y) {
  Element out{e.b.sub(x.re, y.re)};
  if (x.is_complex()) out.im = e.b.sub(x.im, y.im);
  return out;
}
// x / y with the plain formula: pivots are far from overflow, or the result is lost anyway.
Element divide(Emitter& e, Element x, Element y) {
  if (!x.is_complex()) return {e.b.div(x.re, y.re)};
  const Element top = multiply(e, x, conjugate(e, y));
  const ValueId scale = e.b.add(e.b.mul(y.re, y.re), e.b.mul(y.im, y.im));
  return {e.b.div(top.re, scale), e.b.div(top.im, scale)};
}
Values values_of(const Element& x) { return x.is_complex() ? Values{x.re, x.im} : Values{x.re}; }
Element element_of(std::span<const ValueId> v) {
  return v.size() == 2 ? Element{v[0], v[1]} : Element{v[0]};
}

// start - sum over k in [0, count) of term(k); count may be a counter.
Element minus_sum(Emitter& e, Element start, const Affine& count,
                  const std::function<Element(Affine)>& term) {
  return element_of(
      e.loop(Affine{}, count, values_of(start), [&](Affine k, std::span<const ValueId> acc) {
        return values_of(subtract(e, element_of(acc), term(k)));
      }));
}

// The last two dimensions after the batch's.
Index matrix_index(const std::vector<Affine>& batch, const Affine& row, const Affine& column) {
  Index index;
  index.at = batch;
  index.at.push_back(row);
  index.at.push_back(column);
  return index;
}
hlo::Dimensions batch_of(const hlo::Shape& shape) {
  return {shape.dimensions.begin(), shape.dimensions.end() - 2};
}

}  // namespace

void schedule(hlo::Op<Opcode::kCholesky>, Emitter& e, InstructionId id) {
  const Instruction& i = e.instruction(id);
  const bool lower = i.get<hlo::CholeskyAttributes>().lower;
  const int64_t n = i.shape.dimensions.back();
  const kernel::BufferId out = e.output_buffer(0);
  // Always in terms of the lower factor; an upper one is its conjugate transpose.
  e.loop_over(batch_of(i.shape), [&](const std::vector<Affine>& batch) {
    const auto place = [&](const Affine& row, const Affine& column) {
      return lower ? matrix_index(batch, row, column) : matrix_index(batch, column, row);
    };
    const auto factor = [&](const Affine& row, const Affine& column) {
      const Element x = e.load(out, i.shape, place(row, column));
      return lower ? x : conjugate(e, x);
    };
    const auto write = [&](const Affine& row, const Affine& column, Element x) {
      e.store(out, i.shape, place(row, column), lower ? x : conjugate(e, x));
    };
    e.loop(n, [&](Affine j) {
      const auto reduced = [&](const Affine& row) {
        const Element a = e.operand(i, 0, place(row, j));
        return minus_sum(e, lower ? a : conjugate(e, a), j, [&](Affine k) {
          return multiply(e, factor(row, k), conjugate(e, factor(j, k)));
        });
      };
      Element pivot{e.b.unary(kernel::OpKind::kSqrt, reduced(j).re)};
      if (hlo::is_complex(i.shape.element_type)) pivot.im = e.b.zero(e.b.type(pivot.re));
      write(j, j, pivot);
      e.loop(j.plus(1), Affine::constant(n), {}, [&](Affine row, std::span<const ValueId>) {
        write(row, j, divide(e, reduced(row), pivot));
        e.store(out, i.shape, place(j, row), e.zero(i.shape));
        return Values{};
      });
    });
  });
}

void schedule(hlo::Op<Opcode::kTriangularSolve>, Emitter& e, InstructionId id) {
  const Instruction& i = e.instruction(id);
  const auto& options = i.get<hlo::TriangularSolveAttributes>();
  using Options = hlo::TriangularSolveAttributes;
  const hlo::Shape& a = e.shape(i.operands[0]);
  const int64_t n = a.dimensions.back();
  const kernel::BufferId out = e.output_buffer(0);
  // X op(A) = B is op(A)^T X^T = B^T: the same solve with rows and columns of the matrix exchanged.
  const bool transposed =
      options.transpose_a == Options::kTranspose || options.transpose_a == Options::kAdjoint;
  const bool swap = transposed == options.left_side;
  const bool forward = options.lower != swap;
  const int64_t systems =
      options.left_side ? i.shape.dimensions.back() : i.shape.dimensions[i.shape.rank() - 2];
  e.loop_over(batch_of(i.shape), [&](const std::vector<Affine>& batch) {
    const auto matrix = [&](const Affine& row, const Affine& column) {
      const Element x = e.operand(
          i, 0, swap ? matrix_index(batch, column, row) : matrix_index(batch, row, column));
      return options.transpose_a == Options::kAdjoint ? conjugate(e, x) : x;
    };
    e.loop(systems, [&](Affine system) {
      const auto place = [&](const Affine& row) {
        return options.left_side ? matrix_index(batch, row, system)
                                 : matrix_index(batch, system, row);
      };
      // Backward substitution counts from the far end.
      const auto row_of = [&](const Affine& step) {
        return forward ? step : step.times(-1).plus(n - 1);
      };
      e.loop(n, [&](Affine step) {
        const Affine row = row_of(step);
        Element x = minus_sum(e, e.operand(i, 1, place(row)), step, [&](Affine k) {
          return multiply(e, matrix(row, row_of(k)), e.load(out, i.shape, place(row_of(k))));
        });
        if (!options.unit_diagonal) x = divide(e, x, matrix(row, row));
        e.store(out, i.shape, place(row), x);
      });
    });
  });
}

}  // namespace hlocc::lowering
