// Mixed radix after Stockham: stage by stage, x[j, p, q] (j < radix, p < m) becomes y[p, k, q], a
// small transform over j and a turn by p k. The order of elements comes out right by itself, no
// stage but a length's last changes the dimension that vectors run along, and each stage is one
// kernel: a concatenation of what the small transform gives. Lengths with a prime factor above 13
// are a convolution with a chirp (Bluestein), of a length without such factors.
#include "transforms/expand/fft_transform.h"

#include "interpreter/interpreter.h"
#include "transforms/build.h"

namespace hlocc::transforms {
namespace {

constexpr int64_t kLargestPrime = 13;

// The transform of few values, one array each, unrolled.
std::vector<Signal> small_transform(SignalMath& math, const std::vector<Signal>& x, int sign);

// Even and odd values apart.
std::vector<Signal> halved(SignalMath& math, const std::vector<Signal>& x, int sign) {
  const size_t n = x.size(), half = n / 2;
  std::vector<Signal> even, odd, y(n);
  for (size_t i = 0; i < n; ++i) (i % 2 == 0 ? even : odd).push_back(x[i]);
  even = small_transform(math, even, sign);
  odd = small_transform(math, odd, sign);
  for (size_t k = 0; k < half; ++k) {
    const Signal turned =
        math.rotated(odd[k], sign * static_cast<int64_t>(k), static_cast<int64_t>(n));
    y[k] = math.plus(even[k], turned);
    y[k + half] = math.minus(even[k], turned);
  }
  return y;
}

// By definition, x[j] and x[n - j] together: cosines meet their sum, sines their difference.
std::vector<Signal> odd_transform(SignalMath& math, const std::vector<Signal>& x, int sign) {
  const int64_t n = static_cast<int64_t>(x.size()), half = n / 2;
  std::vector<Signal> sums(half + 1), differences(half + 1), y(n);
  y[0] = x[0];
  for (int64_t j = 1; j <= half; ++j) {
    sums[j] = math.plus(x[j], x[n - j]);
    differences[j] = math.minus(x[j], x[n - j]);
    y[0] = math.plus(y[0], sums[j]);
  }
  for (int64_t k = 1; k <= half; ++k) {
    Signal cosines = x[0], sines;
    for (int64_t j = 1; j <= half; ++j) {
      const auto [cosine, sine] = root_of_unity(j * k, n);
      cosines = math.plus(cosines, math.scaled(sums[j], cosine));
      sines = math.plus(sines, math.scaled(differences[j], sine));
    }
    sines = math.turned(sines, sign);
    y[k] = math.plus(cosines, sines);
    y[n - k] = math.minus(cosines, sines);
  }
  return y;
}

std::vector<Signal> small_transform(SignalMath& math, const std::vector<Signal>& x, int sign) {
  if (x.size() == 1) return x;
  return x.size() % 2 == 0 ? halved(math, x, sign) : odd_transform(math, x, sign);
}

// Factors for stages, the wide ones first; empty if a prime factor is too large. Powers of two go
// by 8 and 4: a 2 alone would be a pass over memory for hardly any arithmetic.
std::vector<int64_t> stage_sizes(int64_t length) {
  std::vector<int64_t> sizes;
  for (int64_t prime = kLargestPrime; prime > 2; prime -= 2)
    for (; length % prime == 0; length /= prime) sizes.push_back(prime);
  if ((length & (length - 1)) != 0) return {};
  while (length > 1) {
    const int64_t size = length == 2 ? 2 : length == 4 || length == 16 ? 4 : 8;
    sizes.push_back(size);
    length /= size;
  }
  return sizes;
}

class Stages {
 public:
  Stages(SignalMath& math, const FourierLine& line)
      : math_(math), line_(line), left_(line.length), inner_(line.inner) {}

  // All stages but that the last one's values are not put together: [outer, 1, 1, ...] each, along
  // dimension 2.
  std::vector<Signal> run(Signal x, const std::vector<int64_t>& sizes) {
    std::vector<Signal> y;
    for (size_t stage = 0; stage < sizes.size(); ++stage) {
      if (stage > 0) x = math_.joined(y, 2);
      y = this->stage(x, sizes[stage]);
    }
    for (Signal& each : y) each = math_.scaled(each, line_.scale);
    return y;
  }

 private:
  std::vector<Signal> stage(Signal x, int64_t size) {
    const int64_t m = left_ / size;
    const Dimensions part{line_.outer, m, 1, inner_};
    const Signal columns = math_.reshaped(x, {line_.outer, size, m, inner_});
    std::vector<Signal> values;
    for (int64_t j = 0; j < size; ++j)
      values.push_back(math_.reshaped(math_.sliced(columns, 1, j, j + 1), part));
    values = small_transform(math_, values, line_.sign);
    for (int64_t k = 1; k < size && m > 1; ++k) {
      std::vector<int64_t> turns;
      for (int64_t p = 0; p < m; ++p) turns.push_back(line_.sign * p * k);
      values[k] = math_.times(values[k], math_.roots(turns, left_, part, 1));
    }
    left_ = m;
    inner_ *= size;
    return values;
  }

