// fft: the four kinds over the innermost one to three dimensions. Powers of two by Cooley and
// Tukey, other lengths as a convolution with a chirp (Bluestein), all one precision wider than the
// type. Forward transforms are not scaled, inverse ones by 1/n.
#include <complex>
#include <numbers>

#include "interpreter/families.h"
#include "interpreter/strided.h"
#include "interpreter/values.h"
#include "support/budget.h"

namespace hlocc::interpreter {
namespace {

using hlo::FftType;
using hlo::Instruction;
using hlo::Op;
using hlo::Opcode;

template <typename Real>
using Signal = std::vector<std::complex<Real>>;

// e^(sign 2 pi i k / n)
template <typename Real>
std::complex<Real> root_of_unity(int64_t k, int64_t n, int sign) {
  const Real angle = 2 * std::numbers::pi_v<Real> * static_cast<Real>(k % n) / static_cast<Real>(n);
  return {std::cos(angle), static_cast<Real>(sign) * std::sin(angle)};
}

template <typename Real>
std::complex<Real> times(std::complex<Real> a, std::complex<Real> b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

// In place; the length is a power of two.
template <typename Real>
void transform_power_of_two(Signal<Real>& x, int sign) {
  const size_t n = x.size();
  constexpr int64_t kPointWork = 60;
  spend_work(kPointWork * static_cast<int64_t>(n));
  for (size_t i = 1, j = 0; i < n; ++i) {
    size_t bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(x[i], x[j]);
  }
  Signal<Real> roots(n / 2);
  for (size_t k = 0; k < roots.size(); ++k)
    roots[k] = root_of_unity<Real>(static_cast<int64_t>(k), static_cast<int64_t>(n), sign);
  for (size_t half = 1; half < n; half *= 2)
    for (size_t begin = 0; begin < n; begin += 2 * half)
      for (size_t k = 0; k < half; ++k) {
        const auto even = x[begin + k],
                   odd = times(x[begin + k + half], roots[k * (n / (2 * half))]);
        x[begin + k] = even + odd;
        x[begin + k + half] = even - odd;
      }
}

// Any length: jk = (j^2 + k^2 - (j-k)^2) / 2 turns the transform into a circular convolution of a
// power of two's length.
template <typename Real>
void transform_any(Signal<Real>& x, int sign) {
  const int64_t n = static_cast<int64_t>(x.size());
  size_t padded = 1;
  while (padded < 2 * x.size()) padded *= 2;
  Signal<Real> a(padded), b(padded), chirp(x.size());
  for (int64_t k = 0; k < n; ++k) {
    chirp[k] = root_of_unity<Real>(
        static_cast<int64_t>(static_cast<unsigned __int128>(k) * k % (2 * n)), 2 * n, sign);
    a[k] = times(x[k], chirp[k]);
    b[k] = std::conj(chirp[k]);
    if (k > 0) b[padded - k] = b[k];
  }
  transform_power_of_two(a, 1);
  transform_power_of_two(b, 1);
  for (size_t i = 0; i < padded; ++i) a[i] = times(a[i], b[i]);
  transform_power_of_two(a, -1);
  for (int64_t k = 0; k < n; ++k) x[k] = times(a[k] / static_cast<Real>(padded), chirp[k]);
}

template <typename Real>
void transform(Signal<Real>& x, int sign) {
  if (x.size() < 2) return;
  if ((x.size() & (x.size() - 1)) == 0) return transform_power_of_two(x, sign);
  transform_any(x, sign);
}

// Transforms every line of `values` along one dimension.
template <typename Real>
void transform_dimension(Signal<Real>& values, const Dimensions& extents, size_t dimension,
                         int sign) {
  const int64_t n = extents[dimension], stride = hlo::row_major_strides(extents)[dimension];
  if (values.empty()) return;
  Signal<Real> line(static_cast<size_t>(n));
  for (int64_t l = 0; l < static_cast<int64_t>(values.size()) / n; ++l) {
    const int64_t base = l / stride * stride * n + l % stride;
    for (int64_t i = 0; i < n; ++i) line[i] = values[base + i * stride];
    transform(line, sign);
    for (int64_t i = 0; i < n; ++i) values[base + i * stride] = line[i];
  }
}

// Copies what both boxes have in common; the rest of the result is zeros.
template <typename T>
std::vector<T> resized(const std::vector<T>& values, const Dimensions& from, const Dimensions& to) {
  if (from == to) return values;
  std::vector<T> out(static_cast<size_t>(product(to)));
  Dimensions box = from;
  for (size_t d = 0; d < box.size(); ++d) box[d] = std::min(from[d], to[d]);
  const Dimensions from_strides = hlo::row_major_strides(from),
                   to_strides = hlo::row_major_strides(to);
  Dimensions index(box.size(), 0);
  if (product(box) == 0) return out;
  do {
    out[dot(index, to_strides)] = values[dot(index, from_strides)];
  } while (next_index(index, box));
  return out;
}

// The upper half of a real signal's spectrum from its lower half: X[n - k] = conj(X[-k]) with all
// outer frequencies negated.
template <typename Real>
Signal<Real> mirrored(const Signal<Real>& half, const Dimensions& half_box, const Dimensions& box,
                      size_t transformed) {
  Signal<Real> out(static_cast<size_t>(product(box)));
  const Dimensions strides = hlo::row_major_strides(half_box);
  const size_t last = box.size() - 1;
  Dimensions index(box.size(), 0);
  int64_t at = 0;
  do {
    Dimensions from = index;
    const bool is_upper = index[last] >= half_box[last];
    if (is_upper)
      for (size_t d = box.size() - transformed; d < box.size(); ++d)
        from[d] = (box[d] - index[d]) % box[d];
    const auto value = half[dot(from, strides)];
    out[at++] = is_upper ? std::conj(value) : value;
  } while (next_index(index, box));
  return out;
}

template <typename Real>
Literal transform_literal(const Instruction& instruction, const Literal& operand) {
  const auto& fft = instruction.get<hlo::FftAttributes>();
  const bool is_inverse = fft.type == FftType::kIfft || fft.type == FftType::kIrfft;
  const int sign = is_inverse ? 1 : -1;
  Dimensions box = operand.shape().dimensions;
  Signal<Real> values = values_as<std::complex<Real>>(operand);
  const size_t first = box.size() - fft.length.size();
  if (fft.type == FftType::kIrfft && product(instruction.shape.dimensions) > 0) {
    // The last half of the spectrum may be given short or long; n decides.
    Dimensions half = box;
    half.back() = fft.length.back() / 2 + 1;
    values = resized(values, box, half);
    box.back() = fft.length.back();
    values = mirrored(values, half, box, fft.length.size());
  }
  for (size_t d = first; d < box.size(); ++d) transform_dimension(values, box, d, sign);
  if (is_inverse) {
    const Real scale = static_cast<Real>(product(fft.length));
    for (auto& value : values) value /= scale;
  }
  // RFFT keeps the lower half; IRFFT drops what imaginary part its input implied.
  values = resized(values, box, instruction.shape.dimensions);
  return literal_from(instruction.shape, values);
}

}  // namespace

Result<Literal> evaluate(Op<Opcode::kFft>, Context&, const Instruction& instruction,
                         Operands operands) {
  const PrimitiveType real = hlo::real_type(operands[0].type());
  // The transform of no points.
  if (product(instruction.get<hlo::FftAttributes>().length) == 0)
    return Literal::zeros(instruction.shape);
  return real == PrimitiveType::kF64 ? transform_literal<long double>(instruction, operands[0])
                                     : transform_literal<double>(instruction, operands[0]);
}

}  // namespace hlocc::interpreter
