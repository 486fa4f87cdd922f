// See http.h. Of libcurl the six functions that a request needs, by their published numbers: no
// header of it is needed to build, nor the library to run without it.
#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>

#include "driver/cache/http.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

// CURLOPT_* and CURLINFO_*, which are part of the library's ABI.
enum Option : int {
  kWriteData = 10001,
  kUrl = 10002,
  kReadData = 10009,
  kCertificates = 10065,
  kWriteFunction = 20011,
  kReadFunction = 20012,
  kUpload = 46,
  kNoSignal = 99,
  kInFileSize = 30115,
  kTimeoutMilliseconds = 155,
};
constexpr int kResponseCode = 0x200002;

struct Curl {
  void* (*init)() = nullptr;
  int (*set)(void*, int, ...) = nullptr;
  int (*perform)(void*) = nullptr;
  int (*info)(void*, int, ...) = nullptr;
  void (*cleanup)(void*) = nullptr;
  const char* (*text)(int) = nullptr;
};

template <typename F>
bool find(void* library, const char* name, F& into) {
  into = reinterpret_cast<F>(::dlsym(library, name));
  return into != nullptr;
}

// All six of its functions; they are null where it is not installed, or lacks one.
Curl load() {
  for (const char* name : {"libcurl.so.4", "libcurl-gnutls.so.4"}) {
    void* library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) continue;
    Curl out;
    const int found = find(library, "curl_easy_init", out.init) +
                      find(library, "curl_easy_setopt", out.set) +
                      find(library, "curl_easy_perform", out.perform) +
                      find(library, "curl_easy_getinfo", out.info) +
                      find(library, "curl_easy_cleanup", out.cleanup) +
                      find(library, "curl_easy_strerror", out.text);
    if (found == 6) return out;
  }
  return {};
}

size_t take(char* data, size_t size, size_t count, void* into) {
  auto& body = *static_cast<Pieces::Bytes*>(into);
  if (is_too_long(body.size() + size * count)) return 0;
  const std::byte* bytes = reinterpret_cast<const std::byte*>(data);
  body.insert(body.end(), bytes, bytes + size * count);
  return size * count;
}

struct Rest {
  Pieces::Bytes bytes;
  size_t at = 0;
};

size_t give(char* into, size_t size, size_t count, void* from) {
  Rest& rest = *static_cast<Rest*>(from);
  const size_t moved = std::min(size * count, rest.bytes.size() - rest.at);
  std::copy_n(reinterpret_cast<const char*>(rest.bytes.data()) + rest.at, moved, into);
  rest.at += moved;
  return moved;
}

}  // namespace

HttpAnswer https_request(const Address& server, const std::string& method, const std::string& path,
                         const Pieces& body, double seconds) {
  static const Curl curl = load();
  if (curl.init == nullptr)
    return {0, "needs libcurl, which is not installed (Debian: libcurl4)", {}};
  void* request = curl.init();
  if (request == nullptr) return {0, "libcurl cannot begin", {}};
  HttpAnswer out;
  Rest rest{body.joined()};
  const std::string url = cat("https://", server.host, ":", server.port, path);
  curl.set(request, kUrl, url.c_str());
  curl.set(request, kTimeoutMilliseconds, static_cast<long>(seconds * 1000));
  // As the program curl has it, for servers of one's own.
  if (const char* file = std::getenv("CURL_CA_BUNDLE"); file != nullptr)
    curl.set(request, kCertificates, file);
  curl.set(request, kNoSignal, 1L);
  curl.set(request, kWriteFunction, &take);
  curl.set(request, kWriteData, &out.body);
  if (method == "PUT") {
    curl.set(request, kUpload, 1L);
    curl.set(request, kReadFunction, &give);
    curl.set(request, kReadData, &rest);
    curl.set(request, kInFileSize, static_cast<int64_t>(rest.bytes.size()));
  }
  const int failure = curl.perform(request);
  long status = 0;
  if (failure == 0)
    curl.info(request, kResponseCode, &status);
  else
    out.failure = curl.text(failure);
  out.status = static_cast<int>(status);
  curl.cleanup(request);
  return out;
}

}  // namespace hlocc::driver
