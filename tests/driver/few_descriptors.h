// A process that can open few files: what becomes of pipes and of children then.
#pragma once
#include <sys/resource.h>
#include <unistd.h>

#include <catch2/catch.hpp>

namespace hlocc::tests {

// For as long as this lives, so many files more can be opened and no others.
class FewDescriptors {
 public:
  explicit FewDescriptors(int more) {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const int lowest = ::dup(STDIN_FILENO);
    REQUIRE(lowest >= 0);
    ::close(lowest);
    rlimit now = before_;
    now.rlim_cur = static_cast<rlim_t>(lowest + more);
    REQUIRE(::setrlimit(RLIMIT_NOFILE, &now) == 0);
  }
  ~FewDescriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_ = {};
};

}  // namespace hlocc::tests
