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

bool is_over_data_limit(size_t bytes, size_t limit, const char* statm, size_t page) {
  unsigned long data = 0;
  if (std::sscanf(statm, "%*u %*u %*u %*u %*u %lu", &data) != 1) return false;
  return bytes > limit || data * page > limit - bytes;
}

bool is_over_data_limit(size_t bytes) {
  rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
  ::getrlimit(RLIMIT_DATA, &limit);
  if (limit.rlim_cur == RLIM_INFINITY) return false;
  // Read without taking memory; the text stays empty where the file is not there.
  char text[256] = {};
  const int file = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  [[maybe_unused]] const ssize_t got = ::read(file, text, sizeof text - 1);
  ::close(file);
  return is_over_data_limit(bytes, limit.rlim_cur, text,
                            static_cast<size_t>(::sysconf(_SC_PAGESIZE)));
}

void end_when_out_of_memory() {
  reserve() = static_cast<char*>(std::malloc(kReserveBytes));
  std::set_new_handler(out_of_memory);
}

}  // namespace hlocc
