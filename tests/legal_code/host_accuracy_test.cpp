// The math functions as this machine runs them, after LLVM's passes and with its fused multiply-add
// and vectors.
#include <catch2/catch.hpp>
#include <cstdio>

#include "backends_llvm/jit_kernel.h"
#include "legalize/accuracy.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

using kernel::Accuracy;
using kernel::Column;
using kernel::OpTest;
using kernel::Scalar;

kernel::Runner compiled(int lanes) {
  return [lanes](const OpTest& test, const std::vector<Column>& inputs) {
    std::vector<Column> padded = inputs;
    const size_t size = (inputs[0].size() + 15) / 16 * 16;
    Buffers buffers;
    for (size_t i = 0; i < padded.size(); ++i) {
      padded[i].resize(size, padded[i][0]);
      buffers.push_back(kernel::to_bytes(test.inputs[i], padded[i]));
    }
    buffers.emplace_back(size * static_cast<size_t>(kernel::scalar_bytes(test.output)));
    const Buffers after = run_compiled(
        kernel::legal_kernel_of(test, static_cast<int64_t>(size), lanes, host_target()),
        std::move(buffers));
    Column got = kernel::from_bytes(test.output, after.back());
    got.resize(inputs[0].size());
    return got;
  };
}

template <typename F>
void check_goal(const F& function, int points) {
  for (const Scalar scalar : {Scalar::kF32, Scalar::kF64})
    for (const int lanes : {1, 8}) {
      const Accuracy accuracy = measure(function, scalar, compiled(lanes), points);
      std::string place;
      for (const uint64_t bits : accuracy.at) place += show(scalar, bits) + " ";
      INFO(op_name(function.kind) << " " << scalar_name(scalar) << " x" << lanes << ": "
                                  << accuracy.worst << " ulp at " << place << "gives "
                                  << show(scalar, accuracy.got));
      CHECK(accuracy.worst <= function.goal);
    }
}

TEST_CASE("compiled functions are within their goals") {
  for (const kernel::Function& function : kernel::functions_of_one()) check_goal(function, 20000);
  for (const kernel::Function2& function : kernel::functions_of_two()) check_goal(function, 20000);
}

template <typename F>
void print_row(const F& function) {
  std::printf("| %s | %g |", std::string(op_name(function.kind)).c_str(), function.goal);
  for (const Scalar scalar : {Scalar::kF32, Scalar::kF64})
    std::printf(" %.2f |", measure(function, scalar, compiled(8), 1000000).worst);
  std::printf("\n");
}

TEST_CASE("table of errors on this machine", "[.ulp]") {
  for (const kernel::Function& function : kernel::functions_of_one()) print_row(function);
  for (const kernel::Function2& function : kernel::functions_of_two()) print_row(function);
}

}  // namespace
}  // namespace hlocc::backends