  SignalMath& math_;
  const FourierLine& line_;
  int64_t left_, inner_;
};

// The smallest length of at least `least` that goes by small factors.
int64_t convenient_length(int64_t least) {
  for (int64_t length = least;; ++length) {
    int64_t rest = length;
    for (int64_t prime : {2, 3, 5})
      while (rest % prime == 0) rest /= prime;
    if (rest == 1) return length;
  }
}

// j k = (j^2 + k^2 - (k - j)^2) / 2.
class Chirp {
 public:
  Chirp(SignalMath& math, const FourierLine& line) : math_(math), line_(line), n_(line.length) {}

  Signal transform(Signal x) {
    const int64_t padded = convenient_length(2 * n_ - 1);
    FourierLine forward{line_.outer, padded, line_.inner, -1},
        backward{line_.outer, padded, line_.inner, 1};
    x = padded_to(math_.times(x, chirp()), padded);
    x = math_.times(fourier(math_, forward, x), spectrum(padded));
    x = math_.sliced(fourier(math_, backward, x), 1, 0, n_);
    return math_.scaled(math_.times(x, chirp()), line_.scale);
  }

 private:
  // e^(sign pi i k^2 / n), the square reduced without overflow.
  int64_t turn(int64_t k) const {
    return line_.sign * static_cast<int64_t>(static_cast<unsigned __int128>(k) *
                                             static_cast<unsigned __int128>(k) %
                                             static_cast<unsigned __int128>(2 * n_));
  }
  Signal chirp() {
    std::vector<int64_t> turns;
    for (int64_t k = 0; k < n_; ++k) turns.push_back(turn(k));
    return math_.roots(turns, 2 * n_, line_.dimensions(), 1);
  }
  Signal padded_to(Signal x, int64_t padded) {
    Rewriter& r = math_.rewriter();
    const std::vector<hlo::PaddingDimension> padding{{}, {0, padded - n_, 0}, {}};
    const InstructionId zero = constant(r, Literal::zeros(Shape::scalar(math_.type())));
    return {pad(r, x.re, zero, padding), pad(r, x.im, zero, padding)};
  }
  // The transform of the conjugate chirp to both sides of zero, over `padded`: by the interpreter,
  // more exact than the type.
  Signal spectrum(int64_t padded) {
    std::vector<double> values(static_cast<size_t>(2 * padded));
    for (int64_t k = 0; k < n_; ++k) {
      const auto [re, im] = root_of_unity(-turn(k), 2 * n_);
      for (int64_t at : {k, (padded - k) % padded}) {
        values[2 * at] = static_cast<double>(re);
        values[2 * at + 1] = static_cast<double>(im);
      }
    }
    const Shape shape = Shape::array(PrimitiveType::kC128, {padded});
    Literal chirp = Literal::zeros(shape);
    std::memcpy(chirp.mutable_bytes().data(), values.data(), chirp.bytes().size());
    const Instruction fft =
        hlo::make(Opcode::kFft, shape, {0}, hlo::FftAttributes{hlo::FftType::kFft, {padded}});
    interpreter::RunState state;
    const Result<Literal> result =
        interpreter::evaluate_instruction({}, fft, std::span(&chirp, 1), state);
    HLOCC_CHECK(result.ok(), "the spectrum of a chirp can't be computed");
    std::memcpy(values.data(), result->bytes().data(), result->bytes().size());
    std::vector<long double> re, im;
    for (int64_t k = 0; k < padded; ++k) {
      re.push_back(static_cast<long double>(values[2 * k]) / static_cast<long double>(padded));
      im.push_back(static_cast<long double>(values[2 * k + 1]) / static_cast<long double>(padded));
    }
    return math_.along(re, im, {line_.outer, padded, line_.inner}, 1);
  }

  SignalMath& math_;
  const FourierLine& line_;
  int64_t n_;
};

}  // namespace

Signal fourier(SignalMath& math, const FourierLine& line, Signal x) {
  if (line.length == 1) return math.scaled(x, line.scale);
  const std::vector<int64_t> sizes = stage_sizes(line.length);
  if (sizes.empty()) return Chirp(math, line).transform(x);
  return math.reshaped(math.joined(Stages(math, line).run(x, sizes), 2), line.dimensions());
}

InstructionId fourier_complex(SignalMath& math, const FourierLine& line, Signal x) {
  const std::vector<int64_t> sizes = stage_sizes(line.length);
  if (sizes.empty()) return math.complex(fourier(math, line, x));
  return reshape(math.rewriter(), math.joined_complex(Stages(math, line).run(x, sizes), 2),
                 line.dimensions());
}

}  // namespace hlocc::transforms
