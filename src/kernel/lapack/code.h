// The language in which the factorisations are written: formulas over real and complex numbers,
// matrices, and memory cells, which the builder turns into kernel ops. Values that a loop changes
// live in cells of scratch memory, so that the algorithms read as their textbooks print them.
//
//   c.loop(0, n, [&](const Affine& i) {
//     c.when(c.get(d, i) < 0.0, [&] { c.set(d, i, -c.get(d, i)); });
//   });
#pragma once
#include <functional>

#include "kernel/builder.h"

namespace hlocc::kernel::lapack {

// A real number at run time.
struct Real {
  Builder* b = nullptr;
  ValueId id = kNone;
};
// A condition.
struct Flag {
  Builder* b = nullptr;
  ValueId id = kNone;
};

inline Real number(const Real& like, double value) {
  return {like.b, like.b->constant_float(like.b->type(like.id), value)};
}
inline Real operator+(Real x, Real y) { return {x.b, x.b->add(x.id, y.id)}; }
inline Real operator-(Real x, Real y) { return {x.b, x.b->sub(x.id, y.id)}; }
inline Real operator*(Real x, Real y) { return {x.b, x.b->mul(x.id, y.id)}; }
inline Real operator/(Real x, Real y) { return {x.b, x.b->div(x.id, y.id)}; }
inline Real operator+(Real x, double y) { return x + number(x, y); }
inline Real operator-(Real x, double y) { return x - number(x, y); }
inline Real operator*(Real x, double y) { return x * number(x, y); }
inline Real operator+(double x, Real y) { return number(y, x) + y; }
inline Real operator-(double x, Real y) { return number(y, x) - y; }
inline Real operator*(double x, Real y) { return number(y, x) * y; }
inline Real operator/(double x, Real y) { return number(y, x) / y; }
inline Real operator-(Real x) { return {x.b, x.b->unary(OpKind::kNeg, x.id)}; }
inline Flag operator<(Real x, Real y) { return {x.b, x.b->compare(Predicate::kLt, x.id, y.id)}; }
inline Flag operator<=(Real x, Real y) { return {x.b, x.b->compare(Predicate::kLe, x.id, y.id)}; }
inline Flag operator>(Real x, Real y) { return y < x; }
inline Flag operator>=(Real x, Real y) { return y <= x; }
inline Flag operator==(Real x, Real y) { return {x.b, x.b->compare(Predicate::kEq, x.id, y.id)}; }
inline Flag operator<(Real x, double y) { return x < number(x, y); }
inline Flag operator>(Real x, double y) { return x > number(x, y); }
inline Flag operator>=(Real x, double y) { return x >= number(x, y); }
inline Flag operator==(Real x, double y) { return x == number(x, y); }
inline Flag operator&&(Flag x, Flag y) { return {x.b, x.b->logical_and(x.id, y.id)}; }
inline Flag operator||(Flag x, Flag y) { return {x.b, x.b->logical_or(x.id, y.id)}; }
inline Flag operator!=(Flag x, Flag y) { return {x.b, x.b->compare(Predicate::kNe, x.id, y.id)}; }
inline Flag operator==(Flag x, Flag y) { return {x.b, x.b->compare(Predicate::kEq, x.id, y.id)}; }
inline Flag operator!(Flag x) { return {x.b, x.b->unary(OpKind::kNot, x.id)}; }
inline Real select(Flag p, Real x, Real y) { return {x.b, x.b->select(p.id, x.id, y.id)}; }
inline Real abs(Real x) { return {x.b, x.b->unary(OpKind::kAbs, x.id)}; }
inline Real sqrt(Real x) { return {x.b, x.b->unary(OpKind::kSqrt, x.id)}; }
inline Flag is_finite(Real x) { return {x.b, x.b->is_finite(x.id)}; }
inline Real max(Real x, Real y) { return {x.b, x.b->max(x.id, y.id)}; }
inline Real min(Real x, Real y) { return {x.b, x.b->min(x.id, y.id)}; }
// |x| with the sign of y; 0 counts as positive.
inline Real sign(Real x, Real y) { return select(y < 0.0, -abs(x), abs(x)); }
Real length(Real x, Real y);  // sqrt(x^2 + y^2), which overflows only if it must

// A real or complex number, by the type of the matrices.
struct Number {
  Real re, im;  // im.id == kNone: real
  bool is_complex() const { return im.id != kNone; }
};
Number operator+(Number x, Number y);
Number operator-(Number x, Number y);
Number operator*(Number x, Number y);
Number operator*(Number x, Real y);
Number operator-(Number x);
Number operator/(Number x, Number y);  // by Smith's method
Number conj(Number x);
Number select(Flag p, Number x, Number y);
Real norm(Number x);    // |x|^2
Real size(Number x);    // |re x| + |im x|
Real widest(Number x);  // max(|re x|, |im x|)
Number sqrt(Number x);  // of a complex number: the root on the right

// Elements at base + row * down + column * along; complex ones take two of the buffer's.
struct Matrix {
  BufferId buffer = kNone;
  Affine base;
  int64_t down = 1, along = 1;
  bool is_real = true;
  Matrix transposed() const { return {buffer, base, along, down, is_real}; }
  // The part that begins at a row and a column.
  Matrix from(const Affine& row, const Affine& column) const;
};
// A row of real numbers, or of whole ones.
struct Row {
  BufferId buffer = kNone;
  Affine base;
};

// A type's limits as LAPACK knows them: eps is half the distance from 1 to the next number.
struct Limits {
  double eps, tiny;
  double ulp() const { return 2 * eps; }
};

class Code {
 public:
  Code(Builder& b, Scalar real, bool complex) : b(b), real_(real), complex_(complex) {}
  Builder& b;
  bool is_complex() const { return complex_; }
  Scalar real_type() const { return real_; }
  Limits limits() const;

