// Custom operators of TensorFlow Lite on spectra and energies: transforms beside the sums that they
// stand for, filter banks, what follows them; each on both sides of what it is refused for.
#include <cmath>
#include <complex>
#include <numbers>

#include "tflite/node.h"

namespace hlocc::tests {
namespace {

NodeRow signal(const std::string& op, FlexOptions options, const std::vector<NodeTensor>& operands,
               const std::vector<NodeTensor>& results, const std::string& answer) {
  return {op, {}, operands, results, answer, std::move(options)};
}
NodeRow transform(const std::string& op, int64_t length, const NodeTensor& from,
                  const NodeTensor& to, const std::string& answer) {
  return signal(op, {{"fft_length", length}}, {from}, {to}, answer);
}
NodeTensor energies(const std::vector<double>& values) {
  return given(kU32, {static_cast<int64_t>(values.size())}, values);
}
NodeTensor weights_of(const std::vector<double>& values) {
  return constant(kS16, {static_cast<int64_t>(values.size())}, values);
}

// Samples that have no symmetry.
std::vector<double> samples_of(int64_t count, double most) {
  std::vector<double> out;
  for (int64_t i = 0; i < count; ++i)
    out.push_back(std::floor(most * std::sin(0.7 + 1.3 * static_cast<double>(i * i))));
  return out;
}

std::vector<std::complex<double>> spectrum_of(const std::vector<double>& samples) {
  const auto count = static_cast<double>(samples.size());
  std::vector<std::complex<double>> out;
  for (size_t k = 0; k <= samples.size() / 2; ++k) {
    std::complex<double> sum = 0;
    for (size_t i = 0; i < samples.size(); ++i)
      sum +=
          samples[i] * std::polar(1., -2 * std::numbers::pi * static_cast<double>(k * i) / count);
    out.push_back(sum / count);
  }
  return out;
}

TEST_CASE("TFLite's transforms of integers lie beside the sums of all samples") {
  for (const PrimitiveType type : {kS16, kS32})
    for (const int64_t length : {4, 6, 8, 10, 12, 16, 18, 20, 30, 32, 50}) {
      INFO(length << " points of " << (type == kS16 ? 16 : 32) << " bits");
      const double most = type == kS16 ? 30000 : 1e9, near = type == kS16 ? 12 : 200;
      const std::vector<double> samples = samples_of(length, most);
      const std::vector<std::complex<double>> wanted = spectrum_of(samples);
      const std::vector<double> found = numbers_of(transform(
          "SignalRfft", length, given(type, {length}, samples), gives(type, {length + 2}), ""));
      REQUIRE(found.size() == 2 * wanted.size());
      std::vector<double> whole;
      for (size_t k = 0; k < wanted.size(); ++k) {
        CHECK(std::abs(found[2 * k] - wanted[k].real()) < near);
        CHECK(std::abs(found[2 * k + 1] - wanted[k].imag()) < near);
        whole.push_back(std::floor(wanted[k].real() / 2));
        whole.push_back(std::floor(wanted[k].imag() / 2));
      }
      const std::vector<double> back = numbers_of(transform(
          "SignalIrfft", length, given(type, {length + 2}, whole), gives(type, {length}), ""));
      REQUIRE(back.size() == samples.size());
      const auto count = static_cast<double>(length);
      for (size_t i = 0; i < samples.size(); ++i)
        CHECK(std::abs(back[i] - samples[i] / 2 / count) < near);
    }
}

TEST_CASE("TFLite's transforms take even lengths of small factors, and fill up samples") {
  const NodeTensor four = x({4}, {1, 2, 3, 4});
  const auto s16 = [](const Dimensions& sizes) { return given(kS16, sizes, {}); };
  const std::string limits = ", where 4 to 65536 make sense";
  check_nodes({
      transform("SignalRfft", 4, four, y({6}), "f32[6] 10 0 -2 2 -2 0"),
      transform("SignalRfft", 4, x({2}, {1, 2}), y({6}), "f32[6] 3 0 1 -2 -1 0"),
      transform("SignalRfft", 4, x({2, 1}, {1, 2}), y({2, 6}), "f32[2,6] 1 0 1 0 1 0 2 0 2 0 2 0"),
      transform("SignalIrfft", 4, x({6}, {10, 0, -2, 2, -2, 0}), y({4}), "f32[4] 1 2 3 4"),
      transform("SignalRfft", 4, x({5}), y({6}), "!has more samples than fft_length"),
      transform("SignalIrfft", 4, x({4}), y({4}), "!has other sizes than its fft_length"),
      transform("SignalRfft", 2, four, y({6}), "!the option fft_length is 2" + limits),
      transform("SignalRfft", 3, four, y({6}), "!the option fft_length is 3" + limits),
      transform("SignalRfft", 65538, four, y({6}), "!the option fft_length is 65538" + limits),
      transform("SignalRfft", 5, four, y({6}), "!fft_length is odd"),
      transform("SignalRfft", 14, four, y({16}), "!fft_length 14 has a factor above 5"),
      transform("SignalRfft", 4, s16({}), gives(kS16, {6}), "!the operand has no dimension"),
      transform("SignalRfft", 4, s16({0}), gives(kS16, {6}), "!the operand has no elements"),
      transform("SignalRfft", 4, given(kS64, {4}), gives(kS64, {6}),
                no_kernel + "(INT64) -> INT64"),
      signal("SignalRfft", {}, {four}, {y({6})},
             "!its options are no map of FlexBuffers: too short"),
      signal("SignalRfft", {{"length", 4}}, {four}, {y({6})}, "!lacks the option fft_length"),
  });
}

TEST_CASE("TFLite's SignalFftAutoScale and SignalEnergy") {
  const auto scale = [](const Dimensions& sizes, std::vector<double> values,
                        const std::string& answer) {
    return signal("SignalFftAutoScale", {}, {given(kS16, sizes, std::move(values))},
                  {gives(kS16, sizes), gives(kS32, {})}, answer);
  };
  const auto energy = [](int64_t start, int64_t end, const Dimensions& to,
                         const std::string& answer) {
    return signal("SignalEnergy", {{"start_index", start}, {"end_index", end}},
                  {given(kS16, {6}, {1, 2, 3, 4, 300, 5})}, {gives(kU32, to)}, answer);
  };
  const std::string shape = "!the result has not one dimension";
  check_nodes({
      scale({2}, {3, -5}, "s16[2] 12288 -20480; s32[] 12"),
      scale({1}, {16384}, "s16[1] 16384; s32[] 0"),
      scale({1}, {0}, "s16[1] 0; s32[] 0"),
      scale({0}, {}, "!the operand has no elements"),
      scale({1, 1}, {1}, "!operand 0 (\"i0\") has 2 dimensions, not 1"),
      signal("SignalFftAutoScale", {}, {x({2})}, {y({2}), gives(kS32, {})},
             no_kernel + "(FLOAT32) -> FLOAT32"),
      energy(0, 3, {3}, "u32[3] 5 25 90025"),
      energy(1, 2, {3}, "u32[3] 0 25 0"),
      energy(1, 2, {2}, "u32[2] 0 25"),
      energy(0, 4, {4}, "!the option end_index is 4, where 1 to 3 make sense"),
      energy(0, 3, {2}, "!the option end_index is 3, where 1 to 2 make sense"),
      energy(0, 0, {3}, "!the option end_index is 0, where 1 to 3 make sense"),
      energy(2, 2, {3}, "!the option start_index is 2, where 0 to 1 make sense"),
      energy(-1, 2, {3}, "!the option start_index is -1, where 0 to 1 make sense"),
      energy(0, 3, {3, 1}, shape),
      energy(0, 3, {}, shape),
  });
}

// Three rows of weights over four energies: 1, 10, 100 and 1000.
struct BankRow {
  std::vector<double> starts = {0, 1, 2}, weight_starts = {0, 1, 2}, widths = {1, 1, 2};
  std::vector<double> weights = {1, 2, 3, 4}, unweights = {5, 6, 7, 8};
};
NodeRow bank(const BankRow& b, const std::string& answer) {
  return signal("SignalFilterBank", {{"num_channels", 2}},
                {energies({1, 10, 100, 1000}), weights_of(b.weights), weights_of(b.unweights),
                 weights_of(b.starts), weights_of(b.weight_starts), weights_of(b.widths)},
                {gives(kU64, {2})}, answer);
}

TEST_CASE("TFLite's SignalFilterBank reaches as far as its tables") {
  const auto beyond = [](int channel) {
    return cat("!channel ", channel, " reaches beyond its frequencies or weights");
  };
  const std::string small = "!a table is shorter than num_channels + 1";
  check_nodes({
      // A channel's own by its weights, and those of the channel below by the others.
      bank({}, "u64[2] 25 4360"),
      bank({.widths = {1, 2, 2}}, "u64[2] 325 5060"),
      bank({.starts = {-9, 1, 2}, .weight_starts = {99, 1, 2}, .widths = {0, 1, 2}},
           "u64[2] 20 4360"),
      bank({.starts = {0, 1, 2}, .weight_starts = {0, 1, 2}, .widths = {-3, 1, 2}},
           "u64[2] 20 4360"),
      bank({.starts = {-1, 1, 2}}, beyond(0)),
      bank({.starts = {0, 1, 3}}, beyond(2)),
      bank({.starts = {4, 1, 2}}, beyond(0)),
      bank({.starts = {3, 1, 2}}, "u64[2] 5020 4360"),
      bank({.weight_starts = {-1, 1, 2}}, beyond(0)),
      bank({.weight_starts = {0, 1, 3}}, beyond(2)),
      bank({.weights = {1, 2, 3}}, beyond(2)),
      bank({.unweights = {5, 6, 7}}, beyond(2)),
      bank({.starts = {0, 1}}, small),
      bank({.weight_starts = {0, 1}}, small),
      bank({.widths = {1, 1}}, small),
      bank({.starts = {0, 1, 2, 99}}, "u64[2] 25 4360"),
      signal("SignalFilterBank", {{"num_channels", 2}},
             {energies({1}), weights_of({1}), x({1}), weights_of({1}), weights_of({1}),
              weights_of({1})},
             {gives(kU64, {2})},
             no_kernel + "(UINT32, INT16, FLOAT32, INT16, INT16, INT16) -> UINT64"),
  });
}

TEST_CASE("a SignalFilterBank of TFLite's has 2^20 numbers at most") {
  const auto wide = [](int64_t channels, const std::string& answer) {
    const auto rows = static_cast<size_t>(channels + 1);
    std::vector<double> widths(rows, 0);
    widths[0] = 16384;
    const std::vector<double> none_of_it(rows, 0), many(16384, 0);
    return signal("SignalFilterBank", {{"num_channels", channels}},
                  {energies(many), weights_of(many), weights_of(many), weights_of(none_of_it),
                   weights_of(none_of_it), weights_of(widths)},
                  {gives(kU64, {channels})}, answer);
  };
  std::string zeros = "u64[63]";
  for (int i = 0; i < 63; ++i) zeros += " 0";
  check_nodes({wide(63, zeros), wide(64, "!a filter bank of more than 2^20 numbers")});
}

TEST_CASE("TFLite's roots, logarithms, noise and gains of channels") {
  const auto root = [](const NodeTensor& bits, const std::string& answer) {
    return signal("SignalFilterBankSquareRoot", {}, {given(kU64, {3}, {9, 100, 110}), bits},
                  {gives(kU32, {3})}, answer);
  };
  const auto noise = [](int64_t clamping, int64_t channels, const std::string& answer) {
    return signal("SignalFilterBankSpectralSubtraction",
                  {{"smoothing", 1},
                   {"alternate_smoothing", 2},
                   {"one_minus_smoothing", 0},
                   {"alternate_one_minus_smoothing", 0},
                   {"min_signal_remaining", 0},
                   {"clamping", clamping},
                   {"smoothing_bits", 0},
                   {"spectral_subtraction_bits", 0},
                   {"num_channels", channels}},
                  {energies({10, 10, 10})}, {gives(kU32, {3}), gives(kU32, {3})}, answer);
  };
  const auto gains = [](const NodeTensor& from, const NodeTensor& by, const NodeTensor& of,
                        int64_t shift, const std::string& answer) {
    return signal("SignalPCAN", {{"snr_shift", shift}}, {from, by, of}, {gives(kU32, {1})}, answer);
  };
  const auto log = [](int64_t bits, int64_t scale, const std::string& answer) {
    return signal("SignalFilterBankLog", {{"input_correction_bits", bits}, {"output_scale", scale}},
                  {energies({0, 1, 2, 1024})}, {gives(kS16, {4})}, answer);
  };
  const std::vector<double> flat_gain(125, 1 << 12), few(124, 1);
  const std::string bits = "!the second operand is no number of bits";
  check_nodes({
      root(one(0), "u32[3] 3 10 10"),
      root(n({1}), "u32[3] 1 5 5"),
      root(constant(kF32, {}, {0}), bits),
      root(n({0, 0}), bits),
      root(n({}), bits),
      // ln 2 and ln 1024 of 65536ths, by 65536 / 65536.
      log(0, 100, "s16[4] 0 0 69 693"),
      log(1, 100, "s16[4] 0 69 139 762"),
      log(0, -1, "!the option output_scale is -1, where 0 to 2147483647 make sense"),
      log(32, 1, "!the option input_correction_bits is 32, where 0 to 31 make sense"),
      noise(0, 3, "u32[3] 0 0 0; u32[3] 10 20 10; u32[3] 10 20 10"),
      noise(1, 3, "u32[3] 0 0 0; u32[3] 10 10 10; u32[3] 10 10 10"),
      noise(0, 2, "!has other sizes than num_channels"),
      // A gain of 1: x - 1 of 12 bits in 6.
      gains(energies({40960}), energies({1}), weights_of(flat_gain), 12, "u32[1] 576"),
      gains(energies({1}), energies({1}), weights_of(few), 0,
            "!the table of gains has less than 125 numbers"),
      gains(energies({1}), energies({1, 1}), weights_of(flat_gain), 0,
            "!the noise has other sizes"),
      gains(energies({1}), given(kS32, {1}), weights_of(flat_gain), 0,
            no_kernel + "(UINT32, INT32, INT16) -> UINT32"),
      gains(energies({1}), energies({1}), x({125}), 0,
            no_kernel + "(UINT32, UINT32, FLOAT32) -> UINT32"),
      gains(x({1}), energies({1}), weights_of(flat_gain), 0,
            no_kernel + "(FLOAT32, UINT32, INT16) -> UINT32"),
  });
}

}  // namespace
}  // namespace hlocc::tests
