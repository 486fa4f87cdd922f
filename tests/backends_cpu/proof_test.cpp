// The hand-written kernels compute what they should; bench/kernel_proof/run.sh holds their speed
// against the prototypes'.
#include "proof_kernels.h"

#include "backends_llvm/jit_kernel.h"

namespace hlocc::backends {
namespace {

std::vector<float> numbers(int count, uint32_t seed) {
  std::vector<float> values;
  for (int i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    values.push_back(static_cast<float>(static_cast<int>(seed >> 24) - 128) / 64.0f);
  }
  return values;
}

void check_close(const std::vector<float>& got, const std::vector<float>& want) {
  REQUIRE(got.size() == want.size());
  for (size_t i = 0; i < got.size(); ++i) {
    INFO("element " << i);
    CHECK(got[i] == Approx(want[i]).margin(1e-3));
  }
}

TEST_CASE("the outer-product tiles multiply matrices", "[proof]") {
  for (int mr : {4, 6}) {
    const proof::GemmShape shape{.m = 12, .n = 32, .k = 10, .mr = mr};
    const std::vector<float> a = numbers(shape.m * shape.k, 1), b = numbers(shape.k * shape.n, 2);
    std::vector<float> panels(b.size()), want(shape.m * shape.n);
    for (int k = 0; k < shape.k; ++k)
      for (int n = 0; n < shape.n; ++n)
        panels[((n / 16) * shape.k + k) * 16 + n % 16] = b[k * shape.n + n];
    for (int m = 0; m < shape.m; ++m)
      for (int n = 0; n < shape.n; ++n)
        for (int k = 0; k < shape.k; ++k)
          want[m * shape.n + n] += a[m * shape.k + k] * b[k * shape.n + n];
    const kernel::Kernel kernel = proof::gemm(shape);
    const Buffers buffers = {to_bytes(a), to_bytes(panels),
                             to_bytes(std::vector<float>(want.size()))};
    check_close(from_bytes<float>(run_compiled(kernel, buffers)[2]), want);
    check_close(from_bytes<float>(run_evaluated(kernel, buffers)[2]), want);
  }
}

TEST_CASE("the pointwise row adds its bias and clamps", "[proof]") {
  constexpr int kPixels = 5, kChannels = 64, kBlock = 16 * (1 + kChannels);
  const std::vector<float> a = numbers(kPixels * kChannels, 3),
                           w = numbers(kChannels / 16 * kBlock, 4);
  std::vector<float> want;
  for (int p = 0; p < kPixels; ++p)
    for (int n = 0; n < kChannels; ++n) {
      const float* block = w.data() + n / 16 * kBlock + n % 16;
      float sum = block[0];
      for (int k = 0; k < kChannels; ++k) sum += a[p * kChannels + k] * block[16 * (1 + k)];
      want.push_back(std::max(sum, 0.0f));
    }
  const Buffers buffers = {to_bytes(a), to_bytes(w), to_bytes(std::vector<float>(want.size()))};
  check_close(from_bytes<float>(run_compiled(proof::pointwise_row(kPixels, kChannels), buffers)[2]),
              want);
}

}  // namespace
}  // namespace hlocc::backends
