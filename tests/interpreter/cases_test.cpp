// The interpreter against recorded results: the models and op cases that are kept with the tests,
// and (hidden, for development) any index that HLOCC_CASES names, with an optional filter in
// HLOCC_CASES_FILTER.
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>

#include "interpreter/cases.h"

namespace hlocc::tests {
namespace {

void check_all(const std::vector<CaseOutcome>& outcomes) {
  CHECK(!outcomes.empty());
  for (const CaseOutcome& outcome : outcomes) {
    INFO(outcome.name << ": " << outcome.why);
    CHECK(outcome.ok);
  }
}

}  // namespace

TEST_CASE("the interpreter reproduces the recorded models", "[interpreter]") {
  check_all(run_index(HLOCC_TEST_DATA "/models/index.json"));
}

TEST_CASE("the interpreter reproduces the recorded op cases", "[interpreter]") {
  check_all(run_index(HLOCC_TEST_DATA "/ops/index.json"));
}

TEST_CASE("an index of cases given by the environment", "[.cases]") {
  const char* path = std::getenv("HLOCC_CASES");
  REQUIRE(path != nullptr);
  const char* filter = std::getenv("HLOCC_CASES_FILTER");
  int failed = 0;
  const std::vector<CaseOutcome> outcomes = run_index(path, filter ? filter : "");
  for (const CaseOutcome& outcome : outcomes) {
    if (outcome.seconds > 0.5)
      std::printf("slow %s %.2f s\n", outcome.name.c_str(), outcome.seconds);
    if (outcome.ok) continue;
    ++failed;
    std::printf("FAIL %s: %s\n", outcome.name.c_str(), outcome.why.c_str());
  }
  std::printf("%zu cases, %d failed\n", outcomes.size(), failed);
  CHECK(failed == 0);
}

}  // namespace hlocc::tests
