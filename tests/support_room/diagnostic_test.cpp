// Diagnostics as users see them, and the ways they travel.
#include "support/diagnostic.h"

#include <sys/wait.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include <algorithm>

#include "support/checked_math.h"
#include "support/result.h"
#include "support/text.h"

using namespace hlocc;

namespace {

Result<int> half(int number) {
  if (number % 2 == 0) return number / 2;
  return error(DiagnosticKind::kArgument, cat(number, " is odd")).note("try an even number");
}

Result<std::string> quarter(int number) {
  HLOCC_TRY_ASSIGN(const int once, half(number));
  HLOCC_TRY_ASSIGN(const int twice, half(once));
  return cat(twice);
}

Status check_quarter(int number) {
  HLOCC_TRY(quarter(number));
  return {};
}

}  // namespace

TEST_CASE("printed form: place, kind, message, notes") {
  CHECK(error(DiagnosticKind::kShape, "bad")
            .at({"m.hlo", 3})
            .note("do this")
            .note("or that")
            .to_string() == "m.hlo:3: error[shape]: bad\nnote: do this\nnote: or that\n");
  CHECK(error(DiagnosticKind::kSyntax, "bad").at({"m.hlo", 1}).to_string() ==
        "m.hlo:1: error[syntax]: bad\n");
  CHECK(error(DiagnosticKind::kUnknownOpcode, "bad").at({"m.pb", 0}).to_string() ==
        "m.pb: error[unknown-opcode]: bad\n");
  CHECK(error(DiagnosticKind::kUsage, "bad").to_string() == "hlocc: error[usage]: bad\n");
}

TEST_CASE("kinds have different names") {
  std::vector<std::string_view> names;
#define HLOCC_DIAGNOSTIC(enumerator, text, exit) \
  names.push_back(diagnostic_kind_name(DiagnosticKind::enumerator));
#include "support/diagnostic_kinds.def"
  std::sort(names.begin(), names.end());
  CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
}

TEST_CASE("results carry a value or the diagnostic, through the TRY macros") {
  CHECK(quarter(8).value() == "2");
  REQUIRE(!quarter(6).ok());
  CHECK(quarter(6).error().message == "3 is odd");
  CHECK(quarter(7).error().message == "7 is odd");
  CHECK(quarter(7).error().notes == std::vector<std::string>{"try an even number"});
  CHECK(check_quarter(8).ok());
  CHECK(check_quarter(6).error().kind == DiagnosticKind::kArgument);
}

TEST_CASE("a failed check ends the process with code 3") {
  const pid_t child = fork();
  if (child == 0) {
    std::freopen("/dev/null", "w", stderr);
    const WorkingOn scope("lowering of %dot.3 (dot)");
    HLOCC_CHECK(1 + 1 == 3, "arithmetic");
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 3);
}

TEST_CASE("checked arithmetic reports overflow") {
  CHECK(checked_add(2, -3) == -1);
  CHECK(checked_add(INT64_MAX, 1) == std::nullopt);
  CHECK(checked_subtract(INT64_MIN, 1) == std::nullopt);
  CHECK(checked_subtract(-1, INT64_MAX) == INT64_MIN);
  CHECK(checked_multiply(int64_t{1} << 31, int64_t{1} << 31) == int64_t{1} << 62);
  CHECK(checked_multiply(int64_t{1} << 32, int64_t{1} << 32) == std::nullopt);
  CHECK(checked_multiply(INT64_MIN, -1) == std::nullopt);
}