  // --- memory ---
  BufferId buffer(const char* name, Scalar element, int64_t elements, Direction direction);
  Matrix scratch_matrix(const char* name, int64_t rows, int64_t columns, bool real = false);
  Matrix scratch_complex(const char* name, int64_t rows, int64_t columns);
  Row scratch_row(const char* name, int64_t count);
  Row scratch_wholes(const char* name, int64_t count);  // s32
  Number get(const Matrix& m, const Affine& row, const Affine& column);
  void put(const Matrix& m, const Affine& row, const Affine& column, Number value);
  Real get(const Row& row, const Affine& at);
  void set(const Row& row, const Affine& at, Real value);
  Affine whole(const Row& row, const Affine& at);  // reads a whole number for use as an index
  Affine whole(const Row& row, int64_t at) { return whole(row, Affine::constant(at)); }
  void set_whole(const Row& row, const Affine& at, const Affine& value);
  void swap(const Row& row, const Affine& a, const Affine& b);
  void swap_rows(const Matrix& m, const Affine& a, const Affine& b, int64_t columns);

  // --- values ---
  Real real(double value) { return {&b, b.constant_float({real_, 1}, value)}; }
  Number constant(double value);
  Number of_real(Real x);
  Affine index_of(Flag p, const Affine& yes, const Affine& no);
  Affine product(const Affine& x, const Affine& y);
  Flag less(const Affine& x, const Affine& y) { return compare(Predicate::kLt, x, y); }
  Flag equal(const Affine& x, const Affine& y) { return compare(Predicate::kEq, x, y); }

  // --- control ---
  using Body = std::function<void()>;
  using IndexBody = std::function<void(const Affine&)>;
  void loop(const Affine& lower, const Affine& upper, const IndexBody& body);
  void loop(int64_t lower, int64_t upper, const IndexBody& body);
  // For i from upper - 1 down to lower.
  void loop_down(const Affine& lower, const Affine& upper, const IndexBody& body);
  Number sum(const Affine& lower, const Affine& upper, Number start,
             const std::function<Number(const Affine&)>& term);
  Real sum(const Affine& lower, const Affine& upper, Real start,
           const std::function<Real(const Affine&)>& term);
  // The largest of `start` and the terms; NaN if one of them is.
  Real largest(const Affine& lower, const Affine& upper, Real start,
               const std::function<Real(const Affine&)>& term);
  void when(
      Flag p, const Body& yes, const Body& no = [] {});
  // Sets the error code where one of the numbers is infinite or none, as LAPACK's drivers do.
  void expect_finite(const Row& row, int64_t count, const Row& info);
  void fill(const Matrix& m, int64_t rows, int64_t columns, double value);
  void repeat_while(const std::function<Flag()>& condition, const Body& body);

 private:
  Flag compare(Predicate predicate, const Affine& x, const Affine& y) {
    return {&b, b.compare(predicate, b.value_of(x), b.value_of(y))};
  }
  Affine place(const Matrix& m, const Affine& row, const Affine& column) const;

  Scalar real_;
  bool complex_;
};

}  // namespace hlocc::kernel::lapack
