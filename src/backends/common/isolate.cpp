// The child hands back one byte that says whether it worked, then the bytes or the diagnostic,
// through a pipe; a second pipe carries its stderr.
#include "backends/common/isolate.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <optional>

#include "backends/common/wire.h"
#include "support/budget.h"
#include "support/environment.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

using Bytes = std::vector<std::byte>;

void write_all(int descriptor, const Bytes& bytes) {
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t moved = ::write(descriptor, bytes.data() + done, bytes.size() - done);
    if (moved < 0 && errno == EINTR) continue;
    if (moved <= 0) ::_exit(4);
    done += static_cast<size_t>(moved);
  }
}

// The last net: a code generator that goes on and on is stopped by the system. Its memory counts
// what it shares with its parent, and a gigabyte of its own for what maps but does not use.
void limit_the_child(const Budget& budget) {
  constexpr int64_t kWorkOfASecond = 400'000'000, kOwn = int64_t{1} << 30;
  const auto limit = [](auto resource, int64_t value) {
    rlimit now{};
    ::getrlimit(resource, &now);
    now.rlim_cur = std::min(now.rlim_max, static_cast<rlim_t>(value));
    ::setrlimit(resource, &now);
  };
  limit(RLIMIT_CPU, 1 + budget.work_limit() / kWorkOfASecond);
#ifndef __SANITIZE_ADDRESS__
  limit(RLIMIT_DATA, budget.memory_limit() + kOwn);
#endif
}

[[noreturn]] void answer(int result_end, const Result<Bytes>& result) {
  Writer writer;
  writer.number(result.ok());
  if (result.ok())
    writer.bytes(*result);
  else
    writer.diagnostic(result.error());
  write_all(result_end, writer.take());
  // Destructors of the parent's objects are the parent's business.
  ::_exit(0);
}

void prepare_to_die() {
  // A crash here is an outcome; its core is not wanted.
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  // Nor the handlers of the caller.
  for (int number : {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTERM, SIGINT})
    std::signal(number, SIG_DFL);
  if (const Budget* budget = current_budget()) limit_the_child(*budget);
}

[[noreturn]] void be_the_child(const std::function<Result<Bytes>()>& work, int result_end,
                               int errors_end) {
  ::dup2(errors_end, STDERR_FILENO);
  prepare_to_die();
  if (Budget* budget = current_budget())
    budget->end_process = [result_end](const Diagnostic& why) { answer(result_end, why); };
  answer(result_end, work());
}

thread_local bool is_isolated_here = false;

// Reads both until they end; 0, or what is in the way.
int drain(std::array<int, 2> ends, std::array<Bytes*, 2> into) {
  std::array<pollfd, 2> waits = {{{ends[0], POLLIN, 0}, {ends[1], POLLIN, 0}}};
  Bytes buffer(1 << 16);
  for (int open = 2; open > 0;) {
    if (::poll(waits.data(), waits.size(), -1) < 0) {
      // What it said before is no news: nothing may be read that would have to be waited for.
      if (errno == EINTR) continue;
      return errno;
    }
    for (int i = 0; i < 2; ++i) {
      if (waits[i].fd < 0 || waits[i].revents == 0) continue;
      const ssize_t moved = ::read(waits[i].fd, buffer.data(), buffer.size());
      if (moved == -1) return errno;
      if (moved > 0) {
        into[i]->insert(into[i]->end(), buffer.begin(), buffer.begin() + moved);
        continue;
      }
      waits[i].fd = -1;
      --open;
    }
  }
  return 0;
}

std::string describe(int status) {
  if (WIFSIGNALED(status))
    return cat("signal ", WTERMSIG(status), " (", strsignal(WTERMSIG(status)), ")");
  return cat("exit code ", WEXITSTATUS(status));
}

// The line in which LLVM or a check of ours says what was wrong comes first; a stack trace may
// follow.
std::string first_line(const Bytes& errors) {
  const std::string text(reinterpret_cast<const char*>(errors.data()), errors.size());
  return text.substr(0, std::min(text.find('\n'), size_t{400}));
}

// Whether the system stopped the child at one of its limits.
std::optional<Diagnostic> over_limit(int status, const Bytes& errors) {
  const Budget* budget = current_budget();
  if (budget == nullptr || !WIFSIGNALED(status)) return std::nullopt;
  if (WTERMSIG(status) == SIGXCPU) return budget->work_exceeded("code generation");
  if (first_line(errors).find("out of memory") == std::string::npos) return std::nullopt;
  return budget->memory_exceeded("code generation");
}

}  // namespace

IsolatedHere::IsolatedHere() {
  prepare_to_die();
  is_isolated_here = true;
}

IsolatedHere::~IsolatedHere() { is_isolated_here = false; }

Result<Bytes> run_isolated(const std::function<Result<Bytes>()>& work, bool* answered) {
  if (is_isolated_here) {
    if (answered != nullptr) *answered = true;
    return work();
  }
  std::array<int, 2> result_pipe, errors_pipe;
  if (::pipe2(result_pipe.data(), O_CLOEXEC) != 0) return environment_error("cannot make a pipe");
  if (::pipe2(errors_pipe.data(), O_CLOEXEC) != 0) {
    const int cause = errno;
    for (const int end : result_pipe) ::close(end);
    return environment_error("cannot make a pipe", cause);
  }
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child < 0) {
    const int cause = errno;
    for (const int end : {result_pipe[0], result_pipe[1], errors_pipe[0], errors_pipe[1]})
      ::close(end);
    return environment_error("cannot start a process for code generation", cause);
  }
  if (child == 0) be_the_child(work, result_pipe[1], errors_pipe[1]);
  ::close(result_pipe[1]);
  ::close(errors_pipe[1]);
  Bytes result, errors;
  const int unread = drain({result_pipe[0], errors_pipe[0]}, {&result, &errors});
  // One that is not read from would wait for ever.
  if (unread != 0) ::kill(child, SIGKILL);
  ::close(result_pipe[0]);
  ::close(errors_pipe[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (unread != 0) return environment_error("cannot read from code generation", unread);
  const bool alive = status == 0 && !result.empty();
  const std::optional<Diagnostic> limit = over_limit(status, errors);
  if (answered != nullptr) *answered = alive || limit;
  if (limit) return *limit;
  if (!alive) {
    Diagnostic failure =
        error(DiagnosticKind::kInternal, cat("code generation died: ", describe(status)));
    return errors.empty() ? failure : std::move(failure).note(first_line(errors));
  }
  Reader reader(result);
  const bool done = reader.number() != 0;
  Bytes bytes = done ? reader.bytes() : Bytes();
  Diagnostic failure = done ? Diagnostic() : reader.diagnostic();
  if (reader.failed())
    return error(DiagnosticKind::kInternal, "the answer of code generation is cut short");
  if (done) return bytes;
  return failure;
}

}  // namespace hlocc::backends
