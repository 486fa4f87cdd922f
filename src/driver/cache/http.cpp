// See http.h. HTTP/1.1 with `Connection: close`; an answer is as long as Content-Length says, or in
// chunks, or goes on until its end.
#include "driver/cache/http.h"

#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <optional>

#include "import/limits.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kTooSlow = "does not answer in time";

class Connection {
 public:
  explicit Connection(double seconds)
      : end_(Clock::now() +
             std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds))) {}
  ~Connection() {
    if (socket_ != -1) ::close(socket_);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  bool open(const Address& server) {
    addrinfo wanted = {};
    wanted.ai_socktype = SOCK_STREAM;
    addrinfo* const found = resolve(server, wanted);
    for (const addrinfo* one = found; one != nullptr && socket_ < 0; one = one->ai_next)
      connect_to(*one);
    ::freeaddrinfo(found);
    return socket_ >= 0;
  }

  bool send_all(const void* data, size_t size) {
    const char* bytes = static_cast<const char*>(data);
    while (size > 0) {
      ssize_t moved = 0;
      do {
        if (!wait(POLLOUT)) return false;
        moved = ::send(socket_, bytes, size, MSG_NOSIGNAL);
      } while (is_to_be_repeated(moved, errno));
      if (moved <= 0) return failed(std::strerror(errno));
      bytes += moved;
      size -= static_cast<size_t>(moved);
    }
    return true;
  }

  // All until the other side is done.
  std::optional<std::string> receive() {
    std::string out;
    char buffer[1 << 16];
    for (;;) {
      ssize_t moved = 0;
      do {
        if (!wait(POLLIN)) return std::nullopt;
        moved = ::recv(socket_, buffer, sizeof buffer, 0);
      } while (is_to_be_repeated(moved, errno));
      if (moved < 0) return failed(std::strerror(errno)), std::nullopt;
      if (moved == 0) return out;
      out.append(buffer, static_cast<size_t>(moved));
      if (is_too_long(out.size())) return failed("sends more than a file may have"), std::nullopt;
    }
  }

  const std::string& failure() const { return failure_; }

 private:
  bool failed(const std::string& why) {
    if (failure_.empty()) failure_ = why;
    return false;
  }

  int milliseconds_left() const {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end_ - Clock::now()).count();
    return static_cast<int>(std::max<int64_t>(left, 0));
  }

  bool wait(short events) {
    pollfd one = {socket_, events, 0};
    int ready = 0;
    do {
      ready = ::poll(&one, 1, milliseconds_left());
    } while (is_to_be_repeated(ready, errno));
    if (ready > 0) return true;
    return failed(ready == 0 ? kTooSlow : std::strerror(errno));
  }

  // Null where it has failed. A name server may be slower than what is left: the name is asked for
  // in the background.
  addrinfo* resolve(const Address& server, const addrinfo& wanted) {
    gaicb request = {};
    request.ar_name = server.host.c_str();
    request.ar_service = server.port.c_str();
    request.ar_request = &wanted;
    gaicb* requests[] = {&request};
    if (::getaddrinfo_a(GAI_NOWAIT, requests, 1, nullptr) != 0)
      return failed("no name can be looked up"), nullptr;
    const int left = milliseconds_left();
    const timespec time = {left / 1000, (left % 1000) * 1000000L};
    while (::gai_suspend(requests, 1, &time) == EAI_INTR) {
    }
    const int outcome = ::gai_error(&request);
    if (outcome == EAI_INPROGRESS) {
      // The request refers to this call's variables until it is over.
      while (::gai_cancel(&request) == EAI_NOTCANCELED && ::gai_error(&request) == EAI_INPROGRESS)
        ::gai_suspend(requests, 1, nullptr);
      return failed(kTooSlow), nullptr;
    }
    if (outcome != 0) return failed(::gai_strerror(outcome)), nullptr;
    return request.ar_result;
  }

  void connect_to(const addrinfo& where) {
    socket_ = ::socket(where.ai_family, where.ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (socket_ < 0) return static_cast<void>(failed(std::strerror(errno)));
    int outcome = ::connect(socket_, where.ai_addr, where.ai_addrlen) == 0 ? 0 : errno;
    if (outcome == EINPROGRESS && wait(POLLOUT)) {
      socklen_t size = sizeof outcome;
      ::getsockopt(socket_, SOL_SOCKET, SO_ERROR, &outcome, &size);
    }
    if (outcome == 0) return;
    failed(outcome == EINPROGRESS ? kTooSlow : std::strerror(outcome));
    ::close(socket_);
    socket_ = -1;
  }

  Clock::time_point end_;
  int socket_ = -1;
  std::string failure_;
};

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

