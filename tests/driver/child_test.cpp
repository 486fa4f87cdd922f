// Children that answer, crash, hang and complain.
#include "driver/verify/child.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <cstdio>

#include "driver/set_variable.h"
#include "driver/verify/verdict.h"
#include "driver/verify/work_folder.h"
#include "support/check.h"
#include "support/temporary_folder.h"

namespace hlocc::driver {
namespace {

TEST_CASE("a child hands back what it made") {
  const std::string large(3 << 20, 'x');
  const ChildOutcome child = run_in_child([&] { return large; }, 0);
  CHECK(child.finished);
  CHECK(child.output == large);
}

TEST_CASE("temporary folders are where TMPDIR says, or where the system has them") {
  const auto parent = [] {
    const Result<WorkFolder> folder = WorkFolder::make();
    REQUIRE(folder.ok());
    return folder->path().substr(0, folder->path().rfind('/'));
  };
  const tests::TemporaryFolder own;
  {
    const tests::SetVariable variable("TMPDIR", own.path());
    CHECK(parent() == own.path());
  }
  const tests::SetVariable variable("TMPDIR", "");
  CHECK(parent() == P_tmpdir);
}

TEST_CASE("a crash is an outcome") {
  const ChildOutcome child = run_in_child(
      []() -> std::string {
        ::raise(SIGKILL);
        return "";
      },
      10);
  CHECK(!child.finished);
  CHECK(child.failure.starts_with("signal 9"));
  CHECK(outcome_of(child).verdict == Verdict::kFailed);
}

TEST_CASE("a hang is an outcome") {
  const ChildOutcome child = run_in_child(
      []() -> std::string {
        for (;;) ::pause();
      },
      0.2);
  CHECK(!child.finished);
  CHECK(child.failure.starts_with("ran longer than"));
}

TEST_CASE("a child's budget is of the processor's time") {
  const ChildOutcome busy = compute_in_child(
      []() -> std::string {
        volatile bool is_busy = true;
        while (is_busy) {
        }
        return {};
      },
      0.5);
  CHECK(!busy.finished);
  CHECK(busy.failure == "took more than 1 s of the processor");
  CHECK(busy.cpu_seconds > 0.5);
  // What only waits is ended by the clock.
  const ChildOutcome waits = compute_in_child(
      []() -> std::string {
        for (;;) ::pause();
      },
      0.02);
  CHECK(waits.failure.starts_with("ran longer than"));
  CHECK(compute_in_child([] { return std::string("done"); }, 10).output == "done");
}

TEST_CASE("a failed check of ours is told with its message") {
  const ChildOutcome child = run_in_child(
      []() -> std::string {
        HLOCC_CHECK(false, "the moon is full");
        return "";
      },
      10);
  CHECK(child.failure == "exit code 3");
  CHECK(outcome_of(child).why.find("the moon is full") != std::string::npos);
}

TEST_CASE("programs are run with their output and status") {
  CHECK(run_program({"sh", "-c", "echo $HLOCC_WORD; echo more >&2"}, {"HLOCC_WORD=hello"}).output ==
        "hello\nmore\n");
  CHECK(run_program({"sh", "-c", "exit 7"}).failure == "exit code 7");
  const ChildOutcome missing = run_program({"no-such-program-anywhere"});
  CHECK(missing.environment);
  CHECK(environment_of(missing).kind == DiagnosticKind::kEnvironment);
  CHECK(missing.failure == "cannot start no-such-program-anywhere: No such file or directory");
  CHECK(run_program({"sh", "-c", "exit 127"}).failure == "exit code 127");
  CHECK(!run_program({"sh", "-c", "exit 127"}).environment);
}

TEST_CASE("a program that is out of time goes with all that it started") {
  // What it starts holds a pipe open, whose other end sees it go, in any namespace of processes.
  const tests::TemporaryFolder folder;
  const std::string pipe = folder.path() + "/pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const int end = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  REQUIRE(end >= 0);
  const std::string program = "(exec 3>\"" + pipe + "\"; echo holds; exec sleep 10000) & wait";
  // On a busy machine it may not have come to its word when time was up.
  ChildOutcome child;
  for (double limit = 0.3; child.output.empty(); limit *= 2)
    child = run_program({"sh", "-c", program}, {}, limit);
  CHECK(child.failure.starts_with("ran longer than"));
  char byte = 0;
  while (::read(end, &byte, 1) != 0) ::usleep(1000);  // for ever, if it does not go
  ::close(end);
}

TEST_CASE("verdicts travel as text") {
  ChildOutcome child;
  child.finished = true;
  child.output = to_text(CaseOutcome::skipped("no room"));
  CHECK(outcome_of(child).verdict == Verdict::kSkipped);
  CHECK(outcome_of(child).why == "no room");
  CHECK(CaseOutcome::of(error(DiagnosticKind::kUnsupported, "x")).verdict == Verdict::kUnsupported);
  CHECK(CaseOutcome::of(error(DiagnosticKind::kShape, "x")).verdict == Verdict::kFailed);
  CHECK(CaseOutcome::of(error(DiagnosticKind::kBudget, "x")).verdict == Verdict::kSkipped);
}

}  // namespace
}  // namespace hlocc::driver
