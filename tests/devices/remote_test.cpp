// Messages between the host and a device's process that are none: cut short, too long, of other
// sizes than was asked for.
#include <sys/socket.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cerrno>

#include "devices/remote/remote_device.h"
#include "devices/remote/remote_protocol.h"

namespace hlocc::device {
namespace {

// What a device's process might send: the length of a message, then these bytes.
Status read_with_answer(uint64_t length, const std::vector<std::byte>& answer) {
  int ends[2];
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  REQUIRE(::write(ends[1], &length, sizeof length) == sizeof length);
  REQUIRE(::write(ends[1], answer.data(), answer.size()) == static_cast<ssize_t>(answer.size()));
  REQUIRE(::shutdown(ends[1], SHUT_WR) == 0);
  RemoteDevice device(ends[0], -1);
  std::vector<std::byte> got(4);
  const Status status = device.Read(got, {.handle = 1, .bytes = 4});
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
    return in.number() == 0;
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

}  // namespace
}  // namespace hlocc::device
