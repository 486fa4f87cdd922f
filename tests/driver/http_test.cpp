// Addresses of caches, and which transfers are tried again or given up.
#include "driver/cache/http.h"

#include <catch2/catch.hpp>
#include <cerrno>

#include "import/limits.h"

namespace hlocc::driver {
namespace {

TEST_CASE("addresses of caches are read") {
  struct Row {
    const char *url, *host, *port, *path;
    bool is_secure;
  };
  const Row rows[] = {{"http://cache", "cache", "80", "", false},
                      {"http://cache:8080/a/b/", "cache", "8080", "/a/b", false},
                      {"https://cache.example/x", "cache.example", "443", "/x", true},
                      {"http://[::1]:90/x", "::1", "90", "/x", false},
                      {"http://[::1]", "::1", "80", "", false},
                      {"http://[a", "[a", "80", "", false},
                      {"http://a]", "a]", "80", "", false},
                      {"http://a]:7", "a]", "7", "", false}};
  for (const Row& row : rows) {
    INFO(row.url);
    const Address address = parse_address(row.url);
    CHECK(address.host == row.host);
    CHECK(address.port == row.port);
    CHECK(address.path == row.path);
    CHECK(address.is_secure == row.is_secure);
  }
  for (const char* url : {"", "folder/x", "ftp://x", "http:/x", "http:///x"})
    CHECK(parse_address(url).host.empty());
}

TEST_CASE("a transfer that was only interrupted is tried again") {
  for (const int failure : {EINTR, EAGAIN}) {
    CHECK(is_to_be_repeated(-1, failure));
    for (const ssize_t moved : {0, 1, 7}) CHECK_FALSE(is_to_be_repeated(moved, failure));
  }
  for (const int failure : {0, EPIPE, ECONNRESET}) CHECK_FALSE(is_to_be_repeated(-1, failure));
}

TEST_CASE("an answer is no longer than a file") {
  CHECK_FALSE(is_too_long(0));
  CHECK_FALSE(is_too_long(static_cast<size_t>(import::kMaxFileBytes)));
  CHECK(is_too_long(static_cast<size_t>(import::kMaxFileBytes) + 1));
}

}  // namespace
}  // namespace hlocc::driver
