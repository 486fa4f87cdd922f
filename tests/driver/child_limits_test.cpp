// Children where the system is short of something, and programs that print without end
// (driver/verify/child.cpp, child_pool.cpp, pipe.h).
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>

#include "driver/few_descriptors.h"
#include "driver/verify/child_pool.h"
#include "driver/verify/pipe.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

TEST_CASE("without pipes there is no child, which is the environment's fault") {
  const auto body = [] { return std::string("done"); };
  CHECK(run_in_child(body, 10).output == "done");
  for (const int more : {0, 2, 3}) {
    INFO(more);
    ChildOutcome child, program, pooled;
    {
      const tests::FewDescriptors few(more);
      child = run_in_child(body, 10);
      program = run_program({"true"});
      ChildPool pool(2);
      pool.add(body, [&](const ChildOutcome& outcome) { pooled = outcome; });
      pool.finish();
    }
    for (const ChildOutcome* one : std::initializer_list<const ChildOutcome*>{&child, &pooled}) {
      CHECK(one->environment);
      CHECK_FALSE(one->finished);
      CHECK(one->failure == "cannot start a child process: Too many open files");
    }
    CHECK(program.failure == "cannot start true: Too many open files");
  }
  CHECK(run_in_child(body, 10).output == "done");
}

TEST_CASE("pipes are closed behind each child") {
  const auto lowest = [] {
    const int descriptor = ::dup(STDIN_FILENO);
    ::close(descriptor);
    return descriptor;
  };
  const int before = lowest();
  for (int i = 0; i < 3; ++i) {
    run_in_child([] { return std::string("x"); }, 10);
    run_program({"true"});
    ChildPool pool(1);
    pool.add([] { return std::string("x"); }, [](const ChildOutcome&) {});
    pool.finish();
  }
  CHECK(lowest() == before);
}

TEST_CASE("what the system answers is a failure, an end, or something to go on with") {
  struct Row {
    ssize_t answer;
    int cause;
    bool fails, goes_on;
  };
  const Row rows[] = {{2, 0, false, true},    {1, 0, false, true},       {1, EINTR, false, true},
                      {0, 0, false, false},   {0, EINTR, false, false},  {-1, EINTR, false, true},
                      {-1, EIO, true, false}, {-1, EAGAIN, true, false}, {0, EIO, false, false},
                      {1, EIO, false, true}};
  for (const Row& row : rows) {
    INFO(row.answer << " " << row.cause);
    CHECK(has_failed(row.answer, row.cause) == row.fails);
    CHECK(goes_on(row.answer, row.cause) == row.goes_on);
  }
}

TEST_CASE("a pipe may have descriptor 0, where nothing else has") {
  const int input = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 100);
  REQUIRE(input >= 0);
  ::close(STDIN_FILENO);
  const auto body = [] { return std::string("done"); };
  const ChildOutcome child = run_in_child(body, 0);
  const ChildOutcome program = run_program({"echo", "told"});
  ChildOutcome pooled;
  ChildPool pool(1);
  pool.add(body, [&](const ChildOutcome& outcome) { pooled = outcome; });
  pool.finish();
  // Nobody keeps it.
  const int lowest = ::dup(input);
  ::dup2(input, STDIN_FILENO);
  ::close(input);
  CHECK(lowest == STDIN_FILENO);
  CHECK(child.output == "done");
  CHECK(program.output == "told\n");
  CHECK(pooled.output == "done");
}

TEST_CASE("a signal to us does not end the wait for a child") {
  struct sigaction act = {}, before = {};
  act.sa_handler = [](int) {};
  ::sigaction(SIGALRM, &act, &before);
  const itimerval often = {{0, 5000}, {0, 5000}}, never = {};
  ::setitimer(ITIMER_REAL, &often, nullptr);
  const auto slow = [] {
    for (int i = 0; i < 20; ++i) ::usleep(10000);
    return std::string("done");
  };
  const ChildOutcome child = run_in_child(slow, 0);
  ChildOutcome pooled;
  ChildPool pool(1);
  pool.add(slow, [&](const ChildOutcome& outcome) { pooled = outcome; });
  pool.finish();
  ::setitimer(ITIMER_REAL, &never, nullptr);
  ::sigaction(SIGALRM, &before, nullptr);
  for (const ChildOutcome* one : std::initializer_list<const ChildOutcome*>{&child, &pooled}) {
    CHECK(one->finished);
    CHECK(one->output == "done");
  }
}

TEST_CASE("of a program with a time limit 16 MiB are kept, of another all") {
  const std::vector<std::string> prints = {"sh", "-c", "head -c 20000000 /dev/zero"};
  CHECK(run_program(prints).output.size() == 20000000);
  // Within a second, as soon as the machine has one.
  ChildOutcome child;
  do child = run_program(prints, {}, 0.9);
  while (!child.finished);
  CHECK(child.output.size() == size_t{16} << 20);
}

TEST_CASE("a program with a time limit leads a group of its own, another is of ours") {
  const std::vector<std::string> tells = {
      "sh", "-c", "kill -s 0 -- -$$ 2>/dev/null && echo leads || echo is led"};
  CHECK(run_program(tells).output == "is led\n");
  ChildOutcome child;
  do child = run_program(tells, {}, 0.9);
  while (!child.finished);
  CHECK(child.output == "leads\n");
}

TEST_CASE("an answer of one byte is one, and so is none") {
  for (const char* answer : {"x", ""}) {
    const auto body = [&] { return std::string(answer); };
    CHECK(run_in_child(body, 0).output == answer);
    ChildOutcome pooled;
    ChildPool pool(1);
    pool.add(body, [&](const ChildOutcome& outcome) { pooled = outcome; });
    pool.finish();
    CHECK(pooled.finished);
    CHECK(pooled.output == answer);
  }
}

TEST_CASE("a pool waits for what a child has to complain of, too") {
  // stdout's end comes long before that of stderr, and the reverse.
  ChildOutcome outcome;
  ChildPool pool(1);
  pool.add(
      [] {
        std::fputs("first\n", stderr);
        std::fflush(stderr);
        return std::string(1 << 20, 'x');
      },
      [&](const ChildOutcome& one) { outcome = one; });
  pool.finish();
  CHECK(outcome.errors == "first\n");
  CHECK(outcome.output.size() == 1 << 20);
}

TEST_CASE("what a child complained of is read to its end, its answer long since") {
  const std::string complaint(60000, 'x');
  ChildOutcome outcome;
  ChildPool pool(1);
  pool.add(
      [&] {
        std::fputs(complaint.c_str(), stderr);
        return std::string("y");
      },
      [&](const ChildOutcome& one) { outcome = one; });
  // When it has ended, and not before, both pipes are read.
  siginfo_t ended = {};
  while (::waitid(P_ALL, 0, &ended, WEXITED | WNOWAIT) != 0) {
  }
  pool.finish();
  CHECK(outcome.output == "y");
  CHECK(outcome.errors.size() == complaint.size());
}

TEST_CASE("a pool of no size has one for each processor, and one of one runs them in turn") {
  int running = 0, most = 0;
  {
    ChildPool pool(1);
    for (int i = 0; i < 3; ++i) {
      pool.add([] { return std::string(); }, [&](const ChildOutcome&) { --running; });
      most = std::max(most, ++running);
    }
    pool.finish();
  }
  CHECK(most == 1);
  ChildPool pool(0);
  int ended = 0;
  pool.add([] { return std::string(); }, [&](const ChildOutcome&) { ++ended; });
  pool.finish();
  CHECK(ended == 1);
}

}  // namespace
}  // namespace hlocc::driver
