// What a cache's server may answer: whole, in chunks, cut, and what is no HTTP. A server of the
// test's own answers one request on a port that the system chooses.
#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <string>
#include <thread>

#include "driver/cache/http.h"
#include "driver/cache/store.h"
#include "import/proto/wire.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

class OneAnswer {
 public:
  // `resets`: the connection is not closed behind the answer but broken.
  explicit OneAnswer(std::string answer, bool resets = false)
      : answer_(std::move(answer)), resets_(resets) {
    listener_ = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in where = {};
    where.sin_family = AF_INET;
    where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof where;
    REQUIRE(::bind(listener_, reinterpret_cast<sockaddr*>(&where), size) == 0);
    REQUIRE(::listen(listener_, 1) == 0);
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&where), &size);
    port_ = ntohs(where.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~OneAnswer() {
    end();
    ::close(listener_);
  }
  std::string url(const char* path) const { return cat("http://127.0.0.1:", port_, path); }
  // Whether somebody waits for an answer that there is not.
  bool is_asked_again() const {
    pollfd waiting = {listener_, POLLIN, 0};
    return ::poll(&waiting, 1, 0) > 0;
  }
  // All that was asked.
  std::string asked() {
    end();
    return asked_;
  }

 private:
  void end() {
    ::shutdown(listener_, SHUT_RDWR);
    if (thread_.joinable()) thread_.join();
  }
  // A request ends where its head says.
  bool is_whole() const {
    const size_t end = asked_.find("\r\n\r\n"), at = asked_.find("Content-Length: ");
    if (end == std::string::npos || at == std::string::npos) return false;
    return asked_.size() >= end + 4 + std::stoul(asked_.substr(at + 16));
  }
  void serve() {
    // A call of accept that waits holds the lowest descriptor already.
    pollfd waiting = {listener_, POLLIN, 0};
    ::poll(&waiting, 1, -1);
    const int one = ::accept(listener_, nullptr, nullptr);
    if (one < 0) return;
    char buffer[4096];
    while (!is_whole()) {
      const ssize_t moved = ::recv(one, buffer, sizeof buffer, 0);
      if (moved <= 0) break;
      asked_.append(buffer, static_cast<size_t>(moved));
    }
    ::send(one, answer_.data(), answer_.size(), MSG_NOSIGNAL);
    const linger at_once = {1, 0};
    if (resets_) ::setsockopt(one, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    ::close(one);
  }

  std::string answer_, asked_;
  bool resets_ = false;
  int listener_ = -1, port_ = 0;
  std::thread thread_;
};

// Long enough for any load; nothing waits for its end.
constexpr double kPatience = 600;

TEST_CASE("answers of servers are read, and what is cut is none") {
  struct Row {
    std::string answer;
    int status;
    const char* body;
  };
  const std::string ok = "HTTP/1.1 200 OK\r\n", length = ok + "Content-Length: ",
                    chunked = ok + "Transfer-Encoding: chunked\r\n\r\n";
  const Row rows[] = {{ok + "\r\nall", 200, "all"},
                      {ok + "\r\n", 200, ""},
                      {length + "3\r\n\r\nall", 200, "all"},
                      {length + "2\r\n\r\nall", 200, "al"},
                      {length + "0\r\n\r\nall", 200, ""},
                      {length + "4\r\n\r\nall", 0, ""},
                      {length + "x\r\n\r\nall", 0, ""},
                      {length + "\r\n\r\nall", 0, ""},
                      {ok + "content-LENGTH:3\r\n\r\nall", 200, "all"},
                      {ok + "Content-Length:", 0, ""},
                      {chunked + "3\r\nall\r\n0\r\n\r\n", 200, "all"},
                      {chunked + "3\r\nall\r\nA\r\n0123456789\r\n0\r\n\r\n", 200, "all0123456789"},
                      {chunked + "0\r\n\r\n", 200, ""},
                      {chunked + "3;x=1\r\nall\r\n0\r\n", 200, "all"},
                      {chunked + "3\r\nall\r\n", 0, ""},
                      {chunked + "3\r\nall\r", 0, ""},
                      {chunked + "3\r\nall", 0, ""},
                      {chunked + "3\r\nal", 0, ""},
                      {chunked + "4\r\nall\r\n0\r\n\r\n", 0, ""},
                      {chunked + "x\r\nall\r\n0\r\n\r\n", 0, ""},
                      {chunked, 0, ""},
                      {chunked + "3\r\nall\r\n0", 0, ""},
                      {chunked + "ffffffffffffffff\r\nall\r\n0\r\n", 0, ""},
                      {"HTTP/1.0 404 x\r\n\r\n", 404, ""},
                      {"HTTP/1.1 7  x\r\n\r\nbody", 7, "body"},
                      {"HTTP/1.1 abc x\r\n\r\n", 0, ""},
                      {"HTTP/2 200 OK\r\n\r\n", 0, ""},
                      {"HTTP/1.", 0, ""},
                      {"HTTP/1.\r\n\r\n", 0, ""},
                      {"HTTP/1.1\r\n\r\n", 0, ""},
                      {"HTTP/1.1 200\r\n", 0, ""},
                      {"FTP/1.1 200 OK\r\n\r\n", 0, ""},
                      {"", 0, ""}};
  for (const Row& row : rows) {
    INFO(row.answer);
    OneAnswer server(row.answer);
    const HttpAnswer answer =
        http_request(parse_address(server.url("")), "GET", "/x", {}, kPatience);
    CHECK(answer.status == row.status);
    CHECK(import::as_text(answer.body) == row.body);
    CHECK(answer.failure.empty() == (row.status != 0));
  }
}

TEST_CASE("a request says what it asks, and brings its bytes") {
  OneAnswer server("HTTP/1.1 201 made\r\n\r\n");
  Pieces body = hlocc::bytes_of(std::string("some"));
  const HttpAnswer answer =
      http_request(parse_address(server.url("")), "PUT", "/a/b", std::move(body), kPatience);
  CHECK(answer.status == 201);
  const std::string asked = server.asked();
  CHECK(asked.starts_with("PUT /a/b HTTP/1.1\r\nHost: 127.0.0.1:"));
  CHECK(asked.find("\r\nContent-Length: 4\r\n") != std::string::npos);
  CHECK(asked.ends_with("\r\n\r\nsome"));
}

// One that a server had.
int port_of_nobody() {
  OneAnswer server("");
  const int port = std::stoi(server.url("").substr(17));
  server.asked();
  return port;
}

TEST_CASE("a server that is not there is named by what the system says") {
  const HttpAnswer answer = http_request(parse_address(cat("http://127.0.0.1:", port_of_nobody())),
                                         "GET", "/x", {}, kPatience);
  CHECK(answer.status == 0);
  CHECK(answer.failure == "Connection refused");
}

TEST_CASE("a connection that breaks is no answer") {
  for (const char* begun : {"", "HTTP/1.1 200 OK\r\n\r\nsome"}) {
    OneAnswer server(begun, true);
    const HttpAnswer answer =
        http_request(parse_address(server.url("")), "GET", "/x", {}, kPatience);
    CHECK(answer.status == 0);
    CHECK(answer.failure == "Connection reset by peer");
  }
}

TEST_CASE("a process without a standard input asks all the same, and keeps no connection") {
  OneAnswer server("HTTP/1.1 200 OK\r\n\r\nall");
  const int input = ::dup(STDIN_FILENO);
  REQUIRE(input > 0);
  ::close(STDIN_FILENO);
  const HttpAnswer answer = http_request(parse_address(server.url("")), "GET", "/x", {}, kPatience);
  const bool is_closed = ::fcntl(STDIN_FILENO, F_GETFD) < 0;
  ::dup2(input, STDIN_FILENO);
  ::close(input);
  CHECK(answer.status == 200);
  CHECK(is_closed);
}

TEST_CASE("a process that has all the files that it may is told so") {
  OneAnswer server("HTTP/1.1 200 OK\r\n\r\n");
  const Address address = parse_address(server.url(""));
  rlimit before = {};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
  const rlimit none = {0, before.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &none) == 0);
  const HttpAnswer answer = http_request(address, "GET", "/x", {}, kPatience);
  CHECK(::setrlimit(RLIMIT_NOFILE, &before) == 0);
  CHECK(answer.status == 0);
  CHECK(answer.failure == "Too many open files");
}

