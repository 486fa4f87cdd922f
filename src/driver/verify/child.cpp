// See child.h. The result travels through a pipe that the parent reads until its end or until time
// is up; stderr is captured through a second one.
#include "driver/verify/child.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "driver/verify/pipe.h"
#include "driver/verify/work_folder.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

using Clock = std::chrono::steady_clock;

// What is kept of a program that has a time limit, and may print rubbish all the while.
constexpr size_t kMostOutput = size_t{16} << 20;

enum class Drained : uint8_t { kEnded, kOutOfTime, kUnreadable };

// Reads both pipes until both end, time is up or one can't be read, as errno says.
Drained drain(Pipe& first, std::string& first_text, Pipe& second, std::string& second_text,
              double seconds, size_t most = std::string::npos) {
  const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                           std::chrono::duration<double>(seconds));
  pollfd waits[2] = {{first.read_end, POLLIN, 0}, {second.read_end, POLLIN, 0}};
  std::string* texts[2] = {&first_text, &second_text};
  std::vector<char> buffer(1 << 16);
  int open = 2;
  while (open > 0) {
    int wait_ms = -1;
    if (seconds > 0) {
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
      if (left <= 0) return Drained::kOutOfTime;
      wait_ms = static_cast<int>(left) + 1;
    }
    const int ready = ::poll(waits, 2, wait_ms);
    if (has_failed(ready, errno)) return Drained::kUnreadable;
    for (int i = 0; i < 2; ++i) {
      if (waits[i].fd < 0 || waits[i].revents == 0) continue;
      const ssize_t moved = ::read(waits[i].fd, buffer.data(), buffer.size());
      if (moved > 0)
        texts[i]->append(buffer.data(),
                         std::min(static_cast<size_t>(moved), most - texts[i]->size()));
      if (has_failed(moved, errno)) return Drained::kUnreadable;
      if (moved == 0) {
        waits[i].fd = -1;
        --open;
      }
    }
  }
  return Drained::kEnded;
}

// Waits for a child whose pipes have ended (or who is killed, because they have not), and says how
// it went. `group`: it leads one, with whatever it started.
void finish(pid_t child, Drained drained, double seconds, ChildOutcome& out, bool group = false) {
  const int cause = errno;
  if (drained != Drained::kEnded) ::kill(group ? -child : child, SIGKILL);
  wait_for(child, out);
  if (drained == Drained::kUnreadable) {
    out.environment = true;
    out.failure = cat("cannot read from a child process: ", std::strerror(cause));
  } else if (drained == Drained::kOutOfTime) {
    out.failure = cat("ran longer than ", static_cast<int64_t>(seconds), " s");
  } else {
    return;
  }
  out.finished = false;
}

// A process, if there are the two pipes to hear from it; -1 and errno otherwise.
pid_t fork_with(const Pipe& first, const Pipe& second) {
  if (!are_open(first, second)) return -1;
  std::fflush(nullptr);
  return ::fork();
}

// As execvp wants them; made before the fork, since a child that finds no memory can't say so.
std::vector<char*> words_of(const std::vector<std::string>& command) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  return words;
}

// In the child: becomes the program, or says into `why_not` what is in the way.
[[noreturn]] void become(const std::vector<char*>& words,
                         const std::vector<std::string>& environment, int output, int why_not) {
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  for (const std::string& word : environment) ::putenv(const_cast<char*>(word.c_str()));
  ::execvp(words[0], words.data());
  write_all(why_not, cat("cannot start ", words[0], ": ", std::strerror(errno)));
  ::_exit(127);
}

}  // namespace

ChildOutcome no_process(const std::string& what) {
  ChildOutcome out;
  out.environment = true;
  out.failure = cat(what, ": ", std::strerror(errno));
  return out;
}

void wait_for(pid_t child, ChildOutcome& out) {
  int status = 0;
  rusage used = {};
  while (::wait4(child, &status, 0, &used) < 0 && errno == EINTR) {
  }
  const auto seconds_of = [](const timeval& time) { return time.tv_sec + time.tv_usec * 1e-6; };
  out.cpu_seconds = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
  if (WIFSIGNALED(status))
    out.failure =
        cat("signal ", WTERMSIG(status), " (", std::string(strsignal(WTERMSIG(status))), ")");
  else if (WEXITSTATUS(status) != 0)
    out.failure = cat("exit code ", WEXITSTATUS(status));
  else
    out.finished = true;
}

void clean_up_after(pid_t child, ChildOutcome& out) {
  if (!out.finished) WorkFolder::remove_of(child);
  if (out.failure != cat("exit code ", static_cast<int>(kExitEnvironment))) return;
  out.environment = true;
  out.failure += ": " + out.errors.substr(0, out.errors.find('\n'));
}

[[noreturn]] void be_child(const std::function<std::string()>& body, const Pipe& result,
                           const Pipe& errors) {
  ::dup2(errors.write_end, STDERR_FILENO);
  write_all(result.write_end, body());
  std::fflush(nullptr);
  // Destructors of the parent's objects are the parent's business.
  ::_exit(0);
}

Diagnostic environment_of(const ChildOutcome& outcome) {
  return error(DiagnosticKind::kEnvironment, outcome.failure);
}

ChildOutcome run_in_child(const std::function<std::string()>& body, double seconds) {
  Pipe result, errors;
  const pid_t child = fork_with(result, errors);
  if (child < 0) return no_process("cannot start a child process");
  if (child == 0) be_child(body, result, errors);
  result.close_write();
  errors.close_write();
  ChildOutcome out;
  const Drained drained = drain(result, out.output, errors, out.errors, seconds);
  finish(child, drained, seconds, out);
  clean_up_after(child, out);
  return out;
}

ChildOutcome compute_in_child(const std::function<std::string()>& body, double seconds) {
  const auto limited = [&] {
    rlimit limit = {};
    ::getrlimit(RLIMIT_CPU, &limit);
    limit.rlim_cur = std::min(limit.rlim_max, static_cast<rlim_t>(std::ceil(seconds)));
    ::setrlimit(RLIMIT_CPU, &limit);
    return body();
  };
  ChildOutcome out = run_in_child(limited, 10 * seconds);
  if (out.failure.starts_with(cat("signal ", SIGXCPU, " ")))
    out.failure = cat("took more than ", std::llround(std::ceil(seconds)), " s of the processor");
  return out;
}

ChildOutcome run_program(const std::vector<std::string>& command,
                         const std::vector<std::string>& environment, double seconds) {
  Pipe both, why_not;
  const std::vector<char*> words = words_of(command);
  const pid_t child = fork_with(both, why_not);
  if (child < 0) return no_process(cat("cannot start ", command[0]));
  if (seconds > 0) ::setpgid(child, child);  // in both processes: the first one counts
  if (child == 0) become(words, environment, both.write_end, why_not.write_end);
  both.close_write();
  why_not.close_write();
  ChildOutcome out;
  std::string missing;
  const Drained drained = drain(both, out.output, why_not, missing, seconds,
                                seconds > 0 ? kMostOutput : std::string::npos);
  finish(child, drained, seconds, out, seconds > 0);
  if (!missing.empty()) {
    out.environment = true;
    out.failure = missing;
  }
  return out;
}

}  // namespace hlocc::driver
