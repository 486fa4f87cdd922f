// Catch2's checks in less code. Every REQUIRE and CHECK of Catch2 builds and takes down its handler
// where it stands, a third of what the tests' own functions compile to; here it is one call. The
// messages are the same; an exception that the checked expression throws is reported for its test
// case. Precompiled with Catch2 (HLOCC_PCH): a build without knows Catch2's own.
#pragma once

#include <catch2/catch.hpp>

namespace hlocc::tests {

struct CheckSite {
  const char *macro, *text, *file;
  unsigned line;
  Catch::ResultDisposition::Flags on_failure;
};

// Reports the outcome of `expression`; throws when it failed and on_failure says so.
void check_expression(const Catch::ITransientExpression& expression, const CheckSite& site);

template <typename T>
void check_expression(const Catch::ExprLhs<T>& expression, const CheckSite& site) {
  check_expression(expression.makeUnaryExpr(), site);
}

}  // namespace hlocc::tests

#undef INTERNAL_CATCH_TEST
#define INTERNAL_CATCH_TEST(macro, on_failure, ...)                  \
  hlocc::tests::check_expression(Catch::Decomposer() <= __VA_ARGS__, \
                                 {macro, #__VA_ARGS__, __FILE__, __LINE__, on_failure})
