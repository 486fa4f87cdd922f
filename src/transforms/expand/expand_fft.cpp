// fft as arithmetic on whole arrays: one dimension after the other, the innermost first, so that
// nothing is ever transposed. Real signals of even length are complex ones of half the length, with
// a pass that parts or joins the two halves.
#include "support/budget.h"
#include "support/text.h"
#include "transforms/build.h"
#include "transforms/expand/expansions.h"
#include "transforms/expand/fft_transform.h"

namespace hlocc::transforms {
namespace {

using hlo::FftType;

// Tables of roots are as long as the signal; beyond this they would be most of any program.
constexpr int64_t kLongest = int64_t{1} << 24;

class Fft {
 public:
  Fft(Rewriter& r, const Instruction& fft)
      : r_(r),
        result_(fft.shape),
        input_(fft.operands[0]),
        box_(r.shape(input_).dimensions),
        math_(r, hlo::real_type(r.type(input_))),
        type_(fft.get<hlo::FftAttributes>().type),
        lengths_(fft.get<hlo::FftAttributes>().length),
        first_(box_.size() - lengths_.size()),
        last_(box_.size() - 1) {}

  InstructionId expanded() {
    const bool is_inverse = type_ == FftType::kIfft || type_ == FftType::kIrfft;
    sign_ = is_inverse ? 1 : -1;
    if (is_inverse) scale_ = 1 / static_cast<long double>(product(lengths_));
    if (type_ == FftType::kRfft) return from_real();
    const Signal x{unary(r_, Opcode::kReal, input_), unary(r_, Opcode::kImag, input_)};
    return type_ == FftType::kIrfft ? to_real(x) : outer_dimensions(x, last_ + 1, scale_);
  }

 private:
  FourierLine line(size_t dimension, long double scale) const {
    const auto at = box_.begin() + static_cast<std::ptrdiff_t>(dimension);
    return {product(std::span(box_.begin(), at)), *at, product(std::span(at + 1, box_.end())),
            sign_, scale};
  }

  // The dimensions before `end`, then complex numbers.
  InstructionId outer_dimensions(Signal x, size_t end, long double scale) {
    for (size_t d = end; d-- > first_ + 1;)
      x = fourier(math_, line(d, 1), math_.reshaped(x, line(d, 1).dimensions()));
    const FourierLine outermost = line(first_, scale);
    x = math_.reshaped(x, outermost.dimensions());
    return reshape(r_, fourier_complex(math_, outermost, x), result_.dimensions);
  }

  // --- real to complex ---

  InstructionId from_real() {
    const int64_t n = lengths_.back();
    const int64_t outer = product(std::span(box_.begin(), box_.end() - 1));
    if (n == 1) return outer_dimensions({input_, kNone}, last_, 1);
    std::vector<Signal> parts;
    if (n % 2 == 0) {
      const InstructionId pairs = reshape(r_, input_, {outer, n / 2, 2});
      const Signal z{slice(r_, pairs, 2, 0, 1), slice(r_, pairs, 2, 1, 2)};
      parts = parted(fourier(math_, {outer, n / 2, 1, sign_}, z), outer, n);
    } else {
      const Signal whole{reshape(r_, input_, {outer, n, 1}), kNone};
      parts = {math_.sliced(fourier(math_, {outer, n, 1, sign_}, whole), 1, 0, n / 2 + 1)};
    }
    box_.back() = n / 2 + 1;
    if (first_ == last_) return reshape(r_, math_.joined_complex(parts, 1), result_.dimensions);
    return outer_dimensions(parts.size() == 1 ? parts[0] : math_.joined(parts, 1), last_, 1);
  }

  // The spectrum of a real signal from that of its even and odd elements as real and imaginary
  // part: X[k] = (Z[k] + conj Z[N-k]) / 2 - i w^k (Z[k] - conj Z[N-k]) / 2.
  std::vector<Signal> parted(Signal z, int64_t outer, int64_t n) {
    const int64_t half = n / 2;
    const Signal start = math_.sliced(z, 1, 0, 1);
    const Signal re{start.re, kNone}, im{start.im, kNone};
    std::vector<Signal> parts{math_.plus(re, im)};
    if (half > 1) {
      const Signal a = math_.sliced(z, 1, 1, half), b = conjugate(math_.reversed(a, 1));
      const Signal turns = math_.turned(roots(1, half, n, {outer, half - 1, 1}, -1), -1);
      parts.push_back(
          math_.scaled(math_.plus(math_.plus(a, b), math_.times(math_.minus(a, b), turns)), 0.5L));
    }
    parts.push_back(math_.minus(re, im));
    return parts;
  }

