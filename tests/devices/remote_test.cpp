// Messages between the host and a device's process that are none: cut short, too long, of other
// sizes than was asked for.
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cerrno>

#include "devices/remote/remote_device.h"
#include "devices/remote/remote_protocol.h"

namespace hlocc::device {
namespace {

// What a device's process might send: the length of a message, then these bytes.
Status read_with_answer(uint64_t length, const std::vector<std::byte>& answer, size_t wanted = 4) {
  int ends[2];
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  REQUIRE(::write(ends[1], &length, sizeof length) == sizeof length);
  REQUIRE(::write(ends[1], answer.data(), answer.size()) == static_cast<ssize_t>(answer.size()));
  REQUIRE(::shutdown(ends[1], SHUT_WR) == 0);
  RemoteDevice device(ends[0], std::nullopt);
  std::vector<std::byte> got(wanted);
  const Status status = device.Read(got, {.handle = 1, .bytes = static_cast<int64_t>(wanted)});
  ::close(ends[1]);
  return status;
}

TEST_CASE("answers of a device's process that are no answers") {
  const auto answer = [](int64_t status, int64_t bytes, int64_t there) {
    backends::Writer out;
    out.number(status);
    out.number(bytes);
    std::vector<std::byte> all = out.take();
    all.resize(all.size() + static_cast<size_t>(there), std::byte{7});
    return all;
  };
  const auto read = [](const std::vector<std::byte>& bytes) {
    return read_with_answer(bytes.size(), bytes);
  };
  CHECK(read(answer(0, 4, 4)).ok());
  for (const auto& bytes : {answer(0, 5, 5),
                            answer(0, 3, 3),
                            answer(0, 4, 3),
                            answer(0, -1, 4),
                            answer(2, 4, 4),
                            answer(1, 1000, 0),
                            answer(1, 3, 40),
                            {}}) {
    const Status status = read(bytes);
    REQUIRE_FALSE(status);
    CHECK(status.error().kind == DiagnosticKind::kRun);
    CHECK(status.error().message == "the answer of the device's process is damaged");
  }
  // Nor is a status without bytes, though none were asked for, and a diagnostic by another status.
  std::vector<std::byte> status_alone = answer(0, 0, 0);
  CHECK(read_with_answer(status_alone.size(), status_alone, 0).ok());
  status_alone.resize(8);
  CHECK_FALSE(read_with_answer(status_alone.size(), status_alone, 0).ok());
  backends::Writer other;
  other.number(2);
  other.diagnostic(error(DiagnosticKind::kLimit, "another"));
  const std::vector<std::byte> diagnostic = other.take();
  CHECK(read(diagnostic).error().message == "the answer of the device's process is damaged");
  // A length that is never sent takes no memory.
  const Status endless = read_with_answer(uint64_t{1} << 60, answer(0, 4, 4));
  REQUIRE_FALSE(endless);
  CHECK(endless.error().message == "the device's process ended: it no longer answers");
}

struct SocketPair {
  SocketPair() { REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0); }
  ~SocketPair() {
    for (const int end : ends) ::close(end);
  }
  int ends[2];
};

TEST_CASE("messages of every length come through, and end where the other end does") {
  SocketPair pair;
  std::vector<std::byte> got;
  for (const size_t size : {0, 1, 2, 7, 8, 9, 5000}) {
    const std::vector<std::byte> sent(size, std::byte{3});
    REQUIRE(send_message(pair.ends[0], sent));
    REQUIRE(receive_message(pair.ends[1], got));
    CHECK(got == sent);
  }
  // Whatever an earlier call left in errno, an end is an end.
  REQUIRE(::shutdown(pair.ends[0], SHUT_RDWR) == 0);
  errno = EINTR;
  CHECK_FALSE(receive_message(pair.ends[1], got));
  CHECK_FALSE(send_message(pair.ends[1], {}));
  CHECK_FALSE(send_message(pair.ends[1], std::vector<std::byte>(3)));
  HostMemoryDevice device(64);
  serve_device(pair.ends[1], device);  // returns
}

TEST_CASE("requests to a device's process that are no requests") {
  HostMemoryDevice device(64);
  const auto answered = [&](const std::vector<int64_t>& numbers) {
    backends::Writer out;
    for (const int64_t number : numbers) out.number(number);
    const std::vector<std::byte> answer = answer_request(out.take(), device);
    backends::Reader in(answer);
    const bool ok = in.number() == 0;
    const bool is_allocation = ok && numbers[0] == 0;
    if (is_allocation) CHECK(device.Free(static_cast<uint64_t>(in.number())).ok());
    return ok;
  };
  CHECK(answered({0, 16, 0}));  // allocate
  for (const auto& numbers : std::vector<std::vector<int64_t>>{{},
                                                               {0},
                                                               {0, 16},
                                                               {1},
                                                               {2, 0, 0, 4},
                                                               {2, 0, 0, 4, 5},
                                                               {3, 0, 0, -1},
                                                               {3, 0},
                                                               {4, 0, 0, 4, 0, 0},
                                                               {4, 0, 0, 4, 0, 0, 5},
                                                               {2, 0, 0, 0, 9},
                                                               {4, 0, 0, 0, 0},
                                                               {5, 0, 0, 4},
                                                               {6},
                                                               {6, 9},
                                                               {7},
                                                               {8, 0},
                                                               {8, 0, 1, 0, 0},
                                                               {8, 0, INT64_MAX},
                                                               {8, 0, 0, 7},
                                                               {9},
                                                               {-1}})
    CHECK_FALSE(answered(numbers));
}

TEST_CASE("bytes that are not as many as their place has are not written") {
  HostMemoryDevice device(64);
  const auto handle = device.Allocate(16, 0);
  REQUIRE(handle.ok());
  for (const int64_t bytes : {3, 4, 5}) {
    backends::Writer out;
    for (const int64_t number : {static_cast<int64_t>(RemoteRequest::kWrite),
                                 static_cast<int64_t>(*handle), int64_t{0}, int64_t{4}})
      out.number(number);
    out.bytes(std::vector<std::byte>(static_cast<size_t>(bytes)));
    const std::vector<std::byte> answer = answer_request(out.take(), device);
    CHECK((backends::Reader(answer).number() == 0) == (bytes == 4));
  }
  CHECK(device.Free(*handle).ok());
}

TEST_CASE("a message whose end cannot be sent is not sent, and no socket ends at once") {
  SocketPair pair;
  REQUIRE(::fcntl(pair.ends[0], F_SETFL, O_NONBLOCK) == 0);
  CHECK(send_message(pair.ends[0], std::vector<std::byte>(3)));
  CHECK_FALSE(send_message(pair.ends[0], std::vector<std::byte>(64 << 20)));
  std::vector<std::byte> got;
  CHECK_FALSE(receive_message(-1, got));
  CHECK_FALSE(send_message(-1, got));
}

class CountingDevice : public HostMemoryDevice {
 public:
  CountingDevice() : HostMemoryDevice(64) {}
  Status Free(uint64_t) override {
    ++freed;
    return {};
  }
  int freed = 0;
};

TEST_CASE("an answer without a status is damaged") {
  int ends[2];
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  REQUIRE(send_message(ends[1], {}));
  RemoteDevice device(ends[0], std::nullopt);
  const Status status = device.Free(1);
  ::close(ends[1]);
  REQUIRE_FALSE(status);
  CHECK(status.error().message == "the answer of the device's process is damaged");
}

TEST_CASE("an answer to what could not be sent is none") {
  int ends[2];
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  backends::Writer out;
  out.number(0);
  REQUIRE(send_message(ends[1], out.take()));
  ::close(ends[1]);
  RemoteDevice device(ends[0], std::nullopt);
  const Status status = device.Free(1);
  REQUIRE_FALSE(status);
  CHECK_THAT(status.error().message, Catch::StartsWith("the device's process ended"));
}

TEST_CASE("what ends with a device is one process") {
  for (const pid_t process : {-1, 0}) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::close(STDERR_FILENO);
      // Never ended: that would be the end of all processes.
      new RemoteDevice(-1, process);
      ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 3);
  }
}

