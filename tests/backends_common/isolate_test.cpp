// Work in a child process: its answer, whatever its length, and what is said when it dies.
#include "backends/common/isolate.h"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>

namespace hlocc::backends {
namespace {

using Answer = Result<std::vector<std::byte>>;

TEST_CASE("an isolated answer comes back whole") {
  for (const size_t bytes : {size_t{0}, size_t{1}, size_t{1} << 16, size_t{300001}}) {
    bool answered = false;
    const Answer answer = run_isolated(
        [&]() -> Answer { return std::vector<std::byte>(bytes, std::byte{7}); }, &answered);
    REQUIRE(answer.ok());
    CHECK(answered);
    CHECK(*answer == std::vector<std::byte>(bytes, std::byte{7}));
  }
}

TEST_CASE("a process that is isolated already works itself") {
  const auto worker = [] {
    const Answer answer = run_isolated(
        []() -> Answer { return std::vector<std::byte>(static_cast<size_t>(::getpid())); });
    REQUIRE(answer.ok());
    return answer->size();
  };
  const size_t here = static_cast<size_t>(::getpid());
  CHECK(worker() != here);
  bool answered = false;
  const pid_t child = ::fork();
  if (child == 0) {  // its limits are this scope's for good
    const IsolatedHere scope;
    const Answer refused = run_isolated(
        []() -> Answer { return error(DiagnosticKind::kLimit, "too much"); }, &answered);
    const Answer answer = run_isolated(
        []() -> Answer { return std::vector<std::byte>(static_cast<size_t>(::getppid())); });
    ::_exit(answered && !refused.ok() && refused.error().kind == DiagnosticKind::kLimit &&
                    answer.ok() && answer->size() == here
                ? 0
                : 1);
  }
  int status = 1;
  ::waitpid(child, &status, 0);
  CHECK(status == 0);
  CHECK(worker() != here);
}

TEST_CASE("an isolated diagnostic is the work's own") {
  bool answered = false;
  const Answer answer = run_isolated(
      []() -> Answer {
        std::fputs("beside\n", stderr);
        return error(DiagnosticKind::kUnsupported, "not here").note("there");
      },
      &answered);
  REQUIRE_FALSE(answer.ok());
  CHECK(answered);
  CHECK(answer.error().kind == DiagnosticKind::kUnsupported);
  CHECK(answer.error().message == "not here");
  CHECK(answer.error().notes == std::vector<std::string>{"there"});
}

TEST_CASE("a child that dies is an error of ours, with the first line that it wrote") {
  const auto died = [](int (*how)()) {
    bool answered = true;
    const Answer answer = run_isolated(
        [how]() -> Answer {
          how();
          return std::vector<std::byte>{};
        },
        &answered);
    REQUIRE_FALSE(answer.ok());
    CHECK_FALSE(answered);
    CHECK(answer.error().kind == DiagnosticKind::kInternal);
    return answer.error();
  };
  const Diagnostic code = died([]() -> int {
    std::fputs("cannot select\nstack dump\n", stderr);
    ::_exit(3);
  });
  CHECK(code.message == "code generation died: exit code 3");
  CHECK(code.notes == std::vector<std::string>{"cannot select"});
  CHECK(died([]() -> int { ::_exit(0); }).message == "code generation died: exit code 0");
  CHECK(died([]() -> int { ::_exit(0); }).notes.empty());
  CHECK(died([]() -> int {
          std::fputc('x', stderr);
          ::_exit(1);
        }).notes == std::vector<std::string>{"x"});
  CHECK(died([]() -> int { std::abort(); }).message.find("died: signal 6 (") != std::string::npos);
  const Diagnostic talks = died([]() -> int {
    for (int i = 0; i < 200000; ++i) std::fputc('x', stderr);
    ::_exit(1);
  });
  CHECK(talks.notes == std::vector<std::string>{std::string(400, 'x')});
}

}  // namespace
}  // namespace hlocc::backends