std::optional<size_t> number(std::string_view text, int base) {
  size_t out = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), out, base);
  if (failure != std::errc()) return std::nullopt;
  return out;
}

// Chunks, each behind its length; nothing if one is cut.
std::optional<std::string> joined_chunks(std::string_view rest) {
  std::string out;
  for (;;) {
    const size_t end = rest.find("\r\n");
    if (end == std::string_view::npos) return std::nullopt;
    const std::optional<size_t> size = number(rest.substr(0, end), 16);
    if (!size) return std::nullopt;
    if (*size == 0) return out;
    rest.remove_prefix(end + 2);
    if (*size > rest.size() || rest.size() - *size < 2) return std::nullopt;
    out += rest.substr(0, *size);
    rest.remove_prefix(*size + 2);
  }
}

// From a whole answer; one that is cut is none.
HttpAnswer read_answer(const std::string& text) {
  HttpAnswer out;
  const size_t head_end = text.find("\r\n\r\n");
  out.failure = "sends what is no answer of HTTP";
  if (!text.starts_with("HTTP/1.") || head_end == std::string::npos) return out;
  const std::string head = lower(text.substr(0, head_end));
  std::string_view rest = std::string_view(text).substr(head_end + 4);
  std::optional<std::string> body;
  if (head.find("\r\ntransfer-encoding: chunked") != std::string::npos) {
    body = joined_chunks(rest);
  } else if (const size_t at = head.find("\r\ncontent-length:"); at != std::string::npos) {
    const size_t digits = head.find_first_not_of(' ', at + 17);
    const std::optional<size_t> size = digits == std::string::npos
                                           ? std::nullopt
                                           : number(std::string_view(head).substr(digits), 10);
    if (size && *size <= rest.size()) body = std::string(rest.substr(0, *size));
  } else {
    body = std::string(rest);
  }
  const std::optional<size_t> status = number(std::string_view(text).substr(9, 3), 10);
  if (!body || !status) return out;
  out.failure.clear();
  out.status = static_cast<int>(*status);
  out.body = bytes_of(*body);
  return out;
}

}  // namespace

bool is_too_long(size_t bytes) { return bytes > static_cast<size_t>(import::kMaxFileBytes); }

bool is_to_be_repeated(ssize_t moved, int failure) {
  return moved < 0 && (failure == EINTR || failure == EAGAIN);
}

Address parse_address(const std::string& url) {
  Address out;
  const size_t scheme = url.find("://");
  if (scheme == std::string::npos) return out;
  const std::string name = url.substr(0, scheme);
  if (name != "http" && name != "https") return out;
  out.is_secure = name == "https";
  const std::string rest = url.substr(scheme + 3);
  const size_t slash = std::min(rest.find('/'), rest.size());
  out.path = rest.substr(slash);
  while (out.path.ends_with('/')) out.path.pop_back();
  std::string host = rest.substr(0, slash);
  const size_t bracket = host.find(']');  // [::1]:8080
  const size_t colon = host.rfind(':');
  out.port = out.is_secure ? "443" : "80";
  if (colon != std::string::npos && (bracket == std::string::npos || colon > bracket)) {
    out.port = host.substr(colon + 1);
    host.resize(colon);
  }
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  out.host = host;
  return out;
}

HttpAnswer http_request(const Address& server, const std::string& method, const std::string& path,
                        const Pieces& body, double seconds) {
  Connection connection(seconds);
  const std::string head = cat(
      method, " ", path, " HTTP/1.1\r\nHost: ", server.host, ":", server.port,
      "\r\nUser-Agent: hlocc\r\nConnection: close\r\nContent-Length: ", body.size(), "\r\n\r\n");
  bool is_sent = connection.open(server) && connection.send_all(head.data(), head.size());
  for (const auto& piece : body.pieces())
    is_sent = is_sent && connection.send_all(piece->data(), piece->size());
  const std::optional<std::string> answer = is_sent ? connection.receive() : std::nullopt;
  if (!answer) return {0, connection.failure(), {}};
  return read_answer(*answer);
}

}  // namespace hlocc::driver
