// Dots in groups of threads that share blocks of both sides: any dimension numbers, each kind of
// dimension flattened to one.
#include "lowering/contraction/dot.h"
#include "lowering/contraction/shared_contraction.h"
#include "support/product.h"

namespace hlocc::lowering {

namespace {

class SharedDot {
 public:
  SharedDot(const Dot& dot, const costs::SharedDotPlan& plan)
      : dot_(dot),
        batch_(pick(dot.left, dot.lhs.batch)),
        rows_(pick(dot.left, dot.lhs.free)),
        columns_(pick(dot.right, dot.rhs.free)),
        steps_(pick(dot.left, dot.lhs.contracted)) {
    c_.size = plan.size;
    c_.tile = plan.tile;
    c_.left_by_rows = !dot.has_left_rows();
    c_.right_by_columns = dot.rhs.free.back() == dot.right.rank() - 1;
    c_.left = [this](const Affine& batch, const Affine& row, const Affine& step) {
      return element(0, dot_.left, dot_.lhs, batch, unflattened(dot_.e, rows_, row), step);
    };
    c_.right = [this](const Affine& batch, const Affine& column, const Affine& step) {
      return element(1, dot_.right, dot_.rhs, batch, unflattened(dot_.e, columns_, column), step);
    };
    c_.store = [this](const Affine& batch, const Affine& row, const Affine& column,
                      kernel::ValueId value) { store(batch, row, column, value); };
  }

  void run() { contract_shared(dot_.e, c_); }

 private:
  kernel::ValueId element(int operand, const hlo::Shape& shape, const DotSide& side,
                          const Affine& batch, const std::vector<Affine>& free,
                          const Affine& step) const {
    Index index;
    index.at.resize(shape.rank());
    const auto put = [&](const hlo::Dimensions& dimensions, const std::vector<Affine>& at) {
      for (size_t n = 0; n < dimensions.size(); ++n) index.at[dimensions[n]] = at[n];
    };
    put(side.batch, unflattened(dot_.e, batch_, batch));
    put(side.free, free);
    put(side.contracted, unflattened(dot_.e, steps_, step));
    return dot_.operand(operand, index).re;
  }

  // The result has batches, rows and columns in that order.
  void store(const Affine& batch, const Affine& row, const Affine& column,
             kernel::ValueId value) const {
    Index index;
    for (const auto& [sizes, at] :
         {std::pair(&batch_, &batch), std::pair(&rows_, &row), std::pair(&columns_, &column)}) {
      const std::vector<Affine> places = unflattened(dot_.e, *sizes, *at);
      index.at.insert(index.at.end(), places.begin(), places.end());
    }
    dot_.finish(index, {value});
  }

  const Dot& dot_;
  hlo::Dimensions batch_, rows_, columns_, steps_;
  SharedContraction c_;
};

}  // namespace

void emit(const Dot& dot, const costs::SharedDotPlan& plan) { SharedDot(dot, plan).run(); }

}  // namespace hlocc::lowering
