// Reducers that are one known binary op, as typed loops, and the columns of values that any other
// reducer reads and writes.
#pragma once
#include "interpreter/formulas.h"
#include "interpreter/scalar_function.h"

namespace hlocc::interpreter {

// Formula folds values of type V in accumulators of type Acc.
template <typename Formula, typename V, typename Acc>
struct Monoid {};

// Sums of floats are kept in double; everything else in the value type itself.
template <typename Formula, typename V>
struct AccumulatorOf {
  using Type = V;
};
template <>
struct AccumulatorOf<Add, float> {
  using Type = double;
};
template <>
struct AccumulatorOf<Add, std::complex<float>> {
  using Type = std::complex<double>;
};

inline bool is_monoid_type(Opcode opcode, PrimitiveType type) {
  const bool is_bitwise = opcode == Opcode::kAnd || opcode == Opcode::kOr || opcode == Opcode::kXor;
  if (hlo::is_complex(type)) return opcode == Opcode::kAdd || opcode == Opcode::kMultiply;
  return !is_bitwise || !hlo::is_float(type);
}

// The op that a reduction of one operand repeats, if it is one that visit_monoid knows on its type.
inline std::optional<Opcode> plain_monoid(const hlo::Module& module,
                                          const hlo::Instruction& reduction, Operands operands) {
  const PrimitiveType type = reduction.shape.element_type;
  if (operands.size() != 2 || operands[0].type() != type) return std::nullopt;
  const std::optional<Opcode> monoid = binary_reducer(module, reduction.called[0]);
  return monoid && is_monoid_type(*monoid, type) ? monoid : std::nullopt;
}

// Calls visitor(Monoid<Formula, V, Acc>{}); is_monoid_type must hold.
template <typename Visitor>
Literal visit_monoid(Opcode opcode, PrimitiveType type, Visitor&& visitor) {
  return visit_value_type(type, [&]<typename V>(std::type_identity<V>) -> Literal {
    const auto fold = [&]<typename Formula>(Formula) -> Literal {
      if constexpr (std::is_invocable_v<Formula, V, V>)
        return visitor(Monoid<Formula, V, typename AccumulatorOf<Formula, V>::Type>{});
      HLOCC_CHECK(false, "a reducer that its type does not allow");
    };
    switch (opcode) {
      case Opcode::kAdd: return fold(Add{});
      case Opcode::kMultiply: return fold(Multiply{});
      case Opcode::kMaximum: return fold(Maximum{});
      case Opcode::kMinimum: return fold(Minimum{});
      case Opcode::kAnd: return fold(And{});
      case Opcode::kOr: return fold(Or{});
      default: return fold(Xor{});
    }
  });
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