// A server that takes connections and neither reads nor answers.
class Silent {
 public:
  Silent() {
    listener_ = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in where = {};
    where.sin_family = AF_INET;
    where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof where;
    REQUIRE(::bind(listener_, reinterpret_cast<sockaddr*>(&where), size) == 0);
    REQUIRE(::listen(listener_, 4) == 0);
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&where), &size);
    url_ = cat("http://127.0.0.1:", ntohs(where.sin_port));
  }
  ~Silent() { ::close(listener_); }
  Address address() const { return parse_address(url_); }

 private:
  int listener_ = -1;
  std::string url_;
};

TEST_CASE("a server that does not answer, or does not read, is waited for no longer than asked") {
  const Silent server;
  const Pieces large(Pieces::Bytes(size_t{32} << 20));
  for (const Pieces& body : {Pieces(), large}) {
    const HttpAnswer answer = http_request(server.address(), "PUT", "/x", body, 0.05);
    CHECK(answer.status == 0);
    CHECK(answer.failure == "does not answer in time");
  }
}

TEST_CASE("a secure server that is not there is no answer either") {
  const HttpAnswer answer = https_request(
      parse_address(cat("https://127.0.0.1:", port_of_nobody())), "GET", "/x", {}, kPatience);
  CHECK(answer.status == 0);
  CHECK_FALSE(answer.failure.empty());
}

