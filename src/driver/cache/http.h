// HTTP as far as a cache needs it: one request, one answer, a connection each, within a time.
#pragma once
#include <sys/types.h>

#include <string>

#include "support/pieces.h"

namespace hlocc::driver {

struct Address {
  bool is_secure = false;  // https
  std::string host, port, path;
};
// "http://cache:8080/hlocc"; an empty host: it is no such address.
Address parse_address(const std::string& url);

struct HttpAnswer {
  int status = 0;  // 200, 404, ...; 0: there was no answer, as `failure` says
  std::string failure;
  Pieces::Bytes body;
};

// More than a file may have.
bool is_too_long(size_t bytes);
// Whether a transfer that moved so many bytes, or ended with that errno, is to be tried again.
bool is_to_be_repeated(ssize_t moved, int failure);

// `method` is GET or PUT, `path` is absolute. Nothing takes longer than `seconds`.
HttpAnswer http_request(const Address& server, const std::string& method, const std::string& path,
                        const Pieces& body, double seconds);

// The same through libcurl, which is loaded when it is first needed.
HttpAnswer https_request(const Address& server, const std::string& method, const std::string& path,
                         const Pieces& body, double seconds);

}  // namespace hlocc::driver
