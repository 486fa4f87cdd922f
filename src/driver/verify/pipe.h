// What child.cpp and child_pool.cpp build children of: pipes, and what an ended process comes to.
#pragma once
#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <string>

#include "driver/verify/child.h"
#include "support/diagnostic.h"

namespace hlocc::driver {

struct Pipe {
  int read_end = -1, write_end = -1;  // -1: there was none to be had, as errno says
  Pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return;
    read_end = ends[0];
    write_end = ends[1];
  }
  bool is_open() const { return read_end >= 0; }
  void close_write() {
    if (write_end >= 0) ::close(write_end);
    write_end = -1;
  }
  ~Pipe() {
    close_write();
    if (is_open()) ::close(read_end);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
};

inline bool are_open(const Pipe& first, const Pipe& second) {
  return first.is_open() && second.is_open();
}

// What the system answered, and errno: a failure, or only a signal in between?
constexpr bool has_failed(ssize_t answer, int cause) { return answer < 0 && cause != EINTR; }
// Of a read or a write that moved so many bytes: more may follow.
constexpr bool goes_on(ssize_t moved, int cause) { return moved != 0 && !has_failed(moved, cause); }

inline void write_all(int descriptor, const std::string& text) {
  for (size_t done = 0; done < text.size();) {
    const ssize_t moved = ::write(descriptor, text.data() + done, text.size() - done);
    if (!goes_on(moved, errno)) ::_exit(kExitEnvironment);  // half an answer is none
    done += static_cast<size_t>(std::max<ssize_t>(0, moved));
  }
}

// Of a child that could not be started, as errno says.
ChildOutcome no_process(const std::string& what);
// Waits for its end: `finished` or `failure`, and the processor time.
void wait_for(pid_t child, ChildOutcome& out);
// What a child that died left behind goes; exit code 4 is the environment's.
void clean_up_after(pid_t child, ChildOutcome& out);
// In the child: writes what `body` returns to `result`, with stderr in `errors`.
[[noreturn]] void be_child(const std::function<std::string()>& body, const Pipe& result,
                           const Pipe& errors);

}  // namespace hlocc::driver