TEST_CASE("a device that cannot answer does nothing more") {
  for (const bool listens : {true, false}) {
    SocketPair pair;
    backends::Writer out;
    out.number(static_cast<int64_t>(RemoteRequest::kFree));
    out.number(1);
    const std::vector<std::byte> request = out.take();
    for (int i = 0; i < 2; ++i) REQUIRE(send_message(pair.ends[0], request));
    REQUIRE(::shutdown(pair.ends[0], listens ? SHUT_WR : SHUT_RDWR) == 0);
    CountingDevice device;
    serve_device(pair.ends[1], device);
    CHECK(device.freed == (listens ? 2 : 1));
  }
}

pid_t late_process = 0;
void be_late(int) {
  if (::getpid() == late_process) ::usleep(10000);
}

// Much more than a socket holds, to and from a device whose process is interrupted all the time;
// and so is this one.
TEST_CASE("signals interrupt neither the host nor the device for good") {
  struct sigaction action = {}, before = {};
  action.sa_handler = be_late;
  late_process = ::getpid();
  ::sigaction(SIGALRM, &action, &before);
  const auto interrupt_every = [](int microseconds) {
    const itimerval timer{{0, microseconds}, {0, microseconds}};
    ::setitimer(ITIMER_REAL, &timer, nullptr);
  };
  class Interrupted : public HostMemoryDevice {
   public:
    Interrupted() : HostMemoryDevice(64) {}
    Result<uint64_t> Allocate(int64_t bytes, int space) override {
      const itimerval timer{{0, 1000}, {0, 1000}};
      ::setitimer(ITIMER_REAL, &timer, nullptr);
      return HostMemoryDevice::Allocate(bytes, space);
    }
  };
  constexpr int64_t kBytes = 4 << 20;
  const auto device = RemoteDevice::start(std::make_unique<Interrupted>());
  REQUIRE(device.ok());
  const auto handle = (*device)->Allocate(kBytes, 0);
  interrupt_every(20000);
  const std::vector<std::byte> sent(kBytes, std::byte{6});
  std::vector<std::byte> got(kBytes);
  const DeviceMemory memory{handle.ok() ? *handle : 0, 0, kBytes, 0};
  const Status written = (*device)->Write(memory, sent), read = (*device)->Read(got, memory);
  interrupt_every(0);
  ::sigaction(SIGALRM, &before, nullptr);
  CHECK((handle.ok() && written.ok() && read.ok()));
  CHECK(got == sent);
}

TEST_CASE("where no process is to be had there is no device") {
  CHECK(RemoteDevice::start(std::make_unique<HostMemoryDevice>(64)).ok());
  const pid_t child = ::fork();
  if (child == 0) {  // its limits are for good
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_NPROC, &none);
    // Root may start processes beyond the limit.
    if (::geteuid() == 0 && ::setuid(65534) != 0) ::_exit(0);
    const auto device = RemoteDevice::start(std::make_unique<HostMemoryDevice>(64));
    ::_exit(!device.ok() && device.error().kind == DiagnosticKind::kEnvironment ? 0 : 1);
  }
  int status = 1;
  ::waitpid(child, &status, 0);
  CHECK(status == 0);
}

}  // namespace
}  // namespace hlocc::device
