// See out_of_memory.h. A reserve, given back first, is what the last steps live on.
#include "support/out_of_memory.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <new>
#include <string_view>
#include <utility>

#include "support/diagnostic.h"
#include "support/temporary_path.h"

namespace hlocc {
namespace {

constexpr size_t kReserveBytes = size_t{256} << 10;

// The process's own, as its memory is.
char*& reserve() {
  static char* bytes = nullptr;
  return bytes;
}

void say(std::string_view text) {
  // There is no caller to tell that this failed.
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace

void out_of_memory() {
  // A second time: what follows needs more than the reserve.
  std::set_new_handler([] { std::_Exit(kExitEnvironment); });
  std::free(std::exchange(reserve(), nullptr));
  say("hlocc: error[environment]: out of memory\n"
      "note: the system has no memory left; `ulimit -v` says what a process may have\n");
  remove_temporary_paths();
  std::_Exit(kExitEnvironment);
}

bool is_over_data_limit(size_t bytes) {
  rlimit limit = {};
  if (::getrlimit(RLIMIT_DATA, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return false;
  // Pages of: everything, resident, shared, text, libraries, data. Read without taking memory.
  char text[256] = {};
  const int file = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const ssize_t got = ::read(file, text, sizeof text - 1);
  ::close(file);
  unsigned long data = 0;
  if (got <= 0 || std::sscanf(text, "%*u %*u %*u %*u %*u %lu", &data) != 1) return false;
  const auto page = static_cast<rlim_t>(::sysconf(_SC_PAGESIZE));
  return bytes > limit.rlim_cur || data * page > limit.rlim_cur - bytes;
}

void end_when_out_of_memory() {
  reserve() = static_cast<char*>(std::malloc(kReserveBytes));
  std::set_new_handler(out_of_memory);
}

}  // namespace hlocc
