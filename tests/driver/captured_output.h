// What a test writes to stdout or stderr, as text: the descriptor is a file for as long as this
// lives, or a terminal of the test's own.
#pragma once
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <string>

namespace hlocc::tests {

// A stream leads to another descriptor, which it takes over.
class Redirected {
 public:
  Redirected(std::FILE* stream, int to) : stream_(stream) {
    REQUIRE(to >= 0);
    std::fflush(stream_);
    before_ = ::dup(::fileno(stream_));
    ::dup2(to, ::fileno(stream_));
    ::close(to);
  }
  ~Redirected() {
    std::fflush(stream_);
    std::clearerr(stream_);
    ::dup2(before_, ::fileno(stream_));
    ::close(before_);
  }
  Redirected(const Redirected&) = delete;
  Redirected& operator=(const Redirected&) = delete;

 private:
  std::FILE* stream_;
  int before_;
};

class CapturedOutput {
 public:
  explicit CapturedOutput(std::FILE* stream)
      : stream_(stream), file_(std::tmpfile()), redirected_(stream, ::dup(::fileno(file_))) {}
  ~CapturedOutput() { std::fclose(file_); }

  // All that was written until now.
  std::string text() const {
    std::fflush(stream_);
    std::string out(static_cast<size_t>(::lseek(::fileno(file_), 0, SEEK_END)), '\0');
    REQUIRE(::pread(::fileno(file_), out.data(), out.size(), 0) ==
            static_cast<ssize_t>(out.size()));
    return out;
  }

 private:
  std::FILE* stream_;
  std::FILE* file_;
  Redirected redirected_;
};

// The two ends of a terminal; the inner one is what a Redirected takes.
class OwnTerminal {
 public:
  OwnTerminal() : outer_(::posix_openpt(O_RDWR | O_NOCTTY)) {
    REQUIRE(outer_ >= 0);
    REQUIRE(::grantpt(outer_) == 0);
    REQUIRE(::unlockpt(outer_) == 0);
  }
  ~OwnTerminal() { ::close(outer_); }
  int outer() const { return outer_; }
  int open_inner() const { return ::open(::ptsname(outer_), O_RDWR | O_NOCTTY); }

 private:
  int outer_;
};

}  // namespace hlocc::tests
