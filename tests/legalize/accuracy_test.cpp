// Every math function within its goal, on machines with and without FPU and fused multiply-add,
// over all bit patterns and where the function bends. `test_legalize "[.ulp]"` prints the table of
// docs/numerics.md.
#include "legalize/accuracy.h"

#include <array>
#include <catch2/catch.hpp>
#include <cstdio>

#include "kernel/evaluate/scalar_math.h"
#include "support/text.h"

namespace hlocc::kernel {
namespace {

template <typename F>
void check_goal(const F& function, const Target& target, int points) {
  for (const Scalar scalar : {Scalar::kF32, Scalar::kF64}) {
    const Accuracy accuracy = measure(function, scalar, legalised_for(target), points);
    std::string place;
    for (const uint64_t bits : accuracy.at) place += show(scalar, bits) + " ";
    INFO(op_name(function.kind) << " " << scalar_name(scalar) << " on " << target.name << ": "
                                << accuracy.worst << " ulp at " << place << "gives "
                                << show(scalar, accuracy.got));
    CHECK(accuracy.worst <= function.goal);
  }
}

constexpr int kPoints = 20000;

// In parts, so that each is short: every sixth function.
void check_functions(size_t part) {
  for (size_t n = part; n < functions_of_one().size(); n += 6)
    for (const char* name : {"cortex-m0", "cortex-m4f", "cortex-a53"})
      check_goal(functions_of_one()[n], target_named(name), kPoints);
}
TEST_CASE("functions of one operand are within their goals, 0, 6 and so on") { check_functions(0); }
TEST_CASE("functions of one operand are within their goals, 1, 7 and so on") { check_functions(1); }
TEST_CASE("functions of one operand are within their goals, 2, 8 and so on") { check_functions(2); }
TEST_CASE("functions of one operand are within their goals, 3, 9 and so on") { check_functions(3); }
TEST_CASE("functions of one operand are within their goals, 4, 10 and so on") {
  check_functions(4);
}
TEST_CASE("functions of one operand are within their goals, 5, 11 and so on") {
  check_functions(5);
}

TEST_CASE("functions of two operands are within their goals") {
  for (const Function2& function : functions_of_two())
    for (const char* name : {"cortex-m4f", "cortex-a53"})
      check_goal(function, target_named(name), kPoints);
}

TEST_CASE("four lanes give what one lane gives") {
  for (const Function& function : functions_of_one())
    for (const Scalar scalar : {Scalar::kF32, Scalar::kF64}) {
      const OpTest test = unary_test(function.kind, scalar);
      const Column inputs = sample(scalar, function.low, function.high, 400);
      const Target target = target_named("cortex-m55");
      CHECK(run(legal_kernel_of(test, 400, 1, target), test, {inputs}) ==
            run(legal_kernel_of(test, 400, 4, target), test, {inputs}));
    }
}

// One to three and minus one are multiplications; what lies between them and beyond is not.
TEST_CASE("powers of known exponents") {
  for (const Scalar scalar : {Scalar::kF32, Scalar::kF64})
    for (const auto& [base, exponent, power] :
         std::initializer_list<std::array<double, 3>>{{4, -2, 0.0625},
                                                      {4, -1.5, 0.125},
                                                      {4, -1, 0.25},
                                                      {4, -0.5, 0.5},
                                                      {4, 0, 1},
                                                      {4, 0.5, 2},
                                                      {4, 1, 4},
                                                      {4, 1.5, 8},
                                                      {4, 2, 16},
                                                      {4, 2.5, 32},
                                                      {4, 3, 64},
                                                      {4, 3.5, 128},
                                                      {4, 4, 256},
                                                      {-2, 3, -8},
                                                      {-2, 5, -32}}) {
      const OpTest test{"pow", {scalar}, scalar, [&](Builder& b, std::span<const ValueId> in) {
                          return b.binary(OpKind::kPow, in[0],
                                          b.constant_float(b.type(in[0]), exponent));
                        }};
      const uint64_t given = bits_of_double(scalar, base);
      const Column got =
          run(legal_kernel_of(test, 1, 1, target_named("cortex-m4f")), test, {{given}});
      INFO(base << " to " << exponent);
      const double value =
          scalar == Scalar::kF64 ? from_bits<double>(got[0]) : from_bits<float>(got[0]);
      CHECK(value == Approx(power).epsilon(1e-6));
    }
}

template <typename F>
void print_row(const F& function, int points) {
  std::printf("| %s | %g |", std::string(op_name(function.kind)).c_str(), function.goal);
  for (const char* name : {"cortex-m0", "cortex-a53"})
    for (const Scalar scalar : {Scalar::kF32, Scalar::kF64})
      std::printf(" %.2f |",
                  measure(function, scalar, legalised_for(target_named(name)), points).worst);
  std::printf("\n");
  std::fflush(stdout);
}

TEST_CASE("table of errors", "[.ulp]") {
  const int points = 1000000;
  for (const Function& function : functions_of_one()) DYNAMIC_SECTION(op_name(function.kind)) {
      print_row(function, points);
    }
  for (const Function2& function : functions_of_two()) DYNAMIC_SECTION(op_name(function.kind)) {
      print_row(function, points);
    }
}

}  // namespace
}  // namespace hlocc::kernel