  // --- complex to real ---

  InstructionId to_real(Signal x) {
    const int64_t n = lengths_.back(), half = n / 2 + 1;
    const int64_t outer = product(std::span(box_.begin(), box_.end() - 1));
    for (size_t d = last_; d-- > first_;)
      x = fourier(math_, line(d, 1), math_.reshaped(x, line(d, 1).dimensions()));
    x = math_.reshaped(x, {outer, half, 1});
    if (n % 2 == 0) {
      x = fourier(math_, {outer, n / 2, 1, sign_, scale_}, merged(x, outer, n));
      return reshape(r_, concatenate(r_, {x.re, x.im}, 2), result_.dimensions);
    }
    // The upper half is the mirrored lower one; the imaginary part of the first element is
    // not used.
    std::vector<Signal> parts{{math_.sliced(x, 1, 0, 1).re, kNone}};
    if (n == 1) {
      x = parts[0];
    } else {
      const Signal upper = math_.sliced(x, 1, 1, half);
      parts.push_back(upper);
      parts.push_back(conjugate(math_.reversed(upper, 1)));
      x = math_.joined(parts, 1);
    }
    return reshape(r_, fourier(math_, {outer, n, 1, sign_, scale_}, x).re, result_.dimensions);
  }

  // The inverse of `parted`, but for a factor of 2.
  Signal merged(Signal x, int64_t outer, int64_t n) {
    const int64_t half = n / 2;
    const Signal first{math_.sliced(x, 1, 0, 1).re, kNone},
        last{math_.sliced(x, 1, half, half + 1).re, kNone};
    std::vector<Signal> parts{
        math_.plus(math_.plus(first, last), math_.turned(math_.minus(first, last), 1))};
    if (half == 1) return parts[0];
    const Signal a = math_.sliced(x, 1, 1, half), b = conjugate(math_.reversed(a, 1));
    const Signal turns = math_.turned(roots(1, half, n, {outer, half - 1, 1}, 1), 1);
    parts.push_back(math_.plus(math_.plus(a, b), math_.times(math_.minus(a, b), turns)));
    return math_.joined(parts, 1);
  }

  Signal conjugate(Signal a) { return {a.re, math_.minus({}, {a.im, kNone}).re}; }
  // e^(sign 2 pi i k / n) for start <= k < limit, along dimension 1.
  Signal roots(int64_t start, int64_t limit, int64_t n, const Dimensions& dimensions, int sign) {
    std::vector<int64_t> turns;
    for (int64_t k = start; k < limit; ++k) turns.push_back(sign * k);
    return math_.roots(turns, n, dimensions, 1);
  }

  Rewriter& r_;
  const Shape result_;
  const InstructionId input_;
  Dimensions box_;  // of the signal as it now is
  SignalMath math_;
  FftType type_;
  Dimensions lengths_;
  size_t first_, last_;  // dimensions
  int sign_ = -1;
  long double scale_ = 1;
};

// Roots of unity in long double and the transform of a chirp, for each point of a line; and the
// tables.
Status charge(const Instruction& instruction) {
  constexpr int64_t kPointWork = 600, kPointBytes = 64;
  int64_t points = 0;
  for (int64_t length : instruction.get<hlo::FftAttributes>().length) points += length;
  const auto what = [&] { return cat("the tables of %", instruction.name); };
  HLOCC_TRY(charge_work(kPointWork * points, what));
  return charge_memory(kPointBytes * points, what);
}

}  // namespace

InstructionId expand_fft(Rewriter& r, const Instruction& instruction) {
  const Dimensions& lengths = instruction.get<hlo::FftAttributes>().length;
  // The transform of no points is zeros.
  if (instruction.shape.element_count() == 0 || product(lengths) == 0)
    return zeros(r, instruction.shape.element_type, instruction.shape.dimensions);
  for (const int64_t length : lengths)
    if (length > kLongest) {
      r.fail(error(DiagnosticKind::kLimit, cat("%", instruction.name, ": fft of length ", length))
                 .note(cat("signals of up to ", kLongest, " elements can be compiled")));
      return instruction.operands[0];
    }
  if (Status room = charge(instruction); !room) {
    r.fail(std::move(room).error());
    return instruction.operands[0];
  }
  return Fft(r, instruction).expanded();
}

}  // namespace hlocc::transforms
