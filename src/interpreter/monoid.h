// Reducers that are one known binary op, as typed loops, and the columns of values that any other
// reducer reads and writes.
#pragma once
#include "interpreter/formulas.h"
#include "interpreter/scalar_function.h"
#include "ops/reducer.h"

namespace hlocc::interpreter {

// Formula folds values in accumulators of type Acc.
template <typename Formula, typename Acc>
struct Monoid {};

inline bool is_monoid_type(Opcode opcode, PrimitiveType type) {
  return !hlo::is_complex(type) || opcode == Opcode::kAdd || opcode == Opcode::kMultiply;
}

// The op that a reduction of one operand repeats, if it is one that visit_monoid knows on its type.
inline std::optional<Opcode> plain_monoid(const hlo::Module& module,
                                          const hlo::Instruction& reduction, Operands operands) {
  const PrimitiveType type = reduction.shape.element_type;
  if (operands.size() != 2 || operands[0].type() != type) return std::nullopt;
  const std::optional<Opcode> monoid = ops::plain_reducer(module.computations[reduction.called[0]]);
  return monoid && is_monoid_type(*monoid, type) ? monoid : std::nullopt;
}

// Calls visitor(Monoid<Formula, Acc>{}). Sums and extremes of floats are kept in double; products
// are rounded each time, as XLA's are; integers and pred stand in 64 bits, cut at the end (where a
// sum of pred that is not zero means true).
template <typename Formula, typename Visitor>
Literal visit_accumulator(PrimitiveType type, Visitor&& visitor) {
  constexpr bool is_product = std::is_same_v<Formula, Multiply>,
                 is_order = std::is_same_v<Formula, Maximum> || std::is_same_v<Formula, Minimum>;
  if constexpr (is_product) {
    if (type == PrimitiveType::kC64) return visitor(Monoid<Formula, std::complex<float>>{});
    if (hlo::is_float(type) && type != PrimitiveType::kF64)
      return visitor(Monoid<Formula, float>{});
  }
  if constexpr (is_product || std::is_same_v<Formula, Add>)
    if (hlo::is_complex(type)) return visitor(Monoid<Formula, std::complex<double>>{});
  if constexpr (is_product || is_order || std::is_same_v<Formula, Add>)
    if (hlo::is_float(type)) return visitor(Monoid<Formula, double>{});
  if constexpr (is_order)
    if (hlo::is_unsigned(type)) return visitor(Monoid<Formula, uint64_t>{});
  HLOCC_CHECK(hlo::is_integer(type) || hlo::is_pred(type),
              "a reducer that its type does not allow");
  return visitor(Monoid<Formula, int64_t>{});
}

// The same for the formula of `opcode`; is_monoid_type must hold.
template <typename Visitor>
Literal visit_monoid(Opcode opcode, PrimitiveType type, Visitor&& visitor) {
  switch (opcode) {
    case Opcode::kAdd: return visit_accumulator<Add>(type, visitor);
    case Opcode::kMultiply: return visit_accumulator<Multiply>(type, visitor);
    case Opcode::kMaximum: return visit_accumulator<Maximum>(type, visitor);
    case Opcode::kMinimum: return visit_accumulator<Minimum>(type, visitor);
    case Opcode::kAnd: return visit_accumulator<And>(type, visitor);
    case Opcode::kOr: return visit_accumulator<Or>(type, visitor);
    default: return visit_accumulator<Xor>(type, visitor);
  }
}

// Several literals of the same extents, read element by element into consecutive arguments of a
// function.
class ScalarColumns {
 public:
  explicit ScalarColumns(std::span<const Literal> literals) {
    for (const Literal& literal : literals)
      columns_.push_back({ElementAccess(literal.type()), literal.bytes().data()});
  }
  void load(int64_t index, ScalarFunction& function, int first_argument) const {
    for (size_t i = 0; i < columns_.size(); ++i)
      columns_[i].access.load(columns_[i].data, index,
                              function.argument(first_argument + static_cast<int>(i)));
  }

 private:
  struct Column {
    ElementAccess access;
    const std::byte* data;
  };
  std::vector<Column> columns_;
};

// Results under construction, one literal a leaf of `shape`, each filled with its scalar: the
// accumulators of a reduction.
class ScalarRows {
 public:
  ScalarRows(const Shape& shape, std::span<const Literal> inits) {
    const std::vector<Shape> leaves = hlo::leaf_shapes(shape);
    for (size_t i = 0; i < leaves.size(); ++i) {
      Literal& row = literals_.emplace_back(Literal::zeros(leaves[i]));
      Row entry{ElementAccess(row.type()), row.mutable_bytes().data()};
      const int width = hlo::storage_bytes(row.type());
      for (int64_t at = 0; at < row.element_count(); ++at)
        std::memcpy(entry.data + at * width, inits[i].bytes().data(), static_cast<size_t>(width));
      rows_.push_back(entry);
    }
  }
  void load(int64_t index, ScalarFunction& function, int first_argument) const {
    for (size_t i = 0; i < rows_.size(); ++i)
      rows_[i].access.load(rows_[i].data, index,
                           function.argument(first_argument + static_cast<int>(i)));
  }
  void store(int64_t index, ScalarFunction& function) {
    for (size_t i = 0; i < rows_.size(); ++i)
      rows_[i].access.store(rows_[i].data, index, function.result(static_cast<int>(i)));
  }
  Literal take(const Shape& shape) && {
    return shape.is_tuple() ? Literal::make_tuple(std::move(literals_)) : std::move(literals_[0]);
  }

 private:
  struct Row {
    ElementAccess access;
    std::byte* data;
  };
  std::vector<Literal> literals_;
  std::vector<Row> rows_;
};

}  // namespace hlocc::interpreter
