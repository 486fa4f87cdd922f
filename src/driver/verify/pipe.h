// What child.cpp and child_pool.cpp build children of: pipes, and what an ended process comes to.
#pragma once
#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

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
  void close_write() {
    if (write_end >= 0) ::close(write_end);
    write_end = -1;
  }
  ~Pipe() {
    close_write();
    if (read_end >= 0) ::close(read_end);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
};

inline void write_all(int descriptor, const std::string& text) {
  for (size_t done = 0; done < text.size();) {
    const ssize_t moved = ::write(descriptor, text.data() + done, text.size() - done);
    if (moved < 0 && errno == EINTR) continue;
    if (moved <= 0) ::_exit(kExitEnvironment);  // half an answer is none
    done += static_cast<size_t>(moved);
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
