// expand_fft against the interpreter's transform, which is one precision wider.
#include <cmath>

#include "transforms/support.h"

namespace hlocc::tests {
namespace {

using transforms::expand;

std::string dims(const std::vector<int64_t>& sizes) {
  std::string text = "[";
  for (size_t d = 0; d < sizes.size(); ++d) text += (d > 0 ? "," : "") + std::to_string(sizes[d]);
  return text + "]";
}

// One fft of `kind` over the last `transformed` dimensions of a signal of these sizes.
void expands_fft(const std::string& kind, std::vector<int64_t> sizes, size_t transformed,
                 bool is_double = false) {
  const std::string complex = is_double ? "c128" : "c64", real = is_double ? "f64" : "f32";
  std::vector<int64_t> half = sizes;
  half.back() = sizes.back() / 2 + 1;
  const std::string whole_complex = complex + dims(sizes), half_complex = complex + dims(half),
                    whole_real = real + dims(sizes);
  const std::string from = kind == "RFFT"    ? whole_real
                           : kind == "IRFFT" ? half_complex
                                             : whole_complex;
  const std::string to = kind == "RFFT"    ? half_complex
                         : kind == "IRFFT" ? whole_real
                                           : whole_complex;
  const std::string length =
      dims({sizes.end() - static_cast<std::ptrdiff_t>(transformed), sizes.end()});
  const std::string text = "x = " + from + " parameter(0)\n ROOT y = " + to +
                           " fft(x), fft_type=" + kind + ", fft_length={" +
                           length.substr(1, length.size() - 2) + "}";
  INFO(text);
  double count = 1;
  for (int64_t size : sizes) count *= static_cast<double>(size);
  const double unit = is_double ? 4e-16 : 2e-7;
  const double scale = kind[0] == 'I' ? 1 / std::sqrt(count) : std::sqrt(count);
  const Module module = rewritten(text, {expand}, {.rtol = 20 * unit, .atol = 40 * unit * scale});
  CHECK(count_in_entry(module, Opcode::kFft) == 0);
}

const char* const kKinds[] = {"FFT", "IFFT", "RFFT", "IRFFT"};

}  // namespace

TEST_CASE("fft of every small length", "[transforms]") {
  for (const char* kind : kKinds)
    for (int64_t n = 1; n <= 20; ++n) expands_fft(kind, {2, n}, 1);
}

TEST_CASE("fft by mixed radix and by chirp", "[transforms]") {
  for (const char* kind : kKinds)
    for (int64_t n : {34, 60, 97, 128, 169, 256, 323, 512}) expands_fft(kind, {n}, 1);
}

TEST_CASE("fft of several dimensions", "[transforms]") {
  for (const char* kind : kKinds) {
    expands_fft(kind, {4, 6}, 2);
    expands_fft(kind, {3, 5}, 2);
    expands_fft(kind, {2, 17, 4}, 2);
    expands_fft(kind, {2, 3, 4, 5}, 3);
    expands_fft(kind, {1, 1, 1}, 3);
    expands_fft(kind, {2, 1, 4}, 3);
    expands_fft(kind, {3, 1}, 2);
  }
}

TEST_CASE("fft in double precision", "[transforms]") {
  for (int64_t n : {8, 30, 13, 38}) expands_fft("RFFT", {2, n}, 1, true);
}

TEST_CASE("fft of nothing", "[transforms]") {
  expands_fft("FFT", {0, 4}, 1);
  expands_fft("RFFT", {0, 4}, 1);
  for (const char* kind : {"FFT", "IFFT"}) {
    const Module module =
        rewritten(std::string("x = c64[3,4] parameter(0)\n"
                              "ROOT y = c64[3,4] fft(x), fft_length={3,0}, fft_type=") +
                      kind,
                  {expand});
    CHECK(count_in_entry(module, Opcode::kFft) == 0);
  }
}

TEST_CASE("fft of too great a length is refused", "[transforms]") {
  const Diagnostic refused =
      error_of(module_from("x = c64[0,33554432] parameter(0)\n y = c64[0,33554432] fft(x), "
                           "fft_type=FFT, fft_length={33554432}\n"
                           "z = c64[33554432] parameter(1)\n ROOT w = c64[33554432] fft(z), "
                           "fft_type=FFT, fft_length={33554432}"),
               expand);
  CHECK(refused.kind == DiagnosticKind::kLimit);
}

}  // namespace hlocc::tests
