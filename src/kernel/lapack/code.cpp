// See code.h.
#include "kernel/lapack/code.h"

namespace hlocc::kernel::lapack {

Number operator+(Number x, Number y) {
  if (!x.is_complex()) return {x.re + y.re};
  return {x.re + y.re, x.im + y.im};
}
Number operator-(Number x, Number y) {
  if (!x.is_complex()) return {x.re - y.re};
  return {x.re - y.re, x.im - y.im};
}
Number operator*(Number x, Number y) {
  if (!x.is_complex()) return {x.re * y.re};
  return {x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}
Number operator*(Number x, Real y) {
  if (!x.is_complex()) return {x.re * y};
  return {x.re * y, x.im * y};
}
Number operator-(Number x) {
  if (!x.is_complex()) return {-x.re};
  return {-x.re, -x.im};
}
Number operator/(Number x, Number y) {
  if (!x.is_complex()) return {x.re / y.re};
  // The larger part of y divides first, so that nothing overflows on the way.
  const Flag wide = abs(y.re) >= abs(y.im);
  const Real large = select(wide, y.re, y.im), small = select(wide, y.im, y.re);
  const Real ratio = small / large, scale = large + small * ratio;
  const Real re = select(wide, x.re + x.im * ratio, x.re * ratio + x.im);
  const Real im = select(wide, x.im - x.re * ratio, x.im * ratio - x.re);
  return {re / scale, im / scale};
}
Number conj(Number x) {
  if (x.is_complex()) x.im = -x.im;
  return x;
}
Number select(Flag p, Number x, Number y) {
  Number out{select(p, x.re, y.re)};
  if (x.is_complex()) out.im = select(p, x.im, y.im);
  return out;
}
Real norm(Number x) {
  const Real square = x.re * x.re;
  return x.is_complex() ? square + x.im * x.im : square;
}

Real length(Real x, Real y) {
  const Real wide = max(abs(x), abs(y)), narrow = min(abs(x), abs(y)), ratio = narrow / wide;
  return select(narrow == 0.0, wide, wide * sqrt(1.0 + ratio * ratio));
}
Real size(Number x) { return x.is_complex() ? abs(x.re) + abs(x.im) : abs(x.re); }
Real widest(Number x) { return x.is_complex() ? max(abs(x.re), abs(x.im)) : abs(x.re); }
Number sqrt(Number x) {
  const Real half = sqrt((length(x.re, x.im) + abs(x.re)) * 0.5);
  const Real other = select(half == 0.0, half, abs(x.im) / (half + half));
  const Flag right = x.re >= 0.0;
  return {select(right, half, other), sign(select(right, other, half), x.im)};
}

Matrix Matrix::from(const Affine& row, const Affine& column) const {
  Matrix part = *this;
  part.base = base.plus(row.times(down)).plus(column.times(along));
  return part;
}

Limits Code::limits() const {
  return real_ == Scalar::kF64 ? Limits{0x1p-53, 0x1p-1022} : Limits{0x1p-24, 0x1p-126};
}

BufferId Code::buffer(const char* name, Scalar element, int64_t elements, Direction direction) {
  return b.buffer({.name = name, .element = element, .elements = elements, .direction = direction});
}
Matrix Code::scratch_matrix(const char* name, int64_t rows, int64_t columns, bool real) {
  const bool is_real = real || !complex_;
  return {buffer(name, real_, rows * columns * (is_real ? 1 : 2), Direction::kScratch),
          {},
          columns,
          1,
          is_real};
}
Matrix Code::scratch_complex(const char* name, int64_t rows, int64_t columns) {
  return {buffer(name, real_, rows * columns * 2, Direction::kScratch), {}, columns, 1, false};
}
Row Code::scratch_row(const char* name, int64_t count) {
  return {buffer(name, real_, count, Direction::kScratch), {}};
}
Row Code::scratch_wholes(const char* name, int64_t count) {
  return {buffer(name, Scalar::kS32, count, Direction::kScratch), {}};
}

Affine Code::place(const Matrix& m, const Affine& row, const Affine& column) const {
  const Affine at = m.base.plus(row.times(m.down)).plus(column.times(m.along));
  return m.is_real ? at : at.times(2);
}
Number Code::get(const Matrix& m, const Affine& row, const Affine& column) {
  const Affine at = place(m, row, column);
  Number value{{&b, b.load(m.buffer, at)}};
  if (!m.is_real) value.im = {&b, b.load(m.buffer, at.plus(1))};
  return value;
}
void Code::put(const Matrix& m, const Affine& row, const Affine& column, Number value) {
  const Affine at = place(m, row, column);
  b.store(m.buffer, at, value.re.id);
  if (!m.is_real) b.store(m.buffer, at.plus(1), value.im.id);
}
Real Code::get(const Row& row, const Affine& at) {
  return {&b, b.load(row.buffer, row.base.plus(at))};
}
void Code::set(const Row& row, const Affine& at, Real value) {
  b.store(row.buffer, row.base.plus(at), value.id);
}
Affine Code::whole(const Row& row, const Affine& at) {
  return Affine::of(b.convert(b.load(row.buffer, row.base.plus(at)), Scalar::kIndex));
}
void Code::set_whole(const Row& row, const Affine& at, const Affine& value) {
  b.store(row.buffer, row.base.plus(at), b.convert(b.value_of(value), Scalar::kS32));
}
void Code::swap(const Row& row, const Affine& a, const Affine& c) {
  const Real x = get(row, a), y = get(row, c);
  set(row, a, y);
  set(row, c, x);
}
void Code::swap_rows(const Matrix& m, const Affine& a, const Affine& c, int64_t columns) {
  loop(0, columns, [&](const Affine& k) {
    const Number x = get(m, a, k), y = get(m, c, k);
    put(m, a, k, y);
    put(m, c, k, x);
  });
}

Number Code::constant(double value) {
  Number x{real(value)};
  if (complex_) x.im = real(0);
  return x;
}
Number Code::of_real(Real x) {
  if (!complex_) return {x};
  return {x, real(0)};
}
Affine Code::index_of(Flag p, const Affine& yes, const Affine& no) {
  return Affine::of(b.select(p.id, b.value_of(yes), b.value_of(no)));
}
Affine Code::product(const Affine& x, const Affine& y) {
  return Affine::of(b.mul(b.value_of(x), b.value_of(y)));
}

void Code::loop(const Affine& lower, const Affine& upper, const IndexBody& body) {
  Loop loop;
  loop.lower = lower;
  loop.upper = upper;
  b.loop(loop, [&](ValueId i) { body(Affine::of(i)); });
}
void Code::loop(int64_t lower, int64_t upper, const IndexBody& body) {
  loop(Affine::constant(lower), Affine::constant(upper), body);
}
void Code::loop_down(const Affine& lower, const Affine& upper, const IndexBody& body) {
  loop(Affine{}, upper.plus(lower.times(-1)),
       [&](const Affine& k) { body(upper.plus(-1).plus(k.times(-1))); });
}
Number Code::sum(const Affine& lower, const Affine& upper, Number start,
                 const std::function<Number(const Affine&)>& term) {
  Loop loop;
  loop.lower = lower;
  loop.upper = upper;
  Values carried{start.re.id};
  if (start.is_complex()) carried.push_back(start.im.id);
  const auto number_of = [&](std::span<const ValueId> v) {
    Number x{{&b, v[0]}};
    if (v.size() == 2) x.im = {&b, v[1]};
    return x;
  };
  const Values total = b.loop(loop, carried, [&](ValueId i, std::span<const ValueId> so_far) {
    const Number next = number_of(so_far) + term(Affine::of(i));
    Values out{next.re.id};
    if (next.is_complex()) out.push_back(next.im.id);
    return out;
  });
  return number_of(total);
}
Real Code::sum(const Affine& lower, const Affine& upper, Real start,
               const std::function<Real(const Affine&)>& term) {
  return sum(lower, upper, Number{start}, [&](const Affine& i) { return Number{term(i)}; }).re;
}
Real Code::largest(const Affine& lower, const Affine& upper, Real start,
                   const std::function<Real(const Affine&)>& term) {
  Loop loop;
  loop.lower = lower;
  loop.upper = upper;
  const Values most = b.loop(loop, {start.id}, [&](ValueId i, std::span<const ValueId> so_far) {
    return Values{max({&b, so_far[0]}, term(Affine::of(i))).id};
  });
  return {&b, most[0]};
}
void Code::when(Flag p, const Body& yes, const Body& no) {
  const auto branch = [](const Body& body) {
    return [&body]() -> Values {
      body();
      return {};
    };
  };
  b.if_else(p.id, branch(yes), branch(no));
}
void Code::expect_finite(const Row& row, int64_t count, const Row& info) {
  loop(0, count, [&](const Affine& i) {
    when(
        is_finite(get(row, i)), [] {}, [&] { set_whole(info, {}, Affine::constant(1)); });
  });
}
void Code::fill(const Matrix& m, int64_t rows, int64_t columns, double value) {
  Number x{real(value)};
  if (!m.is_real) x.im = real(value);
  loop(0, rows,
       [&](const Affine& i) { loop(0, columns, [&](const Affine& j) { put(m, i, j, x); }); });
}
void Code::repeat_while(const std::function<Flag()>& condition, const Body& body) {
  b.while_loop(
      {}, [&](std::span<const ValueId>) { return condition().id; },
      [&](std::span<const ValueId>) -> Values {
        body();
        return {};
      });
}

}  // namespace hlocc::kernel::lapack