TEST_CASE("a store asks for what it has, and gives up on what fails") {
  const auto get = [](const char* answer, std::string& trouble) {
    OneAnswer server(answer);
    const auto store = http_store(server.url("/top/"), false);
    const auto got = store->get(Shelf::kActions, "key");
    trouble = store->trouble();
    CHECK(server.asked().starts_with("GET /top/"));
    return got.has_value();
  };
  std::string trouble;
  CHECK(get("HTTP/1.1 200 OK\r\n\r\nx", trouble));
  CHECK(trouble.empty());
  for (const char* missing : {"HTTP/1.1 404 no\r\n\r\n", "HTTP/1.1 410 no\r\n\r\n"}) {
    CHECK_FALSE(get(missing, trouble));
    CHECK(trouble.empty());
  }
  CHECK_FALSE(get("HTTP/1.1 500 no\r\n\r\n", trouble));
  CHECK(trouble.ends_with("answers with 500"));
  CHECK_FALSE(get("nonsense", trouble));
  CHECK(trouble.ends_with("sends what is no answer of HTTP"));
  const auto put = [&](const char* answer) {
    OneAnswer server(answer);
    const auto store = http_store(server.url("/top"), false);
    store->put(Shelf::kActions, "key", hlocc::bytes_of(std::string("v")));
    CHECK(server.asked().starts_with("PUT /top/"));
    return store->trouble();
  };
  CHECK(put("HTTP/1.1 200 OK\r\n\r\n").empty());
  CHECK(put("HTTP/1.1 299 OK\r\n\r\n").empty());
  CHECK_FALSE(put("HTTP/1.1 300 no\r\n\r\n").empty());
  CHECK_FALSE(put("HTTP/1.1 199 no\r\n\r\n").empty());
  // One that is only read is not written to, nor is one that failed asked again.
  OneAnswer server("HTTP/1.1 500 no\r\n\r\n");
  const auto store = http_store(server.url(""), true);
  store->put(Shelf::kActions, "key", hlocc::bytes_of(std::string("v")));
  CHECK(store->trouble().empty());
  CHECK_FALSE(store->get(Shelf::kActions, "key"));
  CHECK_FALSE(store->get(Shelf::kActions, "key"));
  CHECK_FALSE(server.is_asked_again());
  CHECK(server.asked().find("GET", 3) == std::string::npos);
  OneAnswer failing("HTTP/1.1 500 no\r\n\r\n");
  const auto written = http_store(failing.url(""), false);
  written->put(Shelf::kActions, "key", hlocc::bytes_of(std::string("v")));
  CHECK(written->trouble().ends_with("answers with 500"));
  written->put(Shelf::kActions, "key", hlocc::bytes_of(std::string("v")));
  CHECK_FALSE(failing.is_asked_again());
}

}  // namespace
}  // namespace hlocc::driver
