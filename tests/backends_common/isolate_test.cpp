// Work in a child process: its answer, whatever its length, and what is said when it dies.
#include "backends/common/isolate.h"

#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "support/budget.h"

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

// A signal every `microseconds`; the process that first asked is late whenever one comes.
pid_t late_process = 0;
void be_late(int) {
  if (::getpid() == late_process) ::usleep(20000);
}
void interrupt_every(int microseconds) {
  const itimerval timer{{0, microseconds}, {0, microseconds}};
  ::setitimer(ITIMER_REAL, &timer, nullptr);
}

TEST_CASE("signals interrupt neither side for good") {
  struct sigaction action = {}, before = {};
  action.sa_handler = be_late;
  late_process = ::getpid();
  ::sigaction(SIGALRM, &action, &before);
  interrupt_every(30000);
  // Much more than a pipe holds, so that the child waits for a parent who is late.
  const std::vector<std::byte> bytes(3 << 20, std::byte{9});
  const Answer answer = run_isolated([&]() -> Answer {
    ::usleep(100000);  // the parent is interrupted while it waits
    interrupt_every(1000);
    return bytes;
  });
  interrupt_every(0);
  ::sigaction(SIGALRM, &before, nullptr);
  REQUIRE(answer.ok());
  CHECK(*answer == bytes);
}

TEST_CASE("a child that cannot answer ends") {
  const Answer answer = run_isolated([]() -> Answer {
    for (int end = 3; end < 64; ++end) ::close(end);
    return std::vector<std::byte>(4);
  });
  REQUIRE_FALSE(answer.ok());
  CHECK(answer.error().message == "code generation died: exit code 4");
}

TEST_CASE("limits of the system end a child with the budget's own words") {
  struct Row {
    const char* said;
    int signal;
    DiagnosticKind kind;
    const char* message;
  };
  const Row rows[] = {{"", SIGXCPU, DiagnosticKind::kLimit, "work"},
                      {"LLVM ERROR: out of memory", SIGABRT, DiagnosticKind::kLimit, "memory"},
                      {"cannot select", SIGABRT, DiagnosticKind::kInternal, "died: signal 6"},
                      {"out of memory", 0, DiagnosticKind::kInternal, "died: exit code 1"}};
  for (const bool has_budget : {true, false})
    for (const Row& row : rows) {
      Budget budget;
      const BudgetScope scope(has_budget ? &budget : nullptr);
      bool answered = false;
      const Answer answer = run_isolated(
          [&]() -> Answer {
            std::fputs(row.said, stderr);
            if (row.signal != 0) ::raise(row.signal);
            ::_exit(1);
          },
          &answered);
      INFO(row.said << row.signal << " " << has_budget);
      REQUIRE_FALSE(answer.ok());
      const bool limited = has_budget && row.kind == DiagnosticKind::kLimit;
      CHECK(answered == limited);
      CHECK(answer.error().kind == (limited ? row.kind : DiagnosticKind::kInternal));
      if (has_budget) CHECK(answer.error().message.find(row.message) != std::string::npos);
    }
}

// In a process of its own: limits and users are for good.
TEST_CASE("where no process is to be had nothing is waited for") {
  CHECK(run_isolated([]() -> Answer { return std::vector<std::byte>(1); }).ok());
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_NPROC, &none);
    // Root may start processes beyond the limit.
    if (::geteuid() == 0 && ::setuid(65534) != 0) ::_exit(0);
    const Answer answer = run_isolated([]() -> Answer { return std::vector<std::byte>(1); });
    ::_exit(!answer.ok() && answer.error().kind == DiagnosticKind::kEnvironment ? 0 : 1);
  }
  int status = 1;
  ::waitpid(child, &status, 0);
  CHECK(status == 0);
}

}  // namespace
}  // namespace hlocc::backends
