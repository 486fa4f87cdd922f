// See store.h. A server that fails or is slow is asked no more by this process.
#include "driver/cache/http.h"
#include "driver/cache/store.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

// What a compile of a small model takes is a tenth of that.
constexpr double kSeconds = 2;

class HttpStore : public Store {
 public:
  HttpStore(std::string url, bool read_only)
      : url_(std::move(url)), server_(parse_address(url_)), read_only_(read_only) {}

  std::optional<Pieces::Bytes> get(Shelf shelf, const std::string& key) override {
    if (!trouble().empty()) return std::nullopt;
    HttpAnswer answer = ask("GET", shelf, key, {});
    if (answer.status == 200) return std::move(answer.body);
    if (answer.status != 404 && answer.status != 410) give_up(answer);
    return std::nullopt;
  }

  void put(Shelf shelf, const std::string& key, const Pieces& bytes) override {
    if (read_only_ || !trouble().empty()) return;
    const HttpAnswer answer = ask("PUT", shelf, key, bytes);
    if (answer.status < 200 || answer.status > 299) give_up(answer);
  }

 private:
  HttpAnswer ask(const std::string& method, Shelf shelf, const std::string& key,
                 const Pieces& bytes) const {
    const std::string path = cat(server_.path, "/", name_of(shelf), "/", key);
    return (server_.is_secure ? https_request : http_request)(server_, method, path, bytes,
                                                              kSeconds);
  }

  void give_up(const HttpAnswer& answer) {
    fail(cat(url_, " ", answer.status == 0 ? answer.failure : cat("answers with ", answer.status)));
  }

  std::string url_;
  Address server_;
  bool read_only_;
};

}  // namespace

std::unique_ptr<Store> http_store(std::string url, bool read_only) {
  return std::make_unique<HttpStore>(std::move(url), read_only);
}

}  // namespace hlocc::driver
